//! Floating-point arithmetic, comparison and selection (PTX ISA 9.7.3 to 9.7.7).
//!
//! Every result is bit for bit what an H200 gives. Where the manual leaves room, this is what the chip does:
//!
//! - `.f16`, `.bf16`, `.f32`: a NaN result has all bits set but the sign, whatever the operands were.
//! - `.f64`: a NaN operand is passed on with its sign and payload, made quiet; an invalid operation gives
//!   `0xfff8000000000000`. Which of several NaN operands wins is told in [`double`].
//! - `.ftz` flushes operands, and results that are below the normal numbers *after* rounding with an unbounded exponent,
//!   for every rounding.
//! - `.sat` turns NaN into +0, `.relu` passes it on; both turn -0 into +0.
//! - `min` and `max` order -0 below +0.
//!
//! The vendor's assembler takes `fma.rz`, `.rm` and `.rp` of `.bf16` and `.bf16x2`, which the manual does not have, but the
//! chip then computes something else than a rounded sum; they have no meaning here. `.f32x2`, mixed precision and `min`
//! and `max` of three operands, which only `sm_100` has, follow the manual.
//!
//! Hot forms are native arithmetic without branches ([`element`]), all others are exact arithmetic that is rounded
//! once ([`soft`], or for `.f32` [`directed`]).

mod arith;
mod compare;
mod directed;
pub(crate) mod double;
pub(crate) mod element;
mod exact;
pub(crate) mod format;
pub(crate) mod half;
mod minmax;
pub(crate) mod mode;
mod oob;
pub(crate) mod pick;
mod quotient;
mod select;
mod sign;
pub(crate) mod single;
pub(crate) mod soft;

use warpvm_isa::Opcode;

use crate::{Form, Sink};

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match form.opcode {
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Fma | Opcode::Mad => arith::lane(form, sink),
        Opcode::Div | Opcode::Rcp | Opcode::Sqrt => quotient::lane(form, sink),
        Opcode::Min | Opcode::Max => minmax::lane(form, sink),
        Opcode::Abs | Opcode::Neg | Opcode::Copysign | Opcode::Testp => sign::lane(form, sink),
        Opcode::Set | Opcode::Setp => compare::lane(form, sink),
        Opcode::Selp | Opcode::Slct => select::lane(form, sink),
        _ => Err(sink),
    }
}
