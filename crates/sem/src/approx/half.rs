//! The special-function unit's 16-bit forms: widened to f32, evaluated, and cut off.
//!
//! The unit does not round to 16 bits: what does not fit in the mantissa is dropped (`approx/ex2.approx.f16`,
//! `approx/tanh.approx.bf16x2` and their like), also below the least normal f16.

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;

/// An f16 as f32.
#[inline(always)]
fn widen_f16(x: u16) -> u32 {
    let sign = u32::from(x & 0x8000) << 16;
    let magnitude = u32::from(x & 0x7fff) << 13;
    // Moves the exponent's bias from 15 to 127; also right for subnormals.
    let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    sign | if magnitude >= 31 << 23 { magnitude | INFINITY } else { finite }
}

/// An f32 as f16, truncated; overflow gives infinity, a NaN the chip's.
#[inline(always)]
fn cut_f16(x: u32) -> u16 {
    let sign = (x >> 16) as u16 & 0x8000;
    let magnitude = x & !SIGN;
    let exponent = magnitude >> 23;
    let normal = (magnitude >> 13).wrapping_sub(112 << 10) as u16;
    let significand = magnitude & 0x007f_ffff | 0x0080_0000;
    let subnormal = (significand >> 126u32.wrapping_sub(exponent).min(31)) as u16;
    match exponent {
        255 if magnitude > INFINITY => 0x7fff,
        143.. => sign | 0x7c00,
        113.. => sign | normal,
        _ => sign | subnormal,
    }
}

/// The f16 form of a unit's operation.
#[inline(always)]
pub(super) fn f16(operation: impl Fn(u32) -> u32, x: u16) -> u16 {
    cut_f16(operation(widen_f16(x)))
}

/// The bf16 form of a unit's operation.
#[inline(always)]
pub(super) fn bf16(operation: impl Fn(u32) -> u32, x: u16) -> u16 {
    (operation(u32::from(x) << 16) >> 16) as u16
}

/// Both halves of a register.
#[inline(always)]
pub(super) fn both(operation: impl Fn(u16) -> u16, x: u32) -> u32 {
    u32::from(operation((x >> 16) as u16)) << 16 | u32::from(operation(x as u16))
}
