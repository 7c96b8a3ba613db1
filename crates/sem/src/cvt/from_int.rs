//! Conversions from integers to floating-point numbers.

use warpvm_isa::{Rounding, Word};

use super::int::Integer;
use super::mode::{Conversion, Mode};
use crate::Sink;
use crate::float::element::{Bf16, Element, F16};
use crate::float::format::{Finite, Underflow};
use crate::float::half::narrow_to_odd;
use crate::float::mode::Clamp;

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { to, from, mode } = conversion;
    // `.ftz` is legal for `.f32` only and means nothing: no integer is subnormal.
    let legal = !mode.relu && !mode.satfinite && (!mode.ftz || to == Word::F32) && (!mode.sat || to != Word::Bf16);
    let (Some(rounding), true) = (mode.float_rounding(), legal) else { return Err(sink) };
    if rounding == Rounding::NearestEven && !mode.sat {
        return nearest(to, from, sink);
    }
    any(to, from, rounding, mode, sink)
}

macro_rules! native {
    ($sink:ident, $a:ty => F16) => {
        // Integers that `.f32` does not hold exactly are beyond the range of `.f16`.
        Ok($sink.op1(|a: $a| F16::round(a as f32)))
    };
    ($sink:ident, $a:ty => Bf16) => {
        Ok($sink.op1(|a: $a| Bf16::round(narrow_to_odd(a as f64))))
    };
    ($sink:ident, $a:ty => $d:ty) => {
        Ok($sink.op1(|a: $a| a as $d))
    };
}

/// To nearest even: native where the result is `.f32` or `.f64`, and from there to the halves.
fn nearest<S: Sink>(to: Word, from: Word, sink: S) -> Result<S::Out, S> {
    match (to, from) {
        (Word::F32, Word::U8) => native!(sink, u8 => f32),
        (Word::F32, Word::U16) => native!(sink, u16 => f32),
        (Word::F32, Word::U32) => native!(sink, u32 => f32),
        (Word::F32, Word::U64) => native!(sink, u64 => f32),
        (Word::F32, Word::S8) => native!(sink, i8 => f32),
        (Word::F32, Word::S16) => native!(sink, i16 => f32),
        (Word::F32, Word::S32) => native!(sink, i32 => f32),
        (Word::F32, Word::S64) => native!(sink, i64 => f32),
        (Word::F64, Word::U8) => native!(sink, u8 => f64),
        (Word::F64, Word::U16) => native!(sink, u16 => f64),
        (Word::F64, Word::U32) => native!(sink, u32 => f64),
        (Word::F64, Word::U64) => native!(sink, u64 => f64),
        (Word::F64, Word::S8) => native!(sink, i8 => f64),
        (Word::F64, Word::S16) => native!(sink, i16 => f64),
        (Word::F64, Word::S32) => native!(sink, i32 => f64),
        (Word::F64, Word::S64) => native!(sink, i64 => f64),
        (Word::F16, Word::U8) => native!(sink, u8 => F16),
        (Word::F16, Word::U16) => native!(sink, u16 => F16),
        (Word::F16, Word::U32) => native!(sink, u32 => F16),
        (Word::F16, Word::U64) => native!(sink, u64 => F16),
        (Word::F16, Word::S8) => native!(sink, i8 => F16),
        (Word::F16, Word::S16) => native!(sink, i16 => F16),
        (Word::F16, Word::S32) => native!(sink, i32 => F16),
        (Word::F16, Word::S64) => native!(sink, i64 => F16),
        (Word::Bf16, Word::U8) => native!(sink, u8 => Bf16),
        (Word::Bf16, Word::U16) => native!(sink, u16 => Bf16),
        (Word::Bf16, Word::U32) => native!(sink, u32 => Bf16),
        (Word::Bf16, Word::S8) => native!(sink, i8 => Bf16),
        (Word::Bf16, Word::S16) => native!(sink, i16 => Bf16),
        (Word::Bf16, Word::S32) => native!(sink, i32 => Bf16),
        // `.f64` does not hold these exactly.
        _ => any(to, from, Rounding::NearestEven, Mode::default(), sink),
    }
}

/// With any rounding.
fn any<S: Sink>(to: Word, from: Word, rounding: Rounding, mode: Mode, sink: S) -> Result<S::Out, S> {
    match to {
        Word::F16 => exact::<F16, S>(from, rounding, mode, sink),
        Word::Bf16 => exact::<Bf16, S>(from, rounding, mode, sink),
        Word::F32 => exact::<f32, S>(from, rounding, mode, sink),
        Word::F64 => exact::<f64, S>(from, rounding, mode, sink),
        _ => Err(sink),
    }
}

fn exact<E: Element, S: Sink>(from: Word, rounding: Rounding, mode: Mode, sink: S) -> Result<S::Out, S> {
    match from {
        Word::U8 => Ok(send::<u8, E, S>(rounding, mode, sink)),
        Word::U16 => Ok(send::<u16, E, S>(rounding, mode, sink)),
        Word::U32 => Ok(send::<u32, E, S>(rounding, mode, sink)),
        Word::U64 => Ok(send::<u64, E, S>(rounding, mode, sink)),
        Word::S8 => Ok(send::<i8, E, S>(rounding, mode, sink)),
        Word::S16 => Ok(send::<i16, E, S>(rounding, mode, sink)),
        Word::S32 => Ok(send::<i32, E, S>(rounding, mode, sink)),
        Word::S64 => Ok(send::<i64, E, S>(rounding, mode, sink)),
        _ => Err(sink),
    }
}

fn send<A: Integer, E: Element, S: Sink>(rounding: Rounding, mode: Mode, sink: S) -> S::Out {
    let clamp = if mode.sat { Clamp::Saturate } else { Clamp::Keep };
    sink.op1(move |a: A| {
        let wide = a.extend();
        let value = if A::SIGNED { i128::from(wide as i64) } else { i128::from(wide) };
        let rounded = match Finite::from_integer(value) {
            Some(x) => E::FORMAT.round(x, rounding, Underflow::Gradual),
            None => 0,
        };
        clamp.apply(E::from_u64(rounded))
    })
}
