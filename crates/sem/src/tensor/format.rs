//! The float formats that tensor cores multiply, and how an element is taken apart.

use super::element::Element;

/// A float format of at most 24 significant bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Format {
    /// Width of the exponent field.
    exponent_bits: u32,
    /// Width of the fraction field.
    pub fraction_bits: u32,
    /// Bits of the register element below the fraction that do not count.
    dropped: u32,
    /// Codes with the highest exponent that are no numbers: all of them, or the last one only.
    top: Top,
}

/// What the highest exponent means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Top {
    /// Infinity and NaN, as in IEEE 754.
    Ieee,
    /// Numbers, but for the last code, which is a NaN.
    OneNan,
}

/// Kind of value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub(super) enum Class {
    Zero { negative: bool },
    Finite { negative: bool },
    Infinite { negative: bool },
    Nan,
}

impl Class {
    /// Is it an infinity or a NaN?
    pub(super) const fn is_special(self) -> bool {
        matches!(self, Class::Infinite { .. } | Class::Nan)
    }
}

/// Added to an exponent so that all sums of two exponents are positive.
pub(super) const PLACE_BIAS: i32 = 512;

/// An element ready to be multiplied.
///
/// It is `value * 2^(place - PLACE_BIAS - fraction_bits)`, and the place is that of the exponent field: a subnormal number is
/// not normalized. Zero has place 0, far below all others. So has what is not a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Factor {
    /// The significand as an integer with its sign.
    pub value: f32,
    /// Exponent of the hidden bit, biased.
    pub place: u16,
}

impl Factor {
    /// Zero.
    pub(super) const ZERO: Self = Factor { value: 0.0, place: 0 };
}

impl Format {
    /// `.f16`
    pub(super) const F16: Self = Format::ieee(5, 10, 0);
    /// `.f32`
    pub(super) const F32: Self = Format::ieee(8, 23, 0);

    const fn ieee(exponent_bits: u32, fraction_bits: u32, dropped: u32) -> Self {
        Format { exponent_bits, fraction_bits, dropped, top: Top::Ieee }
    }

    /// The format of an element type. Integer types and `.f64` have none here.
    pub(super) const fn of(element: Element) -> Option<Self> {
        Some(match element {
            Element::F16 => Format::F16,
            Element::Bf16 => Format::ieee(8, 7, 0),
            Element::Tf32 => Format::ieee(8, 10, 13),
            Element::F32 => Format::F32,
            Element::E5m2 => Format::ieee(5, 2, 0),
            Element::E4m3 => Format { exponent_bits: 4, fraction_bits: 3, dropped: 0, top: Top::OneNan },
            _ => return None,
        })
    }

    const fn is_negative(self, bits: u32) -> bool {
        bits >> (self.exponent_bits + self.fraction_bits) & 1 != 0
    }

    /// Fields of exponent and fraction.
    const fn fields(self, bits: u32) -> (u32, u32) {
        let exponent = bits >> self.fraction_bits & ((1 << self.exponent_bits) - 1);
        (exponent, bits & ((1 << self.fraction_bits) - 1))
    }

    /// Is it zero, finite or something else?
    pub(super) const fn class(self, bits: u64) -> Class {
        let bits = bits as u32 >> self.dropped;
        let (exponent, fraction) = self.fields(bits);
        let top = (1 << self.exponent_bits) - 1;
        let last = (1 << self.fraction_bits) - 1;
        let negative = self.is_negative(bits);
        match self.top {
            Top::Ieee if exponent == top && fraction == 0 => Class::Infinite { negative },
            Top::Ieee if exponent == top => Class::Nan,
            Top::OneNan if exponent == top && fraction == last => Class::Nan,
            _ if exponent == 0 && fraction == 0 => Class::Zero { negative },
            _ => Class::Finite { negative },
        }
    }

    /// Takes an element apart.
    pub(super) const fn factor(self, bits: u64) -> Factor {
        if !matches!(self.class(bits), Class::Finite { .. }) {
            return Factor::ZERO;
        }
        let bits = bits as u32 >> self.dropped;
        let (exponent, fraction) = self.fields(bits);
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        let (significand, field) =
            if exponent == 0 { (fraction, 1) } else { (fraction | 1 << self.fraction_bits, exponent as i32) };
        let magnitude = significand as f32;
        Factor {
            value: if self.is_negative(bits) { -magnitude } else { magnitude },
            place: (field - bias + PLACE_BIAS) as u16,
        }
    }
}

/// An 8-bit float as `.f16`, which holds every one of them. A subnormal `.e4m3` becomes a normal number.
pub(super) fn widen_to_f16(element: Element, bits: u64) -> u64 {
    const SUBNORMAL: [u64; 8] = [0, 0x1800, 0x1c00, 0x1e00, 0x2000, 0x2100, 0x2200, 0x2300];
    if element == Element::E5m2 {
        return bits << 8;
    }
    let sign = (bits & 0x80) << 8;
    sign | match bits & 0x7f {
        0x7f => 0x7fff,
        small @ 0..8 => SUBNORMAL[small as usize],
        normal => (normal << 7) + (8 << 10),
    }
}
