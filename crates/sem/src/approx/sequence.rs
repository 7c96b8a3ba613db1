//! The instruction sequences that the assembler makes around the special-function unit.
//!
//! Read from machine code for `sm_90a` (CUDA 13.0). Without `.ftz`, operands that the unit would flush are scaled first.

use super::mufu::{self, pick};

const NAN: u32 = 0x7fff_ffff;
const MIN_NORMAL: u32 = 0x0080_0000;
/// 2^126, the largest operand whose reciprocal is normal.
const TWO_126: u32 = 0x7e80_0000;
const TWO_24: u32 = 0x4b80_0000;
const TWO_12: u32 = 0x4580_0000;
const TWO_MINUS_12: u32 = 0x3980_0000;
const MINUS_24: u32 = 0xc1c0_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
const QUARTER: u32 = 0x3e80_0000;
const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
/// 1 / 2 pi
const TURNS: u32 = 0x3e22_f983;

/// `FMUL`: rounds to nearest even; a NaN is the chip's.
#[inline(always)]
fn fmul(a: u32, b: u32) -> u32 {
    let product = f32::from_bits(a) * f32::from_bits(b);
    pick(product.is_nan(), NAN, product.to_bits())
}

/// A subnormal becomes a zero of its sign.
#[inline(always)]
fn flush(a: u32) -> u32 {
    pick(magnitude(a) < MIN_NORMAL, a & 0x8000_0000, a)
}

/// `FMUL.FTZ`
#[inline(always)]
fn fmul_ftz(a: u32, b: u32) -> u32 {
    flush(fmul(flush(a), flush(b)))
}

/// `FADD`
#[inline(always)]
fn fadd(a: u32, b: u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    pick(sum.is_nan(), NAN, sum.to_bits())
}

/// `FMUL.RZ` by 1 / 2 pi, for a finite operand.
#[inline(always)]
fn to_turns(x: u32) -> u32 {
    let rounded = f64::from(f32::from_bits(x)) * f64::from(f32::from_bits(TURNS));
    // The product of two 24-bit numbers is exact in f64; cutting its mantissa rounds to zero.
    let bits = rounded.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023 + 127;
    let mantissa = (bits >> 29) as u32 & 0x007f_ffff;
    let sign = (bits >> 32) as u32 & 0x8000_0000;
    // A subnormal product is as good as zero: the unit flushes it.
    sign | pick(exponent <= 0, 0, (exponent as u32) << 23 | mantissa)
}

#[inline(always)]
fn magnitude(a: u32) -> u32 {
    a & 0x7fff_ffff
}

/// `|x|` below the least normal number.
#[inline(always)]
fn is_small(x: u32) -> bool {
    magnitude(x) < MIN_NORMAL
}

/// `|x|` above the greatest number whose reciprocal is normal, and not NaN.
#[inline(always)]
fn is_large(x: u32) -> bool {
    magnitude(x) > TWO_126 && magnitude(x) <= 0x7f80_0000
}

/// `rcp.approx.f32`
#[inline(always)]
pub(super) fn rcp(x: u32) -> u32 {
    let scale = pick(is_small(x), TWO_24, pick(is_large(x), QUARTER, ONE));
    fmul(scale, mufu::rcp(fmul(x, scale)))
}

/// `rsqrt.approx.f32`
#[inline(always)]
pub(super) fn rsqrt(x: u32) -> u32 {
    let (before, after) = (pick(is_small(x), TWO_24, ONE), pick(is_small(x), TWO_12, ONE));
    fmul(mufu::rsqrt(fmul(x, before)), after)
}

/// `sqrt.approx.f32`
#[inline(always)]
pub(super) fn sqrt(x: u32) -> u32 {
    let (before, after) = (pick(is_small(x), TWO_24, ONE), pick(is_small(x), TWO_MINUS_12, ONE));
    fmul(mufu::sqrt(fmul(x, before)), after)
}

/// `lg2.approx.f32`
#[inline(always)]
pub(super) fn lg2(x: u32) -> u32 {
    let (before, after) = (pick(is_small(x), TWO_24, ONE), pick(is_small(x), MINUS_24, MINUS_ZERO));
    fadd(mufu::lg2(fmul(x, before)), after)
}

/// `ex2.approx.f32`
#[inline(always)]
pub(super) fn ex2(x: u32) -> u32 {
    // Below -126 the result is the square of that of half the operand.
    let is_low = f32::from_bits(x) < -126.0;
    let root = mufu::ex2(fmul(x, pick(is_low, HALF, ONE)));
    fmul(root, pick(is_low, root, ONE))
}

