//! The operations of the special-function unit itself, on bit patterns of f32.
//!
//! Apart from `MUFU.TANH`, subnormal operands count as zero and subnormal results become zero, in every mode. A lane's
//! special cases are selections, not branches, so that a row of lanes runs at one speed and can be vectorised.

#![expect(
    clippy::needless_bitwise_bool,
    reason = "what a lazy operator leaves as a branch keeps a loop from vector code"
)]

use super::interpolate::{Row, Shape, T_BITS, T_MASK, interpolate};
use super::tables::{EX2, LG2, RCP, RSQRT, SIN, SQRT, TANH};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The NaN that the chip gives, also as the high word of an f64.
const NAN: u32 = 0x7fff_ffff;
const MANTISSA: u32 = 0x007f_ffff;

const RCP_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 0, bias: 8092 };
const RSQRT_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 1, bias: 32766 };
const SQRT_SHAPE: Shape = Shape { c0: 16, c1: 1, c2: 0, bias: 65534 };
const EX2_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 0, bias: 24456 };
const LG2_SHAPE: Shape = Shape { c0: 15, c1: 3, c2: 2, bias: 6696 };
const SIN_SHAPE: Shape = Shape { c0: 15, c1: 4, c2: 2, bias: 0 };
const TANH_SHAPE: Shape = Shape { c0: 15, c1: 0, c2: 0, bias: 0 };

/// A table with its shape, for code that evaluates it in its own way.
pub(super) fn table(function: super::Function) -> (&'static [Row], Shape) {
    match function {
        super::Function::Rcp => (&RCP, RCP_SHAPE),
        super::Function::Rsqrt => (&RSQRT, RSQRT_SHAPE),
        super::Function::Sqrt => (&SQRT, SQRT_SHAPE),
        super::Function::Ex2 => (&EX2, EX2_SHAPE),
    }
}

/// `a` where the condition holds, else `b`.
#[inline(always)]
pub(super) fn pick(condition: bool, a: u32, b: u32) -> u32 {
    if condition { a } else { b }
}

/// The parts of an f32.
#[inline(always)]
fn parts(x: u32) -> (u32, u32, u32) {
    (x & SIGN, x >> 23 & 255, x & MANTISSA)
}

/// The sum of the row that a 23-bit fraction chooses with its leading 6 bits.
#[inline(always)]
fn at(table: &[Row; 64], shape: Shape, fraction: u32) -> i64 {
    interpolate(table[(fraction >> T_BITS & 63) as usize], shape, fraction & T_MASK)
}

/// The same with a table twice as long, whose second half is for odd exponents.
#[inline(always)]
fn at_parity(table: &[Row; 128], shape: Shape, odd: u32, fraction: u32) -> i64 {
    interpolate(table[(odd << 6 | fraction >> T_BITS) as usize & 127], shape, fraction & T_MASK)
}

/// `value * 2^-unit` as f32, truncated, for values below 2^52.
#[inline(always)]
fn pack(sign: u32, value: u64, unit: u32) -> u32 {
    // Below 2^52 an integer is the mantissa of an f64 next to 2^52; the subtraction normalises it.
    const TWO_52: u64 = (1023 + 52) << 52;
    let wide = (f64::from_bits(TWO_52 | value) - f64::from_bits(TWO_52)).to_bits();
    let bits = ((wide >> 29) as u32).wrapping_sub((1023 - 127 + unit) << 23);
    sign | pick(value == 0, 0, bits)
}

/// A number in fixed point with `bits` fraction bits, truncated, as a magnitude modulo 2^32.
#[inline(always)]
fn fixed(x: u32, bits: u32) -> u32 {
    let significand = x & MANTISSA | 0x80_0000;
    let left = (x >> 23 & 255) as i32 - 150 + bits as i32;
    let (up, down) = (left.clamp(0, 31) as u32, (-left).clamp(0, 31) as u32);
    pick(left > 31, 0, significand << up >> down)
}

