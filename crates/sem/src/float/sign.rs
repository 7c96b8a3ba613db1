//! `abs`, `neg`, `copysign` and `testp` (PTX ISA 9.7.3 and 9.7.4).

use warpvm_isa::{Opcode, ScalarType, Word};

use super::element::{Bf16, Element, F16, Lanes, Pair};
use super::format::{Class, Underflow};
use super::mode::{Clamp, Mode};
use crate::{Form, Sink};

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match (form.opcode, form.operands) {
        (Opcode::Abs | Opcode::Neg, 2) => abs_neg(form, sink),
        (Opcode::Copysign, 3) => copysign(form, sink),
        (Opcode::Testp, 2) => testp(form, sink),
        _ => Err(sink),
    }
}

fn abs_neg<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let (Some(mode), Some(ty), None) = (Mode::of(form), form.ty(0), form.ty(1)) else { return Err(sink) };
    let plain = Mode { rounding: None, underflow: mode.underflow, clamp: Clamp::Keep, oob: false };
    if mode != plain {
        return Err(sink);
    }
    match (ty, mode.underflow) {
        (ScalarType::F16, underflow) => Ok(send_abs_neg::<F16, S>(form.opcode, underflow, sink)),
        (ScalarType::F16x2, underflow) => Ok(send_abs_neg::<Pair<F16>, S>(form.opcode, underflow, sink)),
        (ScalarType::F32, underflow) => Ok(send_abs_neg::<f32, S>(form.opcode, underflow, sink)),
        (ScalarType::Bf16, Underflow::Gradual) => Ok(send_abs_neg::<Bf16, S>(form.opcode, mode.underflow, sink)),
        (ScalarType::Bf16x2, Underflow::Gradual) => {
            Ok(send_abs_neg::<Pair<Bf16>, S>(form.opcode, mode.underflow, sink))
        }
        (ScalarType::F64, Underflow::Gradual) => Ok(send_abs_neg::<f64, S>(form.opcode, mode.underflow, sink)),
        _ => Err(sink),
    }
}

fn send_abs_neg<L: Lanes, S: Sink>(opcode: Opcode, underflow: Underflow, sink: S) -> S::Out {
    match (opcode, underflow) {
        (Opcode::Abs, Underflow::Gradual) => sink.op1(|a: L| a.map(abs)),
        (Opcode::Abs, Underflow::Flush) => sink.op1(|a: L| a.map(|x| abs(x.flush()))),
        (_, Underflow::Gradual) => sink.op1(|a: L| a.map(neg)),
        (_, Underflow::Flush) => sink.op1(|a: L| a.map(|x| neg(x.flush()))),
    }
}

/// The absolute value; a NaN is handled as in arithmetic.
#[inline(always)]
fn abs<E: Element>(x: E) -> E {
    E::pick(x.is_nan(), x.quiet(), x.magnitude())
}

/// The opposite; a NaN is handled as in arithmetic.
#[inline(always)]
fn neg<E: Element>(x: E) -> E {
    E::pick(x.is_nan(), x.quiet(), E::from_u64(x.to_u64() ^ E::FORMAT.sign()))
}

fn copysign<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    const SIGN32: u32 = 1 << 31;
    const SIGN64: u64 = 1 << 63;
    match form.modifiers {
        [ty] if *ty == Word::F32.into() => Ok(sink.op2(|a: u32, b: u32| a & SIGN32 | b & !SIGN32)),
        [ty] if *ty == Word::F64.into() => Ok(sink.op2(|a: u64, b: u64| a & SIGN64 | b & !SIGN64)),
        _ => Err(sink),
    }
}

fn testp<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let [property, ty] = form.modifiers else { return Err(sink) };
    let Some(test) = form.words().next().and_then(Test::of) else { return Err(sink) };
    if *property == *ty {
        return Err(sink);
    }
    match form.ty(0) {
        Some(ScalarType::F32) => Ok(sink.op1(move |a: f32| test.holds(a))),
        Some(ScalarType::F64) => Ok(sink.op1(move |a: f64| test.holds(a))),
        _ => Err(sink),
    }
}

/// A property of a number that `testp` tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

impl Test {
    fn of(word: Word) -> Option<Self> {
        Some(match word {
            Word::Finite => Test::Finite,
            Word::Infinite => Test::Infinite,
            Word::Number => Test::Number,
            Word::Notanumber => Test::NotANumber,
            Word::Normal => Test::Normal,
            Word::Subnormal => Test::Subnormal,
            _ => return None,
        })
    }

    /// Zero counts as normal.
    fn holds<E: Element>(self, x: E) -> bool {
        let class = E::FORMAT.classify(x.to_u64());
        let subnormal = x.flush().to_u64() != x.to_u64();
        match self {
            Test::Finite => matches!(class, Class::Finite(_) | Class::Zero(_)),
            Test::Infinite => matches!(class, Class::Infinite(_)),
            Test::Number => class != Class::Nan,
            Test::NotANumber => class == Class::Nan,
            Test::Normal => matches!(class, Class::Finite(_) | Class::Zero(_)) && !subnormal,
            Test::Subnormal => subnormal,
        }
    }
}
