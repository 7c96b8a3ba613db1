//! Minimum and maximum (PTX ISA 9.7.1.13, 9.7.1.14). `.relu` may stand before or after the type.

use super::arith::halves;
use super::shape::{by_int, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// `min`: 9.7.1.13.
pub(super) fn min<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Relu], 1, 3) {
        return Err(sink);
    }
    match (form.ty(0), form.has(Word::Relu)) {
        (Some(T::U16x2), false) => Ok(sink.op2(|a: u32, b: u32| halves(a, b, Ord::min))),
        (Some(T::S16x2), false) => Ok(sink.op2(|a: u32, b: u32| signed_halves(a, b, Ord::min))),
        (Some(T::S16x2), true) => Ok(sink.op2(|a: u32, b: u32| signed_halves(a, b, |a, b| a.min(b).max(0)))),
        (Some(T::S32), true) => Ok(sink.op2(|a: i32, b: i32| a.min(b).max(0))),
        (ty, false) => by_int!(ty, sink, V, sink.op2(|a: V, b: V| a.min(b))),
        _ => Err(sink),
    }
}

/// `max`: 9.7.1.14.
pub(super) fn max<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Relu], 1, 3) {
        return Err(sink);
    }
    match (form.ty(0), form.has(Word::Relu)) {
        (Some(T::U16x2), false) => Ok(sink.op2(|a: u32, b: u32| halves(a, b, Ord::max))),
        (Some(T::S16x2), false) => Ok(sink.op2(|a: u32, b: u32| signed_halves(a, b, Ord::max))),
        (Some(T::S16x2), true) => Ok(sink.op2(|a: u32, b: u32| signed_halves(a, b, |a, b| a.max(b).max(0)))),
        (Some(T::S32), true) => Ok(sink.op2(|a: i32, b: i32| a.max(b).max(0))),
        (ty, false) => by_int!(ty, sink, V, sink.op2(|a: V, b: V| a.max(b))),
        _ => Err(sink),
    }
}

/// Applies `f` to both signed halves of packed operands.
#[inline(always)]
fn signed_halves(a: u32, b: u32, f: impl Fn(i16, i16) -> i16) -> u32 {
    halves(a, b, |a, b| f(a as i16, b as i16) as u16)
}
