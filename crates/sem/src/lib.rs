//! The meaning of every PTX operation as pure functions.
//!
//! A lane-wise instruction is turned into a closure over the values of one lane by [`lane`]; what is done with the
//! closure (evaluate it once, run it over a row of 32 lanes) is the business of the [`Sink`] that receives it.

mod form;
mod sink;

pub use form::Form;
pub use sink::{Eval, Output, Sink, Value, eval};

use warpvm_isa::Opcode;

/// Hands the meaning of a lane-wise instruction to `sink`, or gives the sink back where the form is not one.
///
/// # Errors
/// The sink, where no module knows the form.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let _: Opcode = form.opcode;
    Err(sink)
}
