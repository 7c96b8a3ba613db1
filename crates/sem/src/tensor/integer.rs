//! Integer and single-bit products (PTX ISA 9.7.14.5.14): exact sums, reduced to 32 bits once, at the end.

use super::element::Element;
use super::matrices::{Matrices, PANEL};

/// What happens where the sum does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Overflow {
    /// The low 32 bits stay.
    Wrap,
    /// `.satfinite`: the nearest 32-bit integer.
    Saturate,
}

/// Types of A and B, and the handling of overflow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct IntegerRule {
    /// Type of A.
    pub a: Element,
    /// Type of B.
    pub b: Element,
    /// `.satfinite` or not.
    pub overflow: Overflow,
}

/// How two single bits are joined before they are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum BitOperation {
    And,
    Xor,
}

/// Puts D into the place of C.
pub(super) fn multiply(matrices: &mut Matrices, rule: IntegerRule) {
    let depth = matrices.depth;
    let left: Vec<i32> = matrices.left.iter().map(|&x| widen(rule.a, x)).collect();
    let right: Vec<[i32; PANEL]> = matrices.right.iter().map(|row| row.map(|x| widen(rule.b, x))).collect();
    each_strip(matrices, |row, panel, index, c| {
        let left = &left[row * index.len()..][..index.len()];
        let right = &right[panel * depth..][..depth];
        // At most 256 products of 16 bits: no overflow here.
        let mut sums = [0i32; PANEL];
        for (&a, &k) in left.iter().zip(index) {
            let b = &right[k as usize];
            for j in 0..PANEL {
                sums[j] += a * b[j];
            }
        }
        for (c, sum) in c.iter_mut().zip(sums) {
            *c = u64::from(add(*c as i32, sum, rule.overflow) as u32);
        }
    });
}

/// Puts D into the place of C, where an element is a word of 32 single bits.
pub(super) fn count_bits(matrices: &mut Matrices, operation: BitOperation) {
    let depth = matrices.depth;
    let (left, right) = (matrices.left.clone(), matrices.right.clone());
    each_strip(matrices, |row, panel, index, c| {
        let left = &left[row * index.len()..][..index.len()];
        let right = &right[panel * depth..][..depth];
        for (j, c) in c.iter_mut().enumerate() {
            let count = |(&a, &k): (&u64, &u16)| match operation {
                BitOperation::And => (a & right[k as usize][j]).count_ones(),
                BitOperation::Xor => (a ^ right[k as usize][j]).count_ones(),
            };
            let sum: u32 = left.iter().zip(index).map(count).sum();
            *c = u64::from((*c as u32).wrapping_add(sum));
        }
    });
}

/// Calls `work` with row, panel, the row's index and the eight elements of C.
fn each_strip(matrices: &mut Matrices, work: impl Fn(usize, usize, &[u16], &mut [u64])) {
    let Matrices { columns, terms, index, c, .. } = matrices;
    for (n, strip) in c.chunks_exact_mut(PANEL).enumerate() {
        let row = n / (*columns / PANEL);
        let panel = n % (*columns / PANEL);
        work(row, panel, &index[row * *terms..][..*terms], strip);
    }
}

/// The value of an element.
fn widen(element: Element, bits: u64) -> i32 {
    match element {
        Element::S8 => i32::from(bits as i8),
        Element::S4 => (bits as i32) << 28 >> 28,
        _ => bits as i32,
    }
}

fn add(c: i32, sum: i32, overflow: Overflow) -> i32 {
    match overflow {
        Overflow::Wrap => c.wrapping_add(sum),
        Overflow::Saturate => c.saturating_add(sum),
    }
}
