//! Floating-point arithmetic, comparison and selection.

use crate::{Form, Sink};

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(_form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    Err(sink)
}
