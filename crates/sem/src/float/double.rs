//! `.f64` to nearest even: native arithmetic.
//!
//! Unlike the narrower types, `.f64` keeps the payload and the sign of a NaN operand and only makes it quiet. Which
//! operand wins was read off the chip: the last of `a, b` for sums and products, `b`, then `c`, then `a` for `fma`, the
//! first for quotients. An invalid operation gives a negative NaN.

use super::element::{Element, bit_methods};
use super::format::{Format, Underflow};
use super::pick::pick64;
use super::soft;
use warpvm_isa::Rounding;

const INVALID: f64 = f64::from_bits(0xfff8_0000_0000_0000);

/// `result` where it is a number; else the first NaN of the operands, made quiet.
#[inline(always)]
fn propagate<const N: usize>(result: f64, operands: [f64; N]) -> f64 {
    let later = |nan, x| <f64 as Element>::pick(f64::is_nan(x), x.quiet(), nan);
    let nan = operands.into_iter().rev().fold(INVALID, later);
    <f64 as Element>::pick(f64::is_nan(result), nan, result)
}

/// `a / b`
#[inline(always)]
pub(crate) fn div(a: f64, b: f64) -> f64 {
    propagate(a / b, [a, b])
}

/// `1 / a`
#[inline(always)]
pub(crate) fn rcp(a: f64) -> f64 {
    propagate(1.0 / a, [a])
}

/// Square root.
#[inline(always)]
pub(crate) fn sqrt(a: f64) -> f64 {
    propagate(a.sqrt(), [a])
}

impl Element for f64 {
    const FORMAT: Format = Format::F64;
    const INVALID: f64 = INVALID;
    type Key = i64;

    #[inline(always)]
    fn key(self) -> i64 {
        let bits = self.to_bits() as i64;
        bits ^ ((bits >> 63) & i64::MAX)
    }
    bit_methods! { u64, pick64, f64::to_bits, f64::from_bits }
    #[inline(always)]
    fn quiet(self) -> f64 {
        f64::from_bits(self.to_bits() | 1 << 51)
    }
    #[inline(always)]
    fn add(self, b: f64) -> f64 {
        propagate(self + b, [b, self])
    }
    #[inline(always)]
    fn sub(self, b: f64) -> f64 {
        propagate(self - b, [b, self])
    }
    #[inline(always)]
    fn mul(self, b: f64) -> f64 {
        propagate(self * b, [b, self])
    }
    #[inline(always)]
    fn fma(self, b: f64, c: f64) -> f64 {
        propagate(self.mul_add(b, c), [b, c, self])
    }
    // PTX has no `.ftz` for `.f64`; the general algorithm answers anyway.
    fn mul_ftz(self, b: f64) -> f64 {
        soft::mul(self, b, Rounding::NearestEven, Underflow::Flush)
    }
    fn fma_ftz(self, b: f64, c: f64) -> f64 {
        soft::fma(self, b, c, Rounding::NearestEven, Underflow::Flush)
    }
}
