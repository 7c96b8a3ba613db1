//! The modifiers of `cvt`, taken apart once per instruction.

use warpvm_isa::{Modifier, Rounding, Word};

use crate::Form;

/// A `cvt` with its types and its other modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The type of the result.
    pub(super) to: Word,
    /// The type of the source.
    pub(super) from: Word,
    /// Everything else.
    pub(super) mode: Mode,
}

/// The modifiers that are not types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mode {
    /// `.rn` to `.rp`, `.rni` to `.rpi`, `.rna`, `.rs`.
    pub(super) rounding: Option<Word>,
    /// `.ftz`
    pub(super) ftz: bool,
    /// `.sat`
    pub(super) sat: bool,
    /// `.relu`
    pub(super) relu: bool,
    /// `.satfinite`
    pub(super) satfinite: bool,
}

impl Conversion {
    /// Reads the modifiers; nothing where one is unknown or given twice, or where there are not two types.
    pub(super) fn of(form: &Form<'_>) -> Option<Self> {
        let mut mode = Mode::default();
        let (mut to, mut from) = (None, None);
        for modifier in form.modifiers {
            let Modifier::Word(word) = *modifier else { return None };
            let flag = match word {
                Word::Ftz => &mut mode.ftz,
                Word::Sat => &mut mode.sat,
                Word::Relu => &mut mode.relu,
                Word::Satfinite => &mut mode.satfinite,
                _ if is_rounding(word) => {
                    if mode.rounding.replace(word).is_some() {
                        return None;
                    }
                    continue;
                }
                _ => {
                    let place = if to.is_none() { &mut to } else { &mut from };
                    if place.replace(word).is_some() {
                        return None;
                    }
                    continue;
                }
            };
            if std::mem::replace(flag, true) {
                return None;
            }
        }
        Some(Conversion { to: to?, from: from?, mode })
    }
}

impl Mode {
    /// `.rn`, `.rz`, `.rm` or `.rp`.
    pub(super) fn float_rounding(self) -> Option<Rounding> {
        match self.rounding? {
            Word::Rn => Some(Rounding::NearestEven),
            Word::Rz => Some(Rounding::Zero),
            Word::Rm => Some(Rounding::Down),
            Word::Rp => Some(Rounding::Up),
            _ => None,
        }
    }

    /// `.rni`, `.rzi`, `.rmi` or `.rpi`.
    pub(super) fn integer_rounding(self) -> Option<Rounding> {
        match self.rounding? {
            Word::Rni => Some(Rounding::NearestEven),
            Word::Rzi => Some(Rounding::Zero),
            Word::Rmi => Some(Rounding::Down),
            Word::Rpi => Some(Rounding::Up),
            _ => None,
        }
    }

    /// Are there no modifiers but a rounding, `.relu` and `.satfinite`?
    pub(super) fn only_clamps(self) -> bool {
        !self.ftz && !self.sat
    }
}

fn is_rounding(word: Word) -> bool {
    use Word::{Rm, Rmi, Rn, Rna, Rni, Rp, Rpi, Rs, Rz, Rzi};
    matches!(word, Rn | Rz | Rm | Rp | Rni | Rzi | Rmi | Rpi | Rna | Rs)
}
