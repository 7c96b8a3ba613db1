//! 16-bit floating-point formats, for command-line values and printing.

/// A binary format of 16 bits with a sign, an exponent and a fraction.
#[derive(Clone, Copy, Debug)]
pub struct SmallFloat {
    fraction: u32,
}

/// IEEE 754 half precision, `.f16`.
pub const F16: SmallFloat = SmallFloat { fraction: 10 };
/// The upper half of single precision, `.bf16`.
pub const BF16: SmallFloat = SmallFloat { fraction: 7 };

impl SmallFloat {
    const fn bias(self) -> i32 {
        (1 << (14 - self.fraction)) - 1
    }

    /// Exponent field all ones, fraction zero.
    const fn infinity(self) -> u16 {
        0x7fff & !((1 << self.fraction) - 1)
    }

    /// The nearest value, ties to even.
    pub fn round(self, x: f64) -> u16 {
        let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
        if x.is_nan() {
            return sign | self.infinity() | 1 << (self.fraction - 1);
        }
        if x == 0.0 || x.is_infinite() {
            return sign | if x == 0.0 { 0 } else { self.infinity() };
        }
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
        let significand = bits & ((1 << 52) - 1) | 1 << 52;
        let smallest = 1 - self.bias();
        // Below the smallest normal number the exponent stays and the significand moves right.
        let shift = (52 - self.fraction as i32 + (smallest - exponent).max(0)).min(63);
        let kept = significand >> shift;
        let rest = significand & ((1 << shift) - 1);
        let half = 1u64 << (shift - 1);
        let up = rest > half || (rest == half && kept & 1 == 1);
        let kept = kept + u64::from(up);
        // The hidden bit of `kept` adds one to the exponent field, as does a carry out of the fraction.
        let field = (exponent.max(smallest) + self.bias() - 1) as u64;
        let magnitude = (field << self.fraction) + kept;
        sign | magnitude.min(u64::from(self.infinity())) as u16
    }

    /// The value of some bits, exactly.
    pub fn value(self, bits: u16) -> f64 {
        let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
        let magnitude = bits & 0x7fff;
        let field = i32::from(magnitude >> self.fraction);
        let fraction = f64::from(magnitude & ((1 << self.fraction) - 1));
        if magnitude >= self.infinity() {
            return if fraction == 0.0 { sign * f64::INFINITY } else { f64::NAN };
        }
        let hidden = if field == 0 { 0.0 } else { f64::from(1u32 << self.fraction) };
        sign * (hidden + fraction) * 2f64.powi(field.max(1) - self.bias() - self.fraction as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back() {
        for format in [F16, BF16] {
            for bits in 0..=u16::MAX {
                let value = format.value(bits);
                if !value.is_nan() {
                    assert_eq!(format.round(value), bits, "{bits:#06x}");
                }
            }
        }
    }

    #[test]
    fn ties_go_to_even_and_large_values_to_infinity() {
        for format in [F16, BF16] {
            for bits in 0..format.infinity() {
                let next = if bits + 1 == format.infinity() { continue } else { format.value(bits + 1) };
                let middle = f64::midpoint(format.value(bits), next);
                assert_eq!(format.round(middle), bits + (bits & 1), "{bits:#06x}");
            }
            assert_eq!(format.round(1e39), format.infinity());
            assert_eq!(format.round(-1e-300), 0x8000);
        }
        assert_eq!(F16.round(65519.99), 0x7bff);
        assert_eq!(F16.round(65520.0), 0x7c00);
    }
}
