//! Which registers a function may read before it has written them.
//!
//! Only those can show that they were never written; all others may as well start defined, so that mostly nothing in a warp
//! is undefined and nothing needs to be looked at. A register counts where some way from the start of its function leads
//! to a reader without a writer before it that every lane runs: each lane goes its own way, and this holds for each.

use warpvm_machine::program::{Kind, Place, Program, Role};
use warpvm_machine::slots::{Class, Slot};

use super::plan::Plans;
use super::rows::Row;
use crate::flow;

/// Guarded writes that are kept in mind.
const MOST_PARTLY: usize = 64;

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(len: usize) -> Self {
        Bits(vec![0; len.div_ceil(64)])
    }

    fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    fn items(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 != 0).map(move |b| 64 * w + b))
    }
}

/// A stretch of instructions without a way in or out but at its ends.
struct Block {
    first: usize,
    end: usize,
    next: Vec<usize>,
    /// Rows that it reads before it has written them.
    reads: Vec<Row>,
    /// Rows that it writes in all its lanes.
    writes: Vec<Row>,
}

/// Rows that hold nothing at the start of a function and may be read before they are written.
pub(super) fn open_rows(program: &Program, plans: &Plans, function: usize) -> Vec<Row> {
    let mut blocks = blocks(program, function);
    let mut scan = Scan { plans, program, stamp: vec![(0, 0); plans.defined.len()], partly: Vec::new() };
    for (n, block) in blocks.iter_mut().enumerate() {
        scan.block(n as u32 + 1, block, function);
    }
    // Most rows are read in the block that writes them only: the others get numbers.
    let mut number = vec![u32::MAX; plans.defined.len()];
    let mut rows: Vec<Row> = Vec::new();
    for &row in blocks.iter().flat_map(|b| &b.reads) {
        if number[row as usize] == u32::MAX {
            number[row as usize] = rows.len() as u32;
            rows.push(row);
        }
    }
    let live = live_at_start(&blocks, &number, rows.len());
    live.items().map(|i| rows[i]).collect()
}

/// Of the rows with numbers, those that may be read before they are written from the first block on.
fn live_at_start(blocks: &[Block], number: &[u32], count: usize) -> Bits {
    let mut live = vec![Bits::new(count); blocks.len()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (b, block) in blocks.iter().enumerate() {
        block.next.iter().for_each(|&n| before[n].push(b));
    }
    let mut waits = vec![true; blocks.len()];
    let mut list: Vec<usize> = (0..blocks.len()).collect();
    while let Some(b) = list.pop() {
        waits[b] = false;
        let mut new = Bits::new(count);
        for &n in &blocks[b].next {
            new.0.iter_mut().zip(&live[n].0).for_each(|(x, y)| *x |= y);
        }
        let known = |row: &Row| Some(number[*row as usize]).filter(|n| *n != u32::MAX).map(|n| n as usize);
        blocks[b].writes.iter().filter_map(known).for_each(|i| new.remove(i));
        blocks[b].reads.iter().filter_map(known).for_each(|i| new.add(i));
        if new != live[b] {
            live[b] = new;
            for &p in &before[b] {
                if !std::mem::replace(&mut waits[p], true) {
                    list.push(p);
                }
            }
        }
    }
    live.into_iter().next().unwrap_or(Bits::new(count))
}

fn blocks(program: &Program, function: usize) -> Vec<Block> {
    let f = &program.functions[function];
    let code = &program.code[f.start as usize..f.end as usize];
    let next: Vec<Vec<usize>> = code.iter().enumerate().map(|(i, inst)| flow::successors(inst, i, f.start)).collect();
    let mut starts = vec![false; code.len() + 1];
    starts[0] = true;
    starts[code.len()] = true;
    for (i, to) in next.iter().enumerate() {
        if *to != [i + 1] {
            starts[i + 1] = true;
            to.iter().filter(|t| **t < code.len()).for_each(|t| starts[*t] = true);
        }
    }
    let firsts: Vec<usize> = (0..=code.len()).filter(|i| starts[*i]).collect();
    let block_of = |i: usize| firsts.partition_point(|f| *f <= i) - 1;
    let base = f.start as usize;
    firsts
        .windows(2)
        .map(|w| Block {
            first: base + w[0],
            end: base + w[1],
            next: next[w[1] - 1].iter().filter(|t| **t < code.len()).map(|t| block_of(*t)).collect(),
            reads: Vec::new(),
            writes: Vec::new(),
        })
        .collect()
}

/// What is known on the way through a block.
struct Scan<'a> {
    plans: &'a Plans,
    program: &'a Program,
    /// For each row, the block that was last seen to read it first and the one to write it.
    stamp: Vec<(u32, u32)>,
    /// Rows that were written where a predicate is true (or false), and neither has changed since: row, predicate, negated.
    partly: Vec<(Row, Row, bool)>,
}

