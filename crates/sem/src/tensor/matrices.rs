//! The operands of one multiplication as plain matrices of bit patterns, and the choice of the arithmetic.

use super::double;
use super::float::{self, FloatRule};
use super::integer::{self, BitOperation, IntegerRule};
use warpvm_isa::Rounding;

/// Columns of B that are worked on together. Every shape has a multiple of it.
pub(super) const PANEL: usize = 8;

/// A, B and C, each element in the low bits of a word.
///
/// A row of A has `terms` elements; element `t` of row `i` meets row `index[i * terms + t]` of B. For a dense A that is row `t`.
#[derive(Clone, Debug)]
pub(super) struct Matrices {
    /// Columns of B and C, a multiple of [`PANEL`].
    pub columns: usize,
    /// Elements in a row of A.
    pub terms: usize,
    /// Rows of B.
    pub depth: usize,
    /// A by rows.
    pub left: Vec<u64>,
    /// Which row of B each element of A meets.
    pub index: Vec<u16>,
    /// B by panels of eight columns: rows of eight elements, one panel after the other.
    pub right: Vec<[u64; PANEL]>,
    /// C by rows.
    pub c: Vec<u64>,
}

impl Matrices {
    /// Zero matrices; `depth` is the number of rows of B.
    pub(super) fn new(rows: usize, columns: usize, terms: usize, depth: usize) -> Self {
        Matrices {
            columns,
            terms,
            depth,
            left: vec![0; rows * terms],
            index: (0..rows).flat_map(|_| 0..terms as u16).collect(),
            right: vec![[0; PANEL]; columns / PANEL * depth],
            c: vec![0; rows * columns],
        }
    }

    /// Element of A, by its place in the row.
    pub(super) fn left_mut(&mut self, row: usize, term: usize) -> &mut u64 {
        &mut self.left[row * self.terms + term]
    }

    /// Element of B.
    pub(super) fn right_mut(&mut self, row: usize, column: usize) -> &mut u64 {
        &mut self.right[column / PANEL * self.depth + row][column % PANEL]
    }

    /// Element of C.
    pub(super) fn c_mut(&mut self, row: usize, column: usize) -> &mut u64 {
        &mut self.c[row * self.columns + column]
    }

    /// Element of C, or of D after [`Matrices::multiply`].
    pub(super) fn c(&self, row: usize, column: usize) -> u64 {
        self.c[row * self.columns + column]
    }

    /// Puts D into the place of C.
    pub(super) fn multiply(&mut self, arithmetic: Arithmetic) {
        match arithmetic {
            Arithmetic::Float(rule) => float::multiply(self, &rule),
            Arithmetic::Integer(rule) => integer::multiply(self, rule),
            Arithmetic::Bits(operation) => integer::count_bits(self, operation),
            Arithmetic::Double(rounding) => double::multiply(self, rounding),
        }
    }
}

/// How the elements are multiplied and summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    /// Products of floats, summed in fixed point around the largest one.
    Float(FloatRule),
    /// 32-bit integer sums.
    Integer(IntegerRule),
    /// Counts of bits; an element is a word of 32 of them.
    Bits(BitOperation),
    /// `.f64`: a chain of fused multiply-adds.
    Double(Rounding),
}
