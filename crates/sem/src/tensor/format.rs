//! The float formats that tensor cores multiply, and how an element is taken apart.

use super::element::Element;
use crate::float::element::F16;

/// A float format of at most 24 significant bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Format {
    F16,
    Bf16,
    /// In 32 bits, of which the low 13 do not count.
    Tf32,
    F32,
    /// Has no infinity, and NaN is its last code only.
    E4m3,
    E5m2,
}

/// Kind of value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    Zero,
    Finite { negative: bool },
    Infinite { negative: bool },
    Nan,
}

/// An element ready to be multiplied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Factor {
    /// The number; 0 for infinity and NaN.
    pub value: f64,
    /// Exponent of the hidden bit, as the exponent field says: a subnormal number is not normalized.
    pub place: i16,
}

/// Place of a zero: so low that the sum with any other place is below all places of products that are not zero.
pub(super) const ZERO_PLACE: i16 = -8000;

/// Place of infinity and NaN, likewise.
pub(super) const SPECIAL_PLACE: i16 = -16000;

impl Format {
    /// The format of an element type. Integer types and `.f64` have none here.
    pub(super) const fn of(element: Element) -> Option<Self> {
        Some(match element {
            Element::F16 => Format::F16,
            Element::Bf16 => Format::Bf16,
            Element::Tf32 => Format::Tf32,
            Element::F32 => Format::F32,
            Element::E4m3 => Format::E4m3,
            Element::E5m2 => Format::E5m2,
            _ => return None,
        })
    }

    /// Widths of the exponent and the fraction field.
    const fn widths(self) -> (u32, u32) {
        match self {
            Format::F16 => (5, 10),
            Format::Bf16 => (8, 7),
            Format::Tf32 => (8, 10),
            Format::F32 => (8, 23),
            Format::E4m3 => (4, 3),
            Format::E5m2 => (5, 2),
        }
    }

    /// The bits that count: sign, exponent and fraction.
    #[inline(always)]
    const fn counted(self, bits: u64) -> u32 {
        if matches!(self, Format::Tf32) { bits as u32 >> 13 } else { bits as u32 }
    }

    /// Exponent field and fraction field.
    #[inline(always)]
    const fn fields(self, bits: u64) -> (u32, u32) {
        let (exponent, fraction) = self.widths();
        let bits = self.counted(bits);
        (bits >> fraction & ((1 << exponent) - 1), bits & ((1 << fraction) - 1))
    }

    /// The largest code of the exponent field.
    #[inline(always)]
    const fn top(self) -> u32 {
        (1 << self.widths().0) - 1
    }

    /// Is it an infinity or a NaN?
    #[inline(always)]
    pub(super) const fn is_special(self, bits: u64) -> bool {
        let (exponent, fraction) = self.fields(bits);
        exponent == self.top() && (!matches!(self, Format::E4m3) || fraction == 7)
    }

    /// What kind of value it is.
    pub(super) const fn class(self, bits: u64) -> Class {
        let (exponent, fraction) = self.fields(bits);
        let (exponent_bits, fraction_bits) = self.widths();
        let negative = self.counted(bits) >> (exponent_bits + fraction_bits) & 1 != 0;
        match (self.is_special(bits), exponent, fraction) {
            (true, _, 0) => Class::Infinite { negative },
            (true, ..) => Class::Nan,
            (false, 0, 0) => Class::Zero,
            _ => Class::Finite { negative },
        }
    }

    /// The number; what is not one gives anything.
    #[inline(always)]
    fn number(self, bits: u64) -> f32 {
        match self {
            Format::F16 => F16(bits as u16).widen(),
            Format::Bf16 => f32::from_bits((bits as u32) << 16),
            Format::Tf32 => f32::from_bits(bits as u32 & !0x1fff),
            Format::F32 => f32::from_bits(bits as u32),
            Format::E4m3 | Format::E5m2 => F16(widen_to_f16(self, bits) as u16).widen(),
        }
    }

    /// Takes an element apart.
    #[inline(always)]
    pub(super) fn factor(self, bits: u64) -> Factor {
        let (exponent, fraction) = self.fields(bits);
        let bias = (1 << (self.widths().0 - 1)) - 1;
        let place = exponent.max(1) as i16 - bias;
        let place = if exponent == 0 && fraction == 0 { ZERO_PLACE } else { place };
        let special = self.is_special(bits);
        Factor {
            value: if special { 0.0 } else { f64::from(self.number(bits)) },
            place: if special { SPECIAL_PLACE } else { place },
        }
    }

    /// Takes many elements apart: their numbers and places.
    pub(super) fn factors(self, elements: &[u64]) -> (Vec<f64>, Vec<i16>) {
        // A loop of its own for every format.
        match self {
            Format::F16 => split(elements, |x| Format::F16.factor(x)),
            Format::Bf16 => split(elements, |x| Format::Bf16.factor(x)),
            Format::Tf32 => split(elements, |x| Format::Tf32.factor(x)),
            Format::F32 => split(elements, |x| Format::F32.factor(x)),
            Format::E4m3 => split(elements, |x| Format::E4m3.factor(x)),
            Format::E5m2 => split(elements, |x| Format::E5m2.factor(x)),
        }
    }
}

#[inline(always)]
fn split(elements: &[u64], factor: impl Fn(u64) -> Factor) -> (Vec<f64>, Vec<i16>) {
    (elements.iter().map(|&x| factor(x).value).collect(), elements.iter().map(|&x| factor(x).place).collect())
}

/// An 8-bit float as `.f16`, which holds every one of them. A subnormal `.e4m3` becomes a normal number.
#[inline(always)]
pub(super) fn widen_to_f16(format: Format, bits: u64) -> u64 {
    const SUBNORMAL: [u64; 8] = [0, 0x1800, 0x1c00, 0x1e00, 0x2000, 0x2100, 0x2200, 0x2300];
    if format == Format::E5m2 {
        return bits << 8;
    }
    let sign = (bits & 0x80) << 8;
    sign | match bits & 0x7f {
        0x7f => 0x7fff,
        small @ 0..8 => SUBNORMAL[small as usize],
        normal => (normal << 7) + (8 << 10),
    }
}
