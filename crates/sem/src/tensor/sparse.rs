//! Structured sparsity (PTX ISA 9.7.14.6): half of A is zero and not stored, metadata tells which half.

use super::element::Element;
use super::fragment::{LANES, WarpRegister};

/// Metadata of a sparse A.
#[derive(Clone, Copy, Debug)]
pub struct Metadata<'a> {
    /// The register of every lane.
    pub register: &'a WarpRegister,
    /// Which lanes of every four count (`f`, the sparsity selector).
    pub selector: u32,
}

/// Rows of A that the metadata of a warp covers.
const ROWS: usize = 16;

/// Nibbles in a register.
const NIBBLES: usize = 8;

/// Where the metadata of a sparse A lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sparsity {
    element: Element,
    /// Lanes of every four that hold metadata.
    lanes: usize,
}

impl Sparsity {
    /// For an A of `k` columns, half of them stored.
    pub(super) fn new(element: Element, k: usize) -> Self {
        let bits = k / Self::group(element) * ROWS * 4;
        Sparsity { element, lanes: bits / (LANES / 4) / 32 }
    }

    /// Columns of A that one nibble covers.
    fn group(element: Element) -> usize {
        match element {
            Element::Tf32 => 2,
            Element::S4 | Element::U4 => 8,
            _ => 4,
        }
    }

    /// Number of valid selectors.
    pub(super) fn selectors(self) -> u32 {
        4 / self.lanes as u32
    }

    /// Calls `put` with row, place in the row of the stored A, and column of A.
    pub(super) fn indices(self, metadata: &Metadata<'_>, mut put: impl FnMut(usize, usize, usize)) {
        let group = Self::group(self.element);
        for quad in 0..LANES / 4 {
            for lane in 0..self.lanes {
                let word = metadata.register[quad * 4 + (metadata.selector as usize * self.lanes + lane) % 4];
                for n in 0..NIBBLES {
                    let nibble = (word >> (4 * n)) as usize & 15;
                    let (half, at) = if self.element.bits() >= 16 {
                        (n / 4, lane * 4 + n % 4)
                    } else {
                        (lane % 2, lane / 2 * NIBBLES + n)
                    };
                    let row = quad + 8 * half;
                    let (first, second) = (nibble & 3, nibble >> 2);
                    match self.element {
                        Element::Tf32 => put(row, at, at * 2 + first / 2),
                        Element::S4 | Element::U4 => {
                            for (place, pair) in [first, second].into_iter().enumerate() {
                                put(row, at * 4 + place * 2, at * 8 + pair * 2);
                                put(row, at * 4 + place * 2 + 1, at * 8 + pair * 2 + 1);
                            }
                        }
                        _ => {
                            put(row, at * 2, at * group + first);
                            put(row, at * 2 + 1, at * group + second);
                        }
                    }
                }
            }
        }
    }
}
