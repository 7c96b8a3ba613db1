//! `match`: which lanes have the same number?

use super::*;

impl Emitter<'_> {
    /// Is it the same in all lanes? They are compared with the first.
    pub(super) fn match_all(&mut self, c: &Collective, b: usize) {
        let a = self.plan.read(c.sources[0]);
        let others = at(RSP, self.take_stack(4));
        for (n, values) in self.spill(a).into_iter().enumerate() {
            self.lane_bits(b, None);
            self.spread_first(values);
            for k in 0..self.width {
                self.equal_words(M1, T1, self.chunk_at(values, k).into());
                if self.is_masked(b) {
                    let current = self.current_mask(b, k, M3);
                    self.asm.m_and_not(M1, M1, current);
                } else {
                    self.asm.m_not(M1, M1, at(R15, 128));
                }
                self.gather_bits(k, M1);
            }
            if n > 0 {
                self.asm.alu(Alu::Or, false, RDX, others);
            }
            self.asm.store(false, others, RDX);
        }
        self.asm.test(RDX);
        self.asm.set(Cc::Zero, RCX);
        self.asm.negate(RCX);
        self.asm.mov(true, RAX, RCX);
        self.spread_bit(c.predicate, b);
        self.lane_bits(b, None);
        self.asm.mov(false, RAX, RCX);
        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RDX));
        self.spread_word(c.result, b);
    }

    /// Who has the same number? For each bit in which lanes differ, those that have it are strangers to those that do not.
    /// In its party, where there are several.
    pub(super) fn match_any(&mut self, c: &Collective, b: usize, masks: Option<i32>) {
        if !self.plan.is_used(c.result) {
            return;
        }
        let (a, d) = (self.plan.read(c.sources[0]), self.plan.by_slot[&c.result]);
        let words = self.spill(a);
        let answers = self.take_stack(128);
        let bits: Vec<Mem> = words.iter().map(|&values| self.differing_bits(values)).collect();
        self.lane_bits(b, None);
        for k in 0..self.width {
            self.asm.broadcast(T3, RDX, false);
            if let Some(masks) = masks {
                self.asm.v(VPAND, T3, T3, self.chunk_at(masks, k));
            }
            match self.isa {
                Isa::Avx512 => self.asm.v_load(if k == 0 { T2 } else { T4 }, Rm::Reg(T3)),
                Isa::Avx2 => self.asm.v_store(self.chunk_at(answers, k), T3),
            }
        }
        for (values, bits) in words.into_iter().zip(bits) {
            self.part_by_bits(values, bits, answers);
        }
        for k in 0..self.width {
            let from = match (self.isa, k) {
                (Isa::Avx512, 0) => T2,
                (Isa::Avx512, _) => T4,
                (Isa::Avx2, _) => {
                    self.asm.v_load(T3, self.chunk_at(answers, k));
                    T3
                }
            };
            self.finish(d, k, b, None, from);
        }
    }

    /// Parts those who differ in a word, in bits that are in memory.
    fn part_by_bits(&mut self, values: i32, bits: Mem, answers: i32) {
        let (again, done) = (self.asm.label(), self.asm.label());
        self.asm.load(false, RDX, bits);
        self.asm.test(RDX);
        self.asm.jump_if(Cc::Zero, done);
        self.asm.bind(again);
        // The lowest bit that is left.
        self.asm.mov(false, RAX, RDX);
        self.asm.negate(RAX);
        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RDX));
        self.asm.alu(Alu::Xor, false, RDX, Rm::Reg(RAX));
        self.asm.broadcast(T1, RAX, false);
        self.part_strangers(values, answers);
        self.asm.test(RDX);
        self.asm.jump_if(Cc::NotZero, again);
        self.asm.bind(done);
    }

    /// The bits in which any lanes differ, in memory.
    fn differing_bits(&mut self, values: i32) -> Mem {
        self.asm.v1(VPBROADCASTD, T1, at(RSP, values));
        for k in 0..self.width {
            let to = if k == 0 { T3 } else { T2 };
            self.asm.v(VPXOR, to, T1, self.chunk_at(values, k));
            if k > 0 {
                self.asm.v(VPOR, T3, T3, Rm::Reg(T2));
            }
        }
        self.fold_lanes(VPOR);
        let bits = at(RSP, self.take_stack(4));
        self.asm.pair(RCX, T3, false);
        self.asm.store(false, bits, RCX);
        bits
    }

    /// Parts those that have the bit in [`T1`] from those that do not: in the answers, which are in [`T2`] and [`T4`] with
    /// AVX-512. Uses `rax` and `rcx`.
    fn part_strangers(&mut self, values: i32, answers: i32) {
        let mask = |k: usize| if k == 0 { M2 } else { M1 };
        for k in 0..self.width {
            let x = self.chunk_at(values, k);
            let has = match self.isa {
                Isa::Avx512 => {
                    self.asm.test_words(mask(k), T1, x, true);
                    mask(k)
                }
                Isa::Avx2 => {
                    self.asm.v(VPAND, T2, T1, x);
                    self.asm.v(VPCMPEQD, T2, T2, Rm::Reg(T1));
                    T2
                }
            };
            self.asm.m_bits(if k == 0 { RAX } else { RCX }, has);
            if k > 0 {
                self.asm.shift(4, false, RCX, (self.isa.lanes() * k) as u8);
                self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
            }
        }
        self.asm.broadcast(T3, RAX, false);
        for k in 0..self.width {
            match self.isa {
                Isa::Avx512 => {
                    let answer = if k == 0 { T2 } else { T4 };
                    let ones = self.ones();
                    self.asm.v_load(T1, Rm::Reg(T3));
                    self.asm.v_masked(VPXOR, T1, T3, ones, mask(k));
                    self.asm.v(VPANDN, answer, T1, Rm::Reg(answer));
                }
                Isa::Avx2 => {
                    self.asm.v(VPAND, T2, T1, self.chunk_at(values, k));
                    self.asm.v(VPCMPEQD, T2, T2, Rm::Reg(T1));
                    self.asm.v(VPXOR, T2, T2, Rm::Reg(T3));
                    self.asm.v(VPANDN, T2, T2, self.chunk_at(answers, k));
                    self.asm.v_store(self.chunk_at(answers, k), T2);
                }
            }
        }
    }
}
