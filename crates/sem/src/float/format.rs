//! Binary floating-point formats, and rounding of an exact value to one of them.
//!
//! This is the slow and sure half of the module: every value is taken apart into sign, exponent and significand, and
//! put together again with one rounding (IEEE 754-2019, section 4.3). Directed roundings, conversions and `.ftz`
//! corner cases come here; the common forms have closures of their own.

use std::cmp::Ordering;

use warpvm_isa::Rounding;

/// A binary format with a sign, an exponent and a fraction, infinities and NaNs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// Width of the exponent field.
    pub(crate) exponent_bits: u32,
    /// Width of the fraction field.
    pub(crate) fraction_bits: u32,
}

/// What becomes of results below the smallest normal number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Underflow {
    /// They are subnormal numbers.
    Gradual,
    /// They are zeros with the sign of the result. A result counts as below when it is so after rounding as if the
    /// exponent had no bounds; the chip does this for every rounding mode.
    Flush,
}

/// A number that is not zero, infinite or NaN: `significand * 2^exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Finite {
    /// Is it below zero?
    pub(crate) negative: bool,
    /// Weight of the lowest bit of the significand.
    pub(crate) exponent: i32,
    /// Not zero. After an inexact operation the lowest bit also stands for all bits below it.
    pub(crate) significand: u128,
}

/// What a bit pattern means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Not a number.
    Nan,
    /// Infinity; true if negative.
    Infinite(bool),
    /// Zero; true if negative.
    Zero(bool),
    /// Anything else.
    Finite(Finite),
}

impl Finite {
    /// Exponent of the highest bit that is set.
    pub(crate) const fn magnitude(self) -> i32 {
        self.exponent + 127 - self.significand.leading_zeros() as i32
    }

    /// An integer, if it is not zero.
    pub(crate) fn from_integer(value: i128) -> Option<Self> {
        (value != 0).then(|| Finite { negative: value < 0, exponent: 0, significand: value.unsigned_abs() })
    }
}

impl Format {
    /// `.f16`
    pub(crate) const F16: Self = Format { exponent_bits: 5, fraction_bits: 10 };
    /// `.bf16`
    pub(crate) const BF16: Self = Format { exponent_bits: 8, fraction_bits: 7 };
    /// `.f32`
    pub(crate) const F32: Self = Format { exponent_bits: 8, fraction_bits: 23 };
    /// `.f64`
    pub(crate) const F64: Self = Format { exponent_bits: 11, fraction_bits: 52 };
    /// `.tf32`, without the 13 bits below it in its register.
    pub(crate) const TF32: Self = Format { exponent_bits: 8, fraction_bits: 10 };

    /// The sign bit.
    pub(crate) const fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// Positive infinity.
    pub(crate) const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The largest finite number.
    pub(crate) const fn max_finite(self) -> u64 {
        self.infinity() - 1
    }

    /// The NaN that the chip makes: all bits set but the sign.
    pub(crate) const fn nan(self) -> u64 {
        self.sign() - 1
    }

    /// One.
    pub(crate) const fn one(self) -> u64 {
        (self.bias() as u64) << self.fraction_bits
    }

    /// What is added to an exponent to get its field.
    pub(crate) const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Exponent of the smallest normal number.
    pub(crate) const fn min_exponent(self) -> i32 {
        1 - self.bias()
    }

    /// Takes a bit pattern apart.
    pub(crate) const fn classify(self, bits: u64) -> Class {
        let negative = bits & self.sign() != 0;
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let field = (bits & self.infinity()) >> self.fraction_bits;
        let lowest = self.min_exponent() - self.fraction_bits as i32;
        if bits & self.infinity() == self.infinity() {
            return if fraction == 0 { Class::Infinite(negative) } else { Class::Nan };
        }
        if field == 0 {
            if fraction == 0 {
                return Class::Zero(negative);
            }
            return Class::Finite(Finite { negative, exponent: lowest, significand: fraction as u128 });
        }
        let significand = (fraction | 1 << self.fraction_bits) as u128;
        Class::Finite(Finite { negative, exponent: lowest + field as i32 - 1, significand })
    }

    /// Puts a zero together.
    pub(crate) const fn zero(self, negative: bool) -> u64 {
        if negative { self.sign() } else { 0 }
    }

    /// Puts an infinity together.
    pub(crate) const fn infinite(self, negative: bool) -> u64 {
        self.infinity() | self.zero(negative)
    }

    /// Turns a subnormal number into a zero with its sign.
    pub(crate) const fn flush(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 { bits & self.sign() } else { bits }
    }

