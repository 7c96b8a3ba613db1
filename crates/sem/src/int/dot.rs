//! Dot products of packed bytes and half-words (PTX ISA 9.7.1.24, 9.7.1.25).

use super::shape::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// How a factor is extended to 32 bits.
#[derive(Clone, Copy)]
enum Extend {
    Zero,
    Sign,
}

impl Extend {
    /// The extension of the `n`-th type of a form.
    fn of(form: &Form<'_>, n: usize) -> Option<Self> {
        match form.ty(n)? {
            ScalarType::U32 => Some(Extend::Zero),
            ScalarType::S32 => Some(Extend::Sign),
            _ => None,
        }
    }

    /// The sign bit to flip and subtract: 0 where the extension is with zeros.
    fn sign(self, bits: u32) -> u32 {
        match self {
            Extend::Zero => 0,
            Extend::Sign => 1 << (bits - 1),
        }
    }
}

/// The field of `bits` bits at `shift`, extended.
#[inline(always)]
fn field(a: u32, shift: u32, bits: u32, sign: u32) -> u32 {
    let low = (a >> shift) & ((1 << bits) - 1);
    (low ^ sign).wrapping_sub(sign)
}

/// `dp4a`: 9.7.1.24. The sum wraps.
pub(super) fn dp4a<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let (true, Some(a_type), Some(b_type)) = (is_shaped(form, &[], 2, 4), Extend::of(form, 0), Extend::of(form, 1))
    else {
        return Err(sink);
    };
    let (a_sign, b_sign) = (a_type.sign(8), b_type.sign(8));
    Ok(sink.op3(move |a: u32, b: u32, c: u32| {
        let mut sum = c;
        for shift in [0, 8, 16, 24] {
            sum = sum.wrapping_add(field(a, shift, 8, a_sign).wrapping_mul(field(b, shift, 8, b_sign)));
        }
        sum
    }))
}

/// `dp2a`: 9.7.1.25. `.lo` and `.hi` choose the bytes of `b`.
pub(super) fn dp2a<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let (true, Some(a_type), Some(b_type)) =
        (is_shaped(form, &[Word::Lo, Word::Hi], 2, 4), Extend::of(form, 0), Extend::of(form, 1))
    else {
        return Err(sink);
    };
    let first = match (form.has(Word::Lo), form.has(Word::Hi)) {
        (true, false) => 0,
        (false, true) => 16,
        _ => return Err(sink),
    };
    let (a_sign, b_sign) = (a_type.sign(16), b_type.sign(8));
    Ok(sink.op3(move |a: u32, b: u32, c: u32| {
        let low = field(a, 0, 16, a_sign).wrapping_mul(field(b, first, 8, b_sign));
        let high = field(a, 16, 16, a_sign).wrapping_mul(field(b, first + 8, 8, b_sign));
        c.wrapping_add(low).wrapping_add(high)
    }))
}
