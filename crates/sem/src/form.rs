//! An instruction form as `sem` sees it: opcode, modifiers and the immediate parts that choose a meaning.

use warpvm_isa::{Modifier, Opcode, Rounding, ScalarType, Word};

/// An instruction without its registers.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// First word.
    pub opcode: Opcode,
    /// Words after dots, in order.
    pub modifiers: &'a [Modifier],
    /// Selectors of the operands in order (destination first), without the dot, e.g. `b0`, `h10`, `b7531`; "" where
    /// there is none. Only video instructions have them.
    pub selectors: &'a [&'a str],
    /// Operands written with a minus (`vmad`), in order, destination first.
    pub negated: &'a [bool],
    /// Number of operands, destination included.
    pub operands: usize,
}

impl Form<'_> {
    /// Is this word among the modifiers?
    pub fn has(&self, word: Word) -> bool {
        self.modifiers.contains(&Modifier::Word(word))
    }

    /// The `n`-th type among the modifiers, from 0.
    pub fn ty(&self, n: usize) -> Option<ScalarType> {
        self.modifiers
            .iter()
            .filter_map(|m| match m {
                Modifier::Word(w) => ScalarType::from_word(*w),
                _ => None,
            })
            .nth(n)
    }

    /// The selector of the `n`-th operand, destination first; "" where there is none.
    pub fn selector(&self, n: usize) -> &str {
        self.selectors.get(n).copied().unwrap_or("")
    }

    /// The fixed words among the modifiers, in order.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.modifiers.iter().filter_map(|m| match m {
            Modifier::Word(w) => Some(*w),
            _ => None,
        })
    }

    /// The rounding that the modifiers name, if any.
    pub fn rounding(&self) -> Option<Rounding> {
        self.words().find_map(|w| match w {
            Word::Rn | Word::Rni => Some(Rounding::NearestEven),
            Word::Rz | Word::Rzi => Some(Rounding::Zero),
            Word::Rm | Word::Rmi => Some(Rounding::Down),
            Word::Rp | Word::Rpi => Some(Rounding::Up),
            Word::Rna => Some(Rounding::NearestAway),
            _ => None,
        })
    }
}
