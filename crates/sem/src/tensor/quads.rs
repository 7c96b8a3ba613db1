//! `mma.m8n8k4` of `.f16` (PTX ISA 9.7.14.5.1): four products of 8x8x4, one for each pair of four lanes.
//!
//! The chip has no such instruction any more; the vendor's assembler makes a routine of `.f32` arithmetic of it, each step to
//! nearest even. With C and D in `.f32`, or C widened to it, the products are summed from zero in order of k, and then
//! added to C. With both in `.f16` it is `(c + (a0 b0 + a1 b1)) + (a2 b2 + a3 b3)`, rounded to `.f16` in the end.

use warpvm_isa::Word;

use super::element::Element;
use super::fragment::{LANES, Registers, WarpRegister};
use super::shape::{self, Layout, Shape};
use crate::Form;
use crate::float::element::{Element as _, F16};

/// Number of products.
const QUADS: usize = 4;
/// Rows and columns of C and D.
const SIDE: usize = 8;
/// Columns of A, rows of B.
const DEPTH: usize = 4;

/// An `mma.m8n8k4` of `.f16`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct QuadMma {
    a: Layout,
    b: Layout,
    c: Element,
    d: Element,
}

/// The matrices of one product.
#[derive(Clone, Copy, Default)]
struct Product {
    a: [[f32; DEPTH]; SIDE],
    /// By columns.
    b: [[f32; DEPTH]; SIDE],
    c: [[f32; SIDE]; SIDE],
}

/// Where a lane stands: its product, its place in its four lanes, and the first of its rows or columns.
struct Seat {
    quad: usize,
    member: usize,
    first: usize,
}

impl Seat {
    fn of(lane: usize) -> Self {
        Seat { quad: lane / 4 % QUADS, member: lane % 4, first: lane / 16 * 4 }
    }

    /// Row and column of an element of C or D.
    fn result(&self, element: Element, register: usize, n: usize) -> (usize, usize) {
        let Seat { member, first, .. } = *self;
        if element == Element::F16 {
            return (first + member, register * 2 + n);
        }
        (first + member % 2 + register / 2 % 2 * 2, register / 4 * 4 + member / 2 * 2 + register % 2)
    }
}

impl QuadMma {
    /// The instruction that a form names, if the chip has it.
    pub(super) fn from_form(form: &Form<'_>, shape: Shape) -> Option<Self> {
        let [d, Element::F16, Element::F16, c] = shape::elements(form)[..] else { return None };
        let half_or_single = |element| matches!(element, Element::F16 | Element::F32);
        let legal = half_or_single(c) && half_or_single(d) && (c, d) != (Element::F32, Element::F16);
        let (a, b) = shape::layouts(form)?;
        let known = shape::has_no_more_than(form, &[Word::Sync, Word::Aligned], Element::F16);
        (legal && known && shape.is_in(&[(SIDE, SIDE, DEPTH)])).then_some(QuadMma { a, b, c, d })
    }

    /// Registers of A, and of B.
    pub(super) const FACTOR: Registers = Registers { count: 2, bits: 32 };

    /// Registers of C.
    pub(super) fn c(self) -> Registers {
        Registers { count: SIDE / self.c.per_register(), bits: 32 }
    }

    /// Registers of D.
    pub(super) fn d(self) -> Registers {
        Registers { count: SIDE / self.d.per_register(), bits: 32 }
    }

    /// Multiplies. D is written whole.
    pub(super) fn run(self, a: &[WarpRegister], b: &[WarpRegister], c: &[WarpRegister], d: &mut [WarpRegister]) {
        let mut products = [Product::default(); QUADS];
        for lane in 0..LANES {
            let seat = Seat::of(lane);
            let product = &mut products[seat.quad];
            for n in 0..DEPTH {
                let (row, k) = if self.a == Layout::Row { (seat.member, n) } else { (n, seat.member) };
                product.a[seat.first + row][k] = half(a[n / 2][lane], n % 2);
                let (column, k) = if self.b == Layout::Column { (seat.member, n) } else { (n, seat.member) };
                product.b[seat.first + column][k] = half(b[n / 2][lane], n % 2);
            }
            for (register, row) in c.iter().enumerate() {
                for n in 0..self.c.per_register() {
                    let (i, j) = seat.result(self.c, register, n);
                    product.c[i][j] =
                        if self.c == Element::F16 { half(row[lane], n) } else { f32::from_bits(row[lane] as u32) };
                }
            }
        }
        for (register, row) in d.iter_mut().enumerate() {
            for (lane, word) in row.iter_mut().enumerate() {
                let seat = Seat::of(lane);
                *word = (0..self.d.per_register()).fold(0, |word, n| {
                    let (i, j) = seat.result(self.d, register, n);
                    let Product { a, b, c } = &products[seat.quad];
                    word | self.element(a[i], b[j], c[i][j]) << (16 * n)
                });
            }
        }
    }

    /// An element of D.
    fn element(self, a: [f32; DEPTH], b: [f32; DEPTH], c: f32) -> u64 {
        if self.d == Element::F16 {
            let first = a[1].mul_add(b[1], a[0] * b[0]);
            let second = a[3].mul_add(b[3], a[2] * b[2]);
            return u64::from(F16::round(c + first + second).0);
        }
        let sum = a.iter().zip(b).fold(0.0, |sum, (a, b)| a.mul_add(b, sum));
        u64::from(sum.add(c).to_bits())
    }
}

/// A half of a register.
fn half(word: u64, n: usize) -> f32 {
    F16((word >> (16 * n)) as u16).widen()
}
