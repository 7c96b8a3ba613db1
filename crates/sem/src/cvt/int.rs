//! Conversions between integers: extension, truncation, and `.sat` clamping to the range of the result.

use warpvm_isa::Word;

use super::mode::{Conversion, Mode};
use crate::{Sink, Value};

/// An integer type of a register.
pub(super) trait Integer: Value {
    /// Has it a sign?
    const SIGNED: bool;
    /// The largest value.
    const MAX: u64;
    /// The smallest value.
    const MIN: i64;
    /// The value, extended to 64 bits by its type.
    fn extend(self) -> u64;
}

macro_rules! integers {
    ($($t:ty, $wide:ty;)*) => { $(
        impl Integer for $t {
            const SIGNED: bool = <$t>::MIN != 0;
            const MAX: u64 = <$t>::MAX as u64;
            const MIN: i64 = <$t>::MIN as i64;
            #[inline(always)]
            fn extend(self) -> u64 {
                self as $wide as u64
            }
        }
    )* };
}
integers! { u8, u64; u16, u64; u32, u64; u64, u64; i8, i64; i16, i64; i32, i64; i64, i64; }

/// Clamps to the range of the result.
#[inline(always)]
fn saturate<A: Integer, D: Integer>(a: A) -> D {
    if !A::SIGNED {
        return D::from_u64(a.extend().min(D::MAX));
    }
    let highest = i64::try_from(D::MAX).unwrap_or(i64::MAX);
    D::from_u64((a.extend() as i64).clamp(D::MIN, highest) as u64)
}

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    match conversion.from {
        Word::U8 => to::<u8, S>(conversion, sink),
        Word::U16 => to::<u16, S>(conversion, sink),
        Word::U32 => to::<u32, S>(conversion, sink),
        Word::U64 => to::<u64, S>(conversion, sink),
        Word::S8 => to::<i8, S>(conversion, sink),
        Word::S16 => to::<i16, S>(conversion, sink),
        Word::S32 => to::<i32, S>(conversion, sink),
        Word::S64 => to::<i64, S>(conversion, sink),
        _ => Err(sink),
    }
}

fn to<A: Integer, S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    match conversion.to {
        Word::U8 => send::<A, u8, S>(conversion.mode, sink),
        Word::U16 => send::<A, u16, S>(conversion.mode, sink),
        Word::U32 => send::<A, u32, S>(conversion.mode, sink),
        Word::U64 => send::<A, u64, S>(conversion.mode, sink),
        Word::S8 => send::<A, i8, S>(conversion.mode, sink),
        Word::S16 => send::<A, i16, S>(conversion.mode, sink),
        Word::S32 => send::<A, i32, S>(conversion.mode, sink),
        Word::S64 => send::<A, i64, S>(conversion.mode, sink),
        _ => Err(sink),
    }
}

fn send<A: Integer, D: Integer, S: Sink>(mode: Mode, sink: S) -> Result<S::Out, S> {
    if mode == Mode::default() {
        return Ok(sink.op1(|a: A| D::from_u64(a.extend())));
    }
    let saturates = mode == Mode { sat: true, ..Mode::default() };
    // `.sat` is illegal where nothing can be out of range.
    let fits = A::MIN >= D::MIN && A::MAX <= D::MAX;
    if saturates && !fits { Ok(sink.op1(saturate::<A, D>)) } else { Err(sink) }
}
