//! What the words of a matrix instruction say: shape, element types, arithmetic.

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

/// The element types among the modifiers, in order.
pub(super) fn elements(form: &Form<'_>) -> Vec<Element> {
    form.words().filter_map(Element::from_word).collect()
}

/// What becomes of integer sums that do not fit.
pub(super) fn overflow(form: &Form<'_>) -> Overflow {
    if form.has(Word::Satfinite) { Overflow::Saturate } else { Overflow::Wrap }
}

/// How single bits are joined.
pub(super) fn bit_operation(form: &Form<'_>) -> Option<BitOperation> {
    if !form.has(Word::Popc) {
        return None;
    }
    match (form.has(Word::And), form.has(Word::Xor)) {
        (true, false) => Some(BitOperation::And),
        (false, true) => Some(BitOperation::Xor),
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