/// `MUFU.RCP`
#[inline(always)]
pub(super) fn rcp(x: u32) -> u32 {
    let (sign, e, fraction) = parts(x);
    let row = RCP[(fraction >> 16 & 127) as usize];
    let sum = interpolate(row, RCP_SHAPE, (fraction & 0xffff) << 1);
    // The reciprocal of a power of two is exact; that of another number lies in the binade below.
    let exact = fraction == 0;
    let scale = 253 - e as i32 + i32::from(exact);
    let bits = (scale as u32) << 23 | pick(exact, 0, (sum >> 17) as u32 & MANTISSA);
    let bits = pick(scale <= 0, 0, bits);
    let bits = pick(e == 0, INFINITY, bits);
    pick(e == 255 && !exact, NAN, sign | bits)
}

/// What `MUFU.RSQ` and `MUFU.SQRT` give for zero, infinity and NaN, and their `bits` otherwise.
#[inline(always)]
fn root(x: u32, of_zero: u32, of_infinity: u32, bits: u32) -> u32 {
    let (sign, e, fraction) = parts(x);
    let bits = pick(e == 255, of_infinity, bits);
    let bits = pick(sign != 0 || e == 255 && fraction != 0, NAN, bits);
    pick(e == 0, sign | of_zero, bits)
}

/// `MUFU.RSQ`
#[inline(always)]
pub(super) fn rsqrt(x: u32) -> u32 {
    let (_, e, fraction) = parts(x);
    let odd = e & 1 ^ 1;
    let mantissa = (at_parity(&RSQRT, RSQRT_SHAPE, odd, fraction) >> 17) as u32 & MANTISSA;
    let exact = fraction == 0 && odd == 0;
    let scale = 190 - ((e + 1) >> 1);
    root(x, INFINITY, 0, pick(exact, (scale + 1) << 23, scale << 23 | mantissa))
}

/// `MUFU.SQRT`
#[inline(always)]
pub(super) fn sqrt(x: u32) -> u32 {
    let (_, e, fraction) = parts(x);
    let odd = e & 1 ^ 1;
    let mantissa = (at_parity(&SQRT, SQRT_SHAPE, odd, fraction) >> 18) as u32 & MANTISSA;
    let exact = fraction == 0 && odd == 0;
    let scale = 63 + ((e + 1) >> 1);
    root(x, 0, INFINITY, scale << 23 | pick(exact, 0, mantissa))
}

/// `MUFU.LG2`
#[inline(always)]
pub(super) fn lg2(x: u32) -> u32 {
    let (sign, e, fraction) = parts(x);
    let sum = ((i64::from(e) - 127) << 41) + at(&LG2, LG2_SHAPE, fraction);
    // A negative sum is complemented, not negated.
    let below = sum >> 63;
    let bits = pack(below as u32 & SIGN, (sum ^ below) as u64 >> 5, 36);
    let bits = pick(x == 0x3f80_0000, 0, bits);
    let bits = pick(e == 255, INFINITY, bits);
    let bits = pick((sign != 0) | (e == 255) & (fraction != 0), NAN, bits);
    pick(e == 0, SIGN | INFINITY, bits)
}

/// `MUFU.EX2`
#[inline(always)]
pub(super) fn ex2(x: u32) -> u32 {
    let (sign, e, fraction) = parts(x);
    let magnitude = fixed(x, 23);
    let exact = magnitude & MANTISSA == 0;
    // A negative argument is complemented, not negated, unless it is a whole number in fixed point.
    let negative = (sign >> 31).wrapping_neg();
    let argument = (magnitude ^ negative).wrapping_add(u32::from(exact) & negative);
    let mantissa = (at(&EX2, EX2_SHAPE, argument & MANTISSA) >> 17) as u32 & MANTISSA;
    let scale = 127 + (argument as i32 >> 23);
    let bits = (scale as u32) << 23 | pick(exact, 0, mantissa);
    let huge = e >= 134;
    let bits = pick(huge | (scale <= 0), 0, bits);
    let bits = pick(huge & (sign == 0), INFINITY, bits);
    pick((e == 255) & (fraction != 0), NAN, bits)
}

