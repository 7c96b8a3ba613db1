//! The middle step of a video instruction: the operation on two extended values.
//!
//! Sources are 33-bit signed values at most, so every result but that of a left shift fits into 34 bits; a left shift
//! keeps 64.

use crate::Form;
use warpvm_isa::{Opcode, ScalarType, Word};

/// An operation of a scalar or SIMD video instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Operation {
    Add,
    Sub,
    AbsDiff,
    Average,
    Min,
    Max,
    ShiftLeft(Amount),
    ShiftRight(Amount),
    Compare(Comparison),
}

/// What becomes of a shift amount of 32 or more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Amount {
    Clamp,
    Wrap,
}

/// The comparison of `vset`; true is 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Receives an operation as a function.
pub(super) trait Receiver {
    /// What becomes of it.
    type Out;
    /// Takes the function.
    fn receive(self, f: impl Fn(i64, i64) -> i64 + Copy + Send + Sync + 'static) -> Self::Out;
}

impl Operation {
    /// The operation of a form, and the words among the modifiers that name it.
    pub(super) fn of(form: &Form<'_>) -> Option<(Self, Option<Word>)> {
        use Opcode as O;
        let plain = match form.opcode {
            O::Vadd | O::Vadd2 | O::Vadd4 => Self::Add,
            O::Vsub | O::Vsub2 | O::Vsub4 => Self::Sub,
            O::Vabsdiff | O::Vabsdiff2 | O::Vabsdiff4 => Self::AbsDiff,
            O::Vavrg2 | O::Vavrg4 => Self::Average,
            O::Vmin | O::Vmin2 | O::Vmin4 => Self::Min,
            O::Vmax | O::Vmax2 | O::Vmax4 => Self::Max,
            O::Vshl | O::Vshr | O::Vset | O::Vset2 | O::Vset4 => return Self::named_by_word(form),
            _ => return None,
        };
        Some((plain, None))
    }

    /// A shift or comparison: the first word that says which.
    fn named_by_word(form: &Form<'_>) -> Option<(Self, Option<Word>)> {
        form.words().filter(|word| ScalarType::from_word(*word).is_none()).find_map(|word| {
            let operation = match (form.opcode, word) {
                (Opcode::Vshl, Word::Clamp) => Self::ShiftLeft(Amount::Clamp),
                (Opcode::Vshl, Word::Wrap) => Self::ShiftLeft(Amount::Wrap),
                (Opcode::Vshr, Word::Clamp) => Self::ShiftRight(Amount::Clamp),
                (Opcode::Vshr, Word::Wrap) => Self::ShiftRight(Amount::Wrap),
                (Opcode::Vshl | Opcode::Vshr, _) => return None,
                (_, Word::Eq) => Self::Compare(Comparison::Eq),
                (_, Word::Ne) => Self::Compare(Comparison::Ne),
                (_, Word::Lt) => Self::Compare(Comparison::Lt),
                (_, Word::Le) => Self::Compare(Comparison::Le),
                (_, Word::Gt) => Self::Compare(Comparison::Gt),
                (_, Word::Ge) => Self::Compare(Comparison::Ge),
                _ => return None,
            };
            Some((operation, Some(word)))
        })
    }

    /// Is it `vshl` or `vshr`?
    pub(super) fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft(_) | Self::ShiftRight(_))
    }

    /// Hands the operation to `receiver`.
    pub(super) fn deliver<R: Receiver>(self, receiver: R) -> R::Out {
        match self {
            Self::Add => receiver.receive(|a, b| a + b),
            Self::Sub => receiver.receive(|a, b| a - b),
            Self::AbsDiff => receiver.receive(|a, b| (a - b).abs()),
            Self::Average => receiver.receive(average),
            Self::Min => receiver.receive(Ord::min),
            Self::Max => receiver.receive(Ord::max),
            Self::ShiftLeft(Amount::Clamp) => receiver.receive(|a, n| a << n.min(32)),
            Self::ShiftLeft(Amount::Wrap) => receiver.receive(|a, n| a << (n & 31)),
            Self::ShiftRight(Amount::Clamp) => receiver.receive(|a, n| a >> n.min(32)),
            Self::ShiftRight(Amount::Wrap) => receiver.receive(|a, n| a >> (n & 31)),
            Self::Compare(Comparison::Eq) => receiver.receive(|a, b| (a == b) as i64),
            Self::Compare(Comparison::Ne) => receiver.receive(|a, b| (a != b) as i64),
            Self::Compare(Comparison::Lt) => receiver.receive(|a, b| (a < b) as i64),
            Self::Compare(Comparison::Le) => receiver.receive(|a, b| (a <= b) as i64),
            Self::Compare(Comparison::Gt) => receiver.receive(|a, b| (a > b) as i64),
            Self::Compare(Comparison::Ge) => receiver.receive(|a, b| (a >= b) as i64),
        }
    }
}

/// The mean, rounded away from zero.
#[inline(always)]
fn average(a: i64, b: i64) -> i64 {
    let sum = a + b;
    (sum + (sum >= 0) as i64) >> 1
}
