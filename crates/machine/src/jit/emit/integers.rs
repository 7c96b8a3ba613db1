//! Operations with integers of up to 32 bits that are more than one vector instruction.

use super::*;
use crate::lane_op::Integer;

/// Is it done here?
pub(super) fn is_known(name: LaneOp, isa: Isa, constant: impl Fn(usize) -> Option<u64>) -> bool {
    use LaneOp as L;
    match name {
        L::Neg32 | L::Abs32 | L::MulHiS32 | L::MulHiU32 | L::MadHiS32 | L::MadHiU32 => true,
        L::SadS32 | L::SadU32 | L::Popc32 | L::Brev32 | L::Cnot32 | L::Slct32 => true,
        L::ShfLeftWrap | L::ShfLeftClamp | L::ShfRightWrap | L::ShfRightClamp => true,
        L::LowBits(_) | L::SignedBits(_) | L::MulWideS16 | L::Select16 => true,
        L::Add16 | L::Sub16 | L::Mul16 | L::And16 | L::Or16 | L::Xor16 | L::Not16 => true,
        L::BfeS32 | L::BfeU32 => constant(1).is_some() && constant(2).is_some(),
        L::Bfi32 => constant(2).is_some() && constant(3).is_some(),
        L::Prmt => constant(2).is_some_and(|c| c & 0x8888 == 0),
        L::Clz32 | L::FindS32 | L::FindU32 => isa == Isa::Avx512,
        L::DivU32 | L::RemU32 | L::DivS32 | L::RemS32 => isa == Isa::Avx512,
        L::Lop3 => isa == Isa::Avx512 && constant(3).is_some(),
        _ => false,
    }
}

