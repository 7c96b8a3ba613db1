//! `cvt.pack`: two integers are clamped and packed below each other, with the rest of the register from a third.

use warpvm_isa::{Modifier, Word};

use crate::{Form, Sink};

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let [
        Modifier::Word(Word::Pack),
        Modifier::Word(Word::Sat),
        Modifier::Word(to),
        Modifier::Word(Word::S32),
        rest @ ..,
    ] = form.modifiers
    else {
        return Err(sink);
    };
    let Some(field) = Field::of(*to) else { return Err(sink) };
    match (rest, field.bits, form.operands) {
        ([], 16, 3) => Ok(sink.op2(move |a: i32, b: i32| field.pack(a, b))),
        ([Modifier::Word(Word::B32)], 2..=8, 4) => {
            Ok(sink.op3(move |a: i32, b: i32, c: u32| c << (2 * field.bits) | field.pack(a, b)))
        }
        _ => Err(sink),
    }
}

/// The range of the packed type.
#[derive(Clone, Copy, Debug)]
struct Field {
    bits: u32,
    min: i32,
    max: i32,
}

impl Field {
    fn of(ty: Word) -> Option<Self> {
        let (bits, signed) = match ty {
            Word::U2 => (2, false),
            Word::U4 => (4, false),
            Word::U8 => (8, false),
            Word::U16 => (16, false),
            Word::S2 => (2, true),
            Word::S4 => (4, true),
            Word::S8 => (8, true),
            Word::S16 => (16, true),
            _ => return None,
        };
        Some(if signed {
            Field { bits, min: -1 << (bits - 1), max: (1 << (bits - 1)) - 1 }
        } else {
            Field { bits, min: 0, max: (1 << bits) - 1 }
        })
    }

    /// `a` above `b`.
    #[inline(always)]
    fn pack(self, a: i32, b: i32) -> u32 {
        let mask = (1 << self.bits) - 1;
        let one = |x: i32| x.clamp(self.min, self.max) as u32 & mask;
        one(a) << self.bits | one(b)
    }
}
