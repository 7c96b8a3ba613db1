//! Extended-precision arithmetic through the condition code (PTX ISA 9.7.2).
//!
//! The carry is a predicate: second result of a form with `.cc`, last input of `addc`, `subc` and `madc`.
//!
//! After a subtraction the manual calls it the borrow. The chip keeps the complement: it adds the complement of the
//! second operand, and `sub` brings a carry of 1. Within a chain of subtractions the two are the same; where an addition
//! follows a subtraction they are not (`more/sub.cc.u32+addc`, `more/add.cc.u32+subc`).

use super::multiply::{High, Part, part};
use super::shape::{by_type, is_shaped};
use crate::{Form, Sink, Value};
use warpvm_isa::{Opcode, ScalarType, Word};

/// A width that the condition code works with.
trait Carry: Value {
    /// Sum of three, and the carry out of it.
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool);
}

macro_rules! carry {
    ($($t:ty),*) => { $(
        impl Carry for $t {
            #[inline(always)]
            fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
                let (sum, first) = self.overflowing_add(other);
                let (sum, second) = sum.overflowing_add(carry as $t);
                (sum, first | second)
            }
        }
    )* };
}
carry! { u32, u64 }

/// The forms of this module: 9.7.2.1 to 9.7.2.6.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match form.opcode {
        Opcode::Mad | Opcode::Madc => multiply(form, sink),
        _ => add_sub(form, sink),
    }
}

/// `add.cc addc sub.cc subc`.
fn add_sub<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[Word::Cc], 1, 3) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { U32 | S32 => u32, U64 | S64 => u64 }, {
        match (form.opcode, form.has(Word::Cc)) {
            (Opcode::Add, _) => sink.op2(|a: T, b: T| a.add_carry(b, false)),
            (Opcode::Addc, true) => sink.op3(|a: T, b: T, c: bool| a.add_carry(b, c)),
            (Opcode::Addc, false) => sink.op3(|a: T, b: T, c: bool| a.add_carry(b, c).0),
            (Opcode::Sub, _) => sink.op2(|a: T, b: T| a.add_carry(!b, true)),
            (Opcode::Subc, true) => sink.op3(|a: T, b: T, c: bool| a.add_carry(!b, c)),
            (Opcode::Subc, false) => sink.op3(|a: T, b: T, c: bool| a.add_carry(!b, c).0),
            _ => return Err(sink),
        }
    })
}

/// `mad.cc madc`.
fn multiply<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Cc, Word::Lo, Word::Hi], 1, 4) {
        return Err(sink);
    }
    match (part(form), form.ty(0)) {
        (Some(Part::Low), Some(T::U32 | T::S32)) => product_plus(form, sink, u32::wrapping_mul),
        (Some(Part::Low), Some(T::U64 | T::S64)) => product_plus(form, sink, u64::wrapping_mul),
        (Some(Part::High), Some(T::U32)) => product_plus(form, sink, u32::high),
        (Some(Part::High), Some(T::U64)) => product_plus(form, sink, u64::high),
        (Some(Part::High), Some(T::S32)) => product_plus(form, sink, |a: u32, b: u32| (a as i32).high(b as i32) as u32),
        (Some(Part::High), Some(T::S64)) => product_plus(form, sink, |a: u64, b: u64| (a as i64).high(b as i64) as u64),
        _ => Err(sink),
    }
}

/// A part of the product, plus the third operand, plus the carry of `madc`.
fn product_plus<S: Sink, T: Carry>(
    form: &Form<'_>,
    sink: S,
    product: impl Fn(T, T) -> T + Copy + Send + Sync + 'static,
) -> Result<S::Out, S>
where
    (T, bool): crate::Output,
{
    match (form.opcode, form.has(Word::Cc)) {
        (Opcode::Mad, true) => Ok(sink.op3(move |a: T, b: T, c: T| product(a, b).add_carry(c, false))),
        (Opcode::Madc, true) => Ok(sink.op4(move |a: T, b: T, c: T, cf: bool| product(a, b).add_carry(c, cf))),
        (Opcode::Madc, false) => Ok(sink.op4(move |a: T, b: T, c: T, cf: bool| product(a, b).add_carry(c, cf).0)),
        _ => Err(sink),
    }
}
