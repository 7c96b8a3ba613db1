//! The special-function unit: approximate functions, bit for bit.

mod half;
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
        (Opcode::Tanh, Some(ScalarType::F32), _) => Ok(sink.op1(sequence::tanh)),
        (Opcode::Ex2, Some(ScalarType::F16), false) => Ok(sink.op1(|x| half::f16(mufu::ex2, x))),
        (Opcode::Ex2, Some(ScalarType::F16x2), false) => Ok(sink.op1(|x| half::both(|x| half::f16(mufu::ex2, x), x))),
        (Opcode::Ex2, Some(ScalarType::Bf16), true) => Ok(sink.op1(|x| half::bf16(mufu::ex2, x))),
        (Opcode::Ex2, Some(ScalarType::Bf16x2), true) => Ok(sink.op1(|x| half::both(|x| half::bf16(mufu::ex2, x), x))),
        (Opcode::Tanh, Some(ScalarType::F16), false) => Ok(sink.op1(|x| half::f16(mufu::tanh, x))),
        (Opcode::Tanh, Some(ScalarType::F16x2), false) => Ok(sink.op1(|x| half::both(|x| half::f16(mufu::tanh, x), x))),
        (Opcode::Tanh, Some(ScalarType::Bf16), false) => Ok(sink.op1(|x| half::bf16(mufu::tanh, x))),
        (Opcode::Tanh, Some(ScalarType::Bf16x2), false) => Ok(sink.op1(|x| half::both(|x| half::bf16(mufu::tanh, x), x))),
        (Opcode::Rcp, Some(ScalarType::F64), true) => Ok(sink.op1(sequence::rcp64)),
        (Opcode::Rsqrt, Some(ScalarType::F64), false) => Ok(sink.op1(sequence::rsqrt64)),
        (Opcode::Rsqrt, Some(ScalarType::F64), true) => Ok(sink.op1(sequence::rsqrt64_ftz)),
        (Opcode::Div, Some(ScalarType::F32), false) if full => Ok(sink.op2(sequence::div_full)),
        (Opcode::Div, Some(ScalarType::F32), true) if full => Ok(sink.op2(sequence::div_full_ftz)),
        (Opcode::Div, Some(ScalarType::F32), false) => Ok(sink.op2(sequence::div)),
        (Opcode::Div, Some(ScalarType::F32), true) => Ok(sink.op2(sequence::div_ftz)),
        _ => Err(sink),
    }
}
