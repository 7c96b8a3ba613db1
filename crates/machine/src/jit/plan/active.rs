//! Which lanes the interpreter finds together at an `activemask`.
//!
//! Lanes part at branches and meet where the program says; a turn that ends, or nobody left who can run, may let some go on
//! before they have met. Compiled code runs the lanes of a block together whatever way they came. The two are the same
//! where the kernel is so short that no turn ends, lanes that meet are all those that parted, and no lanes leave the code
//! before.

use super::{Plan, Term};
use crate::program::{Kind, Pc, Program};

/// Instructions in a row that no turn of the interpreter ends in.
const SHORT: usize = 256;

impl Plan {
    /// Is it sure at every `activemask` that they are those that compiled code runs together?
    pub(super) fn knows_active_lanes(&self, program: &Program) -> bool {
        let asks = |pc: &Pc| matches!(program.code[*pc as usize].kind, Kind::ActiveMask { .. });
        let asked: Vec<Pc> = (0..program.code.len() as Pc).filter(asks).collect();
        if asked.is_empty() {
            return true;
        }
        if asked.iter().any(|&pc| program.code[pc as usize].guard.is_some()) {
            return false;
        }
        if self.blocks.iter().all(|b| !b.masked) {
            return true;
        }
        let has_loop = self.blocks.iter().enumerate().any(|(b, block)| block.successors.iter().any(|&s| s <= b));
        if has_loop || program.code.len() >= SHORT {
            return false;
        }
        let together = self.find_together(program);
        asked.iter().all(|&pc| together[self.block_of[pc as usize]] && !self.may_leave_before(program, pc))
    }

    /// By block: are the lanes that run it one split of the interpreter? There is no loop.
    fn find_together(&self, program: &Program) -> Vec<bool> {
        let n = self.blocks.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (b, block) in self.blocks.iter().enumerate() {
            block.successors.iter().for_each(|&s| before[s].push(b));
        }
        let mut dominator = vec![0; n];
        let mut together = vec![true; n];
        for b in 1..n {
            before[b].dedup();
            let common = |mut x: usize, mut y: usize| {
                while x != y {
                    if x > y { x = dominator[x] } else { y = dominator[y] }
                }
                x
            };
            let Some(x) = before[b].iter().copied().reduce(common) else { continue };
            dominator[b] = x;
            together[b] = together[x] && (before[b].len() == 1 || self.meets_at(program, x, b));
        }
        together
    }

    /// Does the branch at the end of a block name another block as the place to meet?
    fn meets_at(&self, program: &Program, from: usize, to: usize) -> bool {
        let last = &program.code[self.blocks[from].end as usize - 1];
        let Kind::Branch { reconverge, .. } = last.kind else { return false };
        let is_meeting = |pc: &Pc| matches!(program.code[*pc as usize].kind, Kind::Converge);
        (self.blocks[to].start..self.blocks[to].end).take_while(is_meeting).any(|pc| pc == reconverge)
    }

    /// May some lanes of a warp have left compiled code without the others, on the way to a place?
    fn may_leave_before(&self, program: &Program, place: Pc) -> bool {
        let n = self.blocks.len();
        let target = self.block_of[place as usize];
        let mut leads = vec![false; n];
        leads[target] = true;
        for b in (0..target).rev() {
            leads[b] = self.blocks[b].successors.iter().any(|&s| leads[s]);
        }
        let waits = |pc: Pc| matches!(program.code[pc as usize].kind, Kind::Collective(_));
        (0..=target).filter(|&b| leads[b] && self.blocks[b].masked).any(|b| {
            let block = &self.blocks[b];
            let end = if b == target { place } else { block.end };
            b != target && matches!(block.term, Term::Stop { .. }) || (block.start..end).any(waits)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::lower::Image;

    /// Is a kernel with these statements compiled, for blocks of 64 threads?
    fn is_compiled(statements: &str) -> bool {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p_out)\n{{
  .reg .b32 %r<4>, %n;\n  .reg .b64 %rd<3>;\n  .reg .pred %p<3>;
  ld.param.u64 %rd0, [p_out];\n  mov.u32 %n, %tid.x;\n  mul.wide.u32 %rd1, %n, 4;\n  add.s64 %rd0, %rd0, %rd1;
  setp.lt.u32 %p0, %n, 7;\n  and.b32 %r1, %n, 3;\n  setp.eq.u32 %p1, %r1, 0;\n  mov.b32 %r0, 0;\n{statements}
  st.global.u32 [%rd0], %r0;\n  ret;\n}}\n"
        );
        let tree = warpvm_ptx::parse(&text).expect("legal text");
        let image = Image::new(Arc::new(tree), text.as_str().into()).expect("a module");
        let program = image.lower("k").expect("a kernel");
        Plan::new(&program, [64, 1, 1], 16, false).is_some()
    }

    #[test]
    fn lanes_that_meet_where_they_parted_are_known() {
        assert!(is_compiled("activemask.b32 %r0;"));
        assert!(is_compiled("@%p0 bra L;\nactivemask.b32 %r0;\nL:"));
        assert!(is_compiled("@%p0 bra L;\n@%p1 bra M;\nactivemask.b32 %r0;\nM:\nactivemask.b32 %r0;\nL:"));
        assert!(is_compiled("@%p0 bra L;\nmov.b32 %r0, 5;\nL:\nactivemask.b32 %r0;"));
        assert!(is_compiled("@%p0 exit;\nactivemask.b32 %r0;"));
    }

    #[test]
    fn lanes_that_come_two_ways_are_not() {
        let text = "@%p0 bra M;\n@%p1 bra L;\nM:\nactivemask.b32 %r0;\nL:";
        assert!(!is_compiled(text));
    }

    #[test]
    fn lanes_that_may_go_on_before_others_are_not() {
        let text = "L:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra L;\nactivemask.b32 %r0;";
        assert!(!is_compiled(text));
        let text = "@%p0 bra L;\nvote.sync.ballot.b32 %r1, %p1, -1;\nL:\nactivemask.b32 %r0;";
        assert!(!is_compiled(text));
        assert!(!is_compiled("@%p0 activemask.b32 %r0;"));
    }
}
