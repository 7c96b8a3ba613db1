//! Neighbouring instructions that are one in machine code.

use super::*;

impl Emitter<'_> {
    /// Finds the instructions that are done with the next one.
    pub(super) fn find_fused(&mut self) {
        self.fused = vec![false; self.program.code.len()];
        for b in 0..self.plan.blocks.len() {
            if let Some(pc) = self.scalar_test(b) {
                self.fused[pc as usize] = true;
                continue;
            }
            if self.isa == Isa::Avx2 {
                continue;
            }
            let block = &self.plan.blocks[b];
            for pc in block.start..block.end - 1 {
                let is_test = self.bit_test(pc).is_some() && self.is_only_for_next(pc, b);
                let is_operand = self.lazy_load(pc).is_some();
                let is_last = pc + 2 == block.end && self.loop_test(b).is_some();
                self.fused[pc as usize] = is_test || is_operand || is_last;
            }
        }
    }

    /// Does the next instruction alone read the result, a vector?
    fn is_only_for_next(&self, pc: Pc, b: usize) -> bool {
        self.read_by_next(pc, b).is_some_and(|v| self.is_vector(v))
    }

    /// The result, where the next instruction alone reads it.
    fn read_by_next(&self, pc: Pc, b: usize) -> Option<ValueId> {
        let v = self.plan.operands(self.program, pc, Role::Write).next()?;
        let is_next = self.plan.block_of.get(pc as usize + 1) == Some(&b);
        let reads = self.plan.operands(self.program, pc + 1, Role::Read).filter(|&r| r == v).count();
        (is_next && reads == 1 && self.value(v).reads == 1).then_some(v)
    }

    /// The comparison of scalars at the end of a block, which only its branch reads.
    pub(super) fn scalar_test(&self, b: usize) -> Option<Pc> {
        let block = &self.plan.blocks[b];
        let Term::Branch { guard: Some(guard), .. } = block.term else { return None };
        let pc = (block.end - 1).checked_sub(1).filter(|&pc| pc >= block.start)?;
        let op = self.plain_row(pc)?;
        let is_compare = matches!(op.name, Some(LaneOp::Compare(..))) && op.slots[0] == guard.slot;
        let v = self.read_by_next(pc, b)?;
        (is_compare && self.is_scalar(v) && !self.plan.parts(guard)).then_some(pc)
    }

    fn plain_row(&self, pc: Pc) -> Option<&RowOp> {
        match &self.program.code[pc as usize] {
            crate::program::Inst { guard: None, kind: Kind::Row(op) } if !op.slots[1].is_some() => Some(op),
            _ => None,
        }
    }

    /// `and` with a constant whose result the next instruction compares with 0, or with the constant where that is one bit:
    /// the other operand, the constant, and whether the comparison is true where a bit is set.
    pub(super) fn bit_test(&self, pc: Pc) -> Option<(ValueId, u32, bool)> {
        let (and, compare) = (self.plain_row(pc)?, self.plain_row(pc + 1)?);
        let Some(LaneOp::Compare(relation @ (Relation::Eq | Relation::Ne), Compared::S32 | Compared::U32)) =
            compare.name
        else {
            return None;
        };
        if and.name != Some(LaneOp::And) || compare.slots[2] != and.slots[0] {
            return None;
        }
        let d = self.plan.by_slot.get(&and.slots[0])?;
        if self.value(*d).class != Class::R32 {
            return None;
        }
        let (x, c) = (self.plan.read(and.slots[2]), self.plan.constant(self.plan.read(and.slots[3]))? as u32);
        let with = self.plan.constant(self.plan.read(compare.slots[3]))? as u32;
        let is_set = match with {
            0 => relation == Relation::Ne,
            w if w == c && c.is_power_of_two() => relation == Relation::Eq,
            _ => return None,
        };
        Some((x, c, is_set))
    }

    /// A load of one shared word for all lanes of a chunk that the next instruction multiplies with: its result.
    pub(super) fn lazy_load(&self, pc: Pc) -> Option<ValueId> {
        let Kind::Load(load) = &self.program.code[pc as usize].kind else { return None };
        let b = self.plan.block_of[pc as usize];
        let base = self.checkable(pc, b)?;
        let fma = self.plain_row(pc + 1).filter(|op| op.name == Some(LaneOp::FmaF32))?;
        let slot = load.results[0].1;
        let is_factor = (fma.slots[2] == slot) != (fma.slots[3] == slot) && fma.slots[4] != slot;
        (self.step(base) == 0 && is_factor && self.is_only_for_next(pc, b)).then(|| self.plan.by_slot[&slot])
    }

    /// The comparison at the end of a loop of one block, which only its branch reads.
    pub(super) fn loop_test(&self, b: usize) -> Option<Pc> {
        let block = &self.plan.blocks[b];
        let Term::Branch { guard: Some(guard), .. } = block.term else { return None };
        if block.end - block.start < 2 || self.mask_home[b].is_none() {
            return None;
        }
        let pc = block.end - 2;
        let op = self.plain_row(pc)?;
        let is_compare = matches!(op.name, Some(LaneOp::Compare(..))) && op.slots[0] == guard.slot;
        (is_compare && self.is_only_for_next(pc, b)).then_some(pc)
    }

    /// The lanes of a loop that go on: those for which the comparison at its end is true.
    pub(super) fn masked_test(&mut self, pc: Pc, negated: bool, current: u8, k: usize) {
        let Some(op) = self.plain_row(pc) else { return };
        let Some(LaneOp::Compare(relation, compared)) = op.name else { return };
        let s = [self.plan.read(op.slots[2]), self.plan.read(op.slots[3])];
        let is_float = compared == Compared::F32;
        let a = self.in_register(s[0], k, T1, is_float);
        let c = self.vector(s[1], k, T2, is_float);
        if is_float {
            let imm = float_test(relation);
            // The opposite of an ordered test is true of NaNs.
            self.asm.compare_floats_masked(current, a, c, if negated { imm ^ 4 } else { imm });
        } else {
            let test = word_test(relation);
            self.asm.compare_words_masked(
                current,
                a,
                c,
                if negated { test.opposite() } else { test },
                compared == Compared::S32,
            );
        }
    }
}

/// The immediate of `vcmpps`.
pub(super) fn float_test(relation: Relation) -> u8 {
    match relation {
        Relation::Eq => 0,
        Relation::Ne => 12,
        Relation::Lt => 17,
        Relation::Le => 18,
        Relation::Gt => 30,
        Relation::Ge => 29,
    }
}

pub(super) fn word_test(relation: Relation) -> Test {
    match relation {
        Relation::Eq => Test::Equal,
        Relation::Ne => Test::NotEqual,
        Relation::Lt => Test::Less,
        Relation::Le => Test::NotGreater,
        Relation::Gt => Test::Greater,
        Relation::Ge => Test::NotLess,
    }
}