/// The sine of a number of 2^25ths of a turn; the sign of the result turns with `sign`.
#[inline(always)]
fn sin_turn(sign: u32, turn: u32) -> u32 {
    // A falling quarter is the rising one, complemented.
    let falling = (turn >> 23 & 1).wrapping_neg();
    let fraction = (turn ^ falling) & MANTISSA;
    let sum = at(&SIN, SIN_SHAPE, fraction);
    pack(sign ^ (turn >> 24 & 1) << 31, sum as u64, 41)
}

/// `MUFU.SIN`; the argument is in turns.
#[inline(always)]
pub(super) fn sin(x: u32) -> u32 {
    pick(x & INFINITY == INFINITY, NAN, sin_turn(x & SIGN, fixed(x, 25)))
}

/// `MUFU.COS`; the argument is in turns.
#[inline(always)]
pub(super) fn cos(x: u32) -> u32 {
    pick(x & INFINITY == INFINITY, NAN, sin_turn(0, fixed(x, 25).wrapping_add(1 << 23)))
}

/// The segments of a binade: the first row and the number of index bits, for exponents from -8 to 2.
static TANH_BINADES: [(u32, u32); 16] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 1),
    (5, 1),
    (7, 2),
    (11, 2),
    (15, 2),
    (19, 3),
    (27, 4),
    (43, 3),
    (0, 0),
    (0, 0),
    (0, 0),
    (0, 0),
    (0, 0),
];

/// `MUFU.TANH`
#[inline(always)]
pub(super) fn tanh(x: u32) -> u32 {
    let (sign, e, fraction) = parts(x);
    let (first, index_bits) = TANH_BINADES[(e.wrapping_sub(119) & 15) as usize];
    // The table is padded so that any index of 6 bits is inside.
    let index = first + (fraction >> (23 - index_bits));
    let t = fraction << index_bits >> 6 & T_MASK;
    let sum = interpolate(TANH[(index & 63) as usize], TANH_SHAPE, t);
    // Below 1/4 the sum's unit shrinks with the argument.
    let bits = pack(sign, sum as u64, 41 + 125u32.saturating_sub(e));
    let bits = pick(e >= 130, sign | 0x3f80_0000, bits);
    let bits = pick(e < 119, x, bits);
    pick(e == 255 && fraction != 0, NAN, bits)
}

/// `MUFU.RCP64H`: the high words of an f64 and of its reciprocal.
#[inline(always)]
pub(super) fn rcp64h(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, x >> 20 & 0x7ff, x & 0xf_ffff);
    let row = RCP[(fraction >> 13) as usize];
    let sum = interpolate(row, RCP_SHAPE, (fraction & 0x1fff) << 4);
    let exact = fraction == 0;
    let scale = 2045 - e as i32 + i32::from(exact);
    let bits = (scale as u32) << 20 | pick(exact, 0, (sum >> 20) as u32 & 0xf_ffff);
    let bits = pick(scale <= 0, 0, bits);
    let bits = pick(e == 0, 0x7ff0_0000, bits);
    pick(e == 0x7ff && !exact, NAN, sign | bits)
}

/// `MUFU.RSQ64H`: the high words of an f64 and of its reciprocal square root.
#[inline(always)]
pub(super) fn rsqrt64h(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, x >> 20 & 0x7ff, x & 0xf_ffff);
    let odd = e & 1 ^ 1;
    let mantissa = (at_parity(&RSQRT, RSQRT_SHAPE, odd, fraction << 3) >> 20) as u32 & 0xf_ffff;
    let exact = fraction == 0 && odd == 0;
    let scale = 1534 - ((e + 1) >> 1);
    let bits = pick(exact, (scale + 1) << 20, scale << 20 | mantissa);
    let bits = pick(e == 0x7ff, 0, bits);
    let bits = pick(sign != 0 || e == 0x7ff && fraction != 0, NAN, bits);
    pick(e == 0, sign | 0x7ff0_0000, bits)
}
