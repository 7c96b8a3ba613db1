//! Addition, subtraction, sign and distance (PTX ISA 9.7.1.1, .2, .7, .10 to .12).

use super::shape::{by_int, by_type, by_width, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// Applies `f` to both halves of packed operands.
#[inline(always)]
pub(super) fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    let low = f(a as u16, b as u16);
    let high = f((a >> 16) as u16, (b >> 16) as u16);
    low as u32 | (high as u32) << 16
}

/// `add`: 9.7.1.1.
pub(super) fn add<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[Word::Sat], 1, 3) {
        return Err(sink);
    }
    match (form.ty(0), form.has(Word::Sat)) {
        (Some(ScalarType::S32), true) => Ok(sink.op2(i32::saturating_add)),
        (Some(ScalarType::U16x2 | ScalarType::S16x2), false) => {
            Ok(sink.op2(|a: u32, b: u32| halves(a, b, u16::wrapping_add)))
        }
        (ty, false) => by_width!(ty, sink, T, sink.op2(T::wrapping_add)),
        _ => Err(sink),
    }
}

/// `sub`: 9.7.1.2.
pub(super) fn sub<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[Word::Sat], 1, 3) {
        return Err(sink);
    }
    match (form.ty(0), form.has(Word::Sat)) {
        (Some(ScalarType::S32), true) => Ok(sink.op2(i32::saturating_sub)),
        (ty, false) => by_width!(ty, sink, T, sink.op2(T::wrapping_sub)),
        _ => Err(sink),
    }
}

/// `neg`: 9.7.1.11. The least value stays as it is.
pub(super) fn neg<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { S16 => i16, S32 => i32, S64 => i64 }, sink.op1(T::wrapping_neg))
}

/// `abs`: 9.7.1.10. The least value stays as it is.
pub(super) fn abs<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { S16 => i16, S32 => i32, S64 => i64 }, sink.op1(T::wrapping_abs))
}

/// `sad`: 9.7.1.7. The distance of two signed values does not fit their type; what is added is its low bits.
pub(super) fn sad<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 4) {
        return Err(sink);
    }
    by_int!(form.ty(0), sink, T, sink.op3(|a: T, b: T, c: T| c.wrapping_add(a.abs_diff(b) as T)))
}
