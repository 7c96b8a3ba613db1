//! From the fixed-point sum to `.f32` and `.f16`.

use super::format::Format;
use crate::float::element::{Element, F16};

/// Infinity of `.f16` or `.f32`.
pub(super) fn infinity(format: Format, negative: bool) -> u32 {
    if format == Format::F16 { 0x7c00 | u32::from(negative) << 15 } else { 0x7f80_0000 | u32::from(negative) << 31 }
}

/// The NaN that the chip makes.
pub(super) fn nan(format: Format) -> u32 {
    if format == Format::F16 { 0x7fff } else { 0x7fff_ffff }
}

/// `2^exponent` for a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Cuts a sum toward zero; from 2^128 on it is infinite. Zero is positive, also where it was rounded.
#[inline(always)]
pub(super) fn to_f32(value: f64) -> u32 {
    if value.abs() >= power(128) {
        return infinity(Format::F32, value < 0.0);
    }
    let near = value as f32;
    let bits = near.to_bits() - u32::from(f64::from(near).abs() > value.abs());
    if bits << 1 == 0 { 0 } else { bits }
}

/// Rounds a sum to nearest even. Zero is positive, also where it was rounded.
#[inline(always)]
pub(super) fn to_f16(value: f64) -> u32 {
    let sign = u32::from(value < 0.0) << 15;
    let magnitude = value.abs();
    // Adding a power of two whose last bit is the unit of the result rounds to that unit.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = power(exponent - 10);
    let shifter = power(exponent - 10 + 52);
    let units = (((magnitude + shifter) - shifter) / unit) as u32;
    // A hidden bit adds one to the exponent field, and so does a carry.
    let bits = (((exponent + 14) as u32) << 10).wrapping_add(units);
    if bits == 0 { 0 } else { sign | bits.min(0x7c00) }
}

/// `a + b` to nearest even, as the chip's adders do it.
pub(super) fn add(format: Format, a: u32, b: u32) -> u32 {
    if format == Format::F32 {
        return Element::add(f32::from_bits(a), f32::from_bits(b)).to_bits();
    }
    u32::from(Element::add(F16(a as u16), F16(b as u16)).0)
}

/// `.f16` as `.f32`.
pub(super) fn widen(bits: u64) -> u64 {
    u64::from(F16(bits as u16).widen().to_bits())
}

/// `.f32` to `.f16`, to nearest even.
pub(super) fn narrow(bits: u64) -> u64 {
    u64::from(F16::round(f32::from_bits(bits as u32)).0)
}
