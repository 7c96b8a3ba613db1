//! What the words of a matrix instruction say: shape, layouts, element types, arithmetic.

use warpvm_isa::{Modifier, Rounding, Word};

use super::element::Element;
use super::integer::{BitOperation, Overflow};
use crate::Form;

/// Size of a matrix product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// Rows of A, C and D.
    pub m: usize,
    /// Columns of B, C and D.
    pub n: usize,
    /// Columns of A, rows of B.
    pub k: usize,
}

impl Shape {
    /// The shape among the modifiers.
    pub(super) fn of(form: &Form<'_>) -> Option<Self> {
        form.modifiers.iter().find_map(|modifier| match *modifier {
            Modifier::Shape { m, n, k } => Some(Shape { m: m.into(), n: n.into(), k: k.into() }),
            _ => None,
        })
    }

    /// Is it one of these?
    pub(super) fn is_in(self, list: &[(usize, usize, usize)]) -> bool {
        list.contains(&(self.m, self.n, self.k))
    }
}

/// In which direction a matrix is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Layout {
    /// `.row`: a row is contiguous.
    Row,
    /// `.col`: a column is contiguous.
    Column,
}

/// The layouts among the modifiers, in order.
pub(super) fn each_layout(form: &Form<'_>) -> Vec<Layout> {
    let layout = |word| match word {
        Word::Row => Some(Layout::Row),
        Word::Col => Some(Layout::Column),
        _ => None,
    };
    form.words().filter_map(layout).collect()
}

/// The layouts of A and B, if there are just these two.
pub(super) fn layouts(form: &Form<'_>) -> Option<(Layout, Layout)> {
    match each_layout(form)[..] {
        [a, b] => Some((a, b)),
        _ => None,
    }
}

/// The element types among the modifiers, in order.
pub(super) fn elements(form: &Form<'_>) -> Vec<Element> {
    form.words().filter_map(Element::from_word).collect()
}

/// Are all words of the form known: these, layouts, types, and what belongs to products of `element`?
pub(super) fn has_no_more_than(form: &Form<'_>, words: &[Word], element: Element) -> bool {
    use Element::*;
    form.modifiers.iter().all(|modifier| match modifier {
        Modifier::Shape { .. } => true,
        Modifier::Number(_) => false,
        Modifier::Word(word) => match word {
            Word::Row | Word::Col => true,
            Word::Satfinite => matches!(element, S8 | U8 | S4 | U4) || words.contains(word),
            Word::Rn | Word::Rz | Word::Rm | Word::Rp => element == F64,
            Word::And | Word::Xor | Word::Popc => element == B1,
            word => words.contains(word) || Element::from_word(*word).is_some(),
        },
    })
}

/// What becomes of integer sums that do not fit.
pub(super) fn overflow(form: &Form<'_>) -> Overflow {
    if form.has(Word::Satfinite) { Overflow::Saturate } else { Overflow::Wrap }
}

/// How single bits are joined.
pub(super) fn bit_operation(form: &Form<'_>) -> Option<BitOperation> {
    match (form.has(Word::Popc), form.has(Word::And), form.has(Word::Xor)) {
        (true, true, false) => Some(BitOperation::And),
        (true, false, true) => Some(BitOperation::Xor),
        _ => None,
    }
}

/// Rounding of `.f64` products.
pub(super) fn rounding(form: &Form<'_>) -> Rounding {
    form.rounding().unwrap_or(Rounding::NearestEven)
}

/// The type as which elements lie in matrices: single bits stay together, 32 of them.
pub(super) const fn unit(element: Element) -> Element {
    if matches!(element, Element::B1) { Element::S32 } else { element }
}

/// Number of units in a line of `k` elements.
pub(super) const fn units(element: Element, k: usize) -> usize {
    if matches!(element, Element::B1) { k / 32 } else { k }
}
