//! Warp collectives.
//!
//! Where all 32 lanes are there and give the full mask, the frequent ones are done in place: votes and what they give are
//! moves between mask and general registers, `redux` folds halves onto each other, shuffles are permutations (see
//! [`super::shuffle`]). In all other cases the helper looks whether the lanes that are here are all that the collective
//! waits for, and does it; where they are not they leave, and the interpreter lets them wait.

use super::predicates::RESULT;
use super::*;
use crate::program::ReduxOp;

impl Emitter<'_> {
    /// False where it is left to the helper altogether.
    pub(super) fn collective(&mut self, c: &Collective, b: usize, pc: Pc) -> bool {
        if !self.has_form(c) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        let is_sure = self.need_whole_warp(c, b, slow);
        let before = self.all_awake.replace(b);
        self.whole(c, b);
        self.all_awake = before;
        self.asm.bind(back);
        if !is_sure {
            let kept = self.kept.clone();
            self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        }
        true
    }

    /// `activemask`, in a kernel whose lanes never part.
    pub(super) fn active_mask(&mut self, result: Slot, b: usize) -> bool {
        let ones = self.ones();
        self.asm.v_load(T1, ones);
        self.spread_word(result, b, T1);
        true
    }

    /// Is there code for all 32 lanes, which they may be?
    fn has_form(&self, c: &Collective) -> bool {
        let constant = |slot: Slot| self.plan.constant(self.plan.read(slot));
        let may_be_whole = c.mask.is_some() && constant(c.mask).is_none_or(|m| m as u32 == FULL);
        may_be_whole
            && match &c.op {
                CollectiveOp::Shfl(_) => constant(c.sources[2]).is_some(),
                CollectiveOp::MatchAny(class) | CollectiveOp::MatchAll(class) => *class == Class::R32,
                CollectiveOp::Redux(op) => fold(*op).is_some(),
                CollectiveOp::VoteAll { .. }
                | CollectiveOp::VoteAny { .. }
                | CollectiveOp::VoteUni { .. }
                | CollectiveOp::VoteBallot { .. }
                | CollectiveOp::Elect
                | CollectiveOp::BarWarp => true,
                CollectiveOp::Matrix(_)
                | CollectiveOp::Fragment(_)
                | CollectiveOp::TensorMap(_)
                | CollectiveOp::Other(_) => false,
            }
    }

    /// Jumps where a lane is asleep or gives another mask than the full one. True where that cannot be.
    fn need_whole_warp(&mut self, c: &Collective, b: usize, slow: Label) -> bool {
        let is_masked = self.is_masked(b);
        if is_masked {
            for k in 0..self.width {
                let current = self.current_mask(b, k, M1);
                let not_all = self.asm.m_not_all(current);
                self.asm.jump_if(not_all, slow);
            }
        }
        let m = self.plan.read(c.mask);
        if self.plan.constant(m).is_some() {
            return !is_masked;
        }
        if self.value(m).shape == UNIFORM {
            self.get(RAX, m, 0, false);
            self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), -1);
            self.asm.jump_if(Cc::NotZero, slow);
            return false;
        }
        for k in 0..self.width {
            let x = self.vector(m, k, T1, false);
            match k {
                0 => self.asm.v_load(T2, x),
                _ => self.asm.v(VPAND, T2, T2, x),
            }
        }
        let ones = self.ones();
        self.equal_words(M1, T2, ones.into());
        let not_all = self.asm.m_not_all(M1);
        self.asm.jump_if(not_all, slow);
        false
    }

    /// Which 32-bit lanes are the same.
    fn equal_words(&mut self, mask: u8, a: u8, b: Rm) {
        match self.isa {
            Isa::Avx512 => self.asm.compare_words(mask, a, b, Test::Equal, false),
            Isa::Avx2 => self.asm.v(VPCMPEQD, mask, a, b),
        }
    }

    /// For all 32 lanes.
    fn whole(&mut self, c: &Collective, b: usize) {
        match &c.op {
            CollectiveOp::Shfl(mode) => self.shuffle(*mode, c, b),
            CollectiveOp::VoteBallot { negated } => {
                self.ballot(c, *negated);
                self.asm.broadcast(T1, RDX, false);
                self.spread_word(c.result, b, T1);
            }
            CollectiveOp::VoteAll { negated } => {
                self.ballot(c, *negated);
                self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RDX), -1);
                self.spread_test(c.result, b, Cc::Zero);
            }
            CollectiveOp::VoteAny { negated } => {
                self.ballot(c, *negated);
                self.asm.test(RDX);
                self.spread_test(c.result, b, Cc::NotZero);
            }
            CollectiveOp::VoteUni { negated } => {
                self.ballot(c, *negated);
                // -1 and 0 become 0 and 1.
                self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), 1);
                self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RDX), 1);
                self.spread_test(c.result, b, Cc::NotAbove);
            }
            CollectiveOp::MatchAny(_) => self.match_any(c, b),
            CollectiveOp::MatchAll(_) => self.match_all(c, b),
            CollectiveOp::Redux(op) => self.reduce(*op, c, b),
            CollectiveOp::Elect => {
                let zero = self.word(0);
                self.asm.v_load(T1, zero);
                self.spread_word(c.result, b, T1);
                self.set_bits(c.predicate, b, 1);
            }
            CollectiveOp::BarWarp
            | CollectiveOp::Matrix(_)
            | CollectiveOp::Fragment(_)
            | CollectiveOp::TensorMap(_)
            | CollectiveOp::Other(_) => {}
        }
    }

    /// The bits of a vote's predicate in `rdx`.
    fn ballot(&mut self, c: &Collective, negated: bool) {
        let p = self.plan.read(c.sources[0]);
        for k in 0..self.width {
            let r = self.predicate(p, k, M2);
            self.gather_bits(k, r);
        }
        if negated {
            self.asm.not(false, RDX);
        }
    }

    /// Gives all lanes the vector in a register.
    fn spread_word(&mut self, result: Slot, b: usize, from: u8) {
        if !result.is_some() {
            return;
        }
        let d = self.plan.by_slot[&result];
        for k in 0..self.width {
            self.finish(d, k, b, None, from);
        }
    }

    /// Gives all lanes a predicate: does the condition hold?
    fn spread_test(&mut self, result: Slot, b: usize, holds: Cc) {
        self.asm.set(holds, RAX);
        self.asm.negate(RAX);
        self.spread_bit(result, b);
    }

    /// Gives all lanes the predicate in `rax`, which is 0 or -1.
    fn spread_bit(&mut self, result: Slot, b: usize) {
        if !result.is_some() {
            return;
        }
        let d = self.plan.by_slot[&result];
        self.asm.m_spread(RESULT, RAX);
        for k in 0..self.width {
            self.finish_predicate(d, k, b, None, RESULT);
        }
    }

    /// Gives each lane its bit of a constant.
    pub(super) fn set_bits(&mut self, result: Slot, b: usize, bits: u32) {
        if !result.is_some() {
            return;
        }
        let d = self.plan.by_slot[&result];
        let row = self.constant_row([bits; 16]);
        for k in 0..self.width {
            let own = Mem { disp: row.disp + (self.isa.lanes() / 8 * k) as i32, ..row };
            self.asm.m_expand(RESULT, own, at(R15, 0));
            self.finish_predicate(d, k, b, None, RESULT);
        }
    }

    /// `redux`: the chunks are folded onto the first, then its halves onto each other, in all lanes at once.
    fn reduce(&mut self, op: ReduxOp, c: &Collective, b: usize) {
        let (Some(op), true) = (fold(op), c.result.is_some()) else { return };
        let a = self.plan.read(c.sources[0]);
        for k in 0..self.width {
            let x = self.vector(a, k, T2, false);
            match k {
                0 => self.asm.v_load(T1, x),
                _ => self.asm.v(op, T1, T1, x),
            }
        }
        let mut distance = self.isa.lanes() as u32 / 2;
        while distance > 0 {
            let order = self.constant_row(std::array::from_fn(|i| i as u32 ^ distance));
            self.asm.v_load(T2, order);
            self.asm.v(VPERMD, T2, T2, Rm::Reg(T1));
            self.asm.v(op, T1, T1, Rm::Reg(T2));
            distance /= 2;
        }
        self.spread_word(c.result, b, T1);
    }

    /// Is it the same in all lanes? They are compared with the first.
    fn match_all(&mut self, c: &Collective, b: usize) {
        let a = self.plan.read(c.sources[0]);
        let first = self.in_register(a, 0, T1, false);
        self.asm.v1(VPBROADCASTD, T2, Rm::Reg(first));
        for k in 0..self.width {
            let x = self.vector(a, k, T1, false);
            self.equal_words(M1, T2, x);
            self.gather_bits(k, M1);
        }
        self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RDX), -1);
        self.asm.set(Cc::Zero, RAX);
        self.asm.negate(RAX);
        self.asm.broadcast(T1, RAX, false);
        self.spread_word(c.result, b, T1);
        self.spread_bit(c.predicate, b);
    }

    /// Once for each number that lanes have: who else has it?
    fn match_any(&mut self, c: &Collective, b: usize) {
        if !c.result.is_some() {
            return;
        }
        let (a, d) = (self.plan.read(c.sources[0]), self.plan.by_slot[&c.result]);
        let bytes = self.isa.vector_bytes();
        let (values, results) = (self.take_stack(128), self.take_stack(128));
        for k in 0..self.width {
            let x = self.in_register(a, k, T1, false);
            self.asm.v_store(at(RSP, values + bytes * k as i32), x);
        }
        // Lanes that have no answer yet.
        self.asm.constant(RDX, u64::from(FULL));
        let again = self.asm.label();
        self.asm.bind(again);
        self.asm.bit_scan(false, RCX, RDX);
        self.asm.shift(4, false, RCX, 2);
        self.asm.v1(VPBROADCASTD, T1, Mem { base: RSP, index: Some(RCX), disp: values });
        for k in 0..self.width {
            // The mask of a chunk of 16 lanes is kept for its result.
            let mask = if self.isa == Isa::Avx512 && k == 0 { M2 } else { M1 };
            self.equal_words(mask, T1, at(RSP, values + bytes * k as i32).into());
            self.asm.m_bits(if k == 0 { RAX } else { RCX }, mask);
            if k > 0 {
                self.asm.shift(4, false, RCX, (self.isa.lanes() * k) as u8);
                self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
            }
        }
        self.asm.broadcast(T3, RAX, false);
        for k in 0..self.width {
            let result = at(RSP, results + bytes * k as i32);
            match self.isa {
                Isa::Avx512 if k == 0 => self.asm.v_blend(T2, T2, Rm::Reg(T3), M2),
                Isa::Avx512 => self.asm.v_blend(T4, T4, Rm::Reg(T3), M1),
                Isa::Avx2 => {
                    self.equal_words(M1, T1, at(RSP, values + bytes * k as i32).into());
                    self.asm.v_load(T2, result);
                    self.asm.v_blend(T2, T2, Rm::Reg(T3), M1);
                    self.asm.v_store(result, T2);
                }
            }
        }
        self.asm.not(false, RAX);
        self.asm.alu(Alu::And, false, RDX, Rm::Reg(RAX));
        self.asm.jump_if(Cc::NotZero, again);
        for k in 0..self.width {
            let from = match (self.isa, k) {
                (Isa::Avx512, 0) => T2,
                (Isa::Avx512, _) => T4,
                (Isa::Avx2, _) => {
                    self.asm.v_load(T2, at(RSP, results + bytes * k as i32));
                    T2
                }
            };
            self.finish(d, k, b, None, from);
        }
    }
}

/// The operation on lanes that folds two numbers.
fn fold(op: ReduxOp) -> Option<Vop> {
    Some(match op {
        ReduxOp::Add => VPADDD,
        ReduxOp::MinU => VPMINUD,
        ReduxOp::MaxU => VPMAXUD,
        ReduxOp::MinS => VPMINSD,
        ReduxOp::MaxS => VPMAXSD,
        ReduxOp::And => VPAND,
        ReduxOp::Or => VPOR,
        ReduxOp::Xor => VPXOR,
        ReduxOp::MinF { .. } | ReduxOp::MaxF { .. } => return None,
    })
}
