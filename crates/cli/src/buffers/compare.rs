//! `--expect NAME=SOURCE`: a buffer against what it should hold.

use super::Held;
use crate::element::ElementType;
use warpvm_report::{Diagnostic, Kind, NoteKind, Severity};

/// How far a float may be off. Bits are compared where this is `None`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// In proportion to the expected value.
    pub relative: f64,
    /// Whatever the value.
    pub absolute: f64,
}

/// An element that is not as expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its index.
    pub index: usize,
    /// The bits expected.
    pub expected: u64,
    /// The bits found.
    pub actual: u64,
}

/// The elements that differ. Both have whole elements and the same size.
pub fn differences(ty: ElementType, expected: &[u8], actual: &[u8], tolerance: Option<Tolerance>) -> Vec<Difference> {
    let pairs = ty.elements(expected).zip(ty.elements(actual)).enumerate();
    pairs
        .filter(|&(_, (expected, actual))| !equal(ty, expected, actual, tolerance))
        .map(|(index, (expected, actual))| Difference { index, expected, actual })
        .collect()
}

fn equal(ty: ElementType, expected: u64, actual: u64, tolerance: Option<Tolerance>) -> bool {
    if expected == actual {
        return true;
    }
    let Some(tolerance) = tolerance else { return false };
    let (expected, actual) = (ty.value(expected), ty.value(actual));
    // Any NaN stands for any other; an infinity only for itself.
    (expected.is_nan() && actual.is_nan())
        || expected == actual
        || (expected.is_finite()
            && (expected - actual).abs() <= tolerance.absolute + tolerance.relative * expected.abs())
}

/// How many differences are listed.
const LISTED: usize = 10;

/// Compares a buffer with what it should hold, named `reference`; `None` where it holds just that.
pub fn compare(buffer: &Held, expected: &[u8], reference: &str, tolerance: Option<Tolerance>) -> Option<Diagnostic> {
    let name = &buffer.name;
    let (count, wanted) = (buffer.data.len() / buffer.ty.bytes, expected.len() / buffer.ty.bytes);
    if buffer.data.len() != expected.len() {
        let message = format!("`{name}` has {count} elements, {reference} has {wanted}");
        return Some(Diagnostic::invalid(message));
    }
    let different = differences(buffer.ty, expected, &buffer.data, tolerance);
    let (first, ty) = (different.first()?, buffer.ty);
    let message = format!("`{name}` differs from {reference} in {} of {count} elements", different.len());
    let mut lines = vec![format!("first at element {}", first.index)];
    lines.extend(different.iter().take(LISTED).map(|d| format!("{name}[{}]: {}", d.index, describe(ty, *d))));
    if different.len() > LISTED {
        lines.push(format!("and {} more", different.len() - LISTED));
    }
    Some(Diagnostic::new(Kind::Finding(Severity::Error), message).note(NoteKind::Where, lines.join("\n")))
}

/// `expected 0.1, got 0.2`; with the bits where both look alike.
pub fn describe(ty: ElementType, difference: Difference) -> String {
    let (expected, actual) = (ty.show(difference.expected), ty.show(difference.actual));
    if expected != actual {
        return format!("expected {expected}, got {actual}");
    }
    let (expected_bits, actual_bits) = (ty.show_bits(difference.expected), ty.show_bits(difference.actual));
    format!("expected {expected} ({expected_bits}), got {actual} ({actual_bits})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Direction;

    fn held(values: &[f32]) -> Held {
        let ty = ElementType::from_name("f32").expect("a type");
        Held { index: 0, name: "out".into(), direction: Direction::Out, ty, data: bytes(values) }
    }

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    #[test]
    fn bits_are_compared_without_a_tolerance() {
        assert_eq!(compare(&held(&[1.0, f32::NAN]), &bytes(&[1.0, f32::NAN]), "r", None), None);
        let found = compare(&held(&[0.0, 2.0]), &bytes(&[-0.0, 2.5]), "`r.npy`", None).expect("two differ");
        assert_eq!(found.message, "`out` differs from `r.npy` in 2 of 2 elements");
        assert_eq!(found.notes[0].text, "first at element 0\nout[0]: expected -0, got 0\nout[1]: expected 2.5, got 2");
        let nans = compare(&held(&[f32::from_bits(0x7fc0_0001)]), &bytes(&[f32::NAN]), "r", None).expect("differ");
        assert!(nans.notes[0].text.contains("expected NaN (0x7fc00000), got NaN (0x7fc00001)"));
    }

    #[test]
    fn tolerances() {
        let near = Some(Tolerance { relative: 1e-3, absolute: 1e-6 });
        let found = |actual: f32, expected: f32| compare(&held(&[actual]), &bytes(&[expected]), "r", near).is_some();
        assert!(!found(1.0005, 1.0) && !found(0.0, 1e-7) && !found(f32::from_bits(0x7fc0_0001), f32::NAN));
        assert!(found(1.002, 1.0) && found(f32::INFINITY, 1.0) && found(1.0, f32::INFINITY) && found(f32::NAN, 1.0));
    }

    #[test]
    fn another_size_is_bad_input() {
        let error = compare(&held(&[1.0]), &bytes(&[1.0, 2.0]), "r", None).expect("differ");
        assert_eq!((error.kind, error.message.as_str()), (Kind::Invalid, "`out` has 1 elements, r has 2"));
    }

    #[test]
    fn long_lists_are_cut() {
        let found = compare(&held(&[0.0; 100]), &bytes(&[1.0; 100]), "r", None).expect("differ");
        assert!(found.notes[0].text.ends_with("and 90 more"));
    }
}
