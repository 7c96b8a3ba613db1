//! Selection and moves (PTX ISA 9.7.6.3, 9.7.6.4, 9.7.9.1). Bits move unchanged, whatever their type.

use super::shape::{by_type, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::ScalarType;

/// `selp`: 9.7.6.3. Inputs are both values and the predicate.
pub(super) fn selp<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 4) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: {
        B16 | U16 | S16 => u16, B32 | U32 | S32 | F32 => u32, B64 | U64 | S64 | F64 => u64
    }, sink.op3(|a: T, b: T, p: bool| if p { a } else { b }))
}

/// `slct` by a signed integer: 9.7.6.4.
pub(super) fn slct<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 2, 4) || form.ty(1) != Some(ScalarType::S32) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: {
        B16 | U16 | S16 => u16, B32 | U32 | S32 | F32 => u32, B64 | U64 | S64 | F64 => u64
    }, sink.op3(|a: T, b: T, c: i32| if c >= 0 { a } else { b }))
}

/// `mov` between registers: 9.7.9.1.
pub(super) fn mov<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: {
        Pred => bool, B16 | U16 | S16 => u16, B32 | U32 | S32 | F32 => u32, B64 | U64 | S64 | F64 => u64
    }, sink.op1(|a: T| a))
}
