//! `fma.oob` (PTX ISA 9.7.4.4).

use super::element::Element;

/// `a * b + c`
#[inline(always)]
pub(super) fn fma<E: Element>(a: E, b: E, c: E) -> E {
    a.fma(b, c)
}