impl Scan<'_> {
    fn block(&mut self, number: u32, block: &mut Block, function: usize) {
        self.partly.clear();
        for pc in block.first..block.end {
            let inst = &self.program.code[pc];
            let guard = inst.guard.map(|g| (self.plans.row(g.slot), g.negated));
            let operands = &self.program.meta[pc].operands;
            for &(_, class, slot) in operands.iter().filter(|o| o.0 == Role::Read) {
                self.read(number, block, (class, slot), guard);
            }
            if matches!(inst.kind, Kind::Return) {
                for place in &self.program.functions[function].results {
                    if let Place::Register(class, slot) = *place {
                        self.read(number, block, (class, slot), guard);
                    }
                }
            }
            for &(_, class, slot) in operands.iter().filter(|o| o.0 == Role::Write) {
                self.write(number, block, (class, slot), guard);
            }
        }
    }

    fn read(&mut self, number: u32, block: &mut Block, register: (Class, Slot), guard: Option<(Row, bool)>) {
        for row in rows(self.plans, register) {
            let is_covered = |&(r, p, negated): &(Row, Row, bool)| r == row && guard == Some((p, negated));
            let stamp = &mut self.stamp[row as usize];
            if row == 0 || stamp.0 == number || stamp.1 == number || self.partly.iter().any(is_covered) {
                continue;
            }
            stamp.0 = number;
            // Where it is a constant, a parameter or the like it always holds something.
            if !self.plans.defined[row as usize] {
                block.reads.push(row);
            }
        }
    }

    fn write(&mut self, number: u32, block: &mut Block, register: (Class, Slot), guard: Option<(Row, bool)>) {
        for row in rows(self.plans, register) {
            self.partly.retain(|&(_, p, _)| p != row);
            match guard {
                Some((p, negated)) if p != row => {
                    if !self.partly.contains(&(row, p, negated)) {
                        if self.partly.len() == MOST_PARTLY {
                            self.partly.remove(0);
                        }
                        self.partly.push((row, p, negated));
                    }
                }
                Some(_) => {}
                None => {
                    if self.stamp[row as usize].1 != number {
                        self.stamp[row as usize].1 = number;
                        block.writes.push(row);
                    }
                }
            }
        }
    }
}

/// The rows of a register.
fn rows(plans: &Plans, (class, slot): (Class, Slot)) -> impl Iterator<Item = Row> {
    let second = if class == Class::R128 { plans.row(Slot(slot.0 + 256)) } else { 0 };
    [plans.row(slot), second].into_iter().filter(|r| *r != 0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use warpvm_machine::lower::Image;

    use super::*;

    /// How many registers of a kernel with this body may be read before they are written.
    fn open(body: &str) -> usize {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{{\n\
             .reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n\
             ld.param.u64 %d1, [k_out];\nmov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n{body}\n\
             st.global.u32 [%d1], %r2;\nret;\n}}\n"
        );
        let tree = warpvm_ptx::parse(&text).expect("legal PTX");
        let image = Image::new(Arc::new(tree), text.as_str().into()).expect("a module");
        let program = image.lower("k").expect("a kernel");
        let plans = Plans::new(&program);
        open_rows(&program, &plans, 0).len()
    }

    #[test]
    fn a_register_that_is_written_first_is_not_open() {
        assert_eq!(open("add.u32 %r2, %r1, 1;"), 0);
        assert_eq!(open("add.u32 %r2, %r3, 1;"), 1);
        assert_eq!(open("add.u32 %r2, %r2, %r3;"), 2);
    }

    #[test]
    fn every_way_must_write_it() {
        assert_eq!(open("@%p1 bra A;\nmov.u32 %r2, 1;\nbra B;\nA: mov.u32 %r2, 2;\nB:"), 0);
        assert_eq!(open("@%p1 bra A;\nmov.u32 %r2, 1;\nA:"), 1);
        assert_eq!(open("A: setp.gt.u32 %p2, %r1, 9;\nmov.u32 %r2, 1;\n@%p2 bra A;"), 0);
        assert_eq!(open("A: add.u32 %r2, %r3, 1;\nmov.u32 %r3, 7;\n@%p1 bra A;"), 1);
    }

    #[test]
    fn a_guarded_write_covers_reads_under_the_same_guard_only() {
        assert_eq!(open("@%p1 mov.u32 %r3, 1;\nmov.u32 %r2, 0;\n@%p1 add.u32 %r2, %r3, 1;"), 0);
        assert_eq!(open("@%p1 mov.u32 %r3, 1;\nmov.u32 %r2, 0;\n@!%p1 add.u32 %r2, %r3, 1;"), 1);
        let changed = "@%p1 mov.u32 %r3, 1;\nmov.u32 %r2, 0;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 add.u32 %r2, %r3, 1;";
        assert_eq!(open(changed), 1);
    }

    #[test]
    fn a_predicate_is_a_register_too() {
        assert_eq!(open("mov.u32 %r2, 0;\n@%p3 mov.u32 %r2, 1;"), 1);
    }
}
