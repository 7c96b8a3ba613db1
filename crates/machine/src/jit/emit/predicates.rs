//! Predicates and the masks of the lanes that a block or an instruction is for.

use super::*;

/// Where a predicate is computed before it goes to its place.
pub(super) const RESULT: u8 = 31;

impl Emitter<'_> {
    /// A predicate of chunk `k` as a mask; `temp` is used where it has to be made.
    pub(super) fn predicate(&mut self, v: ValueId, k: usize, temp: u8) -> u8 {
        if self.value(v).preset.is_some() || self.value(v).alias != v {
            self.expand(self.value(v).alias, k, temp);
            return temp;
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, 0);
            match self.isa {
                Isa::Avx2 => self.asm.v1(VPBROADCASTD, temp, from),
                Isa::Avx512 => self.asm.m_load(temp, from),
            }
            return temp;
        }
        if let Some(r) = self.home[v] {
            r + k as u8
        } else {
            self.asm.m_load(temp, self.mask_at(self.stack[v], k));
            temp
        }
    }

    /// A predicate's row to a mask.
    pub(super) fn expand(&mut self, v: ValueId, k: usize, to: u8) {
        let from = self.row_pred(v, k);
        self.asm.m_expand(to, from, at(R15, 0));
    }

    /// The mask of the lanes that a masked block runs for; it is loaded to `temp` where it is in memory.
    pub(super) fn current_mask(&mut self, b: usize, k: usize, temp: u8) -> u8 {
        if let Some(r) = self.mask_home[b] {
            return r + k as u8;
        }
        self.asm.m_load(temp, self.mask_at(self.current, k));
        temp
    }

    /// The mask of the lanes that an instruction of a block works on; nothing where it is all of them. Uses [`M1`] and
    /// [`M3`].
    pub(super) fn lanes(&mut self, b: usize, guard: Option<Guard>, k: usize) -> Option<u8> {
        let is_masked = self.is_masked(b);
        let Some(g) = guard else { return is_masked.then(|| self.current_mask(b, k, M1)) };
        let p = self.plan.read(g.slot);
        let r = self.predicate(p, k, M1);
        if is_masked {
            let current = self.current_mask(b, k, M3);
            if g.negated {
                self.asm.m_and_not(M1, r, current);
            } else {
                self.asm.m_and(M1, r, current);
            }
        } else if g.negated {
            self.asm.m_not(M1, r, at(R15, 128));
        } else {
            return Some(r);
        }
        Some(M1)
    }

    /// The same in [`M1`]. There are some.
    pub(super) fn lanes_in_m1(&mut self, b: usize, guard: Option<Guard>, k: usize) {
        if let Some(r) = self.lanes(b, guard, k) {
            self.asm.m_move(M1, r);
        }
    }

    /// The bits of the lanes of a block (and guard), from bit 0 of the group, in `rdx`.
    pub(super) fn lane_bits(&mut self, b: usize, guard: Option<Guard>) {
        if guard.is_none() && !self.is_masked(b) {
            let all = (1u64 << (self.isa.lanes() * self.width)) - 1;
            self.asm.constant(RDX, all);
            return;
        }
        for k in 0..self.width {
            let r = self.lanes(b, guard, k).unwrap_or(M1);
            self.gather_bits(k, r);
        }
    }

    pub(super) fn pred_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, pc: Pc, guard: Option<Guard>) {
        let test = if pc > 0 && self.fused[pc as usize - 1] { self.bit_test(pc - 1) } else { None };
        let blends = guard.is_some() || self.keeps_sleepers(d, b);
        for k in self.chunks.clone() {
            let to = match self.home[d] {
                Some(r) if !blends => r + k as u8,
                _ => RESULT,
            };
            match name {
                LaneOp::Compare(relation, compared) => match test {
                    Some((x, c, is_set)) => {
                        let x = self.in_register(x, k, T1, false);
                        let c = self.word(c);
                        self.asm.test_words(to, x, c, is_set);
                    }
                    None => self.compare(relation, compared, s, k, to),
                },
                LaneOp::Test(test) => self.test_row(test, s, k, to),
                LaneOp::And | LaneOp::Or | LaneOp::Xor => {
                    let a = self.predicate(s[0], k, M2);
                    let c = self.predicate(s[1], k, M3);
                    match name {
                        LaneOp::And => self.asm.m_and(to, a, c),
                        LaneOp::Or => self.asm.m_or(to, a, c),
                        _ => self.asm.m_xor(to, a, c),
                    }
                }
                _ => {
                    let a = self.predicate(s[0], k, M2);
                    if name == LaneOp::Not {
                        self.asm.m_not(to, a, at(R15, 128));
                    } else {
                        self.asm.m_move(to, a);
                    }
                }
            }
            self.finish_predicate(d, k, b, guard, to);
        }
    }

    /// Brings a computed predicate to its place.
    pub(super) fn finish_predicate(&mut self, d: ValueId, k: usize, b: usize, guard: Option<Guard>, from: u8) {
        let memory = self.mask_at(self.stack[d].max(0), k);
        if guard.is_none() && !self.keeps_sleepers(d, b) {
            match self.home[d] {
                Some(r) => self.asm.m_move(r + k as u8, from),
                None => self.asm.m_store(memory, from),
            }
            return;
        }
        self.lanes_in_m1(b, guard, k);
        self.asm.m_and(RESULT, from, M1);
        if let Some(r) = self.home[d] {
            let r = r + k as u8;
            self.asm.m_and_not(r, M1, r);
            self.asm.m_or(r, r, RESULT);
        } else {
            self.asm.m_load(M3, memory);
            self.asm.m_and_not(M3, M1, M3);
            self.asm.m_or(M3, M3, RESULT);
            self.asm.m_store(memory, M3);
        }
    }

    pub(super) fn compare(&mut self, relation: Relation, compared: Compared, s: &[ValueId], k: usize, to: u8) {
        use Relation as R;
        if compared == Compared::F32 {
            // A raw NaN compares as a canonical one.
            let a = self.in_register(s[0], k, T1, true);
            let c = self.vector(s[1], k, T2, true);
            self.asm.compare_floats(to, a, c, super::fuse::float_test(relation));
            return;
        }
        if self.isa == Isa::Avx512 {
            let test = super::fuse::word_test(relation);
            let a = self.in_register(s[0], k, T1, false);
            let c = self.vector(s[1], k, T2, false);
            self.asm.compare_words(to, a, c, test, compared == Compared::S32);
            return;
        }
        if matches!(relation, R::Eq | R::Ne) {
            let a = self.in_register(s[0], k, T1, false);
            let c = self.vector(s[1], k, T2, false);
            self.asm.v(VPCMPEQD, to, a, c);
        } else {
            // a > b, or b > a; the other two are their opposites.
            let (x, y) = if matches!(relation, R::Gt | R::Le) { (s[0], s[1]) } else { (s[1], s[0]) };
            let (mut left, mut right) = (Rm::Reg(self.in_register(x, k, T1, false)), self.vector(y, k, T2, false));
            if compared == Compared::U32 {
                let top = self.constant_row([1 << 31; 16]);
                left = self.flip(x, left, T1, top);
                right = self.flip(y, right, T2, top);
            }
            let left = match left {
                Rm::Reg(r) => r,
                m => {
                    self.asm.v_load(T1, m);
                    T1
                }
            };
            self.asm.v(VPCMPGTD, to, left, right);
        }
        if matches!(relation, R::Ne | R::Le | R::Ge) {
            let ones = self.ones();
            self.asm.v(VPXOR, to, to, ones);
        }
    }

    /// Turns the order of unsigned numbers into that of signed ones.
    fn flip(&mut self, v: ValueId, x: Rm, temp: u8, top: Mem) -> Rm {
        if let Some(c) = self.plan.constant(v) {
            return self.word(c as u32 ^ 1 << 31);
        }
        match x {
            Rm::Reg(r) => self.asm.v(VPXOR, temp, r, top),
            m => {
                self.asm.v_load(temp, m);
                self.asm.v(VPXOR, temp, temp, top);
            }
        }
        Rm::Reg(temp)
    }
}
