//! Operations with any rounding, as IEEE 754-2019, sections 5.4 and 7, has them.

use warpvm_isa::Rounding;

use super::element::Element;
use super::exact;
use super::format::{Class, Finite, Underflow};

/// Takes a number apart, after flushing it if asked to.
fn classify<E: Element>(x: E, underflow: Underflow) -> Class {
    let bits = x.to_u64();
    E::FORMAT.classify(if underflow == Underflow::Flush { E::FORMAT.flush(bits) } else { bits })
}

/// Rounds and puts together.
fn finish<E: Element>(x: Finite, rounding: Rounding, underflow: Underflow) -> E {
    E::from_u64(E::FORMAT.round(x, rounding, underflow))
}

fn zero<E: Element>(negative: bool) -> E {
    E::from_u64(E::FORMAT.zero(negative))
}

fn infinite<E: Element>(negative: bool) -> E {
    E::from_u64(E::FORMAT.infinite(negative))
}

/// `a + b`
pub(crate) fn add<E: Element>(a: E, b: E, rounding: Rounding, underflow: Underflow) -> E {
    match (classify(a, underflow), classify(b, underflow)) {
        (_, Class::Nan) => b.quiet(),
        (Class::Nan, _) => a.quiet(),
        (x, y) => add_numbers(x, y, rounding, underflow),
    }
}

/// `a - b`; a NaN keeps its sign.
pub(crate) fn sub<E: Element>(a: E, b: E, rounding: Rounding, underflow: Underflow) -> E {
    let minus_b = if b.is_nan() { b } else { E::from_u64(b.to_u64() ^ E::FORMAT.sign()) };
    add(a, minus_b, rounding, underflow)
}

/// `a * b`
pub(crate) fn mul<E: Element>(a: E, b: E, rounding: Rounding, underflow: Underflow) -> E {
    match (classify(a, underflow), classify(b, underflow)) {
        (_, Class::Nan) => b.quiet(),
        (Class::Nan, _) => a.quiet(),
        (x, y) => match multiply(x, y) {
            Class::Nan => E::INVALID,
            Class::Infinite(negative) => infinite(negative),
            Class::Zero(negative) => zero(negative),
            Class::Finite(product) => finish(product, rounding, underflow),
        },
    }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma<E: Element>(a: E, b: E, c: E, rounding: Rounding, underflow: Underflow) -> E {
    match (classify(a, underflow), classify(b, underflow), classify(c, underflow)) {
        (_, Class::Nan, _) => b.quiet(),
        (_, _, Class::Nan) => c.quiet(),
        (Class::Nan, ..) => a.quiet(),
        (x, y, z) => add_numbers(multiply(x, y), z, rounding, underflow),
    }
}

/// `a / b`
pub(crate) fn div<E: Element>(a: E, b: E, rounding: Rounding, underflow: Underflow) -> E {
    let (x, y) = (classify(a, underflow), classify(b, underflow));
    let negative = a.is_negative() != b.is_negative();
    match (x, y) {
        (Class::Nan, _) => a.quiet(),
        (_, Class::Nan) => b.quiet(),
        (Class::Infinite(_), Class::Infinite(_)) | (Class::Zero(_), Class::Zero(_)) => E::INVALID,
        (Class::Infinite(_), _) | (_, Class::Zero(_)) => infinite(negative),
        (Class::Zero(_), _) | (_, Class::Infinite(_)) => zero(negative),
        (Class::Finite(x), Class::Finite(y)) => finish(exact::divide(x, y), rounding, underflow),
    }
}

/// Square root.
pub(crate) fn sqrt<E: Element>(a: E, rounding: Rounding, underflow: Underflow) -> E {
    match classify(a, underflow) {
        Class::Nan => a.quiet(),
        Class::Zero(negative) => zero(negative),
        Class::Infinite(false) => infinite(false),
        Class::Finite(x) if !x.negative => finish(exact::square_root(x), rounding, underflow),
        Class::Infinite(true) | Class::Finite(_) => E::INVALID,
    }
}

/// The exact product; NaN where it is zero times infinity.
fn multiply(x: Class, y: Class) -> Class {
    match (x, y) {
        (Class::Finite(x), Class::Finite(y)) => Class::Finite(exact::multiply(x, y)),
        (Class::Nan, _)
        | (_, Class::Nan)
        | (Class::Infinite(_), Class::Zero(_))
        | (Class::Zero(_), Class::Infinite(_)) => Class::Nan,
        (Class::Infinite(_), _) | (_, Class::Infinite(_)) => Class::Infinite(is_negative(x) != is_negative(y)),
        (Class::Zero(_), _) | (_, Class::Zero(_)) => Class::Zero(is_negative(x) != is_negative(y)),
    }
}

fn is_negative(x: Class) -> bool {
    match x {
        Class::Nan => false,
        Class::Infinite(negative) | Class::Zero(negative) => negative,
        Class::Finite(x) => x.negative,
    }
}

/// The rounded sum of two numbers, of which the first may be a product that was invalid.
fn add_numbers<E: Element>(x: Class, y: Class, rounding: Rounding, underflow: Underflow) -> E {
    match (x, y) {
        (Class::Nan, _) | (_, Class::Nan) => E::INVALID,
        (Class::Infinite(p), Class::Infinite(q)) if p != q => E::INVALID,
        (Class::Infinite(negative), _) | (_, Class::Infinite(negative)) => infinite(negative),
        (Class::Zero(p), Class::Zero(q)) if p == q => zero(p),
        (Class::Zero(_), Class::Zero(_)) => zero(rounding == Rounding::Down),
        (Class::Finite(x), Class::Zero(_)) | (Class::Zero(_), Class::Finite(x)) => finish(x, rounding, underflow),
        (Class::Finite(x), Class::Finite(y)) => match exact::add(x, y) {
            Some(sum) => finish(sum, rounding, underflow),
            None => zero(rounding == Rounding::Down),
        },
    }
}
