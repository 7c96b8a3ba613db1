//! Operations with `.f32` that are more than one vector instruction, and conversions from and to it.
//!
//! A NaN result may have any payload here: who wants the chip's makes it so afterwards.

use super::*;
use crate::lane_op::{FloatOp, Integer, Mode, Round};

const SIGN: u32 = 1 << 31;
const EXPONENT: u32 = 0x7f80_0000;
/// What keeps products of subnormal numbers normal, and the smallest normal number times that.
const SCALE: f32 = (1u32 << 24) as f32;
const SCALED_MIN: f32 = f32::MIN_POSITIVE * SCALE;

/// Is it done here?
pub(super) fn is_known(name: LaneOp, isa: Isa) -> bool {
    match name {
        LaneOp::Float(op, mode) => {
            let is_directed = mode.round != Round::Nearest;
            let has_rounding = matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Fma);
            !is_directed || isa == Isa::Avx512 && has_rounding && !mode.ftz
        }
        LaneOp::Integral(_) | LaneOp::ToFloat(_) | LaneOp::FromFloat(..) => true,
        _ => false,
    }
}

/// Does it give a float whose NaN may be any?
pub(super) fn gives_float(name: LaneOp) -> bool {
    matches!(name, LaneOp::Float(..) | LaneOp::Integral(_) | LaneOp::Special(..))
        || matches!(name, LaneOp::FromHalf(half) if !half.is_brain)
        || matches!(name, LaneOp::AddF32 | LaneOp::SubF32 | LaneOp::MulF32 | LaneOp::FmaF32)
}

/// Is the result no NaN?
pub(super) fn gives_number(name: LaneOp) -> bool {
    matches!(name, LaneOp::Float(_, Mode { sat: true, .. }))
}

/// The immediate of `vroundps` and `vrndscaleps`.
pub(super) fn whole(round: Round) -> u8 {
    match round {
        Round::Nearest => 8,
        Round::Down => 9,
        Round::Up => 10,
        Round::Zero => 11,
    }
}

