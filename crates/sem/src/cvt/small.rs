//! Conversions to and from the 8-, 6- and 4-bit formats, two numbers a register (OCP 8-bit floating point, revision 1.0;
//! OCP microscaling formats, version 1.0).

use warpvm_isa::{Rounding, Word};

use super::mode::{Conversion, Mode};
use crate::float::element::{Bf16, Element, F16, Pair};
use crate::float::format::{Class, Finite, round_magnitude};
use crate::{Form, Sink, Value};

/// A small format: sign, exponent, fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Small {
    /// Width of the exponent field.
    exponent_bits: u32,
    /// Width of the fraction field.
    fraction_bits: u32,
    /// The largest finite magnitude.
    max_finite: u64,
    /// The magnitude that NaN gets, where the format has one.
    nan: Option<u64>,
    /// Has it infinities above the largest finite magnitude?
    infinite: bool,
}

impl Small {
    const E4M3: Self = Small { exponent_bits: 4, fraction_bits: 3, max_finite: 0x7e, nan: Some(0x7f), infinite: false };
    const E5M2: Self = Small { exponent_bits: 5, fraction_bits: 2, max_finite: 0x7b, nan: Some(0x7f), infinite: true };
    const E2M3: Self = Small { exponent_bits: 2, fraction_bits: 3, max_finite: 0x1f, nan: None, infinite: false };
    const E3M2: Self = Small { exponent_bits: 3, fraction_bits: 2, max_finite: 0x1f, nan: None, infinite: false };
    const E2M1: Self = Small { exponent_bits: 2, fraction_bits: 1, max_finite: 0x07, nan: None, infinite: false };

    /// The format of a packed type.
    pub(super) fn of(packed: Word) -> Option<Self> {
        match packed {
            Word::E4m3x2 | Word::E4m3x4 => Some(Self::E4M3),
            Word::E5m2x2 | Word::E5m2x4 => Some(Self::E5M2),
            Word::E2m3x2 | Word::E2m3x4 => Some(Self::E2M3),
            Word::E3m2x2 | Word::E3m2x4 => Some(Self::E3M2),
            Word::E2m1x2 | Word::E2m1x4 => Some(Self::E2M1),
            _ => None,
        }
    }

    /// Bits that a packed number takes: 6-bit numbers are padded to 8.
    pub(super) fn stride(self) -> u32 {
        if self == Self::E2M1 { 4 } else { 8 }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// Converts with saturation to finite numbers. Formats without NaN take it as their largest number.
    pub(super) fn encode<E: Element>(self, x: E, relu: bool, round: impl Fn(Finite, i32, u32) -> u64) -> u64 {
        let (negative, magnitude) = match E::FORMAT.classify(x.to_u64()) {
            Class::Nan => return self.nan.unwrap_or(self.max_finite),
            Class::Infinite(negative) => (negative, self.max_finite),
            Class::Zero(negative) => (negative, 0),
            Class::Finite(x) => (x.negative, round(x, 1 - self.bias(), self.fraction_bits).min(self.max_finite)),
        };
        match (negative, relu) {
            (true, true) => 0,
            (true, false) => self.sign() | magnitude,
            (false, _) => magnitude,
        }
    }

    /// Converts to `.f16`, which holds every number of every small format.
    fn decode(self, bits: u64) -> F16 {
        let magnitude = bits & (self.sign() - 1);
        let sign = if bits & self.sign() != 0 { 0x8000 } else { 0 };
        if magnitude > self.max_finite {
            let is_infinity = self.infinite && magnitude == self.max_finite + 1;
            return if is_infinity { F16(sign | 0x7c00) } else { F16::INVALID };
        }
        let field = magnitude >> self.fraction_bits;
        let fraction = magnitude & ((1 << self.fraction_bits) - 1);
        let hidden = u64::from(field != 0) << self.fraction_bits;
        let exponent = 1 - self.bias() - self.fraction_bits as i32 + field.saturating_sub(1) as i32;
        let value = (hidden | fraction) as f32 * 2f32.powi(exponent);
        F16(sign | F16::round(value).0)
    }
}

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { to, from, mode } = conversion;
    if !mode.only_clamps() {
        return Err(sink);
    }
    match (to, from, form.operands) {
        (Word::Ue8m0x2, Word::F32, 3) => scale_from_f32(mode, sink),
        (Word::Ue8m0x2, Word::Bf16x2, 2) => scale_from_bf16x2(mode, sink),
        (Word::Bf16x2, Word::Ue8m0x2, 2) if is_plain_nearest(mode) => Ok(sink.op1(scale_to_bf16x2)),
        (_, Word::F32, 3) => from_f32(to, mode, sink),
        (_, Word::F16x2, 2) => from_f16x2(to, mode, sink),
        (Word::F16x2, _, 2) => to_f16x2(from, mode, sink),
        _ => Err(sink),
    }
}

