//! The modifiers of floating-point arithmetic, resolved once per instruction.

use warpvm_isa::{Modifier, Rounding, ScalarType, Word};

use super::element::Element;
use super::format::Underflow;
use crate::Form;

/// What happens to a result after rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clamp {
    /// Nothing.
    Keep,
    /// `.sat`: clamped to 0 to 1, NaN to +0.
    Saturate,
    /// `.relu`: negative results become +0.
    Relu,
}

/// The modifiers of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mode {
    /// The rounding that is named, if any.
    pub(crate) rounding: Option<Rounding>,
    /// `.ftz`
    pub(crate) underflow: Underflow,
    /// `.sat`, `.relu`
    pub(crate) clamp: Clamp,
    /// `.oob`
    pub(crate) oob: bool,
}

impl Mode {
    /// Reads the modifiers that are not types; nothing where one is not of this module or is given twice.
    pub(crate) fn of(form: &Form<'_>) -> Option<Self> {
        let mut mode = Mode { rounding: None, underflow: Underflow::Gradual, clamp: Clamp::Keep, oob: false };
        for modifier in form.modifiers {
            let Modifier::Word(word) = *modifier else { return None };
            if ScalarType::from_word(word).is_none() {
                mode = mode.with(word)?;
            }
        }
        Some(mode)
    }

    fn with(self, word: Word) -> Option<Self> {
        match word {
            Word::Rn | Word::Rz | Word::Rm | Word::Rp if self.rounding.is_none() => {
                Some(Mode { rounding: rounding(word), ..self })
            }
            Word::Ftz if !self.is_ftz() => Some(Mode { underflow: Underflow::Flush, ..self }),
            Word::Sat if self.clamp == Clamp::Keep => Some(Mode { clamp: Clamp::Saturate, ..self }),
            Word::Relu if self.clamp == Clamp::Keep => Some(Mode { clamp: Clamp::Relu, ..self }),
            Word::Oob if !self.oob => Some(Mode { oob: true, ..self }),
            _ => None,
        }
    }

    /// Is `.ftz` among them?
    pub(crate) fn is_ftz(self) -> bool {
        self.underflow == Underflow::Flush
    }

    /// The rounding, nearest even where none is named.
    pub(crate) fn round(self) -> Rounding {
        self.rounding.unwrap_or(Rounding::NearestEven)
    }

    /// Is the rounding nearest even?
    pub(crate) fn is_nearest(self) -> bool {
        self.round() == Rounding::NearestEven
    }
}

fn rounding(word: Word) -> Option<Rounding> {
    match word {
        Word::Rn => Some(Rounding::NearestEven),
        Word::Rz => Some(Rounding::Zero),
        Word::Rm => Some(Rounding::Down),
        Word::Rp => Some(Rounding::Up),
        _ => None,
    }
}

impl Clamp {
    /// Applies it, without a branch: a closure may capture the clamp and still become vector code.
    #[inline(always)]
    pub(crate) fn apply<E: Element>(self, x: E) -> E {
        let clamped = E::pick(self == Clamp::Saturate, x.saturate(), x.relu());
        E::pick(self == Clamp::Keep, x, clamped)
    }
}

/// A clamp as a type, for functions that are made once for each.
pub(crate) trait Finish: 'static {
    /// Applies it.
    fn apply<E: Element>(x: E) -> E;
}

/// [`Clamp::Keep`]
pub(crate) enum Keep {}
/// [`Clamp::Saturate`]
pub(crate) enum Saturate {}
/// [`Clamp::Relu`]
pub(crate) enum Relu {}

impl Finish for Keep {
    #[inline(always)]
    fn apply<E: Element>(x: E) -> E {
        x
    }
}

impl Finish for Saturate {
    #[inline(always)]
    fn apply<E: Element>(x: E) -> E {
        x.saturate()
    }
}

impl Finish for Relu {
    #[inline(always)]
    fn apply<E: Element>(x: E) -> E {
        x.relu()
    }
}
