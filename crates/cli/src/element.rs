//! Element types of scalars and buffers, and their values as text.

use crate::small_float::{BF16, F16};
use std::fmt;

/// What the bits of an element mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// `u8 u16 u32 u64`
    Unsigned,
    /// `i8 i16 i32 i64`
    Signed,
    /// `b8 b16 b32 b64`: bits without a meaning, shown in hex.
    Bits,
    /// `f16 f32 f64`
    Float,
    /// `bf16`
    Brain,
}

/// The type of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElementType {
    /// What the bits mean.
    pub class: Class,
    /// Size: 1, 2, 4 or 8.
    pub bytes: usize,
}

/// Every type with its name; PTX calls the signed ones `s8` to `s64`, which is understood too.
const NAMES: [(&str, Class, usize); 20] = [
    ("u8", Class::Unsigned, 1),
    ("u16", Class::Unsigned, 2),
    ("u32", Class::Unsigned, 4),
    ("u64", Class::Unsigned, 8),
    ("i8", Class::Signed, 1),
    ("i16", Class::Signed, 2),
    ("i32", Class::Signed, 4),
    ("i64", Class::Signed, 8),
    ("b8", Class::Bits, 1),
    ("b16", Class::Bits, 2),
    ("b32", Class::Bits, 4),
    ("b64", Class::Bits, 8),
    ("f16", Class::Float, 2),
    ("f32", Class::Float, 4),
    ("f64", Class::Float, 8),
    ("bf16", Class::Brain, 2),
    ("s8", Class::Signed, 1),
    ("s16", Class::Signed, 2),
    ("s32", Class::Signed, 4),
    ("s64", Class::Signed, 8),
];

