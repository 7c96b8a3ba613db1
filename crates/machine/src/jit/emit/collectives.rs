//! Warp collectives.
//!
//! Where the lanes that are here are all that the collective waits for, the frequent ones are done in place: votes and what
//! they give are moves between mask and general registers, `redux` folds halves onto each other, shuffles are permutations
//! (see [`super::shuffle`]). Where lanes give several masks, and for rare operations, the helper looks whether nobody is
//! missing and does it; where somebody is they leave, and the interpreter lets them wait.

use super::predicates::RESULT;
use super::*;
use crate::program::ReduxOp;

/// What is known of the lanes that are here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Here {
    /// All 32 of the warp, always.
    Warp,
    /// They give the same mask, and nobody else of it lives.
    One,
    /// They give several masks, which are at a place on the stack, and nobody is missing.
    Parties(i32),
}

/// Is a vote for the lanes whose predicate is set, or for the others?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voters {
    Set,
    Clear,
}

impl Emitter<'_> {
    /// False where it is left to the helper altogether.
    pub(super) fn collective(&mut self, c: &Collective, b: usize, pc: Pc) -> bool {
        if !self.has_form(c) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        let here = self.need_everybody(c, b, slow);
        match here {
            Here::Parties(masks) => self.in_place_for_parties(c, b, masks),
            Here::Warp | Here::One => self.in_place(c, b),
        }
        self.asm.bind(back);
        if here != Here::Warp {
            let kept = self.kept.clone();
            self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        }
        true
    }

    /// `activemask`: the lanes that run the block.
    pub(super) fn active_mask(&mut self, result: Slot, b: usize) -> bool {
        self.lane_bits(b, None);
        self.asm.mov(false, RAX, RDX);
        self.spread_word(result, b);
        true
    }

    /// Is there code for lanes that all give the same mask?
    fn has_form(&self, c: &Collective) -> bool {
        match &c.op {
            CollectiveOp::Redux(op) => fold(*op).is_some(),
            CollectiveOp::Shfl(_)
            | CollectiveOp::MatchAny(_)
            | CollectiveOp::MatchAll(_)
            | CollectiveOp::VoteAll { .. }
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

    /// Jumps where a lane that is here does not name all of these and, but for those that have exited, nobody else.
    fn need_everybody(&mut self, c: &Collective, b: usize, slow: Label) -> Here {
        let m = self.plan.read(c.mask);
        let constant = self.plan.constant(m).map(|m| m as u32);
        let is_masked = self.is_masked(b);
        if !is_masked && constant == Some(FULL) {
            return Here::Warp;
        }
        if is_masked {
            // `ecx`: who lives.
            self.asm.load(true, RAX, at(R9, GROUP.stops));
            let exited = at(RAX, 4 * self.exit_id() as i32);
            self.asm.load(false, RCX, exited);
            self.asm.not(false, RCX);
            self.asm.alu(Alu::And, false, RCX, at(R9, GROUP.live));
        } else {
            self.asm.constant(RCX, u64::from(FULL));
        }
        match constant {
            Some(FULL) => {}
            Some(m) => self.asm.alu_constant(Alu::And, false, Rm::Reg(RCX), m as i32),
            None if self.value(m).shape == UNIFORM => {
                self.get(RAX, m, 0, false);
                self.asm.alu(Alu::And, false, RCX, Rm::Reg(RAX));
            }
            None if self.has_parties(c) => return Here::Parties(self.need_parties(c, b, slow)),
            None => {
                self.need_same_masks(c, b, slow);
                return Here::One;
            }
        }
        self.lane_bits(b, None);
        self.asm.alu(Alu::Cmp, false, RCX, Rm::Reg(RDX));
        self.asm.jump_if(Cc::NotZero, slow);
        Here::One
    }

    /// The same for masks that vary; those who live are in `ecx`. For a shuffle inside of segments, each lane is to name those
    /// of its own, and all who live are to be here.
    fn need_same_masks(&mut self, c: &Collective, b: usize, slow: Label) {
        let m = self.plan.read(c.mask);
        let segments = self.segments(c);
        self.lane_bits(b, None);
        if segments.is_some() {
            self.asm.alu(Alu::Cmp, false, RCX, Rm::Reg(RDX));
            self.asm.jump_if(Cc::NotZero, slow);
        }
        self.asm.broadcast(T3, RCX, false);
        for k in 0..self.width {
            let x = self.in_register(m, k, T2, false);
            self.asm.v(VPAND, T2, x, Rm::Reg(T3));
            if let Some(segments) = segments {
                let own = self.constant_row(std::array::from_fn(|i| segments[(self.isa.lanes() * k + i) % 32]));
                self.asm.v(VPAND, T1, T3, own);
            } else {
                self.asm.broadcast(T1, RDX, false);
            }
            self.equal_words(M1, T2, Rm::Reg(T1));
            if self.is_masked(b) {
                let current = self.current_mask(b, k, M3);
                self.asm.m_and_not(M1, M1, current);
                self.asm.m_any(M1, M1);
                self.asm.jump_if(Cc::NotZero, slow);
            } else {
                let not_all = self.asm.m_not_all(M1);
                self.asm.jump_if(not_all, slow);
            }
        }
    }

    /// By lane, the lanes of its segment, of a shuffle that has several.
    fn segments(&self, c: &Collective) -> Option<[u32; 32]> {
        let CollectiveOp::Shfl(_) = c.op else { return None };
        if c.result == c.sources[0] {
            // Where one reads beyond its segment, that is what those before have got.
            return None;
        }
        let segment = self.plan.constant(self.plan.read(c.sources[2]))? as u32 >> 8 & 31;
        let of = |lane: u32| (0..32).filter(|n| (n ^ lane) & segment == 0).fold(0, |mask, n| mask | 1 << n);
        (segment != 0).then(|| std::array::from_fn(|lane| of(lane as u32)))
    }

    /// Which 32-bit lanes are the same.
    pub(super) fn equal_words(&mut self, mask: u8, a: u8, b: Rm) {
        match self.isa {
            Isa::Avx512 => self.asm.compare_words(mask, a, b, Test::Equal, false),
            Isa::Avx2 => self.asm.v(VPCMPEQD, mask, a, b),
        }
    }

    /// For all parties of the lanes that are here.
    fn in_place_for_parties(&mut self, c: &Collective, b: usize, masks: i32) {
        match c.op {
            CollectiveOp::VoteBallot { negated } => {
                self.ballot(c, b, voters(negated));
                self.spread_to_parties(c.result, b, masks);
            }
            CollectiveOp::VoteAny { negated } => {
                self.ballot(c, b, voters(negated));
                self.test_parties(c.result, b, masks, true);
            }
            CollectiveOp::VoteAll { negated } => {
                self.ballot(c, b, voters(!negated));
                self.test_parties(c.result, b, masks, false);
            }
            CollectiveOp::MatchAny(_) => self.match_any(c, b, Some(masks)),
            _ => {}
        }
    }

    /// For the lanes that are here.
    fn in_place(&mut self, c: &Collective, b: usize) {
        match &c.op {
            CollectiveOp::Shfl(mode) => self.shuffle(*mode, c, b),
            CollectiveOp::VoteBallot { negated } => {
                self.ballot(c, b, voters(*negated));
                self.asm.mov(false, RAX, RDX);
                self.spread_word(c.result, b);
            }
            CollectiveOp::VoteAll { negated } => {
                self.ballot(c, b, voters(!negated));
                self.spread_test(c.result, b, Cc::Zero);
            }
            CollectiveOp::VoteAny { negated } => {
                self.ballot(c, b, voters(*negated));
                self.spread_test(c.result, b, Cc::NotZero);
            }
            CollectiveOp::VoteUni { .. } => {
                self.ballot(c, b, Voters::Set);
                self.asm.mov(false, RCX, RDX);
                self.ballot(c, b, Voters::Clear);
                self.asm.set(Cc::Zero, RAX);
                self.asm.test(RCX);
                self.asm.set(Cc::Zero, RCX);
                self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
                self.asm.negate(RAX);
                self.spread_bit(c.result, b);
            }
            CollectiveOp::MatchAny(_) => self.match_any(c, b, None),
            CollectiveOp::MatchAll(_) => self.match_all(c, b),
            CollectiveOp::Redux(op) => self.reduce(*op, c, b),
            CollectiveOp::Elect => self.elect(c, b),
            CollectiveOp::BarWarp
            | CollectiveOp::Matrix(_)
            | CollectiveOp::Fragment(_)
            | CollectiveOp::TensorMap(_)
            | CollectiveOp::Other(_) => {}
        }
    }

    /// The bits of a vote in `rdx`; the zero flag says whether there are none.
    fn ballot(&mut self, c: &Collective, b: usize, voters: Voters) {
        let p = self.plan.read(c.sources[0]);
        let is_masked = self.is_masked(b);
        for k in 0..self.width {
            let mut r = self.predicate(p, k, M2);
            if is_masked {
                let current = self.current_mask(b, k, M3);
                match voters {
                    Voters::Set => self.asm.m_and(M2, r, current),
                    Voters::Clear => self.asm.m_and_not(M2, r, current),
                }
                r = M2;
            }
            self.gather_bits(k, r);
        }
        if voters == Voters::Clear && !is_masked {
            self.asm.not(false, RDX);
        }
        self.asm.test(RDX);
    }

    /// Gives all lanes the number in `eax`.
    pub(super) fn spread_word(&mut self, result: Slot, b: usize) {
        if !self.plan.is_used(result) {
            return;
        }
        let d = self.plan.by_slot[&result];
        if self.is_scalar(d) {
            return self.set_scalar(d);
        }
        self.asm.broadcast(T3, RAX, false);
        for k in 0..self.width {
            self.finish(d, k, b, None, T3);
        }
    }

    /// A value that is the same in all lanes is the number in `rax`.
    pub(super) fn set_scalar(&mut self, d: ValueId) {
        (0..self.scalar_count(d)).for_each(|k| self.put_scalar(d, k));
    }

    /// Gives all lanes a predicate: does the condition hold?
    fn spread_test(&mut self, result: Slot, b: usize, holds: Cc) {
        self.asm.set(holds, RAX);
        self.asm.negate(RAX);
        self.spread_bit(result, b);
    }

    /// Gives all lanes the predicate in `rax`, which is 0 or -1.
    pub(super) fn spread_bit(&mut self, result: Slot, b: usize) {
        if !self.plan.is_used(result) {
            return;
        }
        let d = self.plan.by_slot[&result];
        if self.is_scalar(d) {
            return self.set_scalar(d);
        }
        for k in 0..self.width {
            self.asm.m_spread(RESULT, RAX);
            self.finish_predicate(d, k, b, None, RESULT);
        }
    }

    /// Gives each lane its bit of a constant.
    pub(super) fn set_bits(&mut self, result: Slot, b: usize, bits: u32) {
        if !self.plan.is_used(result) {
            return;
        }
        let row = self.constant_row([bits; 16]);
        for k in 0..self.width {
            self.set_chunk_bits(result, b, k, row, bits == FULL);
        }
    }

    /// Gives each lane of a chunk its bit of a word in memory, or all of them theirs.
    fn set_chunk_bits(&mut self, result: Slot, b: usize, k: usize, word: Mem, all: bool) {
        let d = self.plan.by_slot[&result];
        if all {
            self.asm.m_ones(RESULT);
        } else {
            let own = Mem { disp: word.disp + (self.isa.lanes() / 8 * k) as i32, ..word };
            self.asm.m_expand(RESULT, own, at(R15, 0));
        }
        self.finish_predicate(d, k, b, None, RESULT);
    }

    /// The lowest of the lanes leads.
    fn elect(&mut self, c: &Collective, b: usize) {
        self.lane_bits(b, None);
        self.asm.bit_scan(false, RAX, RDX);
        self.spread_word(c.result, b);
        if !self.plan.is_used(c.predicate) {
            return;
        }
        let word = at(RSP, self.take_stack(4));
        self.lane_bits(b, None);
        self.asm.mov(false, RAX, RDX);
        self.asm.negate(RAX);
        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RDX));
        self.asm.store(false, word, RAX);
        for k in 0..self.width {
            self.set_chunk_bits(c.predicate, b, k, word, false);
        }
    }

    /// `redux`: the chunks are folded onto the first, then its halves onto each other, in all lanes at once.
    fn reduce(&mut self, op: ReduxOp, c: &Collective, b: usize) {
        let (Some((op, idle)), true) = (fold(op), self.plan.is_used(c.result)) else { return };
        let a = self.plan.read(c.sources[0]);
        for k in 0..self.width {
            let mut x = self.vector(a, k, T2, false);
            if self.is_masked(b) {
                // Lanes that sleep change nothing.
                let current = self.current_mask(b, k, M1);
                let idle = self.word(idle);
                self.asm.v_load(T1, idle);
                self.asm.v_blend(T2, T1, x, current);
                x = Rm::Reg(T2);
            }
            match k {
                0 => self.asm.v_load(T3, x),
                _ => self.asm.v(op, T3, T3, x),
            }
        }
        self.fold_lanes(op);
        let d = self.plan.by_slot[&c.result];
        if self.is_scalar(d) {
            return self.set_scalar_from(d, T3);
        }
        for k in 0..self.width {
            self.finish(d, k, b, None, T3);
        }
    }

    /// Folds the lanes of [`T3`] onto each other, in all of them. Uses [`T2`].
    pub(super) fn fold_lanes(&mut self, op: Vop) {
        let mut distance = self.isa.lanes() as u32 / 2;
        while distance > 0 {
            let order = self.constant_row(std::array::from_fn(|i| i as u32 ^ distance));
            self.asm.v_load(T2, order);
            self.asm.v(VPERMD, T2, T2, Rm::Reg(T3));
            self.asm.v(op, T3, T3, Rm::Reg(T2));
            distance /= 2;
        }
    }

    /// A value that is the same in all lanes is the first lane of a vector.
    pub(super) fn set_scalar_from(&mut self, d: ValueId, from: u8) {
        self.asm.pair(RAX, from, false);
        self.asm.mov(false, RAX, RAX);
        self.set_scalar(d);
    }

    /// Stores the words of a value's lanes to the stack: a place, or one for the low and one for the high words.
    pub(super) fn spill(&mut self, a: ValueId) -> Vec<i32> {
        let is_wide = self.value(a).class == Class::R64;
        let places: Vec<i32> = (0..=usize::from(is_wide)).map(|_| self.take_stack(128)).collect();
        for k in 0..self.width {
            if !is_wide {
                let x = self.in_register(a, k, T1, false);
                self.asm.v_store(self.chunk_at(places[0], k), x);
                continue;
            }
            self.half64(a, k, 0, T1);
            self.half64(a, k, 1, T2);
            for (n, &place) in places.iter().enumerate() {
                self.words_of_pairs(n as u32);
                self.asm.v_store(self.chunk_at(place, k), T3);
            }
        }
        places
    }

    /// The low or high words of the 64-bit lanes of [`T1`] and [`T2`], in [`T3`].
    fn words_of_pairs(&mut self, high: u32) {
        if self.isa == Isa::Avx512 {
            let order = self.constant_row(std::array::from_fn(|i| 2 * i as u32 + high));
            self.asm.v_load(T3, order);
            return self.asm.permute_both(T3, T1, Rm::Reg(T2));
        }
        // vshufps, then vpermq
        self.asm.v_imm(Vop(0, 1, 0, 0xc6), T3, T1, Rm::Reg(T2), if high == 0 { 0x88 } else { 0xdd });
        self.asm.v_imm(Vop(1, 3, 1, 0x00), T3, 0, Rm::Reg(T3), 0xd8);
    }

    /// Spreads the number of the lowest lane in `edx` to all lanes of [`T1`]. Uses `rcx`.
    pub(super) fn spread_first(&mut self, values: i32) {
        self.asm.bit_scan(false, RCX, RDX);
        self.asm.shift(4, false, RCX, 2);
        self.asm.v1(VPBROADCASTD, T1, Mem { base: RSP, index: Some(RCX), disp: values });
    }

    /// The place of chunk `k` of a vector on the stack.
    pub(super) fn chunk_at(&self, place: i32, k: usize) -> Mem {
        at(RSP, place + self.isa.vector_bytes() * k as i32)
    }
}

fn voters(negated: bool) -> Voters {
    if negated { Voters::Clear } else { Voters::Set }
}

/// The operation on lanes that folds two numbers, and a number that it leaves others alone with.
fn fold(op: ReduxOp) -> Option<(Vop, u32)> {
    Some(match op {
        ReduxOp::Add => (VPADDD, 0),
        ReduxOp::MinU => (VPMINUD, u32::MAX),
        ReduxOp::MaxU => (VPMAXUD, 0),
        ReduxOp::MinS => (VPMINSD, i32::MAX as u32),
        ReduxOp::MaxS => (VPMAXSD, i32::MIN as u32),
        ReduxOp::And => (VPAND, u32::MAX),
        ReduxOp::Or => (VPOR, 0),
        ReduxOp::Xor => (VPXOR, 0),
        ReduxOp::MinF { .. } | ReduxOp::MaxF { .. } => return None,
    })
}
