//! `selp` of floating-point types and `slct` with or of floating-point types (PTX ISA 9.7.7).

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};

use super::element::Element;
use crate::{Form, Sink, Value};

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match form.opcode {
        _ if form.operands != 4 => Err(sink),
        Opcode::Selp => selp(form, sink),
        Opcode::Slct => slct(form, sink),
        _ => Err(sink),
    }
}

/// `selp`: `a` where `c` is true, else `b`; bits are copied.
fn selp<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let [Modifier::Word(ty)] = form.modifiers else { return Err(sink) };
    match ty {
        Word::F32 => Ok(sink.op3(|a: u32, b: u32, c: bool| if c { a } else { b })),
        Word::F64 => Ok(sink.op3(|a: u64, b: u64, c: bool| if c { a } else { b })),
        _ => Err(sink),
    }
}

/// `slct`: `a` where `c` is not negative, else `b`; -0 is not negative, NaN counts as negative.
fn slct<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let (ftz, types) = match form.modifiers {
        [ftz, types @ ..] if *ftz == Word::Ftz.into() => (true, types),
        types => (false, types),
    };
    let [Modifier::Word(ty), Modifier::Word(selector)] = types else { return Err(sink) };
    let Some(ty) = ScalarType::from_word(*ty) else { return Err(sink) };
    match (selector, width(ty)) {
        (Word::F32, Some(16)) => Ok(by_float::<u16, S>(ftz, sink)),
        (Word::F32, Some(32)) => Ok(by_float::<u32, S>(ftz, sink)),
        (Word::F32, Some(64)) => Ok(by_float::<u64, S>(ftz, sink)),
        (Word::S32, Some(32)) if ty.is_float() && !ftz => Ok(by_sign::<u32, S>(sink)),
        (Word::S32, Some(64)) if ty.is_float() && !ftz => Ok(by_sign::<u64, S>(sink)),
        _ => Err(sink),
    }
}

/// Bits of a type that `slct` has.
fn width(ty: ScalarType) -> Option<u32> {
    use ScalarType as T;
    let known =
        matches!(ty, T::B16 | T::B32 | T::B64 | T::U16 | T::U32 | T::U64 | T::S16 | T::S32 | T::S64 | T::F32 | T::F64);
    known.then_some(ty.bits())
}

fn by_float<V: Value, S: Sink>(ftz: bool, sink: S) -> S::Out {
    if ftz {
        return sink.op3(|a: V, b: V, c: f32| if c.flush() >= 0.0 { a } else { b });
    }
    sink.op3(|a: V, b: V, c: f32| if c >= 0.0 { a } else { b })
}

fn by_sign<V: Value, S: Sink>(sink: S) -> S::Out {
    sink.op3(|a: V, b: V, c: i32| if c >= 0 { a } else { b })
}
