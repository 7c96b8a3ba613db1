//! The meaning of every PTX operation as pure functions.
//!
//! A lane-wise instruction is turned into a closure over the values of one lane by [`lane`]; what is done with the
//! closure (evaluate it once, run it over a row of 32 lanes) is the business of the [`Sink`] that receives it.

pub mod approx;
pub mod common;
pub mod cvt;
pub mod float;
mod form;
pub mod int;
mod sink;
pub mod tensor;
pub mod tensor_map;
pub mod video;

pub use form::Form;
pub use sink::{Eval, EvalFn, Long1, Long2, Output, Sink, Value, eval};

/// Hands the meaning of a lane-wise instruction to `sink`, or gives the sink back where the form is not one.
///
/// # Errors
/// The sink, where no module knows the form.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let sink = match int::lane(form, sink) {
        Ok(out) => return Ok(out),
        Err(sink) => sink,
    };
    let sink = match float::lane(form, sink) {
        Ok(out) => return Ok(out),
        Err(sink) => sink,
    };
    let sink = match cvt::lane(form, sink) {
        Ok(out) => return Ok(out),
        Err(sink) => sink,
    };
    let sink = match approx::lane(form, sink) {
        Ok(out) => return Ok(out),
        Err(sink) => sink,
    };
    video::lane(form, sink)
}