impl Emitter<'_> {
    /// One chunk of a result; `to` may be the register of a source.
    pub(super) fn integer_row(&mut self, name: LaneOp, s: &[ValueId], k: usize, to: u8) {
        use LaneOp as L;
        match name {
            L::MulHiS32 | L::MulHiU32 => self.high_product(s, k, name == L::MulHiS32, to),
            L::MadHiS32 | L::MadHiU32 => {
                self.high_product(s, k, name == L::MadHiS32, T1);
                let c = self.vector(s[2], k, T2, false);
                self.asm.v(VPADDD, to, T1, c);
            }
            L::ShfLeftWrap | L::ShfLeftClamp | L::ShfRightWrap | L::ShfRightClamp => self.funnel(name, s, k, to),
            L::DivU32 | L::RemU32 | L::DivS32 | L::RemS32 => self.quotient(name, s, k, to),
            L::SadS32 | L::SadU32 => self.distance_sum(s, k, name == L::SadS32, to),
            L::Slct32 => self.select_by_sign(s, k, to),
            L::Lop3 => self.table(s, k, to),
            L::Bfi32 => self.insert(s, k, to),
            L::Prmt => self.pick_bytes(s, k, to),
            L::Select16 => {
                let yes = self.vector(s[0], k, T1, false);
                let no = self.in_register(s[1], k, T2, false);
                let p = self.predicate(s[2], k, M1);
                self.asm.v_blend(T3, no, yes, p);
                self.low_bits(to, T3, 16);
            }
            L::Add16 | L::Sub16 | L::Mul16 | L::And16 | L::Or16 | L::Xor16 => {
                let op = match name {
                    L::Add16 => VPADDD,
                    L::Sub16 => VPSUBD,
                    L::Mul16 => VPMULLD,
                    L::And16 => VPAND,
                    L::Or16 => VPOR,
                    _ => VPXOR,
                };
                let a = self.in_register(s[0], k, T1, false);
                let c = self.vector(s[1], k, T2, false);
                self.asm.v(op, T1, a, c);
                self.low_bits(to, T1, 16);
            }
            L::MulWideS16 => {
                let a = self.in_register(s[0], k, T1, false);
                self.signed_bits(T1, a, 16);
                let c = self.in_register(s[1], k, T2, false);
                self.signed_bits(T2, c, 16);
                self.asm.v(VPMULLD, to, T1, Rm::Reg(T2));
            }
            _ => {
                let a = self.in_register(s[0], k, T1, false);
                self.of_one(name, s, a, k, to);
            }
        }
    }

    /// Operations on one vector, with constants.
    fn of_one(&mut self, name: LaneOp, s: &[ValueId], a: u8, k: usize, to: u8) {
        use LaneOp as L;
        match name {
            L::Neg32 => {
                self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
                self.asm.v(VPSUBD, to, T2, Rm::Reg(a));
            }
            L::Abs32 => self.asm.v1(VPABSD, to, Rm::Reg(a)),
            L::Not16 => {
                let ones = self.ones();
                self.asm.v(VPXOR, T1, a, ones);
                self.low_bits(to, T1, 16);
            }
            L::LowBits(n) => self.low_bits(to, a, n),
            L::SignedBits(n) => self.signed_bits(to, a, n),
            L::Clz32 => self.asm.v1(VPLZCNTD, to, Rm::Reg(a)),
            L::FindS32 | L::FindU32 => {
                if name == L::FindS32 {
                    self.asm.v_shift(4, T2, a, 31);
                    self.asm.v(VPXOR, T2, T2, Rm::Reg(a));
                    self.asm.v1(VPLZCNTD, T2, Rm::Reg(T2));
                } else {
                    self.asm.v1(VPLZCNTD, T2, Rm::Reg(a));
                }
                let top = self.word(31);
                self.asm.v_load(T1, top);
                self.asm.v(VPSUBD, to, T1, Rm::Reg(T2));
            }
            L::Cnot32 => {
                self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
                match self.isa {
                    Isa::Avx512 => {
                        self.asm.compare_words(M1, a, Rm::Reg(T2), Test::Equal, false);
                        self.ones_of(to, M1, 1);
                    }
                    Isa::Avx2 => {
                        self.asm.v(VPCMPEQD, T2, T2, Rm::Reg(a));
                        self.asm.v_shift(2, to, T2, 31);
                    }
                }
            }
            L::Popc32 => {
                self.nibbles(a, [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4], None);
                self.asm.v(VPADDB, T1, T1, Rm::Reg(T2));
                let ones = self.constant_row([0x0101_0101; 16]);
                self.asm.v(VPMADDUBSW, T1, T1, ones);
                let ones = self.constant_row([0x0001_0001; 16]);
                self.asm.v(VPMADDWD, to, T1, ones);
            }
            L::Brev32 => {
                const REVERSED: [u8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
                self.nibbles(a, REVERSED.map(|n| n << 4), Some(REVERSED));
                self.asm.v(VPOR, T1, T1, Rm::Reg(T2));
                let swap = self.byte_row(|i| (i / 4 * 4 + 3 - i % 4) as u8);
                self.asm.v(VPSHUFB, to, T1, swap);
            }
            L::BfeS32 | L::BfeU32 => {
                let number = |i: usize| self.plan.constant(s[i]).unwrap_or(0) as u32 & 0xff;
                let (at, len) = (number(1), number(2));
                self.extract(name == L::BfeS32, a, at, len, to);
            }
            _ => {
                let a = self.vector(s[0], k, T1, false);
                self.asm.v_load(to, a);
            }
        }
    }

    /// The number in the lanes of a mask, 0 in the others.
    pub(super) fn ones_of(&mut self, to: u8, mask: u8, number: u32) {
        match self.isa {
            Isa::Avx512 => {
                let row = self.constant_row([number; 16]);
                self.asm.v1_zeroed(VPBROADCASTD, to, row, mask);
            }
            Isa::Avx2 => {
                let row = self.constant_row([number; 16]);
                self.asm.v(VPAND, to, mask, row);
            }
        }
    }

    pub(super) fn low_bits(&mut self, to: u8, from: u8, bits: u8) {
        let low = self.word((1 << bits) - 1);
        self.asm.v(VPAND, to, from, low);
    }

    pub(super) fn signed_bits(&mut self, to: u8, from: u8, bits: u8) {
        self.asm.v_shift(6, to, from, 32 - bits);
        self.asm.v_shift(4, to, to, 32 - bits);
    }

    /// An integer of a type from a row whose upper bits may be anything.
    pub(super) fn of_type(&mut self, v: ValueId, k: usize, ty: Integer, temp: u8) -> u8 {
        let r = self.in_register(v, k, temp, false);
        match (ty.bits, ty.signed) {
            (32.., _) => return r,
            (bits, true) => self.signed_bits(temp, r, bits),
            (bits, false) => self.low_bits(temp, r, bits),
        }
        temp
    }

    /// A vector of bytes, the same in each part of 16.
    fn byte_row(&mut self, byte: impl Fn(usize) -> u8) -> Mem {
        self.constant_row(std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|j| byte(i % 4 * 4 + j)))))
    }

    /// What tables say of the lower and the upper four bits of all bytes, in [`T1`] and [`T2`].
    fn nibbles(&mut self, a: u8, lower: [u8; 16], upper: Option<[u8; 16]>) {
        let low = self.constant_row([0x0f0f_0f0f; 16]);
        self.asm.v_shift(2, T2, a, 4);
        self.asm.v(VPAND, T2, T2, low);
        self.asm.v(VPAND, T1, a, low);
        let table = self.byte_row(|i| lower[i]);
        self.asm.v_load(T4, table);
        self.asm.v(VPSHUFB, T1, T4, Rm::Reg(T1));
        if let Some(upper) = upper {
            let table = self.byte_row(|i| upper[i]);
            self.asm.v_load(T4, table);
        }
        self.asm.v(VPSHUFB, T2, T4, Rm::Reg(T2));
    }

    /// The upper halves of products.
    fn high_product(&mut self, s: &[ValueId], k: usize, signed: bool, to: u8) {
        let op = if signed { VPMULDQ } else { VPMULUDQ };
        let a = self.in_register(s[0], k, T1, false);
        let c = self.in_register(s[1], k, T2, false);
        self.asm.v(op, T4, a, Rm::Reg(c));
        self.asm.v_shift_wide(2, T4, T4, 32);
        let odd = if s[0] == s[1] {
            T1
        } else if self.plan.constant(s[1]).is_some() {
            c
        } else {
            self.asm.v_shift_wide(2, T2, c, 32);
            T2
        };
        self.asm.v_shift_wide(2, T1, a, 32);
        self.asm.v(op, T1, T1, Rm::Reg(odd));
        let upper = self.constant_row(std::array::from_fn(|i| if i % 2 == 1 { FULL } else { 0 }));
        self.asm.v(VPAND, T1, T1, upper);
        self.asm.v(VPOR, to, T1, Rm::Reg(T4));
    }

    /// `shf`: of a lower and an upper word, by a constant or a vector.
    fn funnel(&mut self, name: LaneOp, s: &[ValueId], k: usize, to: u8) {
        use LaneOp as L;
        let is_left = matches!(name, L::ShfLeftWrap | L::ShfLeftClamp);
        let wraps = matches!(name, L::ShfLeftWrap | L::ShfRightWrap);
        let turns = s[0] == s[1];
        if let Some(n) = self.plan.constant(s[2]) {
            let n = if wraps { n as u32 & 31 } else { (n as u32).min(32) } as u8;
            return self.funnel_by(is_left, s, k, n, to);
        }
        let a = self.in_register(s[0], k, T1, false);
        let c = self.in_register(s[1], k, T2, false);
        let n = self.in_register(s[2], k, T3, false);
        if turns && wraps && self.isa == Isa::Avx512 {
            return self.asm.v(if is_left { VPROLVD } else { VPRORVD }, to, a, Rm::Reg(n));
        }
        let limit = self.word(if wraps { 31 } else { 32 });
        self.asm.v_load(T4, limit);
        self.asm.v(if wraps { VPAND } else { VPMINUD }, T3, T4, Rm::Reg(n));
        let all = self.word(32);
        self.asm.v_load(T4, all);
        self.asm.v(VPSUBD, T4, T4, Rm::Reg(T3));
        let (left, right) = if is_left { (T3, T4) } else { (T4, T3) };
        self.asm.v(VPSRLVD, T1, a, Rm::Reg(right));
        self.asm.v(VPSLLVD, T2, c, Rm::Reg(left));
        self.asm.v(VPOR, to, T1, Rm::Reg(T2));
    }

    fn funnel_by(&mut self, is_left: bool, s: &[ValueId], k: usize, n: u8, to: u8) {
        // So far to the left as to the right by the rest of 32.
        let left = if is_left { n } else { 32 - n };
        if left % 32 == 0 {
            let all = self.vector(s[usize::from(left == 0)], k, T1, false);
            if all != Rm::Reg(to) {
                self.asm.v_load(to, all);
            }
            return;
        }
        let a = self.in_register(s[0], k, T1, false);
        if s[0] == s[1] && self.isa == Isa::Avx512 {
            return self.asm.turn_left(to, a, left);
        }
        let c = if s[0] == s[1] { a } else { self.in_register(s[1], k, T2, false) };
        self.asm.v_shift(6, T2, c, left);
        self.asm.v_shift(2, T1, a, 32 - left);
        self.asm.v(VPOR, to, T1, Rm::Reg(T2));
    }

    /// Quotients and remainders of 32 bits, which are exact as doubles before they are cut; with AVX-512.
    fn quotient(&mut self, name: LaneOp, s: &[ValueId], k: usize, to: u8) {
        use LaneOp as L;
        let signed = matches!(name, L::DivS32 | L::RemS32);
        let (widen, narrow) = if signed { (VCVTDQ2PD, VCVTTPD2DQ) } else { (VCVTUDQ2PD, VCVTTPD2UDQ) };
        let a = self.in_register(s[0], k, T1, false);
        let c = self.in_register(s[1], k, T2, false);
        self.asm.v1(widen, T3, Rm::Reg(a));
        self.asm.v1(widen, T4, Rm::Reg(c));
        self.asm.v(VDIVPD, T3, T3, Rm::Reg(T4));
        self.asm.v1(narrow, T3, Rm::Reg(T3));
        // The upper half; operands in memory are loaded again afterwards.
        self.asm.upper_half(T4, a);
        self.asm.v1(widen, T4, Rm::Reg(T4));
        self.asm.upper_half(T1, c);
        self.asm.v1(widen, T1, Rm::Reg(T1));
        self.asm.v(VDIVPD, T4, T4, Rm::Reg(T1));
        self.asm.v1(narrow, T4, Rm::Reg(T4));
        self.asm.join_halves(T3, T4);
        self.asm.v(VPXOR, T4, T4, Rm::Reg(T4));
        self.asm.compare_words(M2, c, Rm::Reg(T4), Test::Equal, false);
        if matches!(name, L::RemS32 | L::RemU32) {
            self.asm.v(VPMULLD, T3, T3, Rm::Reg(c));
            let a = self.in_register(s[0], k, T1, false);
            self.asm.v(VPSUBD, T3, a, Rm::Reg(T3));
        }
        let ones = self.word(FULL);
        self.asm.v_blend(T3, T3, ones, M2);
        if to != T3 {
            self.asm.v_load(to, Rm::Reg(T3));
        }
    }

    fn distance_sum(&mut self, s: &[ValueId], k: usize, signed: bool, to: u8) {
        let (least, most) = if signed { (VPMINSD, VPMAXSD) } else { (VPMINUD, VPMAXUD) };
        let a = self.in_register(s[0], k, T1, false);
        let c = self.in_register(s[1], k, T2, false);
        let sum = self.vector(s[2], k, T3, false);
        self.asm.v(least, T4, a, Rm::Reg(c));
        self.asm.v(most, T1, a, Rm::Reg(c));
        self.asm.v(VPSUBD, T1, T1, Rm::Reg(T4));
        self.asm.v(VPADDD, to, T1, sum);
    }

    fn select_by_sign(&mut self, s: &[ValueId], k: usize, to: u8) {
        let yes = self.in_register(s[0], k, T1, false);
        let no = self.vector(s[1], k, T2, false);
        let by = self.in_register(s[2], k, T3, false);
        match self.isa {
            Isa::Avx512 => {
                self.asm.m_signs(M1, by);
                self.asm.v_blend(to, yes, no, M1);
            }
            Isa::Avx2 => self.asm.v_blend(to, yes, no, by),
        }
    }

    /// `lop3` with a constant table.
    fn table(&mut self, s: &[ValueId], k: usize, to: u8) {
        let lut = self.plan.constant(s[3]).unwrap_or(0) as u8;
        let c = self.vector(s[2], k, T3, false);
        let b = self.in_register(s[1], k, T2, false);
        let a = self.vector(s[0], k, T1, false);
        let into = if b == to || c == Rm::Reg(to) { T1 } else { to };
        if a != Rm::Reg(into) {
            self.asm.v_load(into, a);
        }
        self.asm.v_imm(VPTERNLOGD, into, b, c, lut);
        if into != to {
            self.asm.v_load(to, Rm::Reg(into));
        }
    }

    /// `bfe` at a constant place.
    fn extract(&mut self, signed: bool, a: u8, at: u32, len: u32, to: u8) {
        if len == 0 || at >= 32 && !signed {
            return self.asm.v(VPXOR, to, a, Rm::Reg(a));
        }
        let right = if signed { 4 } else { 2 };
        let at = at.min(31);
        if at + len >= 32 {
            return self.asm.v_shift(right, to, a, at as u8);
        }
        self.asm.v_shift(6, T2, a, (32 - at - len) as u8);
        self.asm.v_shift(right, to, T2, (32 - len) as u8);
    }

    /// `bfi` at a constant place.
    fn insert(&mut self, s: &[ValueId], k: usize, to: u8) {
        let number = |i: usize| self.plan.constant(s[i]).unwrap_or(0) as u32 & 0xff;
        let (at, len) = (number(2), number(3));
        let ones = if len >= 32 { FULL } else { (1 << len) - 1 };
        let field = ones.checked_shl(at).unwrap_or(0);
        let a = self.in_register(s[0], k, T1, false);
        let c = self.in_register(s[1], k, T2, false);
        self.asm.v_shift(6, T1, a, at.min(32) as u8);
        let inside = self.word(field);
        self.asm.v(VPAND, T1, T1, inside);
        let outside = self.word(!field);
        self.asm.v(VPAND, T2, c, outside);
        self.asm.v(VPOR, to, T1, Rm::Reg(T2));
    }

    /// `prmt` with a constant selector that takes no signs.
    fn pick_bytes(&mut self, s: &[ValueId], k: usize, to: u8) {
        let selectors = self.plan.constant(s[2]).unwrap_or(0) as u32;
        let is_zero = |v: ValueId| self.plan.constant(v).is_some_and(|c| c as u32 == 0);
        let (zero_a, zero_b) = (is_zero(s[0]), is_zero(s[1]));
        let same = s[0] == s[1];
        let place = |i: usize, upper: bool| {
            let n = selectors >> (4 * (i % 4)) & 7;
            let is_here = same || (n >= 4) == upper;
            if is_here { (i / 4 * 4) as u8 + (n & 3) as u8 } else { 0x80 }
        };
        let uses = |upper: bool| (0..4).any(|i| place(i, upper) != 0x80);
        let (from_a, from_b) = (uses(false) && !zero_a, !same && uses(true) && !zero_b);
        match (from_a, from_b) {
            (true, true) => {
                let a = self.in_register(s[0], k, T1, false);
                let b = self.in_register(s[1], k, T2, false);
                let order = self.byte_row(|i| place(i, false));
                self.asm.v(VPSHUFB, T1, a, order);
                let order = self.byte_row(|i| place(i, true));
                self.asm.v(VPSHUFB, T2, b, order);
                self.asm.v(VPOR, to, T1, Rm::Reg(T2));
            }
            (false, false) => self.asm.v(VPXOR, to, to, Rm::Reg(to)),
            (_, upper) => {
                let a = self.in_register(s[usize::from(upper)], k, T1, false);
                let order = self.byte_row(|i| place(i, upper));
                self.asm.v(VPSHUFB, to, a, order);
            }
        }
    }
}
