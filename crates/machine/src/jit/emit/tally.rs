//! Additions to shared memory at places that numbers in global memory name: histograms.
//!
//! Where an index goes from a load through operations with constants into the address of an addition, and cannot lead out of
//! a range that one comparison checks, lanes need no vectors: each index is read from memory, and its word added to.

use super::memory::Plain;
use super::*;

/// A load, what is done to each of its numbers, and the addition that it ends in.
#[derive(Clone)]
pub(super) struct Tally {
    load: Pc,
    access: Plain,
    /// What is done to a number in a general register.
    steps: Vec<(Step, u32)>,
    /// The word is at the number times this power of 2, plus this, from the start of shared memory.
    scale: u8,
    disp: i32,
    /// Bytes of shared memory that are enough for every number.
    needed: i32,
    add: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    And,
    Right,
    Left,
    /// The same of a number of 16 bits.
    LeftOfHalf,
    /// Only at the end.
    Add,
}

/// What a number may be.
#[derive(Clone, Copy)]
struct Range {
    high: u64,
    /// Low bits that are zero.
    zeros: u32,
}

impl Range {
    fn after(self, step: Step, c: u32) -> Option<Range> {
        let Range { high, zeros } = self;
        let range = match step {
            Step::And => Range { high: high.min(u64::from(c)), zeros: zeros.max(c.trailing_zeros()) },
            Step::Right if c < 32 => Range { high: high >> c, zeros: zeros.saturating_sub(c) },
            Step::Left if c < 32 => Range { high: high << c, zeros: zeros + c },
            Step::LeftOfHalf if c < 16 && high < 1 << 16 => Range { high: high << c, zeros: zeros + c },
            _ => return None,
        };
        u32::try_from(range.high).is_ok().then_some(range)
    }
}

impl Emitter<'_> {
    /// Finds the additions whose places are read from memory lane by lane.
    pub(super) fn find_tallies(&mut self) {
        self.tallies = (0..self.program.code.len() as Pc).filter_map(|pc| Some((pc, self.find_tally(pc)?))).collect();
    }

    /// Is the instruction done with an addition behind it, in this form of the block?
    pub(super) fn is_tallied(&self, pc: Pc, b: usize) -> bool {
        let next = self.tallies.range(pc + 1..).next();
        !self.is_masked(b) && next.is_some_and(|(_, tally)| tally.load <= pc)
    }

    fn find_tally(&self, pc: Pc) -> Option<Tally> {
        let crate::program::Inst { guard: None, kind: Kind::Atomic(a) } = &self.program.code[pc as usize] else {
            return None;
        };
        let value = self.added(a)?;
        if (a.address.space, a.address.class) != (AddressSpace::Shared, Class::R32) {
            return None;
        }
        let (mut v, mut steps) = (self.plan.read(a.address.base), Vec::new());
        let start = self.plan.blocks[self.plan.block_of[pc as usize]].start;
        let (load, access) = (start..pc).rev().find_map(|at| {
            let inst = &self.program.code[at as usize];
            if matches!(inst.kind, Kind::Converge | Kind::Nothing) {
                return None;
            }
            let is_own = self.value(v).defs == [at] && self.value(v).reads == 1 && self.is_vector(v);
            match &inst.kind {
                _ if !is_own || inst.guard.is_some() => Some(None),
                Kind::Load(load) => Some(self.numbers(load, at).map(|access| (at, access))),
                Kind::Row(op) => match self.step_of(op) {
                    Some((source, step)) => {
                        steps.push(step);
                        v = source;
                        None
                    }
                    None => Some(None),
                },
                _ => Some(None),
            }
        })??;
        let mut disp = a.address.offset - i64::from(SHARED_START);
        while let Some(&(Step::Add, c)) = steps.first() {
            disp += i64::from(c);
            steps.remove(0);
        }
        steps.reverse();
        let all = Range { high: (1 << (8 * access.size)) - 1, zeros: 0 };
        let range = steps.iter().try_fold(all, |range, &(step, c)| range.after(step, c))?;
        let scale = match steps.last() {
            Some(&(Step::Left | Step::LeftOfHalf, c)) if c <= 3 => {
                steps.pop();
                c as u8
            }
            _ => 0,
        };
        let needed = i32::try_from(disp + range.high as i64 + 4).ok()?;
        let is_aligned = range.zeros >= 2 && disp % 4 == 0;
        let add = self.plan.constant(value)? as u32;
        (is_aligned && disp >= 0).then_some(Tally { load, access, steps, scale, disp: disp as i32, needed, add })
    }

    /// A load of numbers that lie one behind the other.
    fn numbers(&self, load: &Load, pc: Pc) -> Option<Plain> {
        let [(Class::R32, _)] = load.results[..] else { return None };
        let p = self.plain(&load.address, load.size, pc)?;
        let is_plain = load.ordering == crate::program::Ordering::Weak && !load.signed && load.size <= 4;
        (is_plain && p.whole && load.address.space == AddressSpace::Global && p.step == i64::from(load.size))
            .then_some(p)
    }

    /// The value that an operation changes by a constant, and how.
    fn step_of(&self, op: &RowOp) -> Option<(ValueId, (Step, u32))> {
        let source = |i: usize| self.plan.read(op.slots[i]);
        let constant = |i: usize| self.plan.constant(source(i)).map(|c| c as u32);
        let power = |c: u32| c.is_power_of_two().then(|| c.trailing_zeros());
        if op.slots[1].is_some() {
            return None;
        }
        let step = match op.name? {
            LaneOp::Add32 => match (constant(2), constant(3)) {
                (Some(c), None) => return Some((source(3), (Step::Add, c))),
                (_, c) => (Step::Add, c?),
            },
            LaneOp::And => (Step::And, constant(3)?),
            LaneOp::ShrU32 => (Step::Right, constant(3)?),
            LaneOp::Shl32 => (Step::Left, constant(3)?),
            LaneOp::Mul32 => (Step::Left, power(constant(3)?)?),
            LaneOp::MulWideU16 => (Step::LeftOfHalf, power(constant(3)? & 0xffff)?),
            _ => return None,
        };
        Some((source(2), step))
    }

    /// An addition and all that leads to it, for lanes that are all awake.
    pub(super) fn add_tally(&mut self, pc: Pc) {
        let Some(t) = self.tallies.get(&pc).cloned() else { return };
        let (slow, back) = (self.asm.label(), self.asm.label());
        self.asm.alu_constant(Alu::Cmp, true, at(R14, CX.shared_len), t.needed);
        self.asm.jump_if(Cc::Below, slow);
        let first = self.address(t.access, 0, slow);
        for lane in 0..(self.width * self.isa.lanes()) as i32 {
            // Registers in turn.
            let r = if lane % 2 == 0 { RAX } else { RCX };
            let number = Mem { disp: first.disp + lane * t.access.size as i32, ..first };
            match t.access.size {
                1 => self.asm.load_narrow(0xb6, r, number),
                2 => self.asm.load_narrow(0xb7, r, number),
                _ => self.asm.load(false, r, number),
            }
            for &(step, c) in &t.steps {
                match step {
                    Step::And => self.asm.alu_constant(Alu::And, false, Rm::Reg(r), c as i32),
                    Step::Right => self.asm.shift(5, false, r, c as u8),
                    Step::Left | Step::LeftOfHalf => self.asm.shift(4, false, r, c as u8),
                    Step::Add => {}
                }
            }
            self.asm.add_scaled(R11, r, t.scale, t.disp, t.add as i32);
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: t.load, last: pc, start: slow, back, kept });
    }
}
