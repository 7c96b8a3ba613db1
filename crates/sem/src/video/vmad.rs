//! `vmad` (PTX ISA 9.7.16.6): product of two selected fields plus a word, negated, scaled and saturated.
//!
//! The chip differs from the manual here too; see the documentation of [`super`].

use super::select::{Select, is_signed};
use crate::int::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::Word;

/// A form of `vmad`, resolved.
#[derive(Clone, Copy)]
struct MultiplyAdd {
    a: Select,
    b: Select,
    /// All ones where the product is complemented, else 0.
    product_flip: i64,
    /// The same for the addend.
    addend_flip: u32,
    /// Added at the end: completes a negation, or is the 1 of `.po`.
    one: i64,
    shift: u32,
    /// The bits that are left of an unsigned sum when it is shifted; all of a signed one.
    shifted_mask: i64,
    low: i64,
    high: i64,
}

/// The forms of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match MultiplyAdd::of(form) {
        Some(resolved) => Ok(sink.op3(move |a: u32, b: u32, c: u32| resolved.apply(a, b, c))),
        None => Err(sink),
    }
}

impl MultiplyAdd {
    fn of(form: &Form<'_>) -> Option<Self> {
        // The destination type only has to be one of the two: the result has the type of its operands.
        is_signed(form.ty(0))?;
        let (a_signed, b_signed) = (is_signed(form.ty(1))?, is_signed(form.ty(2))?);
        let is_negated = |n: usize| form.negated.get(n).copied().unwrap_or(false);
        let (product_negated, addend_negated) = (is_negated(1) != is_negated(2), is_negated(3));
        let plus_one = form.has(Word::Po);
        let shift = match (form.has(Word::Shr7), form.has(Word::Shr15)) {
            (false, false) => 0,
            (true, false) => 7,
            (false, true) => 15,
            (true, true) => return None,
        };
        let is_legal = is_shaped(form, &[Word::Po, Word::Sat, Word::Shr7, Word::Shr15], 3, 4)
            && !(product_negated && addend_negated)
            && !(plus_one && form.negated.contains(&true))
            && form.selector(0).is_empty()
            && form.selector(3).is_empty();
        let signed = a_signed || b_signed || product_negated || addend_negated;
        let (low, high) = match (form.has(Word::Sat), signed) {
            (false, _) => (i64::MIN, i64::MAX),
            (true, true) => (i32::MIN.into(), i32::MAX.into()),
            (true, false) => (0, u32::MAX.into()),
        };
        is_legal.then_some(Self {
            a: Select::scalar(form.selector(1), a_signed)?,
            b: Select::scalar(form.selector(2), b_signed)?,
            product_flip: -(product_negated as i64),
            addend_flip: if addend_negated { u32::MAX } else { 0 },
            one: (plus_one || product_negated || addend_negated) as i64,
            shift,
            shifted_mask: if signed { -1 } else { (u64::MAX >> shift) as i64 },
            low,
            high,
        })
    }

    #[inline(always)]
    fn apply(self, a: u32, b: u32, c: u32) -> u32 {
        let word = |field: i64| field as i32 as i64;
        let product = word(self.a.of(a)) * word(self.b.of(b));
        let addend = word((c ^ self.addend_flip) as i64);
        let sum = (product ^ self.product_flip) + addend + self.one;
        let scaled = (sum >> self.shift) & self.shifted_mask;
        scaled.max(self.low).min(self.high) as u32
    }
}
