//! Structured sparsity, and `mma.sp` (PTX ISA 9.7.14.6): half of A is zero and not stored, metadata tells which half.
//!
//! A row of A comes in groups: of four elements two are stored, of two `.tf32` one, of eight 4-bit integers two neighbouring
//! pairs. A nibble of metadata describes a group by two indices of two bits (of `.tf32`, the halves of the element). Groups are
//! numbered along the row. In every four lanes that hold rows `g` and `g + 8`, as many as are needed give metadata:
//!
//! - 16- and 32-bit elements: each lane describes four groups of row `g` in its lower half, of row `g + 8` in its upper.
//! - 8- and 4-bit elements: lanes take turns to describe eight groups of row `g` and of row `g + 8`.
//!
//! Elements that A does not have do not count, so that an infinity in B can meet no zero there. The sum is that of a dense product
//! of the stored elements, in one block.

use warpvm_isa::{Opcode, Word};

use super::element::Element;
use super::fragment::{Fragment, LANES, Registers, WarpRegister};
use super::product::{Product, Types, order};
use super::shape::{self, Layout, Shape};
use crate::Form;

/// Metadata of a sparse A.
#[derive(Clone, Copy, Debug)]
pub struct Metadata<'a> {
    /// The register of every lane.
    pub register: &'a WarpRegister,
    /// The sparsity selector: which lanes of every four count.
    pub selector: u32,
}

/// Rows of A that the metadata of a warp describe.
const ROWS: usize = 16;

/// Nibbles in a register.
const NIBBLES: usize = 8;

/// Lanes that hold the same rows.
const GROUP: usize = 4;

/// Where the metadata of a sparse A lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sparsity {
    element: Element,
    /// Lanes of every four that give metadata.
    lanes: usize,
}

impl Sparsity {
    /// For an A of `k` columns, half of them stored.
    pub(super) fn new(element: Element, k: usize) -> Self {
        let columns = match element {
            Element::Tf32 => 2,
            Element::S4 | Element::U4 => 8,
            _ => 4,
        };
        Sparsity { element, lanes: k / columns * ROWS / NIBBLES / (LANES / GROUP) }
    }

    /// Valid values of the selector: those below this.
    pub(super) fn selectors(self) -> u32 {
        (GROUP / self.lanes) as u32
    }

    /// Calls `put` with row, place in the row of the stored A, and column of A.
    pub(super) fn indices(self, metadata: &Metadata<'_>, mut put: impl FnMut(usize, usize, usize)) {
        let first = metadata.selector as usize % GROUP * self.lanes;
        for quad in 0..LANES / GROUP {
            for lane in 0..self.lanes {
                let word = metadata.register[quad * GROUP + (first + lane) % GROUP];
                for n in 0..NIBBLES {
                    let (half, group) = if self.element.bits() >= 16 {
                        (n / 4, lane * 4 + n % 4)
                    } else {
                        (lane % 2, lane / 2 * NIBBLES + n)
                    };
                    let nibble = (word >> (4 * n)) as usize & 15;
                    self.group(group, nibble, |place, column| put(quad + 8 * half, place, column));
                }
            }
        }
    }

    /// Calls `put` with place and column of the elements of a group.
    fn group(self, group: usize, nibble: usize, mut put: impl FnMut(usize, usize)) {
        let indices = [nibble & 3, nibble >> 2];
        match self.element {
            Element::Tf32 => put(group, group * 2 + indices[0] / 2),
            Element::S4 | Element::U4 => {
                for n in 0..4 {
                    put(group * 4 + n, group * 8 + indices[n / 2] * 2 + n % 2);
                }
            }
            _ => {
                put(group * 2, group * 4 + indices[0]);
                put(group * 2 + 1, group * 4 + indices[1]);
            }
        }
    }
}

/// An `mma.sp` or `mma.sp::ordered_metadata` instruction. The chip does the same for both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseMma {
    product: Product,
    sparsity: Sparsity,
}

impl SparseMma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        let [d, a, b, c] = shape::elements(form)[..] else { return None };
        let types = Types { d, a, b, c };
        let shape = Shape::of(form)?;
        let legal = form.opcode == Opcode::Mma
            && (form.has(Word::Sp) || form.has(Word::SpOrderedMetadata))
            && is_sparse_mma(shape, types)
            && shape::layouts(form) == Some((Layout::Row, Layout::Column))
            && shape::has_no_more_than(form, &[Word::Sync, Word::Aligned, Word::Sp, Word::SpOrderedMetadata], a);
        if !legal {
            return None;
        }
        let product = Product::new(form, Shape { k: shape.k / 2, ..shape }, types)?;
        let product = Product { b: Fragment::right(shape.k, shape.n, b), ..product };
        Some(SparseMma { product, sparsity: Sparsity::new(a, shape.k) })
    }

    /// Registers of A.
    pub fn a(&self) -> Registers {
        self.product.a.registers()
    }

    /// Registers of B.
    pub fn b(&self) -> Registers {
        self.product.b.registers()
    }

    /// Registers of C.
    pub fn c(&self) -> Registers {
        self.product.c.registers()
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        self.product.d.registers()
    }

    /// Valid values of the selector: those below this.
    pub fn selectors(&self) -> u32 {
        self.sparsity.selectors()
    }

    /// Multiplies. D is written whole.
    pub fn run(
        &self,
        a: &[WarpRegister],
        b: &[WarpRegister],
        c: &[WarpRegister],
        metadata: Metadata<'_>,
        d: &mut [WarpRegister],
    ) {
        let of_a = self.product.types.a;
        self.product.run((a, b, c), d, |matrices| {
            let terms = matrices.terms;
            self.sparsity.indices(&metadata, |row, term, k| {
                matrices.index[row * terms + order(of_a, terms, term)] = k as u16;
            });
        });
    }
}

/// Does the chip have `mma.sp` of this shape with these types?
fn is_sparse_mma(shape: Shape, Types { d, a, b, c }: Types) -> bool {
    use Element::*;
    match (a, b) {
        (F16, F16) => c == d && matches!(d, F16 | F32) && shape.is_in(&[(16, 8, 16), (16, 8, 32)]),
        (Bf16, Bf16) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 16), (16, 8, 32)]),
        (Tf32, Tf32) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 8), (16, 8, 16)]),
        (E4m3 | E5m2, E4m3 | E5m2) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 64)]),
        (S8 | U8, S8 | U8) => (d, c) == (S32, S32) && shape.is_in(&[(16, 8, 32), (16, 8, 64)]),
        (S4 | U4, S4 | U4) => (d, c) == (S32, S32) && shape.is_in(&[(16, 8, 64), (16, 8, 128)]),
        _ => false,
    }
}
