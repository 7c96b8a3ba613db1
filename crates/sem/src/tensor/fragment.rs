//! Which lane and register holds which element of a matrix (PTX ISA 9.7.14.5, matrix fragments for `mma`).
//!
//! All shapes follow one rule. Eight groups of four lanes hold eight rows of A, C and D, and eight columns of B; inside a
//! group the lanes hold consecutive registers full of elements. Further registers hold the same eight rows lower down, then
//! the columns further on.

/// Row and column of an element of A with 8 or 16 rows; `per` elements a register.
pub(super) const fn left(rows: usize, per: usize, register: usize, lane: usize, element: usize) -> (usize, usize) {
    let halves = rows / 8;
    let column = (lane % 4 + 4 * (register / halves)) * per + element;
    (lane / 4 + 8 * (register % halves), column)
}

/// Row and column of an element of B with 8 columns.
pub(super) const fn right(per: usize, register: usize, lane: usize, element: usize) -> (usize, usize) {
    ((lane % 4 + 4 * register) * per + element, lane / 4)
}

/// Row and column of an element of C or D with 8 or 16 rows: two neighbours, then the lower rows, then eight columns on.
pub(super) const fn result(rows: usize, per: usize, register: usize, lane: usize, element: usize) -> (usize, usize) {
    let n = register * per + element;
    let (pair, side) = (n / 2, n % 2);
    let halves = rows / 8;
    (lane / 4 + 8 * (pair % halves), 8 * (pair / halves) + 2 * (lane % 4) + side)
}