    /// Rounds to this format.
    pub(crate) fn round(self, x: Finite, rounding: Rounding, underflow: Underflow) -> u64 {
        let sign = self.zero(x.negative);
        if underflow == Underflow::Flush && self.is_tiny(x, rounding) {
            return sign;
        }
        let magnitude = round_magnitude(x, self.min_exponent(), self.fraction_bits, rounding);
        if magnitude < self.infinity() {
            return sign | magnitude;
        }
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Down => x.negative,
            Rounding::Up => !x.negative,
        };
        sign | if to_infinity { self.infinity() } else { self.max_finite() }
    }

    /// Is it below the smallest normal number after rounding with an unbounded exponent?
    fn is_tiny(self, x: Finite, rounding: Rounding) -> bool {
        if x.magnitude() >= self.min_exponent() {
            return false;
        }
        let unbounded = round_magnitude(x, x.magnitude(), self.fraction_bits, rounding);
        // Rounding may carry into the next power of two, and that may be the smallest normal number.
        let carried = (unbounded >> self.fraction_bits) as i32 - 1;
        x.magnitude() + carried < self.min_exponent()
    }
}

/// Rounds the absolute value to multiples of `2^-fraction_bits` of its power of two, or of the smallest normal one.
///
/// The result is the encoding without a sign, in a format whose exponent field has no upper bound.
pub(crate) fn round_magnitude(x: Finite, min_exponent: i32, fraction_bits: u32, rounding: Rounding) -> u64 {
    let lowest = min_exponent - fraction_bits as i32;
    let unit = (x.magnitude() - fraction_bits as i32).max(lowest);
    let (kept, rest, inexact) = split(x, unit);
    let up = match rounding {
        Rounding::NearestEven => rest == Ordering::Greater || (rest == Ordering::Equal && kept & 1 == 1),
        Rounding::NearestAway => rest != Ordering::Less,
        Rounding::Zero => false,
        Rounding::Down => inexact && x.negative,
        Rounding::Up => inexact && !x.negative,
    };
    // A hidden bit in `kept` adds one to the exponent field, and so does a carry out of the fraction.
    (((unit - lowest) as u64) << fraction_bits) + kept + u64::from(up)
}

/// The whole number of units `2^unit` in the absolute value, how the rest compares with half a unit, and whether there
/// is a rest.
pub(crate) fn split(x: Finite, unit: i32) -> (u64, Ordering, bool) {
    let shift = unit - x.exponent;
    if shift <= 0 {
        return ((x.significand << -shift) as u64, Ordering::Less, false);
    }
    if shift > 128 {
        return (0, Ordering::Less, true);
    }
    let kept = x.significand.checked_shr(shift as u32).unwrap_or(0);
    let rest = x.significand - kept.checked_shl(shift as u32).unwrap_or(0);
    (kept as u64, rest.cmp(&(1 << (shift - 1))), rest != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_a_round_trip() {
        for format in [Format::F16, Format::BF16] {
            for bits in 0..=u64::from(u16::MAX) {
                if let Class::Finite(x) = format.classify(bits) {
                    for rounding in [Rounding::NearestEven, Rounding::Zero, Rounding::Down, Rounding::Up] {
                        assert_eq!(format.round(x, rounding, Underflow::Gradual), bits);
                        assert_eq!(format.round(x, rounding, Underflow::Flush), format.flush(bits));
                    }
                }
            }
        }
    }

    #[test]
    fn overflow_depends_on_rounding_and_sign() {
        let big = Finite { negative: false, exponent: 200, significand: 1 };
        let round = |x, rounding| Format::F16.round(x, rounding, Underflow::Gradual);
        assert_eq!(round(big, Rounding::NearestEven), 0x7c00);
        assert_eq!(round(big, Rounding::Zero), 0x7bff);
        assert_eq!(round(big, Rounding::Down), 0x7bff);
        assert_eq!(round(big, Rounding::Up), 0x7c00);
        assert_eq!(round(Finite { negative: true, ..big }, Rounding::Down), 0xfc00);
    }

    #[test]
    fn flush_looks_at_the_rounded_value() {
        // (1 - 2^-25) * 2^-126 rounds to the smallest normal number, (1 - 2^-24) * 2^-126 fits 24 bits and is tiny.
        let near = Finite { negative: false, exponent: -151, significand: (1 << 25) - 1 };
        let fits = Finite { negative: false, exponent: -150, significand: (1 << 24) - 1 };
        assert_eq!(Format::F32.round(near, Rounding::NearestEven, Underflow::Flush), 0x0080_0000);
        assert_eq!(Format::F32.round(near, Rounding::Zero, Underflow::Flush), 0);
        assert_eq!(Format::F32.round(near, Rounding::Up, Underflow::Flush), 0x0080_0000);
        assert_eq!(Format::F32.round(fits, Rounding::Up, Underflow::Flush), 0);
    }
}
