//! Bitwise operations (PTX ISA 9.7.8.1 to 9.7.8.6).

use super::shape::{by_bits, by_type, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// `and`: 9.7.8.1.
pub(super) fn and<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { Pred => bool, B16 => u16, B32 => u32, B64 => u64 }, sink.op2(|a: T, b: T| a & b))
}

/// `or`: 9.7.8.2.
pub(super) fn or<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { Pred => bool, B16 => u16, B32 => u32, B64 => u64 }, sink.op2(|a: T, b: T| a | b))
}

/// `xor`: 9.7.8.3.
pub(super) fn xor<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { Pred => bool, B16 => u16, B32 => u32, B64 => u64 }, sink.op2(|a: T, b: T| a ^ b))
}

/// `not`: 9.7.8.4.
pub(super) fn not<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { Pred => bool, B16 => u16, B32 => u32, B64 => u64 }, sink.op1(|a: T| !a))
}

/// `cnot`: 9.7.8.5.
pub(super) fn cnot<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_bits!(form.ty(0), sink, T, sink.op1(|a: T| (a == 0) as T))
}

/// `lop3`: 9.7.8.6. Inputs are `a`, `b`, `c`, the table, and with a Boolean operation the predicate `q`.
pub(super) fn lop3_form<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    if is_shaped(form, &[], 1, 5) {
        return Ok(sink.op4(lop3));
    }
    if is_shaped(form, &[Word::Or], 1, 6) {
        return sink.op5(|a: u32, b: u32, c: u32, lut: u32, q: bool| {
            let d = lop3(a, b, c, lut);
            (d, (d != 0) | q)
        });
    }
    if is_shaped(form, &[Word::And], 1, 6) {
        return sink.op5(|a: u32, b: u32, c: u32, lut: u32, q: bool| {
            let d = lop3(a, b, c, lut);
            (d, (d != 0) & q)
        });
    }
    Err(sink)
}

/// Any bitwise function of three values: bit `4a + 2b + c` of the low 8 bits of `lut` is the result for bits `a`, `b`, `c`.
///
/// ```
/// let majority = 0xf0 & 0xcc | 0xcc & 0xaa | 0xaa & 0xf0;
/// assert_eq!(warpvm_sem::int::lop3(0b1100, 0b1010, 0b0110, majority), 0b1110);
/// ```
#[inline(always)]
pub fn lop3(a: u32, b: u32, c: u32, lut: u32) -> u32 {
    let entry = |n: u32| 0u32.wrapping_sub((lut >> n) & 1);
    let choose = |bit: u32, zero: u32, one: u32| zero ^ ((zero ^ one) & bit);
    let a0 = choose(b, choose(c, entry(0), entry(1)), choose(c, entry(2), entry(3)));
    let a1 = choose(b, choose(c, entry(4), entry(5)), choose(c, entry(6), entry(7)));
    choose(a, a0, a1)
}
