//! Multiplication and multiply-add (PTX ISA 9.7.1.3 to 9.7.1.6).
//!
//! `mul24` and `mad24` look at the low 24 bits of their factors only.

use super::shape::{by_int, by_width, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// The upper half of a product.
pub(super) trait High {
    /// The upper half of the product of two values.
    fn high(self, other: Self) -> Self;
}

macro_rules! high {
    ($($narrow:ty => $wide:ty),*) => { $(
        impl High for $narrow {
            #[inline(always)]
            fn high(self, other: Self) -> Self {
                ((self as $wide * other as $wide) >> <$narrow>::BITS) as $narrow
            }
        }
    )* };
}
high! { u16 => u32, i16 => i32, u32 => u64, i32 => i64, u64 => u128, i64 => i128 }

/// Which part of a product is kept.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Low,
    High,
    Wide,
}

/// The part that a form names, if it names exactly one.
pub(super) fn part(form: &Form<'_>) -> Option<Part> {
    let mut named = form.words().filter_map(|word| match word {
        Word::Lo => Some(Part::Low),
        Word::Hi => Some(Part::High),
        Word::Wide => Some(Part::Wide),
        _ => None,
    });
    let part = named.next()?;
    named.next().is_none().then_some(part)
}

/// `mul`: 9.7.1.3.
pub(super) fn mul<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Lo, Word::Hi, Word::Wide], 1, 3) {
        return Err(sink);
    }
    match (part(form), form.ty(0)) {
        (Some(Part::Low), ty) => by_width!(ty, sink, V, sink.op2(V::wrapping_mul)),
        (Some(Part::High), ty) => by_int!(ty, sink, V, sink.op2(|a: V, b: V| a.high(b))),
        (Some(Part::Wide), Some(T::U16)) => Ok(sink.op2(|a: u16, b: u16| a as u32 * b as u32)),
        (Some(Part::Wide), Some(T::S16)) => Ok(sink.op2(|a: i16, b: i16| a as i32 * b as i32)),
        (Some(Part::Wide), Some(T::U32)) => Ok(sink.op2(|a: u32, b: u32| a as u64 * b as u64)),
        (Some(Part::Wide), Some(T::S32)) => Ok(sink.op2(|a: i32, b: i32| a as i64 * b as i64)),
        _ => Err(sink),
    }
}

/// `mad`: 9.7.1.4.
pub(super) fn mad<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Lo, Word::Hi, Word::Wide, Word::Sat], 1, 4) {
        return Err(sink);
    }
    match (part(form), form.ty(0), form.has(Word::Sat)) {
        (Some(Part::High), Some(T::S32), true) => Ok(sink.op3(|a: i32, b: i32, c: i32| a.high(b).saturating_add(c))),
        (_, _, true) => Err(sink),
        (Some(Part::Low), ty, _) => {
            by_width!(ty, sink, V, sink.op3(|a: V, b: V, c: V| a.wrapping_mul(b).wrapping_add(c)))
        }
        (Some(Part::High), ty, _) => by_int!(ty, sink, V, sink.op3(|a: V, b: V, c: V| a.high(b).wrapping_add(c))),
        (Some(Part::Wide), Some(T::U16), _) => {
            Ok(sink.op3(|a: u16, b: u16, c: u32| (a as u32 * b as u32).wrapping_add(c)))
        }
        (Some(Part::Wide), Some(T::S16), _) => {
            Ok(sink.op3(|a: i16, b: i16, c: i32| (a as i32 * b as i32).wrapping_add(c)))
        }
        (Some(Part::Wide), Some(T::U32), _) => {
            Ok(sink.op3(|a: u32, b: u32, c: u64| (a as u64 * b as u64).wrapping_add(c)))
        }
        (Some(Part::Wide), Some(T::S32), _) => {
            Ok(sink.op3(|a: i32, b: i32, c: i64| (a as i64 * b as i64).wrapping_add(c)))
        }
        _ => Err(sink),
    }
}

/// Zero-extends the low 24 bits.
#[inline(always)]
fn low24(a: u32) -> u64 {
    (a & 0xff_ffff) as u64
}

/// Sign-extends the low 24 bits.
#[inline(always)]
fn low24_signed(a: i32) -> i64 {
    ((a << 8) >> 8) as i64
}

/// `mul24`: 9.7.1.5.
pub(super) fn mul24<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Lo, Word::Hi], 1, 3) {
        return Err(sink);
    }
    match (part(form), form.ty(0)) {
        (Some(Part::Low), Some(T::U32)) => Ok(sink.op2(|a: u32, b: u32| (low24(a) * low24(b)) as u32)),
        (Some(Part::Low), Some(T::S32)) => Ok(sink.op2(|a: i32, b: i32| (low24_signed(a) * low24_signed(b)) as u32)),
        (Some(Part::High), Some(T::U32)) => Ok(sink.op2(|a: u32, b: u32| ((low24(a) * low24(b)) >> 16) as u32)),
        (Some(Part::High), Some(T::S32)) => {
            Ok(sink.op2(|a: i32, b: i32| ((low24_signed(a) * low24_signed(b)) >> 16) as u32))
        }
        _ => Err(sink),
    }
}

/// `mad24`: 9.7.1.6.
pub(super) fn mad24<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Lo, Word::Hi, Word::Sat], 1, 4) {
        return Err(sink);
    }
    match (part(form), form.ty(0), form.has(Word::Sat)) {
        (Some(Part::High), Some(T::S32), true) => {
            Ok(sink
                .op3(|a: i32, b: i32, c: i32| (((low24_signed(a) * low24_signed(b)) >> 16) as i32).saturating_add(c)))
        }
        (_, _, true) => Err(sink),
        (Some(Part::Low), Some(T::U32), _) => {
            Ok(sink.op3(|a: u32, b: u32, c: u32| ((low24(a) * low24(b)) as u32).wrapping_add(c)))
        }
        (Some(Part::Low), Some(T::S32), _) => {
            Ok(sink.op3(|a: i32, b: i32, c: u32| ((low24_signed(a) * low24_signed(b)) as u32).wrapping_add(c)))
        }
        (Some(Part::High), Some(T::U32), _) => {
            Ok(sink.op3(|a: u32, b: u32, c: u32| (((low24(a) * low24(b)) >> 16) as u32).wrapping_add(c)))
        }
        (Some(Part::High), Some(T::S32), _) => {
            Ok(sink.op3(|a: i32, b: i32, c: u32| (((low24_signed(a) * low24_signed(b)) >> 16) as u32).wrapping_add(c)))
        }
        _ => Err(sink),
    }
}
