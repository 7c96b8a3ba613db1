//! `.f16` and `.bf16` to nearest even, computed in `.f32` and `.f64`.
//!
//! An intermediate result that is exact, or rounded *to odd* (inexact results take the neighbour whose last bit is
//! set), can be rounded once more without harm while it has two bits more than the final format.

use super::element::{Bf16, Element, F16, bit_methods};
use super::format::Format;
use super::pick::{pick32, pick64};

impl F16 {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        F16(bits as u16)
    }

    /// The same number in `.f32`.
    #[inline(always)]
    pub(crate) fn widen(self) -> f32 {
        const SMALLEST_NORMAL: u32 = 113 << 23;
        let magnitude = (self.bits() & 0x7fff) << 13;
        let normal = magnitude + (112 << 23);
        // A subnormal number is what follows the hidden one of 2^-14. (Scaling it up would be slow: that has a subnormal
        // operand.)
        let one_more = f32::from_bits(magnitude + SMALLEST_NORMAL);
        let subnormal = (one_more - f32::from_bits(SMALLEST_NORMAL)).to_bits();
        let finite = pick32(magnitude < 0x0080_0000, subnormal, normal);
        let sign = (self.bits() & 0x8000) << 16;
        f32::from_bits(sign | pick32(magnitude >= 0x0f80_0000, magnitude | 0x7f80_0000, finite))
    }

    /// Rounds to nearest even.
    #[inline(always)]
    pub(crate) fn round(x: f32) -> Self {
        let magnitude = x.to_bits() & 0x7fff_ffff;
        let sign = x.to_bits() >> 16 & 0x8000;
        // The sum has the unit of a subnormal `.f16` in its last bit, so that the hardware rounds there.
        let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
        let even = magnitude >> 13 & 1;
        let normal = (magnitude.wrapping_add(0x0fff + even) >> 13).wrapping_sub(112 << 10);
        let finite = pick32(magnitude < 0x3880_0000, subnormal, normal);
        let rounded = pick32(magnitude >= 0x4780_0000, 0x7c00, finite);
        F16::from_bits(pick32(magnitude > 0x7f80_0000, 0x7fff, sign | rounded))
    }

    /// Rounds to nearest even and flushes what is then below the normal numbers.
    #[inline(always)]
    fn round_ftz(x: f32) -> Self {
        // From here on upwards 11 bits round to the smallest normal number, 2^-14.
        const NORMAL: f32 = f32::from_bits(0x3880_0000 - (1 << 12));
        let rounded = Self::round(x).bits();
        F16::from_bits(pick32(x.abs() < NORMAL, rounded & 0x8000, rounded))
    }

    /// `a * b + c` rounded to odd in `.f32`: the product is exact.
    #[inline(always)]
    fn fma_wide(self, b: Self, c: Self) -> f32 {
        add_to_odd_f32(self.widen() * b.widen(), c.widen())
    }
}

impl Bf16 {
    /// The same number in `.f32`.
    #[inline(always)]
    pub(crate) fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Bf16(bits as u16)
    }

    /// Rounds to nearest even.
    #[inline(always)]
    pub(crate) fn round(x: f32) -> Self {
        let bits = x.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        Bf16::from_bits(pick32(f32::is_nan(x), 0x7fff, rounded))
    }
}

macro_rules! add_to_odd {
    ($name:ident, $t:ty, $pick:path) => {
        /// `a + b` rounded to odd.
        #[inline(always)]
        pub(super) fn $name(a: $t, b: $t) -> $t {
            let sum = a + b;
            let part = sum - a;
            let error = (a - (sum - part)) + (b - part);
            let bits = sum.to_bits();
            // Away from zero by one, or towards it.
            let outward = (error > 0.0) == (sum > 0.0);
            let toward = $pick(outward, bits.wrapping_add(1), bits.wrapping_sub(1));
            // The error is NaN where the sum is infinite or NaN.
            let inexact = error.abs() > 0.0;
            <$t>::from_bits($pick(inexact & (bits & 1 == 0), toward, bits))
        }
    };
}
add_to_odd! { add_to_odd_f32, f32, pick32 }
add_to_odd! { add_to_odd_f64, f64, pick64 }

/// Rounds to odd.
#[inline(always)]
#[expect(clippy::needless_bitwise_bool, reason = "a loop over lanes is to have no branches")]
pub(crate) fn narrow_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    let bits = near.to_bits();
    let toward = pick32(back.abs() < x.abs(), bits.wrapping_add(1), bits.wrapping_sub(1));
    f32::from_bits(pick32((back != x) & (bits & 1 == 0), toward, bits))
}

impl Element for F16 {
    const FORMAT: Format = Format::F16;
    const INVALID: F16 = F16(0x7fff);
    type Key = i32;

    #[inline(always)]
    fn key(self) -> i32 {
        let bits = i32::from(self.0 as i16);
        bits ^ ((bits >> 31) & 0x7fff)
    }
    bit_methods! { u32, pick32, F16::bits, F16::from_bits }
    #[inline(always)]
    fn quiet(self) -> F16 {
        Self::INVALID
    }
    #[inline(always)]
    fn add(self, b: F16) -> F16 {
        F16::round(self.widen() + b.widen())
    }
    #[inline(always)]
    fn sub(self, b: F16) -> F16 {
        F16::round(self.widen() - b.widen())
    }
    #[inline(always)]
    fn mul(self, b: F16) -> F16 {
        F16::round(self.widen() * b.widen())
    }
    #[inline(always)]
    fn fma(self, b: F16, c: F16) -> F16 {
        F16::round(self.fma_wide(b, c))
    }
    #[inline(always)]
    fn mul_ftz(self, b: F16) -> F16 {
        F16::round_ftz(self.flush().widen() * b.flush().widen())
    }
    #[inline(always)]
    fn fma_ftz(self, b: F16, c: F16) -> F16 {
        F16::round_ftz(self.flush().fma_wide(b.flush(), c.flush()))
    }
}

impl Element for Bf16 {
    const FORMAT: Format = Format::BF16;
    const INVALID: Bf16 = Bf16(0x7fff);
    type Key = i32;

    #[inline(always)]
    fn key(self) -> i32 {
        let bits = i32::from(self.0 as i16);
        bits ^ ((bits >> 31) & 0x7fff)
    }
    bit_methods! { u32, pick32, Bf16::bits, Bf16::from_bits }
    #[inline(always)]
    fn quiet(self) -> Bf16 {
        Self::INVALID
    }
    #[inline(always)]
    fn add(self, b: Bf16) -> Bf16 {
        Bf16::round(self.widen() + b.widen())
    }
    #[inline(always)]
    fn sub(self, b: Bf16) -> Bf16 {
        Bf16::round(self.widen() - b.widen())
    }
    #[inline(always)]
    fn mul(self, b: Bf16) -> Bf16 {
        Bf16::round(narrow_to_odd(f64::from(self.widen()) * f64::from(b.widen())))
    }
    #[inline(always)]
    fn fma(self, b: Bf16, c: Bf16) -> Bf16 {
        let product = f64::from(self.widen()) * f64::from(b.widen());
        Bf16::round(narrow_to_odd(add_to_odd_f64(product, f64::from(c.widen()))))
    }
    // PTX has no `.ftz` for `.bf16`: it never flushes.
    fn mul_ftz(self, b: Bf16) -> Bf16 {
        self.mul(b)
    }
    fn fma_ftz(self, b: Bf16, c: Bf16) -> Bf16 {
        self.fma(b, c)
    }
}