fn is_plain_nearest(mode: Mode) -> bool {
    mode == Mode { rounding: Some(Word::Rn), ..Mode::default() }
}

/// `.rn.satfinite{.relu}` with a packed small result.
fn target(to: Word, mode: Mode) -> Option<Small> {
    let nearest = mode.rounding == Some(Word::Rn) && mode.satfinite;
    let packed = matches!(to, Word::E4m3x2 | Word::E5m2x2 | Word::E2m3x2 | Word::E3m2x2 | Word::E2m1x2);
    Small::of(to).filter(|_| nearest && packed)
}

fn nearest(x: Finite, min_exponent: i32, fraction_bits: u32) -> u64 {
    round_magnitude(x, min_exponent, fraction_bits, Rounding::NearestEven)
}

/// Packs two numbers, the first above the second.
fn pack<E: Element>(small: Small, high: E, low: E, mode: Mode) -> u64 {
    let one = |x| small.encode(x, mode.relu, nearest);
    one(high) << small.stride() | one(low)
}

fn from_f32<S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match target(to, mode) {
        Some(small) if small.stride() == 4 => Ok(sink.op2(move |a: f32, b: f32| pack(small, a, b, mode) as u8)),
        Some(small) => Ok(sink.op2(move |a: f32, b: f32| pack(small, a, b, mode) as u16)),
        None => Err(sink),
    }
}

fn from_f16x2<S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match target(to, mode).filter(|_| !matches!(to, Word::E2m3x2 | Word::E3m2x2)) {
        Some(small) if small.stride() == 4 => Ok(sink.op1(move |a: Pair<F16>| pack(small, a.1, a.0, mode) as u8)),
        Some(small) => Ok(sink.op1(move |a: Pair<F16>| pack(small, a.1, a.0, mode) as u16)),
        None => Err(sink),
    }
}

fn to_f16x2<S: Sink>(from: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    let legal = mode.rounding == Some(Word::Rn) && !mode.satfinite;
    let packed = matches!(from, Word::E4m3x2 | Word::E5m2x2 | Word::E2m3x2 | Word::E3m2x2 | Word::E2m1x2);
    match Small::of(from).filter(|_| legal && packed) {
        Some(small) if small.stride() == 4 => Ok(sink.op1(move |a: u8| unpack(small, a, mode))),
        Some(small) => Ok(sink.op1(move |a: u16| unpack(small, a, mode))),
        None => Err(sink),
    }
}

fn unpack<V: Value>(small: Small, a: V, mode: Mode) -> Pair<F16> {
    let one = |bits| {
        let x = small.decode(bits);
        if mode.relu { x.relu() } else { x }
    };
    let bits = a.to_u64();
    Pair(one(bits), one(bits >> small.stride()))
}

/// `.rz` or `.rp` to `.ue8m0`: powers of two from 2^-127 to 2^127, with NaN as 255. The sign is dropped.
fn scale_rounding(mode: Mode) -> Option<Rounding> {
    match mode.rounding {
        Some(Word::Rz) if !mode.relu => Some(Rounding::Zero),
        Some(Word::Rp) if !mode.relu => Some(Rounding::Up),
        _ => None,
    }
}

fn scale_from_f32<S: Sink>(mode: Mode, sink: S) -> Result<S::Out, S> {
    let Some(rounding) = scale_rounding(mode) else { return Err(sink) };
    Ok(sink.op2(move |a: f32, b: f32| scale(a, rounding, mode) << 8 | scale(b, rounding, mode)))
}

fn scale_from_bf16x2<S: Sink>(mode: Mode, sink: S) -> Result<S::Out, S> {
    let Some(rounding) = scale_rounding(mode) else { return Err(sink) };
    Ok(sink.op1(move |a: Pair<Bf16>| scale(a.1, rounding, mode) << 8 | scale(a.0, rounding, mode)))
}

fn scale<E: Element>(x: E, rounding: Rounding, mode: Mode) -> u16 {
    const MAX: i32 = 254;
    const NAN: u16 = 255;
    let overflow = if mode.satfinite { MAX as u16 } else { NAN };
    let x = match E::FORMAT.classify(x.to_u64()) {
        Class::Nan => return NAN,
        Class::Infinite(_) => return overflow,
        Class::Zero(_) => return 0,
        Class::Finite(x) => x,
    };
    let exact = x.significand.is_power_of_two();
    let field = x.magnitude() + 127 + i32::from(rounding == Rounding::Up && !exact);
    if field > MAX { overflow } else { field.max(0) as u16 }
}

fn scale_to_bf16x2(a: u16) -> Pair<Bf16> {
    let one = |field: u16| match field {
        255 => Bf16::INVALID,
        // 2^-127 is subnormal.
        0 => Bf16(0x40),
        field => Bf16(field << 7),
    };
    Pair(one(a & 0xff), one(a >> 8))
}