impl Emitter<'_> {
    /// One chunk of a result; `to` may be the register of a source.
    pub(super) fn float_row(&mut self, name: LaneOp, s: &[ValueId], k: usize, to: u8) {
        match name {
            LaneOp::Float(op, mode) => {
                self.float_operation(op, mode, s, k, to);
                if mode.sat {
                    let zero = self.constant_row([0; 16]);
                    self.asm.v(VMAXPS, to, to, zero);
                    let one = self.constant_row([1.0f32.to_bits(); 16]);
                    self.asm.v(VMINPS, to, to, one);
                }
            }
            LaneOp::Integral(round) => {
                let a = self.vector(s[0], k, T1, true);
                self.round_to_whole(to, a, round);
            }
            LaneOp::ToFloat(ty) => self.float_of(s[0], k, ty, to),
            LaneOp::FromFloat(ty, round) => self.integer_of(s[0], k, ty, round, to),
            _ => {}
        }
    }

    fn round_to_whole(&mut self, to: u8, a: Rm, round: Round) {
        let a = match a {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(T1, m);
                T1
            }
        };
        self.asm.v_imm(VROUNDPS, to, 0, Rm::Reg(a), whole(round));
    }

    fn float_operation(&mut self, op: FloatOp, mode: Mode, s: &[ValueId], k: usize, to: u8) {
        use FloatOp as F;
        let ftz = mode.ftz;
        match op {
            F::Add | F::Sub | F::Mul if mode.round != Round::Nearest => {
                let op = match op {
                    F::Add => VADDPS,
                    F::Sub => VSUBPS,
                    _ => VMULPS,
                };
                let a = self.in_register(s[0], k, T1, true);
                let c = self.in_register(s[1], k, T2, true);
                self.asm.v_rounded(op, to, a, c, mode.round as u8);
            }
            F::Fma if mode.round != Round::Nearest => {
                let a = self.in_register(s[0], k, T1, true);
                let c = self.in_register(s[1], k, T2, true);
                let sum = self.vector(s[2], k, T3, true);
                if sum != Rm::Reg(T3) {
                    self.asm.v_load(T3, sum);
                }
                self.asm.v_rounded(VFMADD231PS, T3, a, c, mode.round as u8);
                self.move_to(to, T3);
            }
            F::Mul if ftz => self.flushed_product(s, k, to),
            F::Fma if ftz => self.flushed_fma(s, k, to),
            F::Fma => self.fma(s, k, to),
            F::Add | F::Sub | F::Mul | F::Div => {
                let op = match op {
                    F::Add => VADDPS,
                    F::Sub => VSUBPS,
                    F::Mul => VMULPS,
                    _ => VDIVPS,
                };
                let a = self.operand(s[0], k, T1, ftz);
                let c = if ftz { Rm::Reg(self.operand(s[1], k, T2, true)) } else { self.vector(s[1], k, T2, true) };
                self.asm.v(op, to, a, c);
                if ftz {
                    self.flush(to, to);
                }
            }
            F::Sqrt => {
                let a = self.operand(s[0], k, T1, ftz);
                self.asm.v1(VSQRTPS, to, Rm::Reg(a));
            }
            F::Reciprocal => {
                let a = self.operand(s[0], k, T1, ftz);
                let one = self.word(1.0f32.to_bits());
                self.asm.v_load(T2, one);
                self.asm.v(VDIVPS, to, T2, Rm::Reg(a));
                if ftz {
                    self.flush(to, to);
                }
            }
            F::Neg | F::Abs => {
                let a = self.operand(s[0], k, T1, ftz);
                let bits = self.word(if op == F::Neg { SIGN } else { !SIGN });
                self.asm.v(if op == F::Neg { VPXOR } else { VPAND }, to, a, bits);
            }
            F::Min | F::Max => self.extreme(op == F::Max, ftz, s, k, to),
        }
    }

    pub(super) fn move_to(&mut self, to: u8, from: u8) {
        if to != from {
            self.asm.v_load(to, Rm::Reg(from));
        }
    }

    /// A source in a register: `temp` where it is flushed.
    pub(super) fn operand(&mut self, v: ValueId, k: usize, temp: u8, ftz: bool) -> u8 {
        let r = self.in_register(v, k, temp, true);
        if !ftz {
            return r;
        }
        self.flush(temp, r);
        temp
    }

    /// Subnormal numbers become zeros of their sign. Uses [`M1`].
    pub(super) fn flush(&mut self, to: u8, from: u8) {
        let exponent = self.word(EXPONENT);
        match self.isa {
            Isa::Avx512 => {
                self.asm.test_words(M1, from, exponent, false);
                self.move_to(to, from);
                let sign = self.word(SIGN);
                self.asm.v_masked(VPAND, to, to, sign, M1);
            }
            Isa::Avx2 => {
                self.asm.v(VPAND, M1, from, exponent);
                let zero = self.constant_row([0; 16]);
                self.asm.v(VPCMPEQD, M1, M1, zero);
                self.only_signs(to, from);
            }
        }
    }

    /// Of the lanes of [`M1`] only the sign stays.
    fn only_signs(&mut self, to: u8, from: u8) {
        match self.isa {
            Isa::Avx512 => {
                self.move_to(to, from);
                let sign = self.word(SIGN);
                self.asm.v_masked(VPAND, to, to, sign, M1);
            }
            Isa::Avx2 => {
                let rest = self.constant_row([!SIGN; 16]);
                self.asm.v(VPAND, M1, M1, rest);
                self.asm.v(VPANDN, to, M1, Rm::Reg(from));
            }
        }
    }

    /// The lanes of a scaled result in [`T4`] that was tiny, in [`M1`].
    fn find_tiny(&mut self) {
        let rest = self.constant_row([!SIGN; 16]);
        self.asm.v(VPAND, T4, T4, rest);
        let least = self.constant_row([SCALED_MIN.to_bits(); 16]);
        self.asm.compare_floats(M1, T4, least, 17);
    }

    fn flushed_product(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.operand(s[0], k, T1, true);
        let c = self.operand(s[1], k, T2, true);
        let scale = self.constant_row([SCALE.to_bits(); 16]);
        self.asm.v(VMULPS, T4, a, scale);
        self.asm.v(VMULPS, T4, T4, Rm::Reg(c));
        self.asm.v(VMULPS, T1, a, Rm::Reg(c));
        self.find_tiny();
        self.only_signs(to, T1);
    }

    fn flushed_fma(&mut self, s: &[ValueId], k: usize, to: u8) {
        let sum = self.operand(s[2], k, T3, true);
        let a = self.operand(s[0], k, T1, true);
        let c = self.operand(s[1], k, T2, true);
        let scale = self.constant_row([SCALE.to_bits(); 16]);
        self.asm.v(VMULPS, T4, sum, scale);
        self.asm.v(VFMADD231PS, T3, a, Rm::Reg(c));
        self.asm.v(VMULPS, T1, a, scale);
        self.asm.v(VFMADD231PS, T4, T1, Rm::Reg(c));
        self.find_tiny();
        self.only_signs(to, T3);
    }

    /// `min` or `max`: zeros are ordered by their sign, and of a NaN and a number the number is taken.
    fn extreme(&mut self, max: bool, ftz: bool, s: &[ValueId], k: usize, to: u8) {
        let op = if max { VMAXPS } else { VMINPS };
        let constant = self.plan.constant(s[1]).map(|c| c as u32);
        let is_simple = |c: u32| {
            // Of two zeros, and where one is NaN, the instruction gives the second.
            let is_last = c == if max { 0 } else { SIGN };
            c & !SIGN <= EXPONENT && (c & !SIGN != 0 || is_last) && (!ftz || c & EXPONENT != 0 || c & !SIGN == 0)
        };
        if let Some(c) = constant.filter(|&c| is_simple(c)) {
            let a = self.operand(s[0], k, T1, ftz);
            let c = self.word(c);
            return self.asm.v(op, to, a, c);
        }
        let a = self.operand(s[0], k, T1, ftz);
        let c = self.operand(s[1], k, T2, ftz);
        self.asm.v(op, T3, a, Rm::Reg(c));
        self.asm.v(op, T4, c, Rm::Reg(a));
        self.asm.v(if max { VPAND } else { VPOR }, T3, T3, Rm::Reg(T4));
        self.asm.compare_floats(M1, a, Rm::Reg(a), 3);
        self.asm.v_blend(T3, T3, Rm::Reg(c), M1);
        self.asm.compare_floats(M1, c, Rm::Reg(c), 3);
        self.asm.v_blend(to, T3, Rm::Reg(a), M1);
    }

    fn float_of(&mut self, v: ValueId, k: usize, ty: Integer, to: u8) {
        let a = self.of_type(v, k, ty, T1);
        if ty.bits < 32 || ty.signed {
            return self.asm.v1(VCVTDQ2PS, to, Rm::Reg(a));
        }
        if self.isa == Isa::Avx512 {
            return self.asm.v1(VCVTUDQ2PS, to, Rm::Reg(a));
        }
        // The upper half is exact as a float, and times 2^16; the sum is rounded once.
        self.asm.v_shift(2, T2, a, 16);
        self.asm.v1(VCVTDQ2PS, T2, Rm::Reg(T2));
        self.low_bits(T1, a, 16);
        self.asm.v1(VCVTDQ2PS, T1, Rm::Reg(T1));
        let upper = self.word(65536.0f32.to_bits());
        self.asm.v(VFMADD132PS, T2, T1, upper);
        self.move_to(to, T2);
    }

    /// Clamped to the range; NaN gives 0.
    fn integer_of(&mut self, v: ValueId, k: usize, ty: Integer, round: Round, to: u8) {
        let mut a = self.in_register(v, k, T1, true);
        if matches!(round, Round::Down | Round::Up) {
            self.round_to_whole(T1, Rm::Reg(a), round);
            a = T1;
        }
        let is_nearest = round == Round::Nearest;
        if !ty.signed {
            let zero = self.constant_row([0; 16]);
            self.asm.v(VMAXPS, T1, a, zero);
            if self.isa == Isa::Avx512 {
                return self.asm.v1(if is_nearest { VCVTPS2UDQ } else { VCVTTPS2UDQ }, to, Rm::Reg(T1));
            }
        }
        let convert = if is_nearest { VCVTPS2DQ } else { VCVTTPS2DQ };
        let limit = 2_147_483_648.0f32.to_bits();
        match (self.isa, ty.signed) {
            (Isa::Avx512, _) => {
                self.asm.compare_floats(M1, a, Rm::Reg(a), 7);
                let limit = self.constant_row([limit; 16]);
                self.asm.compare_floats(M2, a, limit, 29);
                self.asm.v1_zeroed(convert, to, Rm::Reg(a), M1);
                let most = self.word(i32::MAX as u32);
                self.asm.v_blend(to, to, most, M2);
            }
            (Isa::Avx2, true) => {
                // What is too large is the least number before it is turned over.
                let limit = self.constant_row([limit; 16]);
                self.asm.compare_floats(T2, a, limit, 29);
                self.asm.compare_floats(T3, a, Rm::Reg(a), 7);
                self.asm.v1(convert, T4, Rm::Reg(a));
                self.asm.v(VPXOR, T4, T4, Rm::Reg(T2));
                self.asm.v(VPAND, to, T4, Rm::Reg(T3));
            }
            (Isa::Avx2, false) => {
                // In two steps from 2^31 on; beyond 2^32 all bits.
                let half = self.constant_row([limit; 16]);
                self.asm.compare_floats(T2, T1, half, 29);
                self.asm.v(VPAND, T4, T2, half);
                self.asm.v(VSUBPS, T4, T1, Rm::Reg(T4));
                self.asm.v1(convert, T4, Rm::Reg(T4));
                let top = self.constant_row([SIGN; 16]);
                self.asm.v(VPAND, T2, T2, top);
                self.asm.v(VPXOR, T4, T4, Rm::Reg(T2));
                let all = self.constant_row([4_294_967_296.0f32.to_bits(); 16]);
                self.asm.compare_floats(T2, T1, all, 29);
                self.asm.v(VPOR, to, T4, Rm::Reg(T2));
            }
        }
    }
}
