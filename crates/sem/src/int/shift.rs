//! Shifts (PTX ISA 9.7.8.7 to 9.7.8.9). An amount beyond the width counts as the width.

use super::shape::{by_bits, by_type, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// `shl`: 9.7.8.8.
pub(super) fn shl<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_bits!(
        form.ty(0),
        sink,
        T,
        sink.op2(|a: T, n: u32| {
            let shifted = a << (n & (T::BITS - 1));
            if n < T::BITS { shifted } else { 0 }
        })
    )
}

/// `shr`: 9.7.8.9.
pub(super) fn shr<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as Ty;
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    if matches!(form.ty(0), Some(Ty::S16 | Ty::S32 | Ty::S64)) {
        return by_type!(form.ty(0), sink, T: { S16 => i16, S32 => i32, S64 => i64 }, {
            sink.op2(|a: T, n: u32| a >> n.min(T::BITS - 1))
        });
    }
    by_type!(form.ty(0), sink, T: { B16 | U16 => u16, B32 | U32 => u32, B64 | U64 => u64 }, sink.op2(|a: T, n: u32| {
        let shifted = a >> (n & (T::BITS - 1));
        if n < T::BITS { shifted } else { 0 }
    }))
}

/// `shf`: 9.7.8.7. The first operand is the low half.
pub(super) fn shf<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let words = [Word::L, Word::R, Word::Clamp, Word::Wrap];
    if !is_shaped(form, &words, 1, 4) || form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    let pair = |a: u32, b: u32| a as u64 | (b as u64) << 32;
    match words.map(|word| form.has(word)) {
        [true, false, true, false] => {
            Ok(sink.op3(move |a: u32, b: u32, n: u32| ((pair(a, b) << n.min(32)) >> 32) as u32))
        }
        [true, false, false, true] => {
            Ok(sink.op3(move |a: u32, b: u32, n: u32| ((pair(a, b) << (n & 31)) >> 32) as u32))
        }
        [false, true, true, false] => Ok(sink.op3(move |a: u32, b: u32, n: u32| (pair(a, b) >> n.min(32)) as u32)),
        [false, true, false, true] => Ok(sink.op3(move |a: u32, b: u32, n: u32| (pair(a, b) >> (n & 31)) as u32)),
        _ => Err(sink),
    }
}