impl ElementType {
    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let row = NAMES.iter().find(|(known, ..)| *known == name)?;
        Some(ElementType { class: row.1, bytes: row.2 })
    }

    /// All names, for messages.
    pub const ALL: &str = "u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 b8 b16 b32 b64";

    /// Bits of the given size.
    pub const fn bits(bytes: usize) -> Self {
        ElementType { class: Class::Bits, bytes }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, class, bytes)| *class == self.class && *bytes == self.bytes).map_or("?", |row| row.0)
    }

    /// Is it a floating-point type?
    pub const fn is_float(self) -> bool {
        matches!(self.class, Class::Float | Class::Brain)
    }

    /// The bits of a value written as text.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn parse(self, text: &str) -> Result<u64, String> {
        if self.is_float() { self.parse_float(text) } else { self.parse_integer(text) }
    }

    fn parse_integer(self, text: &str) -> Result<u64, String> {
        let wrong = || format!("expected an integer of type `{}`", self.name());
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let value = parse_magnitude(digits).ok_or_else(wrong)?;
        let width = self.bytes as u32 * 8;
        let largest = u128::MAX >> (128 - width);
        let half = 1u128 << (width - 1);
        let hex = digits.starts_with("0x") || digits.starts_with("0b");
        let (low, high) = match self.class {
            Class::Unsigned => (0, largest),
            // A signed number may be given by its bits, in hex.
            Class::Signed if hex => (half, largest),
            Class::Signed => (half, half - 1),
            _ => (half, largest),
        };
        if value > if negative { low } else { high } {
            let low = if low == 0 { "0".to_owned() } else { format!("-{low}") };
            return Err(format!("`{}` holds {low} to {high}", self.name()));
        }
        let bits = if negative { value.wrapping_neg() } else { value };
        Ok((bits & largest) as u64)
    }

    fn parse_float(self, text: &str) -> Result<u64, String> {
        let wrong = || format!("expected a number of type `{}`, e.g. 1.5, -2e-3, inf, nan", self.name());
        if text.trim_start_matches('-').starts_with("0x") {
            return Err(format!("{}; for bits in hex use the type `b{}`", wrong(), self.bytes * 8));
        }
        if self.bytes == 4 {
            // Straight to single precision: rounding twice could give the neighbour.
            return text.parse::<f32>().map(|x| u64::from(x.to_bits())).map_err(|_| wrong());
        }
        text.parse::<f64>().map(|x| self.round(x)).map_err(|_| wrong())
    }

    /// The bits of the value of this float type nearest to `x`; for integer types, of `x` cut to an integer.
    pub fn round(self, x: f64) -> u64 {
        match (self.class, self.bytes) {
            (Class::Brain, _) => u64::from(BF16.round(x)),
            (Class::Float, 2) => u64::from(F16.round(x)),
            (Class::Float, 4) => u64::from((x as f32).to_bits()),
            (Class::Float, _) => x.to_bits(),
            _ => x as i64 as u64 & self.mask(),
        }
    }

    /// The value of some bits as a `f64`, exact for all but 64-bit integers.
    pub fn value(self, bits: u64) -> f64 {
        match (self.class, self.bytes) {
            (Class::Brain, _) => BF16.value(bits as u16),
            (Class::Float, 2) => F16.value(bits as u16),
            (Class::Float, 4) => f64::from(f32::from_bits(bits as u32)),
            (Class::Float, _) => f64::from_bits(bits),
            (Class::Signed, _) => self.signed(bits) as f64,
            (Class::Unsigned | Class::Bits, _) => bits as f64,
        }
    }

    /// The value of some bits as text.
    pub fn show(self, bits: u64) -> String {
        match (self.class, self.bytes) {
            (Class::Unsigned, _) => bits.to_string(),
            (Class::Signed, _) => self.signed(bits).to_string(),
            (Class::Bits, bytes) => format!("{bits:#0width$x}", width = 2 + 2 * bytes),
            (Class::Float | Class::Brain, 8) => show_float(f64::from_bits(bits)),
            (Class::Float | Class::Brain, _) => show_float(self.value(bits) as f32),
        }
    }

    /// The bits of an element as text, in hex; tells values apart that look alike.
    pub fn show_bits(self, bits: u64) -> String {
        ElementType::bits(self.bytes).show(bits)
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes)
    }

    fn signed(self, bits: u64) -> i64 {
        let unused = 64 - 8 * self.bytes as u32;
        ((bits << unused) as i64) >> unused
    }

    /// The elements of some little-endian bytes; a rest that is no whole element is left out.
    pub fn elements(self, data: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
        data.chunks_exact(self.bytes).map(|bytes| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
    }

    /// Appends an element as little-endian bytes.
    pub fn push(self, data: &mut Vec<u8>, bits: u64) {
        data.extend_from_slice(&bits.to_le_bytes()[..self.bytes]);
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A float with the fewest digits that tell it from its neighbours; very large and small ones with an exponent.
fn show_float<F: fmt::Display + fmt::LowerExp + Into<f64> + Copy>(x: F) -> String {
    let size = x.into().abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) { format!("{x:e}") } else { x.to_string() }
}

/// An unsigned integer: decimal, `0x` hex or `0b` binary, `_` between digits allowed.
pub fn parse_magnitude(text: &str) -> Option<u128> {
    let (radix, digits) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(hex), _) => (16, hex),
        (_, Some(binary)) => (2, binary),
        _ => (10, text),
    };
    if digits.starts_with(['_', '+', '-']) || digits.ends_with('_') {
        return None;
    }
    u128::from_str_radix(&digits.replace('_', ""), radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(ty: &str, text: &str) -> Result<u64, String> {
        ElementType::from_name(ty).expect("a type").parse(text)
    }

    #[test]
    fn integers() {
        assert_eq!(parse("u32", "4_294_967_295"), Ok(0xffff_ffff));
        assert_eq!(parse("u32", "0xFF"), Ok(255));
        assert_eq!(parse("i8", "-128"), Ok(0x80));
        assert_eq!(parse("i8", "0xff"), Ok(0xff));
        assert_eq!(parse("i64", "-1"), Ok(u64::MAX));
        assert_eq!(parse("b16", "0b101"), Ok(5));
        assert_eq!(parse("u64", "18446744073709551615"), Ok(u64::MAX));
        assert_eq!(parse("s32", "-0x10"), Ok(0xffff_fff0));
    }

    #[test]
    fn integers_out_of_range_say_the_range() {
        assert_eq!(parse("u8", "256").unwrap_err(), "`u8` holds 0 to 255");
        assert_eq!(parse("u8", "-1").unwrap_err(), "`u8` holds 0 to 255");
        assert_eq!(parse("i8", "128").unwrap_err(), "`i8` holds -128 to 127");
        for wrong in ["", "x", "1.5", "--1", "+1", "1_", "0x", "999999999999999999999999999999999999999999"] {
            assert!(parse("u32", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(parse("f32", "1.5"), Ok(0x3fc0_0000));
        assert_eq!(parse("f32", "-0"), Ok(0x8000_0000));
        assert_eq!(parse("f64", "2"), Ok(2f64.to_bits()));
        assert_eq!(parse("f16", "1.5"), Ok(0x3e00));
        assert_eq!(parse("bf16", "-2"), Ok(0xc000));
        assert_eq!(parse("f32", "inf"), Ok(0x7f80_0000));
        assert!(parse("f32", "0x3f800000").unwrap_err().ends_with("use the type `b32`"));
    }

    #[test]
    fn values_are_shown_by_their_type() {
        let show = |ty, bits| ElementType::from_name(ty).expect("a type").show(bits);
        assert_eq!(show("u32", 7), "7");
        assert_eq!(show("i16", 0xffff), "-1");
        assert_eq!(show("b32", 7), "0x00000007");
        assert_eq!(show("f32", 0x3dcc_cccd), "0.1");
        assert_eq!(show("f64", 1e300_f64.to_bits()), "1e300");
        assert_eq!(show("f16", 0x7e00), "NaN");
        assert_eq!(show("bf16", 0x3f80), "1");
    }

    #[test]
    fn elements_are_little_endian() {
        let ty = ElementType::from_name("u16").expect("a type");
        let mut data = Vec::new();
        ty.push(&mut data, 0x1234);
        ty.push(&mut data, 1);
        assert_eq!(data, [0x34, 0x12, 1, 0]);
        assert_eq!(ty.elements(&data).collect::<Vec<_>>(), [0x1234, 1]);
    }
}
