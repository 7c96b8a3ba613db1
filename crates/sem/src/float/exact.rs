//! Exact arithmetic on finite numbers: sums, products, quotients and square roots that are rounded later.
//!
//! A significand has 128 bits and inputs have at most 64, so that whatever falls off the low end lies far below
//! every bit that rounding looks at; it is remembered in the lowest bit.

use super::format::Finite;

/// Adds; nothing where the sum is exactly zero.
pub(crate) fn add(a: Finite, b: Finite) -> Option<Finite> {
    // Two free bits at the top: one for a carry, one to keep both addends comparable as magnitudes.
    const TOP: i32 = 125;
    let (a, b) = (normalize(a, TOP), normalize(b, TOP));
    let (large, small) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let moved = shift_right_sticky(small.significand, (large.exponent - small.exponent) as u32);
    if large.negative == small.negative {
        return Some(Finite { significand: large.significand + moved, ..large });
    }
    let negative = if large.significand >= moved { large.negative } else { small.negative };
    let significand = large.significand.abs_diff(moved);
    (significand != 0).then_some(Finite { negative, significand, ..large })
}

/// Multiplies significands of at most 64 bits.
pub(crate) fn multiply(a: Finite, b: Finite) -> Finite {
    Finite {
        negative: a.negative != b.negative,
        exponent: a.exponent + b.exponent,
        significand: a.significand * b.significand,
    }
}

/// Divides significands of at most 64 bits, to at least 62 bits.
pub(crate) fn divide(a: Finite, b: Finite) -> Finite {
    let (a, b) = (normalize(a, 126), normalize(b, 63));
    let quotient = a.significand / b.significand;
    let sticky = u128::from(a.significand % b.significand != 0);
    Finite { negative: a.negative != b.negative, exponent: a.exponent - b.exponent, significand: quotient | sticky }
}

/// Square root of a positive number, to at least 62 bits.
pub(crate) fn square_root(a: Finite) -> Finite {
    let mut a = normalize(a, 126);
    if a.exponent & 1 != 0 {
        a.exponent -= 1;
        a.significand <<= 1;
    }
    let root = a.significand.isqrt();
    let sticky = u128::from(root * root != a.significand);
    Finite { negative: false, exponent: a.exponent / 2, significand: root | sticky }
}

/// Shifts so that the highest set bit is bit `top`; nothing may fall off, which holds for values of fewer bits.
fn normalize(x: Finite, top: i32) -> Finite {
    let shift = top - (127 - x.significand.leading_zeros() as i32);
    Finite { exponent: x.exponent - shift, significand: x.significand << shift, ..x }
}

/// Shifts right; the lowest bit also tells whether anything fell off.
fn shift_right_sticky(value: u128, shift: u32) -> u128 {
    if shift > 127 {
        return u128::from(value != 0);
    }
    let kept = value >> shift;
    kept | u128::from(kept << shift != value)
}
