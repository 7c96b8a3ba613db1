//! `div`, `rcp` and `sqrt` with an IEEE rounding (PTX ISA 9.7.3).

use warpvm_isa::{Opcode, ScalarType};

use super::element::Element;
use super::mode::{Clamp, Mode};
use super::single::canonical;
use super::{double, single, soft};
use crate::{Form, Sink};

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let (Some(mode), Some(ty), None) = (Mode::of(form), form.ty(0), form.ty(1)) else { return Err(sink) };
    let operands = if form.opcode == Opcode::Div { 3 } else { 2 };
    if form.operands != operands || mode.rounding.is_none() || mode.clamp != Clamp::Keep || mode.oob {
        return Err(sink);
    }
    match (ty, form.opcode) {
        (ScalarType::F32, opcode) => send_single(opcode, mode, sink),
        // The manual has no `.ftz` here, but the vendor's assembler takes it for `rcp` and the chip ignores it.
        (ScalarType::F64, Opcode::Rcp) => send_double(Opcode::Rcp, mode, sink),
        (ScalarType::F64, opcode) if !mode.is_ftz() => send_double(opcode, mode, sink),
        _ => Err(sink),
    }
}

fn send_single<S: Sink>(opcode: Opcode, mode: Mode, sink: S) -> Result<S::Out, S> {
    let (rounding, underflow) = (mode.round(), mode.underflow);
    Ok(match (opcode, mode.is_nearest(), mode.is_ftz()) {
        (Opcode::Div, true, false) => sink.op2(|a: f32, b: f32| canonical(a / b)),
        (Opcode::Rcp, true, false) => sink.op1(|a: f32| canonical(1.0 / a)),
        (Opcode::Sqrt, true, false) => sink.op1(single::sqrt),
        // No quotient or root of normal numbers rounds up to the smallest normal number.
        (Opcode::Div, true, true) => sink.op2(|a: f32, b: f32| canonical(a.flush() / b.flush()).flush()),
        (Opcode::Rcp, true, true) => sink.op1(|a: f32| canonical(1.0 / a.flush()).flush()),
        (Opcode::Sqrt, true, true) => sink.op1(|a: f32| single::sqrt(a.flush())),
        (Opcode::Div, false, _) => sink.op2(move |a: f32, b: f32| soft::div(a, b, rounding, underflow)),
        (Opcode::Rcp, false, _) => sink.op1(move |a: f32| soft::div(1.0, a, rounding, underflow)),
        (Opcode::Sqrt, false, _) => sink.op1(move |a: f32| soft::sqrt(a, rounding, underflow)),
        _ => return Err(sink),
    })
}

fn send_double<S: Sink>(opcode: Opcode, mode: Mode, sink: S) -> Result<S::Out, S> {
    use super::format::Underflow::Gradual;
    let rounding = mode.round();
    Ok(match (opcode, mode.is_nearest()) {
        (Opcode::Div, true) => sink.op2(double::div),
        (Opcode::Rcp, true) => sink.op1(double::rcp),
        (Opcode::Sqrt, true) => sink.op1(double::sqrt),
        (Opcode::Div, false) => sink.op2(move |a: f64, b: f64| soft::div(a, b, rounding, Gradual)),
        (Opcode::Rcp, false) => sink.op1(move |a: f64| soft::div(1.0, a, rounding, Gradual)),
        (Opcode::Sqrt, false) => sink.op1(move |a: f64| soft::sqrt(a, rounding, Gradual)),
        _ => return Err(sink),
    })
}
