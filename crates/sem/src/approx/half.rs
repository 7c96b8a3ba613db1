//! The special-function unit's 16-bit forms: widened to f32, evaluated, and cut off.
//!
//! The unit does not round to 16 bits: what does not fit in the mantissa is dropped (`approx/ex2.approx.f16`,
//! `approx/tanh.approx.bf16x2` and their like), also below the least normal f16.

use super::mufu::{self, pick};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;

/// An f16 as f32.
#[inline(always)]
fn widen_f16(x: u16) -> u32 {
    let sign = u32::from(x & 0x8000) << 16;
    let magnitude = u32::from(x & 0x7fff) << 13;
    // Moves the exponent's bias from 15 to 127; also right for subnormals.
    let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    sign | pick(magnitude >= 31 << 23, magnitude | INFINITY, finite)
}

/// An f32 as f16, truncated; overflow gives infinity, a NaN the chip's. Selections, not branches: see `mufu`.
#[inline(always)]
fn cut_f16(x: u32) -> u16 {
    let sign = x >> 16 & 0x8000;
    let magnitude = x & !SIGN;
    let exponent = magnitude >> 23;
    let normal = (magnitude >> 13).wrapping_sub(112 << 10) & 0xffff;
    let significand = magnitude & 0x007f_ffff | 0x0080_0000;
    let subnormal = significand >> 126u32.wrapping_sub(exponent).min(31);
    let finite = pick(exponent >= 113, normal, subnormal);
    let number = sign | pick(exponent >= 143, 0x7c00, finite);
    pick(magnitude > INFINITY, 0x7fff, number) as u16
}

/// Declares the 16-bit forms of a unit's operation: one number, and both halves of a register. Written out, since an
/// operation that is passed as a value would be called and not be part of the loop over lanes.
macro_rules! halves {
    ($($one:ident $two:ident = |$x:ident| $body:expr;)*) => { $(
        #[inline(always)]
        pub(super) fn $one($x: u16) -> u16 {
            $body
        }

        #[inline(always)]
        pub(super) fn $two(x: u32) -> u32 {
            u32::from($one((x >> 16) as u16)) << 16 | u32::from($one(x as u16))
        }
    )* };
}

halves! {
    ex2_f16 ex2_f16x2 = |x| cut_f16(mufu::ex2(widen_f16(x)));
    ex2_bf16 ex2_bf16x2 = |x| (mufu::ex2(u32::from(x) << 16) >> 16) as u16;
    tanh_f16 tanh_f16x2 = |x| cut_f16(mufu::tanh(widen_f16(x)));
    tanh_bf16 tanh_bf16x2 = |x| (mufu::tanh(u32::from(x) << 16) >> 16) as u16;
}
