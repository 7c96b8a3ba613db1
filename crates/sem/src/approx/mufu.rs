//! The operations of the special-function unit itself, on bit patterns of f32.
//!
//! Subnormal operands count as zero and subnormal results become zero, in every mode.

use super::interpolate::{Row, Shape, T_BITS, T_MASK, interpolate};
use super::tables::{EX2, LG2, RCP, RSQRT, SIN, SQRT, TANH};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The NaN that the chip gives.
const NAN: u32 = 0x7fff_ffff;
const MANTISSA: u32 = 0x007f_ffff;

const RCP_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 0, bias: 8092 };
const RSQRT_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 1, bias: 32766 };
const SQRT_SHAPE: Shape = Shape { c0: 16, c1: 1, c2: 0, bias: 65534 };
const EX2_SHAPE: Shape = Shape { c0: 15, c1: 1, c2: 0, bias: 24456 };
const LG2_SHAPE: Shape = Shape { c0: 15, c1: 3, c2: 2, bias: 6696 };
const SIN_SHAPE: Shape = Shape { c0: 15, c1: 4, c2: 2, bias: 0 };
const TANH_SHAPE: Shape = Shape { c0: 15, c1: 0, c2: 0, bias: 0 };

/// The biased exponent.
#[inline(always)]
fn exponent(x: u32) -> u32 {
    x >> 23 & 255
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

/// `value * 2^-unit`, truncated.
#[inline(always)]
fn pack(sign: u32, value: u64, unit: u32) -> u32 {
    let top = 63 - (value | 1).leading_zeros();
    let mantissa = (value << (63 - top) >> 40) as u32 & MANTISSA;
    let bits = sign | (top + 127 - unit) << 23 | mantissa;
    if value == 0 { sign } else { bits }
}

/// `MUFU.RCP`
#[inline(always)]
pub(super) fn rcp(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let row = RCP[(fraction >> 16 & 127) as usize];
    let sum = interpolate(row, RCP_SHAPE, (fraction & 0xffff) << 1);
    let mantissa = (sum >> 17) as u32;
    // A power of two is exact; anything else is below the power of two by less than a binade.
    let exact = fraction == 0;
    let scale = 253 - e as i32 + i32::from(exact);
    let bits = (scale as u32) << 23 | if exact { 0 } else { mantissa & MANTISSA };
    let finite = if scale <= 0 { 0 } else { bits };
    let magnitude = match e {
        0 => INFINITY,
        255 => 0,
        _ => finite,
    };
    if e == 255 && !exact { NAN } else { sign | magnitude }
}

/// `MUFU.RSQ`
#[inline(always)]
pub(super) fn rsqrt(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let odd = e & 1 ^ 1;
    let mantissa = (at_parity(&RSQRT, RSQRT_SHAPE, odd, fraction) >> 17) as u32;
    let half = (e + 1) >> 1;
    let exact = fraction == 0 && odd == 0;
    let bits = if exact { (191 - half) << 23 } else { (190 - half) << 23 | mantissa & MANTISSA };
    let nan = e == 255 && fraction != 0 || sign != 0 && e != 0;
    match e {
        0 => sign | INFINITY,
        _ if nan => NAN,
        255 => 0,
        _ => bits,
    }
}

/// `MUFU.SQRT`
#[inline(always)]
pub(super) fn sqrt(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let odd = e & 1 ^ 1;
    let mantissa = (at_parity(&SQRT, SQRT_SHAPE, odd, fraction) >> 18) as u32;
    let exact = fraction == 0 && odd == 0;
    let bits = (64 + ((e - odd) >> 1) - 1 + 1) << 23 | if exact { 0 } else { mantissa & MANTISSA };
    let nan = e == 255 && fraction != 0 || sign != 0 && e != 0;
    match e {
        0 => sign,
        _ if nan => NAN,
        255 => INFINITY,
        _ => bits,
    }
}

/// `MUFU.LG2`
#[inline(always)]
pub(super) fn lg2(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let sum = at(&LG2, LG2_SHAPE, fraction);
    let whole = (i64::from(e) - 127 << 41) + sum;
    let below = whole >> 63;
    // A negative sum is complemented, not negated.
    let bits = pack(below as u32 & SIGN, (whole ^ below) as u64 >> 5, 36);
    let nan = e == 255 && fraction != 0 || sign != 0 && e != 0;
    match e {
        0 => SIGN | INFINITY,
        _ if nan => NAN,
        255 => INFINITY,
        127 if fraction == 0 => 0,
        _ => bits,
    }
}

/// A number in fixed point with `bits` fraction bits, truncated, as a magnitude modulo 2^32.
#[inline(always)]
fn fixed(x: u32, bits: u32) -> u32 {
    let mantissa = u64::from(x & MANTISSA | 0x80_0000);
    let left = exponent(x) as i32 - 150 + bits as i32;
    let right = (-left).clamp(0, 63) as u32;
    (mantissa << left.clamp(0, 63) as u32 >> right) as u32
}

/// `MUFU.EX2`
#[inline(always)]
pub(super) fn ex2(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let magnitude = fixed(x, 23);
    let exact = magnitude & MANTISSA == 0;
    // A negative argument is complemented, not negated.
    let argument = match (sign, exact) {
        (0, _) => magnitude,
        (_, true) => magnitude.wrapping_neg(),
        (_, false) => !magnitude,
    };
    let mantissa = (at(&EX2, EX2_SHAPE, argument & MANTISSA) >> 17) as u32;
    let scale = 127 + (argument as i32 >> 23);
    let bits = (scale as u32) << 23 | if exact { 0 } else { mantissa & MANTISSA };
    let huge = e >= 134;
    match e {
        255 if fraction != 0 => NAN,
        _ if huge && sign == 0 => INFINITY,
        _ if huge || scale <= 0 => 0,
        _ => bits,
    }
}

/// The sine of a number of 2^25ths of a turn; the sign of the result turns with `sign`.
#[inline(always)]
fn sin_turn(sign: u32, turn: u32) -> u32 {
    let odd = (turn >> 23 & 1).wrapping_neg();
    let fraction = (turn ^ odd) & MANTISSA;
    let sum = at(&SIN, SIN_SHAPE, fraction);
    pack(sign ^ (turn >> 24 & 1) << 31, sum as u64, 41)
}

/// `MUFU.SIN`; the argument is in turns.
#[inline(always)]
pub(super) fn sin(x: u32) -> u32 {
    let turn = fixed(x, 25);
    if exponent(x) == 255 { NAN } else { sin_turn(x & SIGN, turn) }
}

/// `MUFU.COS`; the argument is in turns.
#[inline(always)]
pub(super) fn cos(x: u32) -> u32 {
    let turn = fixed(x, 25);
    if exponent(x) == 255 { NAN } else { sin_turn(0, turn.wrapping_add(1 << 23)) }
}

/// The segments of a binade: the first row and the number of index bits, for exponents from -8 to 2.
static TANH_BINADES: [(u8, u8); 16] = [
    (0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (7, 2), (11, 2), (15, 2), (19, 3), (27, 4), (43, 3),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
];

/// `MUFU.TANH`
#[inline(always)]
pub(super) fn tanh(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, exponent(x), x & MANTISSA);
    let (first, index_bits) = TANH_BINADES[(e.wrapping_sub(119) & 15) as usize];
    let index = u32::from(first) + (fraction >> (23 - u32::from(index_bits)));
    let t = fraction << index_bits >> 6 & T_MASK;
    let sum = interpolate(TANH[index as usize % TANH.len()], TANH_SHAPE, t);
    // Below 1/4 the sum's unit shrinks with the argument.
    let unit = 41 + 125u32.saturating_sub(e);
    let bits = pack(sign, sum as u64, unit);
    match e {
        255 if fraction != 0 => NAN,
        0..119 => x,
        119..130 => bits,
        _ => sign | 0x3f80_0000,
    }
}

/// `MUFU.RCP64H`: the high words of an f64 and of its reciprocal.
#[inline(always)]
pub(super) fn rcp64h(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, x >> 20 & 0x7ff, x & 0xf_ffff);
    let row = RCP[(fraction >> 13) as usize];
    let sum = interpolate(row, RCP_SHAPE, (fraction & 0x1fff) << 4);
    let exact = fraction == 0;
    let scale = 2045 - e as i32 + i32::from(exact);
    let mantissa = if exact { 0 } else { (sum >> 20) as u32 & 0xf_ffff };
    let finite = if scale <= 0 { 0 } else { (scale as u32) << 20 | mantissa };
    let magnitude = match e {
        0 => 0x7ff0_0000,
        0x7ff => 0,
        _ => finite,
    };
    if e == 0x7ff && !exact { NAN } else { sign | magnitude }
}

/// `MUFU.RSQ64H`: the high words of an f64 and of its reciprocal square root.
#[inline(always)]
pub(super) fn rsqrt64h(x: u32) -> u32 {
    let (sign, e, fraction) = (x & SIGN, x >> 20 & 0x7ff, x & 0xf_ffff);
    let odd = e & 1 ^ 1;
    let exact = fraction == 0 && odd == 0;
    let mantissa = (at_parity(&RSQRT, RSQRT_SHAPE, odd, fraction << 3) >> 20) as u32 & 0xf_ffff;
    let half = (e + 1) >> 1;
    let bits = if exact { (1535 - half) << 20 } else { (1534 - half) << 20 | mantissa };
    let nan = e == 0x7ff && fraction != 0 || sign != 0 && e != 0;
    match e {
        0 => sign | 0x7ff0_0000,
        _ if nan => NAN,
        0x7ff => 0,
        _ => bits,
    }
}