/// `sin.approx{.ftz}.f32`
#[inline(always)]
pub(super) fn sin(x: u32) -> u32 {
    pick(magnitude(x) >= 0x7f80_0000, NAN, mufu::sin(to_turns(x)))
}

/// `cos.approx{.ftz}.f32`
#[inline(always)]
pub(super) fn cos(x: u32) -> u32 {
    pick(magnitude(x) >= 0x7f80_0000, NAN, mufu::cos(to_turns(x)))
}

/// What both operands of `div.approx.f32` are multiplied with.
#[inline(always)]
fn div_scale(y: u32) -> u32 {
    pick(is_small(y), TWO_24, ONE)
}

/// The same of `div.full.f32`.
#[inline(always)]
fn full_scale(y: u32) -> u32 {
    pick(is_small(y), TWO_24, pick(is_large(y), QUARTER, ONE))
}

/// The same of `div.full.ftz.f32`.
#[inline(always)]
fn full_scale_ftz(y: u32) -> u32 {
    pick(is_large(y), QUARTER, ONE)
}

/// The factor of `div.approx.f32` that comes of the divisor.
#[inline(always)]
pub(super) fn div_reciprocal(y: u32) -> u32 {
    mufu::rcp(fmul(y, div_scale(y)))
}

/// The other one.
#[inline(always)]
pub(super) fn div_dividend(x: u32, y: u32) -> u32 {
    fmul(x, div_scale(y))
}

/// The factor of `div.full.f32` that comes of the divisor.
#[inline(always)]
pub(super) fn full_reciprocal(y: u32) -> u32 {
    mufu::rcp(fmul(y, full_scale(y)))
}

/// The other one.
#[inline(always)]
pub(super) fn full_dividend(x: u32, y: u32) -> u32 {
    fmul(x, full_scale(y))
}

/// The factor of `div.full.ftz.f32` that comes of the divisor.
#[inline(always)]
pub(super) fn full_reciprocal_ftz(y: u32) -> u32 {
    mufu::rcp(fmul_ftz(y, full_scale_ftz(y)))
}

/// The other one.
#[inline(always)]
pub(super) fn full_dividend_ftz(x: u32, y: u32) -> u32 {
    fmul_ftz(x, full_scale_ftz(y))
}

/// `div.approx.f32`
#[inline(always)]
pub(super) fn div(x: u32, y: u32) -> u32 {
    fmul(div_reciprocal(y), div_dividend(x, y))
}

/// `div.approx.ftz.f32`
#[inline(always)]
pub(super) fn div_ftz(x: u32, y: u32) -> u32 {
    fmul_ftz(x, mufu::rcp(y))
}

/// `div.full.f32`
#[inline(always)]
pub(super) fn div_full(x: u32, y: u32) -> u32 {
    fmul(full_reciprocal(y), full_dividend(x, y))
}

/// `div.full.ftz.f32`
#[inline(always)]
pub(super) fn div_full_ftz(x: u32, y: u32) -> u32 {
    fmul_ftz(full_reciprocal_ftz(y), full_dividend_ftz(x, y))
}

/// `rcp.approx.ftz.f64`
#[inline(always)]
pub(super) fn rcp_ftz_f64(x: u64) -> u64 {
    u64::from(mufu::rcp64h((x >> 32) as u32)) << 32
}

/// `rsqrt.approx.ftz.f64`
#[inline(always)]
pub(super) fn rsqrt_ftz_f64(x: u64) -> u64 {
    u64::from(mufu::rsqrt64h((x >> 32) as u32)) << 32
}

/// `rsqrt.approx.f64`: one step of refinement, with a path of its own for what is not a positive normal number.
#[inline(always)]
pub(super) fn rsqrt_f64(x: u64) -> u64 {
    let sign = x & 1 << 63;
    let magnitude = x & !(1 << 63);
    match magnitude {
        0 => sign | 0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001.. => x | 0x0008_0000_0000_0000,
        _ if sign != 0 => 0xfff8_0000_0000_0000,
        0x7ff0_0000_0000_0000 => 0,
        0x0010_0000_0000_0000.. => refined_rsqrt(f64::from_bits(x)).to_bits(),
        // A subnormal is scaled by 2^54, and its root by 2^27.
        _ => (refined_rsqrt(f64::from_bits(x) * 18_014_398_509_481_984.0) * 134_217_728.0).to_bits(),
    }
}

#[inline(always)]
fn refined_rsqrt(x: f64) -> f64 {
    let root = f64::from_bits(rsqrt_ftz_f64(x.to_bits()));
    let error = x.mul_add(-(root * root), 1.0);
    error.mul_add(0.375, 0.5).mul_add(root * error, root)
}
