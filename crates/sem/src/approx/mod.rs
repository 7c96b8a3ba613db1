//! The special-function unit: approximate functions, bit for bit.

mod interpolate;
mod mufu;
mod sequence;
mod tables;

use crate::{Form, Sink};
use warpvm_isa::{Opcode, ScalarType, Word};

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let full = form.has(Word::Full);
    let ftz = form.has(Word::Ftz);
    if !(form.has(Word::Approx) || full) {
        return Err(sink);
    }
    match (form.opcode, form.ty(0), ftz) {
        (Opcode::Rcp, Some(ScalarType::F32), false) => Ok(sink.op1(sequence::rcp)),
        (Opcode::Rcp, Some(ScalarType::F32), true) => Ok(sink.op1(sequence::rcp_ftz)),
        (Opcode::Rsqrt, Some(ScalarType::F32), false) => Ok(sink.op1(sequence::rsqrt)),
        (Opcode::Rsqrt, Some(ScalarType::F32), true) => Ok(sink.op1(sequence::rsqrt_ftz)),
        (Opcode::Sqrt, Some(ScalarType::F32), false) => Ok(sink.op1(sequence::sqrt)),
        (Opcode::Sqrt, Some(ScalarType::F32), true) => Ok(sink.op1(sequence::sqrt_ftz)),
        (Opcode::Lg2, Some(ScalarType::F32), false) => Ok(sink.op1(sequence::lg2)),
        (Opcode::Lg2, Some(ScalarType::F32), true) => Ok(sink.op1(sequence::lg2_ftz)),
        (Opcode::Ex2, Some(ScalarType::F32), false) => Ok(sink.op1(sequence::ex2)),
        (Opcode::Ex2, Some(ScalarType::F32), true) => Ok(sink.op1(sequence::ex2_ftz)),
        (Opcode::Sin, Some(ScalarType::F32), _) => Ok(sink.op1(sequence::sin)),
        (Opcode::Cos, Some(ScalarType::F32), _) => Ok(sink.op1(sequence::cos)),
        (Opcode::Div, Some(ScalarType::F32), false) if full => Ok(sink.op2(sequence::div_full)),
        (Opcode::Div, Some(ScalarType::F32), true) if full => Ok(sink.op2(sequence::div_full_ftz)),
        (Opcode::Div, Some(ScalarType::F32), false) => Ok(sink.op2(sequence::div)),
        (Opcode::Div, Some(ScalarType::F32), true) => Ok(sink.op2(sequence::div_ftz)),
        _ => Err(sink),
    }
}
