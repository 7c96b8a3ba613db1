//! Conversion of two `.f32` numbers to one register of `.f16x2` or `.bf16x2`: the first operand goes to the high half.

use warpvm_isa::{Rounding, Word};

use super::float::{convert, finite};
use super::mode::{Conversion, Mode};
use crate::float::element::{Bf16, Element, F16, Pair};
use crate::float::format::Underflow;
use crate::{Form, Sink};

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { to, mode, .. } = conversion;
    if form.operands != 3 || !mode.only_clamps() {
        return Err(sink);
    }
    let plain = !mode.relu && !mode.satfinite;
    match (to, mode.rounding) {
        (Word::F16x2, Some(Word::Rn)) if plain => Ok(sink.op2(halves)),
        (Word::Bf16x2, Some(Word::Rn)) if plain => Ok(sink.op2(brain_halves)),
        (Word::F16x2, Some(Word::Rn)) => Ok(send::<F16, S>(Rounding::NearestEven, mode, sink)),
        (Word::F16x2, Some(Word::Rz)) => Ok(send::<F16, S>(Rounding::Zero, mode, sink)),
        (Word::Bf16x2, Some(Word::Rn)) => Ok(send::<Bf16, S>(Rounding::NearestEven, mode, sink)),
        (Word::Bf16x2, Some(Word::Rz)) => Ok(send::<Bf16, S>(Rounding::Zero, mode, sink)),
        _ => Err(sink),
    }
}

#[inline(always)]
fn halves(a: f32, b: f32) -> Pair<F16> {
    Pair(F16::round(b), F16::round(a))
}

#[inline(always)]
fn brain_halves(a: f32, b: f32) -> Pair<Bf16> {
    Pair(Bf16::round(b), Bf16::round(a))
}

fn send<E: Element, S: Sink>(rounding: Rounding, mode: Mode, sink: S) -> S::Out {
    sink.op2(move |a: f32, b: f32| {
        let one = |x| clamped(convert::<f32, E>(x, rounding, Underflow::Gradual), mode);
        Pair(one(b), one(a))
    })
}

/// `.satfinite` and `.relu`.
pub(super) fn clamped<E: Element>(x: E, mode: Mode) -> E {
    let x = if mode.satfinite { finite(x) } else { x };
    if mode.relu { x.relu() } else { x }
}
