//! Conversions from floating-point numbers to integers.
//!
//! The number is rounded to an integer in its own format, then clamped to the range of the result, with `.sat` or
//! without. For NaN see the module.

use warpvm_isa::{Rounding, Word};

use super::int::Integer;
use super::mode::Conversion;
use crate::Sink;
use crate::float::element::{Bf16, Element, F16};
use crate::float::pick::pick32;

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { to, from, mode } = conversion;
    let legal = !mode.relu && !mode.satfinite && (!mode.ftz || from == Word::F32) && (!mode.sat || from != Word::Bf16);
    let (Some(rounding), true) = (mode.integer_rounding(), legal) else { return Err(sink) };
    match from {
        Word::F16 => to_type::<F16, S>(to, rounding, mode.ftz, sink),
        Word::Bf16 => to_type::<Bf16, S>(to, rounding, mode.ftz, sink),
        Word::F32 => to_type::<f32, S>(to, rounding, mode.ftz, sink),
        Word::F64 => to_type::<f64, S>(to, rounding, mode.ftz, sink),
        _ => Err(sink),
    }
}

fn to_type<A: Source, S: Sink>(to: Word, rounding: Rounding, ftz: bool, sink: S) -> Result<S::Out, S> {
    match to {
        Word::U8 => Ok(any::<A, u8, S>(rounding, ftz, sink)),
        Word::U16 => Ok(any::<A, u16, S>(rounding, ftz, sink)),
        Word::S8 => Ok(any::<A, i8, S>(rounding, ftz, sink)),
        Word::S16 => Ok(any::<A, i16, S>(rounding, ftz, sink)),
        Word::U32 => Ok(common::<A, u32, S>(rounding, ftz, sink)),
        Word::U64 => Ok(common::<A, u64, S>(rounding, ftz, sink)),
        Word::S32 => Ok(common::<A, i32, S>(rounding, ftz, sink)),
        Word::S64 => Ok(common::<A, i64, S>(rounding, ftz, sink)),
        _ => Err(sink),
    }
}

/// A closure for each rounding.
fn common<A: Source, D: Target, S: Sink>(rounding: Rounding, ftz: bool, sink: S) -> S::Out {
    match (rounding, ftz) {
        (Rounding::NearestEven, false) => sink.op1(|a: A| convert::<A, D>(a, Rounding::NearestEven)),
        (Rounding::Zero, false) => sink.op1(|a: A| convert::<A, D>(a, Rounding::Zero)),
        (Rounding::Down, false) => sink.op1(|a: A| convert::<A, D>(a, Rounding::Down)),
        (Rounding::Up, false) => sink.op1(|a: A| convert::<A, D>(a, Rounding::Up)),
        _ => any::<A, D, S>(rounding, ftz, sink),
    }
}

fn any<A: Source, D: Target, S: Sink>(rounding: Rounding, ftz: bool, sink: S) -> S::Out {
    sink.op1(move |a: A| convert::<A, D>(if ftz { a.flush() } else { a }, rounding))
}

#[inline(always)]
fn convert<A: Source, D: Target>(a: A, rounding: Rounding) -> D {
    // The widest types mark NaN, as the chip's conversion unit for them does.
    let nan = if A::BITS == 64 || D::BITS == 64 { 1 << (D::BITS - 1) } else { 0 };
    let mask = u64::from(a.is_nan()).wrapping_neg();
    let integer: D = a.round_to_integer(rounding);
    D::from_u64(integer.to_u64() & !mask | nan & mask)
}

/// A source of a conversion.
trait Source: Element {
    /// Rounds, then clamps to the range of the result.
    fn round_to_integer<D: Target>(self, rounding: Rounding) -> D;
}

/// A result of a conversion.
trait Target: Integer {
    /// Clamps to the range.
    fn from_f32(x: f32) -> Self;
    /// Clamps to the range.
    fn from_f64(x: f64) -> Self;
}

macro_rules! targets {
    ($($t:ty)*) => { $(
        impl Target for $t {
            #[inline(always)]
            fn from_f32(x: f32) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                x as $t
            }
        }
    )* };
}
targets! { u8 u16 u64 i8 i16 i64 }

impl Target for u32 {
    #[inline(always)]
    fn from_f32(x: f32) -> u32 {
        pick32(x < 0.0, 0, whole(x))
    }
    #[inline(always)]
    fn from_f64(x: f64) -> u32 {
        x as u32
    }
}

impl Target for i32 {
    #[inline(always)]
    fn from_f32(x: f32) -> i32 {
        let magnitude = whole(x);
        let negative = magnitude.min(1 << 31).wrapping_neg();
        pick32(x < 0.0, negative, magnitude.min(i32::MAX as u32)) as i32
    }
    #[inline(always)]
    fn from_f64(x: f64) -> i32 {
        x as i32
    }
}

/// The whole part of the absolute value of a number, clamped to 32 bits.
///
/// Integer arithmetic: the cast of the language is not turned into vector code.
#[inline(always)]
fn whole(x: f32) -> u32 {
    let bits = x.to_bits();
    let exponent = bits >> 23 & 0xff;
    let significand = bits & 0x007f_ffff | 0x0080_0000;
    let left = exponent.saturating_sub(150).min(31);
    let right = 150_u32.saturating_sub(exponent).min(31);
    pick32(exponent > 158, u32::MAX, significand << left >> right)
}

macro_rules! rounded {
    ($x:expr, $rounding:expr) => {
        match $rounding {
            Rounding::NearestEven => $x.round_ties_even(),
            Rounding::Zero => $x.trunc(),
            Rounding::Down => $x.floor(),
            Rounding::Up => $x.ceil(),
            Rounding::NearestAway => $x.round(),
        }
    };
}
pub(super) use rounded;

impl Source for F16 {
    #[inline(always)]
    fn round_to_integer<D: Target>(self, rounding: Rounding) -> D {
        D::from_f32(rounded!(self.widen(), rounding))
    }
}

impl Source for Bf16 {
    #[inline(always)]
    fn round_to_integer<D: Target>(self, rounding: Rounding) -> D {
        D::from_f32(rounded!(self.widen(), rounding))
    }
}

impl Source for f32 {
    #[inline(always)]
    fn round_to_integer<D: Target>(self, rounding: Rounding) -> D {
        D::from_f32(rounded!(self, rounding))
    }
}

impl Source for f64 {
    #[inline(always)]
    fn round_to_integer<D: Target>(self, rounding: Rounding) -> D {
        D::from_f64(rounded!(self, rounding))
    }
}
