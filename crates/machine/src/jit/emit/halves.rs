//! 16-bit floats, computed in 32 bits with AVX-512.
//!
//! Sums of two and products of `.f16` may be rounded twice without harm. Where they may not, the first rounding is *to
//! odd*: of the results rounded down and up the one whose last bit is set. What is flushed or clamped is so before the last
//! rounding, which keeps the order of numbers.

use super::special::FIRST;
use super::*;
use crate::lane_op::{FloatOp, Half, HalfMode};

/// The result of the lower half of a chunk, while the upper one is computed.
const LOWER: u8 = FIRST;
const SIGN: u32 = 1 << 31;
/// The smallest number of 11 bits that rounds to a normal `.f16`, 2^-14.
const LEAST_NORMAL: u32 = 0x3880_0000 - (1 << 12);
const SMALLEST_NORMAL: u32 = 0x3880_0000;

/// Is it done here?
pub(super) fn is_known(name: LaneOp, isa: Isa) -> bool {
    isa == Isa::Avx512 && matches!(name, LaneOp::Half(..) | LaneOp::FromHalf(_) | LaneOp::ToHalf(_))
}

impl Emitter<'_> {
    /// One chunk of a result; `to` may be the register of a source.
    pub(super) fn half_row(&mut self, name: LaneOp, s: &[ValueId], k: usize, to: u8) {
        match name {
            LaneOp::Half(op, ty, mode) => self.half_operation(op, ty, mode, s, k, to),
            LaneOp::FromHalf(ty) => {
                let a = self.in_register(s[0], k, T1, false);
                if ty.is_brain {
                    return self.asm.v_shift(6, to, a, 16);
                }
                self.asm.narrow_words(T1, a);
                self.asm.v1(VCVTPH2PS, to, Rm::Reg(T1));
            }
            LaneOp::ToHalf(ty) => self.convert_to_half(ty, s, k, to),
            _ => {}
        }
    }

    fn convert_to_half(&mut self, ty: Half, s: &[ValueId], k: usize, to: u8) {
        // Of a pair, the first source goes to the upper half.
        let lower = self.in_register(s[s.len() - 1], k, T1, true);
        self.lower_half_word(ty, lower, T3);
        if s.len() > 1 {
            let upper = self.in_register(s[0], k, T2, true);
            self.lower_half_word(ty, upper, T4);
            self.asm.v_shift(6, T4, T4, 16);
            self.asm.v(VPOR, T3, T3, Rm::Reg(T4));
        }
        self.move_to(to, T3);
    }

    /// 32-bit lanes with a 16-bit float in their lower halves.
    fn lower_half_word(&mut self, ty: Half, from: u8, to: u8) {
        if ty.is_brain {
            self.round_to_brain(from, to);
            return self.asm.v_shift(2, to, to, 16);
        }
        self.canonical(to, Rm::Reg(from));
        self.asm.halves_of(to, to);
        self.asm.v1(VPMOVZXWD, to, Rm::Reg(to));
    }

    /// `.bf16` in the upper halves of 32-bit lanes; the lower ones hold anything. Uses [`LOWER`] and the next.
    fn round_to_brain(&mut self, from: u8, to: u8) {
        const ODD: u8 = FIRST + 1;
        self.asm.compare_floats(M1, from, Rm::Reg(from), 3);
        self.asm.v_shift(2, ODD, from, 16);
        let one = self.word(1);
        self.asm.v(VPAND, ODD, ODD, one);
        let half = self.word(0x7fff);
        self.asm.v(VPADDD, ODD, ODD, half);
        self.asm.v(VPADDD, to, ODD, Rm::Reg(from));
        let nan = self.word(0x7fff_0000);
        self.asm.v_blend(to, to, nan, M1);
    }

    fn half_operation(&mut self, op: FloatOp, ty: Half, mode: HalfMode, s: &[ValueId], k: usize, to: u8) {
        for part in 0..if ty.is_pair { 2 } else { 1 } {
            for (&v, temp) in s.iter().zip([T1, T2, T3]) {
                self.widen_half(ty, v, k, part, temp);
                if mode.ftz {
                    self.flush_half(temp, SMALLEST_NORMAL);
                }
            }
            self.compute_half(op, ty);
            if mode.ftz {
                self.flush_half(T1, LEAST_NORMAL);
            }
            self.clamp_half(mode);
            let result = if part == 0 { LOWER } else { T4 };
            if ty.is_brain {
                self.round_to_brain(T1, T4);
                if part == 0 {
                    self.asm.v_shift(2, result, T4, 16);
                }
            } else {
                self.canonical(T1, Rm::Reg(T1));
                self.asm.halves_of(result, T1);
            }
        }
        match (ty.is_pair, ty.is_brain) {
            (false, true) => self.move_to(to, LOWER),
            (false, false) => self.asm.v1(VPMOVZXWD, to, Rm::Reg(LOWER)),
            (true, true) => {
                let upper = self.word(0xffff_0000);
                self.asm.v(VPAND, T4, T4, upper);
                self.asm.v(VPOR, to, LOWER, Rm::Reg(T4));
            }
            (true, false) => {
                self.asm.join_halves(LOWER, T4);
                self.move_to(to, LOWER);
            }
        }
    }

    /// The numbers of one part: of pairs of `.bf16` the lower or the upper ones, of pairs of `.f16` all of half the lanes.
    fn widen_half(&mut self, ty: Half, v: ValueId, k: usize, part: usize, to: u8) {
        let r = self.in_register(v, k, to, false);
        match (ty.is_brain, part) {
            (true, 0) => return self.asm.v_shift(6, to, r, 16),
            (true, _) => {
                let upper = self.word(0xffff_0000);
                return self.asm.v(VPAND, to, r, upper);
            }
            (false, 0) if ty.is_pair => return self.asm.v1(VCVTPH2PS, to, Rm::Reg(r)),
            (false, 0) => self.asm.narrow_words(to, r),
            (false, _) => self.asm.upper_half(to, r),
        }
        self.asm.v1(VCVTPH2PS, to, Rm::Reg(to));
    }

    /// The result of [`T1`], [`T2`] and [`T3`] in [`T1`].
    fn compute_half(&mut self, op: FloatOp, ty: Half) {
        const DOWN: u8 = 1;
        const UP: u8 = 2;
        match op {
            FloatOp::Add => return self.asm.v(VADDPS, T1, T1, Rm::Reg(T2)),
            FloatOp::Sub => return self.asm.v(VSUBPS, T1, T1, Rm::Reg(T2)),
            FloatOp::Mul if !ty.is_brain => return self.asm.v(VMULPS, T1, T1, Rm::Reg(T2)),
            FloatOp::Mul => {
                self.asm.v_rounded(VMULPS, T4, T1, T2, DOWN);
                self.asm.v_rounded(VMULPS, T1, T1, T2, UP);
            }
            _ => {
                self.asm.v_load(T4, Rm::Reg(T3));
                self.asm.v_rounded(VFMADD231PS, T4, T1, T2, DOWN);
                self.asm.v_rounded(VFMADD231PS, T3, T1, T2, UP);
                self.asm.v_load(T1, Rm::Reg(T3));
            }
        }
        // To odd. Where both are the same, a zero has the sign of the one that is rounded up, as to nearest.
        let one = self.word(1);
        self.asm.test_words(M1, T4, one, true);
        self.asm.v_blend(T1, T1, Rm::Reg(T4), M1);
    }

    /// What is smaller than a limit becomes a zero of its sign.
    fn flush_half(&mut self, x: u8, limit: u32) {
        let rest = self.word(!SIGN);
        self.asm.v(VPAND, T4, x, rest);
        let limit = self.word(limit);
        self.asm.compare_floats(M1, T4, limit, 17);
        let sign = self.word(SIGN);
        self.asm.v_masked(VPAND, x, x, sign, M1);
    }

    fn clamp_half(&mut self, mode: HalfMode) {
        if mode.sat {
            let zero = self.word(0);
            self.asm.v(VMAXPS, T1, T1, zero);
            let one = self.word(1.0f32.to_bits());
            self.asm.v(VMINPS, T1, T1, one);
        }
        if mode.relu {
            self.canonical(T1, Rm::Reg(T1));
            self.asm.m_signs(M1, T1);
            self.asm.v_masked(VPXOR, T1, T1, Rm::Reg(T1), M1);
        }
    }
}
