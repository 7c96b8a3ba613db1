//! The special-function unit, with AVX-512: routines within the code that take and give a chunk in [`T1`].
//!
//! The tables are vectors, looked up by permutations; `sem` has the meaning, which computes in 64 bits. Here the sum is
//! taken apart so that 32 bits are enough: of its lower part only what it carries counts, of its upper one the 23 bits of
//! the mantissa, with nothing above them. A program with such operations has fewer registers for values.

use warpvm_sem::approx::{Coefficients, coefficients};

use super::*;
use crate::lane_op::Special;

/// The first register of the routines; the last two are their callers'.
pub(super) const FIRST: u8 = 20;
const KEPT: u8 = 26;
const OTHER: u8 = 27;

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
const T_MASK: u32 = 0x1_ffff;

const MIN_NORMAL: u32 = 0x0080_0000;
/// 2^126, the largest operand whose reciprocal is normal.
const TWO_126: u32 = 0x7e80_0000;
const TWO_24: u32 = 0x4b80_0000;
const TWO_12: u32 = 0x4580_0000;
const TWO_MINUS_12: u32 = 0x3980_0000;
const QUARTER: u32 = 0x3e80_0000;
const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;

/// Is it done here?
pub(super) fn is_known(name: LaneOp, isa: Isa) -> bool {
    matches!(name, LaneOp::Special(..)) && isa == Isa::Avx512
}

