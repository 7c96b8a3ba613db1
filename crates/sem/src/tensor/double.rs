//! `.f64` products: a chain of fused multiply-adds in order of k, each rounded as the instruction says.

use super::matrices::{Matrices, PANEL};
use crate::float::element::Element;
use crate::float::format::Underflow;
use crate::float::soft;
use warpvm_isa::Rounding;

/// Puts D into the place of C.
pub(super) fn multiply(matrices: &mut Matrices, rounding: Rounding) {
    let depth = matrices.depth;
    let Matrices { columns, terms, left, index, right, c, .. } = matrices;
    for (n, c) in c.iter_mut().enumerate() {
        let (row, column) = (n / *columns, n % *columns);
        let right = &right[column / PANEL * depth..][..depth];
        let row = row * *terms..(row + 1) * *terms;
        let terms = left[row.clone()].iter().zip(&index[row]);
        let sum = terms.fold(f64::from_bits(*c), |sum, (&a, &k)| {
            fma(f64::from_bits(a), f64::from_bits(right[k as usize][column % PANEL]), sum, rounding)
        });
        *c = sum.to_bits();
    }
}

fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::NearestEven => Element::fma(a, b, c),
        _ => soft::fma(a, b, c, rounding, Underflow::Gradual),
    }
}
