//! `.f32` to nearest even: native arithmetic with the chip's NaN.

use super::element::{Element, bit_methods};
use super::format::Format;
use super::pick::pick32;

/// The only NaN that `.f32` arithmetic gives.
pub(crate) const NAN: f32 = f32::from_bits(0x7fff_ffff);

/// Replaces any NaN by the chip's.
#[inline(always)]
pub(crate) fn canonical(x: f32) -> f32 {
    if x.is_nan() { NAN } else { x }
}

/// Square root.
///
/// The test for NaN is one of bits: LLVM's code generator for x86 takes `a.sqrt()` for `if a.sqrt().is_nan() { c } else
/// { a.sqrt() }` with any NaN `c`, and so loses the chip's payload.
#[inline(always)]
pub(crate) fn sqrt(a: f32) -> f32 {
    let bits = a.sqrt().to_bits();
    if bits & 0x7fff_ffff > 0x7f80_0000 { NAN } else { f32::from_bits(bits) }
}

/// Numbers are compared with the smallest normal one after scaling by this, which keeps them normal.
const SCALE: f32 = (1u32 << 24) as f32;
const SCALED_MIN: f32 = f32::MIN_POSITIVE * SCALE;

/// `result`, or a zero of its sign where `scaled`, the same result times [`SCALE`], was below the normal numbers.
///
/// The scaled result was rounded with all its bits, so that this is the test after rounding with an unbounded
/// exponent. Where scaling overflows, nothing was tiny.
#[inline(always)]
fn flush_tiny(result: f32, scaled: f32) -> f32 {
    let bits = canonical(result).to_bits();
    f32::from_bits(pick32(scaled.abs() < SCALED_MIN, bits & 0x8000_0000, bits))
}

impl Element for f32 {
    const FORMAT: Format = Format::F32;
    const INVALID: f32 = NAN;
    type Key = i32;

    #[inline(always)]
    fn key(self) -> i32 {
        let bits = self.to_bits() as i32;
        bits ^ ((bits >> 31) & 0x7fff_ffff)
    }
    bit_methods! { u32, pick32, f32::to_bits, f32::from_bits }
    #[inline(always)]
    fn quiet(self) -> f32 {
        NAN
    }
    #[inline(always)]
    fn add(self, b: f32) -> f32 {
        canonical(self + b)
    }
    #[inline(always)]
    fn sub(self, b: f32) -> f32 {
        canonical(self - b)
    }
    #[inline(always)]
    fn mul(self, b: f32) -> f32 {
        canonical(self * b)
    }
    #[inline(always)]
    fn fma(self, b: f32, c: f32) -> f32 {
        canonical(self.mul_add(b, c))
    }
    #[inline(always)]
    fn mul_ftz(self, b: f32) -> f32 {
        let (a, b) = (self.flush(), b.flush());
        flush_tiny(a * b, (a * SCALE) * b)
    }
    #[inline(always)]
    fn fma_ftz(self, b: f32, c: f32) -> f32 {
        let (a, b, c) = (self.flush(), b.flush(), c.flush());
        flush_tiny(a.mul_add(b, c), (a * SCALE).mul_add(b, c * SCALE))
    }
}