impl Emitter<'_> {
    /// Vector registers for values.
    pub(super) fn value_registers(&self) -> usize {
        let needs_more = |name| is_known(name, self.isa) || super::halves::is_known(name, self.isa);
        let is_special = |kind: &Kind| matches!(kind, Kind::Row(op) if op.name.is_some_and(needs_more));
        if self.program.code.iter().any(|inst| is_special(&inst.kind)) {
            FIRST as usize
        } else {
            self.isa.value_registers()
        }
    }

    /// One chunk of a result, around the unit as the chip's assembler has it.
    pub(super) fn special_row(&mut self, function: Special, ftz: bool, s: &[ValueId], k: usize, to: u8) {
        let of = match function {
            Special::Rcp | Special::Div | Special::DivFull => Function::Rcp,
            Special::Rsqrt => Function::Rsqrt,
            Special::Sqrt => Function::Sqrt,
            Special::Ex2 => Function::Ex2,
        };
        let is_quotient = matches!(function, Special::Div | Special::DivFull);
        let x = self.vector(s[usize::from(is_quotient)], k, T1, true);
        if x != Rm::Reg(T1) {
            self.asm.v_load(T1, x);
        }
        match (function, ftz) {
            (Special::Div, true) => {
                self.call_routine(of);
                let x = self.operand(s[0], k, T2, true);
                self.asm.v(VMULPS, to, T1, Rm::Reg(x));
                return self.flush(to, to);
            }
            (Special::DivFull, true) => {
                // NaN is scaled by whatever.
                self.load_scales(KEPT, None, &[(TWO_126, 30, QUARTER)]);
                self.flush(T1, T1);
                self.asm.v(VMULPS, T1, T1, Rm::Reg(KEPT));
                self.flush(T1, T1);
                self.call_routine(of);
                let x = self.operand(s[0], k, T2, true);
                self.asm.v(VMULPS, T2, x, Rm::Reg(KEPT));
                self.flush(T2, T2);
                self.asm.v(VMULPS, to, T1, Rm::Reg(T2));
                return self.flush(to, to);
            }
            (_, true) => {
                self.call_routine(of);
                return self.move_to(to, T1);
            }
            (Special::Ex2, false) => return self.ex2(to),
            _ => {}
        }
        let small = (MIN_NORMAL, 17);
        match function {
            Special::Rcp | Special::DivFull => {
                self.load_scales(KEPT, None, &[(small.0, small.1, TWO_24), (TWO_126, 30, QUARTER)]);
            }
            Special::Div => self.load_scales(KEPT, None, &[(small.0, small.1, TWO_24)]),
            Special::Rsqrt => self.load_scales(KEPT, Some(TWO_12), &[(small.0, small.1, TWO_24)]),
            _ => self.load_scales(KEPT, Some(TWO_MINUS_12), &[(small.0, small.1, TWO_24)]),
        }
        self.asm.v(VMULPS, T1, T1, Rm::Reg(KEPT));
        self.call_routine(of);
        match function {
            Special::Rcp => self.asm.v(VMULPS, to, T1, Rm::Reg(KEPT)),
            Special::Div | Special::DivFull => {
                let x = self.vector(s[0], k, T2, true);
                self.asm.v(VMULPS, T2, KEPT, x);
                self.asm.v(VMULPS, to, T1, Rm::Reg(T2));
            }
            _ => self.asm.v(VMULPS, to, T1, Rm::Reg(OTHER)),
        }
    }

    /// One, or a scale where the magnitude of [`T1`] compares as told with a number: limit, test, scale. Where the first
    /// holds, [`OTHER`] is another number.
    fn load_scales(&mut self, to: u8, other: Option<u32>, list: &[(u32, u8, u32)]) {
        let rest = self.word(!SIGN);
        self.asm.v(VPAND, T2, T1, rest);
        let one = self.word(ONE);
        self.asm.v_load(to, one);
        if other.is_some() {
            self.asm.v_load(OTHER, one);
        }
        for &(limit, test, scale) in list {
            let limit = self.word(limit);
            self.asm.compare_floats(M1, T2, limit, test);
            let scale = self.word(scale);
            self.asm.v_blend(to, to, scale, M1);
            if let Some(other) = other {
                let other = self.word(other);
                self.asm.v_blend(OTHER, OTHER, other, M1);
            }
        }
    }

    /// `ex2.approx.f32`: below -126 the square of the result for half of it.
    fn ex2(&mut self, to: u8) {
        let limit = self.word((-126.0f32).to_bits());
        self.asm.compare_floats(M1, T1, limit, 17);
        let half = self.constant_row([HALF; 16]);
        // The lanes, as numbers that outlive the routine.
        self.asm.v1_zeroed(VPBROADCASTD, KEPT, half, M1);
        self.asm.v_masked(VMULPS, T1, T1, half, M1);
        self.call_routine(Function::Ex2);
        let one = self.word(ONE);
        self.asm.v_load(T2, one);
        self.asm.test_words(M1, KEPT, Rm::Reg(KEPT), true);
        self.asm.v_blend(T2, T2, Rm::Reg(T1), M1);
        self.asm.v(VMULPS, to, T1, Rm::Reg(T2));
    }

    fn call_routine(&mut self, function: Function) {
        let asm = &mut self.asm;
        let label = *self.routines.entry(function).or_insert_with(|| asm.label());
        self.asm.call_label(label);
    }

    pub(super) fn emit_routines(&mut self) {
        for (function, label) in std::mem::take(&mut self.routines) {
            self.asm.bind(label);
            match function {
                Function::Rcp => self.rcp(),
                Function::Rsqrt | Function::Sqrt => self.root(function),
                Function::Ex2 => self.exponential(),
            }
            self.asm.ret();
        }
    }

    /// `to = from op constant`
    fn with(&mut self, op: Vop, to: u8, from: u8, constant: u32) {
        let c = self.word(constant);
        self.asm.v(op, to, from, c);
    }

    /// A number where a mask holds.
    fn put(&mut self, to: u8, number: u32, mask: u8) {
        let number = self.word(number);
        self.asm.v_blend(to, to, number, mask);
    }

    fn zero(&mut self, to: u8, mask: u8) {
        self.asm.v_masked(VPXOR, to, to, Rm::Reg(to), mask);
    }

    fn is(&mut self, mask: u8, a: u8, test: Test, number: u32) {
        let number = self.word(number);
        self.asm.compare_words(mask, a, number, test, true);
    }

    /// The 23 bits of the mantissa in [`T4`], by the segment in [`T2`] and `t` in [`T3`].
    fn interpolate(&mut self, function: Function, cut: u32) {
        const A: u8 = FIRST;
        const B: u8 = FIRST + 1;
        const C: u8 = FIRST + 2;
        const D: u8 = FIRST + 3;
        let Coefficients { rows, weights, bias } = coefficients(function);
        // The sum is cut by 9 bits after `low`, which `t` is split at.
        let low = cut - 9;
        let first: Vec<u32> = rows.iter().map(|r| (r[0] << (weights[0] - low)) as u32).collect();
        // `c1` has 17 bits and `c2` 10, with the same sign in all rows.
        let others: Vec<u32> = rows.iter().map(|r| r[1].unsigned_abs() << 12 | r[2].unsigned_abs()).collect();
        let op = |n: usize| if rows.iter().any(|r| r[n] < 0) { VPSUBD } else { VPADDD };
        // The square, without its low columns.
        self.asm.v_shift(2, A, T3, 9);
        self.asm.v(VPMADDWD, B, A, Rm::Reg(A));
        self.with(VPAND, A, A, 1);
        self.asm.v(VPSUBD, B, B, Rm::Reg(A));
        self.asm.v(VPXOR, C, C, Rm::Reg(C));
        for i in 2..9 {
            let bit = self.word(1 << i);
            self.asm.test_words(M1, T3, bit, true);
            self.asm.v_shift(2, D, T3, 18 - i);
            self.asm.v_masked(VPADDD, C, C, Rm::Reg(D), M1);
        }
        self.asm.v_shift(6, C, C, 1);
        self.asm.v(VPADDD, B, B, Rm::Reg(C));
        self.asm.v_shift(6, B, B, 1 + weights[2] as u8);
        let bit = self.word(32);
        self.asm.test_words(M1, T2, bit, true);
        let bit = self.word(64);
        self.asm.test_words(M2, T2, bit, true);
        self.look_up(D, &others);
        self.with(VPAND, C, D, 0xfff);
        self.asm.v(VPMULLD, B, C, Rm::Reg(B));
        self.asm.v_shift(2, D, D, 12);
        self.asm.v_shift(6, T3, T3, weights[1] as u8);
        self.with(VPAND, A, T3, (1 << low) - 1);
        self.asm.v(VPMULLD, A, A, Rm::Reg(D));
        let bias = self.word(bias as u32);
        self.asm.v_load(C, bias);
        self.asm.v(op(2), C, C, Rm::Reg(B));
        self.asm.v(op(1), C, C, Rm::Reg(A));
        self.asm.v_shift(4, C, C, low as u8);
        self.asm.v_shift(2, A, T3, low as u8);
        self.asm.v(VPMULLD, A, A, Rm::Reg(D));
        self.look_up(D, &first);
        self.asm.v(op(1), A, D, Rm::Reg(A));
        self.asm.v(VPADDD, A, A, Rm::Reg(C));
        self.asm.v_shift(2, T4, A, 9);
    }

    /// Words of a table of 64 or 128 by the index in [`T2`], whose bits 5 and 6 are in [`M1`] and [`M2`].
    fn look_up(&mut self, to: u8, table: &[u32]) {
        const E: u8 = FIRST + 4;
        const F: u8 = FIRST + 5;
        self.look_up_pair(to, &table[..32]);
        self.look_up_pair(E, &table[32..64]);
        self.asm.v_blend(to, to, Rm::Reg(E), M1);
        if table.len() > 64 {
            self.look_up_pair(E, &table[64..96]);
            self.look_up_pair(F, &table[96..128]);
            self.asm.v_blend(E, E, Rm::Reg(F), M1);
            self.asm.v_blend(to, to, Rm::Reg(E), M2);
        }
    }

    fn look_up_pair(&mut self, to: u8, table: &[u32]) {
        let first = self.constant_row(std::array::from_fn(|i| table[i]));
        let second = self.constant_row(std::array::from_fn(|i| table[16 + i]));
        self.asm.v_load(to, first);
        self.asm.permute_two(to, T2, second);
    }

    /// The exponent of [`T1`].
    fn exponent(&mut self, to: u8) {
        self.asm.v_shift(2, to, T1, 23);
        self.with(VPAND, to, to, 255);
    }

    fn rcp(&mut self) {
        const E: u8 = FIRST;
        const SCALE: u8 = FIRST + 1;
        self.asm.v_shift(2, T2, T1, 16);
        self.with(VPAND, T2, T2, 127);
        self.with(VPAND, T3, T1, 0xffff);
        self.asm.v_shift(6, T3, T3, 1);
        self.interpolate(Function::Rcp, 17);
        self.exponent(E);
        let mantissa = self.word(MANTISSA);
        self.asm.test_words(M1, T1, mantissa, false);
        let most = self.word(253);
        self.asm.v_load(SCALE, most);
        self.asm.v(VPSUBD, SCALE, SCALE, Rm::Reg(E));
        let one = self.word(1);
        self.asm.v_masked(VPADDD, SCALE, SCALE, one, M1);
        self.zero(T4, M1);
        self.asm.v_shift(6, T3, SCALE, 23);
        self.asm.v(VPOR, T4, T4, Rm::Reg(T3));
        self.is(M1, SCALE, Test::NotGreater, 0);
        self.zero(T4, M1);
        self.is(M1, E, Test::Equal, 0);
        self.put(T4, INFINITY, M1);
        self.with(VPAND, T3, T1, SIGN);
        self.asm.v(VPOR, T4, T4, Rm::Reg(T3));
        self.asm.compare_floats(M1, T1, Rm::Reg(T1), 3);
        self.put(T4, NAN, M1);
        self.asm.v_load(T1, Rm::Reg(T4));
    }

    /// The square root, or its reciprocal.
    fn root(&mut self, function: Function) {
        const E: u8 = FIRST;
        const SCALE: u8 = FIRST + 1;
        let is_reciprocal = function == Function::Rsqrt;
        self.asm.v_shift(2, T2, T1, 17);
        self.with(VPAND, T2, T2, 127);
        self.with(VPXOR, T2, T2, 64);
        self.with(VPAND, T3, T1, T_MASK);
        self.interpolate(function, if is_reciprocal { 17 } else { 18 });
        // A power of four.
        self.with(VPAND, T3, T1, 0x00ff_ffff);
        self.is(M1, T3, Test::Equal, 0x0080_0000);
        self.zero(T4, M1);
        self.exponent(E);
        self.with(VPADDD, SCALE, E, 1);
        self.asm.v_shift(2, SCALE, SCALE, 1);
        if is_reciprocal {
            let most = self.word(190);
            self.asm.v_load(T3, most);
            self.asm.v(VPSUBD, SCALE, T3, Rm::Reg(SCALE));
            let one = self.word(1);
            self.asm.v_masked(VPADDD, SCALE, SCALE, one, M1);
        } else {
            self.with(VPADDD, SCALE, SCALE, 63);
        }
        self.asm.v_shift(6, SCALE, SCALE, 23);
        self.asm.v(VPOR, T4, T4, Rm::Reg(SCALE));
        let (of_zero, of_infinity) = if is_reciprocal { (INFINITY, 0) } else { (0, INFINITY) };
        self.is(M1, E, Test::Equal, 255);
        self.put(T4, of_infinity, M1);
        self.asm.m_signs(M1, T1);
        self.put(T4, NAN, M1);
        self.asm.compare_floats(M1, T1, Rm::Reg(T1), 3);
        self.put(T4, NAN, M1);
        self.with(VPAND, T3, T1, SIGN);
        self.with(VPOR, T3, T3, of_zero);
        self.is(M1, E, Test::Equal, 0);
        self.asm.v_blend(T4, T4, Rm::Reg(T3), M1);
        self.asm.v_load(T1, Rm::Reg(T4));
    }

    fn exponential(&mut self) {
        const E: u8 = FIRST;
        // In fixed point with 23 bits, truncated.
        self.exponent(E);
        self.with(VPSUBD, T4, E, 127);
        self.with(VPAND, T2, T1, MANTISSA);
        self.with(VPOR, T2, T2, 0x0080_0000);
        self.asm.v(VPXOR, T3, T3, Rm::Reg(T3));
        self.asm.v(VPSUBD, FIRST + 1, T3, Rm::Reg(T4));
        self.asm.v(VPMAXSD, T4, T4, Rm::Reg(T3));
        self.asm.v(VPMAXSD, T3, FIRST + 1, Rm::Reg(T3));
        self.asm.v(VPSLLVD, T2, T2, Rm::Reg(T4));
        self.asm.v(VPSRLVD, T2, T2, Rm::Reg(T3));
        // Complemented where negative, negated where whole.
        let mantissa = self.word(MANTISSA);
        self.asm.test_words(M1, T2, mantissa, false);
        // The interpolation leaves this mask alone.
        self.asm.m_move(M3, M1);
        self.asm.m_signs(M2, T1);
        let ones = self.word(FULL);
        self.asm.v_masked(VPXOR, T2, T2, ones, M2);
        self.asm.m_and(M2, M1, M2);
        let one = self.word(1);
        self.asm.v_masked(VPADDD, T2, T2, one, M2);
        self.asm.v_load(OTHER, Rm::Reg(T2));
        self.with(VPAND, T3, T2, T_MASK);
        self.asm.v_shift(2, T2, T2, 17);
        self.with(VPAND, T2, T2, 63);
        self.interpolate(Function::Ex2, 17);
        self.asm.m_move(M1, M3);
        self.zero(T4, M1);
        self.asm.v_shift(4, T2, OTHER, 23);
        self.with(VPADDD, T2, T2, 127);
        self.asm.v_shift(6, T3, T2, 23);
        self.asm.v(VPOR, T4, T4, Rm::Reg(T3));
        self.is(M1, T2, Test::NotGreater, 0);
        self.zero(T4, M1);
        self.exponent(T3);
        self.is(M1, T3, Test::NotLess, 134);
        self.zero(T4, M1);
        let sign = self.word(SIGN);
        self.asm.test_words(M2, T1, sign, false);
        self.asm.m_and(M1, M1, M2);
        self.put(T4, INFINITY, M1);
        self.asm.compare_floats(M1, T1, Rm::Reg(T1), 3);
        self.put(T4, NAN, M1);
        self.asm.v_load(T1, Rm::Reg(T4));
    }
}
