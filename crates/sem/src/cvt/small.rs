//! Conversions to and from the 8-, 6- and 4-bit formats, two numbers a register (OCP 8-bit floating point, revision 1.0;
//! OCP microscaling formats, version 1.0).

use warpvm_isa::{Rounding, Word};

use super::mode::{Conversion, Mode};
use crate::float::element::{Bf16, Element, F16, Pair};
use crate::float::format::{Class, Finite};
use crate::float::mode::{Finish, Keep, Relu};
use crate::float::pick::pick32;
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

    /// The format of four packed numbers.
    pub(super) fn of(packed: Word) -> Option<Self> {
        match packed {
            Word::E4m3x4 => Some(Self::E4M3),
            Word::E5m2x4 => Some(Self::E5M2),
            Word::E2m3x4 => Some(Self::E2M3),
            Word::E3m2x4 => Some(Self::E3M2),
            Word::E2m1x4 => Some(Self::E2M1),
            _ => None,
        }
    }

    /// Bits that a packed number takes: 6-bit numbers are padded to 8.
    pub(super) const fn stride(self) -> u32 {
        if self.exponent_bits + self.fraction_bits < 4 { 4 } else { 8 }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    const fn sign(self) -> u64 {
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

    /// Like [`Small::encode`] with rounding to nearest even, without branches.
    #[inline(always)]
    fn encode_nearest(self, x: f32, relu: bool) -> u32 {
        let shift = 23 - self.fraction_bits;
        let smallest_normal = (128 - self.bias() as u32) << 23;
        // A power of two whose last bit is the unit of the subnormal numbers, so that adding it rounds there.
        let coarse = smallest_normal + (shift << 23);
        let magnitude = x.to_bits() & 0x7fff_ffff;
        let subnormal = (f32::from_bits(magnitude) + f32::from_bits(coarse)).to_bits().wrapping_sub(coarse);
        let below_half = (1 << (shift - 1)) - 1 + (magnitude >> shift & 1);
        let normal = ((magnitude + below_half) >> shift).wrapping_sub((127 - self.bias() as u32) << self.fraction_bits);
        let max_finite = self.max_finite as u32;
        let rounded = pick32(magnitude < smallest_normal, subnormal, normal).min(max_finite);
        let sign = pick32(relu, 0, self.sign() as u32);
        let negative = sign | pick32(relu, 0, rounded);
        let nan = self.nan.unwrap_or(self.max_finite) as u32;
        pick32(magnitude > 0x7f80_0000, nan, pick32(x.is_negative(), negative, rounded))
    }

    /// Converts to `.f16`, which holds every number of every small format.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "a loop over lanes is to have no branches")]
    fn decode(self, bits: u32) -> F16 {
        let sign = self.sign() as u32;
        let max_finite = self.max_finite as u32;
        let smallest_normal = (128 - self.bias() as u32) << 23;
        let magnitude = bits & (sign - 1);
        let fields = magnitude << (23 - self.fraction_bits);
        let subnormal = f32::from_bits(fields + smallest_normal) - f32::from_bits(smallest_normal);
        let normal = fields + smallest_normal - (1 << 23);
        let value = pick32(magnitude >> self.fraction_bits == 0, subnormal.to_bits(), normal);
        let finite = u32::from(F16::round(f32::from_bits(value)).0);
        let infinite = self.infinite & (magnitude == max_finite + 1);
        let number = pick32(infinite, 0x7c00, finite) | pick32(bits & sign != 0, 0x8000, 0);
        F16(pick32(!infinite & (magnitude > max_finite), 0x7fff, number) as u16)
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

/// A small format as a type, for functions that are made once for each.
trait SmallType: 'static {
    const FORMAT: Small;
    /// What two packed numbers take.
    type Packed: Value;
}

macro_rules! small_types {
    ($($name:ident, $format:ident, $packed:ty;)*) => { $(
        enum $name {}
        impl SmallType for $name {
            const FORMAT: Small = Small::$format;
            type Packed = $packed;
        }
    )* };
}
small_types! { E4m3, E4M3, u16; E5m2, E5M2, u16; E2m3, E2M3, u16; E3m2, E3M2, u16; E2m1, E2M1, u8; }

/// Packs two numbers, the first above the second.
#[inline(always)]
fn pack<T: SmallType, const RELU: bool>(high: f32, low: f32) -> T::Packed {
    let high = T::FORMAT.encode_nearest(high, RELU);
    T::Packed::from_u64(u64::from(high << T::FORMAT.stride() | T::FORMAT.encode_nearest(low, RELU)))
}

#[inline(always)]
fn pack_halves<T: SmallType, const RELU: bool>(a: Pair<F16>) -> T::Packed {
    pack::<T, RELU>(a.1.widen(), a.0.widen())
}

#[inline(always)]
fn unpack<T: SmallType, C: Finish>(a: T::Packed) -> Pair<F16> {
    let bits = a.to_u64() as u32;
    let stride = T::FORMAT.stride();
    let mask = (1 << stride) - 1;
    Pair(C::apply(T::FORMAT.decode(bits & mask)), C::apply(T::FORMAT.decode(bits >> stride & mask)))
}

/// `.rn.satfinite{.relu}` of two `.f32` numbers.
fn from_f32<S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match to {
        _ if mode.rounding != Some(Word::Rn) || !mode.satfinite => Err(sink),
        Word::E4m3x2 => Ok(send_from_f32::<E4m3, S>(mode, sink)),
        Word::E5m2x2 => Ok(send_from_f32::<E5m2, S>(mode, sink)),
        Word::E2m3x2 => Ok(send_from_f32::<E2m3, S>(mode, sink)),
        Word::E3m2x2 => Ok(send_from_f32::<E3m2, S>(mode, sink)),
        Word::E2m1x2 => Ok(send_from_f32::<E2m1, S>(mode, sink)),
        _ => Err(sink),
    }
}

fn send_from_f32<T: SmallType, S: Sink>(mode: Mode, sink: S) -> S::Out {
    if mode.relu { sink.op2(pack::<T, true>) } else { sink.op2(pack::<T, false>) }
}

/// `.rn.satfinite{.relu}` of `.f16x2`; the vendor's assembler does not have it for the 6-bit formats.
fn from_f16x2<S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match to {
        _ if mode.rounding != Some(Word::Rn) || !mode.satfinite => Err(sink),
        Word::E4m3x2 => Ok(send_from_f16x2::<E4m3, S>(mode, sink)),
        Word::E5m2x2 => Ok(send_from_f16x2::<E5m2, S>(mode, sink)),
        Word::E2m1x2 => Ok(send_from_f16x2::<E2m1, S>(mode, sink)),
        _ => Err(sink),
    }
}

fn send_from_f16x2<T: SmallType, S: Sink>(mode: Mode, sink: S) -> S::Out {
    if mode.relu { sink.op1(pack_halves::<T, true>) } else { sink.op1(pack_halves::<T, false>) }
}

/// `.rn{.relu}` to `.f16x2`.
fn to_f16x2<S: Sink>(from: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match from {
        _ if mode.rounding != Some(Word::Rn) || mode.satfinite => Err(sink),
        Word::E4m3x2 => Ok(send_to_f16x2::<E4m3, S>(mode, sink)),
        Word::E5m2x2 => Ok(send_to_f16x2::<E5m2, S>(mode, sink)),
        Word::E2m3x2 => Ok(send_to_f16x2::<E2m3, S>(mode, sink)),
        Word::E3m2x2 => Ok(send_to_f16x2::<E3m2, S>(mode, sink)),
        Word::E2m1x2 => Ok(send_to_f16x2::<E2m1, S>(mode, sink)),
        _ => Err(sink),
    }
}

fn send_to_f16x2<T: SmallType, S: Sink>(mode: Mode, sink: S) -> S::Out {
    if mode.relu { sink.op1(unpack::<T, Relu>) } else { sink.op1(unpack::<T, Keep>) }
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

#[cfg(test)]
mod tests {
    use warpvm_isa::Rounding;

    use super::*;
    use crate::float::format::round_magnitude;

    #[test]
    fn both_ways_of_rounding_agree() {
        let nearest = |x, min_exponent, fraction| round_magnitude(x, min_exponent, fraction, Rounding::NearestEven);
        for small in [Small::E4M3, Small::E5M2, Small::E2M3, Small::E3M2, Small::E2M1] {
            // Every exponent, with significands around every rounding boundary of the format.
            for high in 0..1 << 17 {
                for low in [0, 1, 0x3fff, 0x4000, 0x4001, 0x7fff] {
                    let x = f32::from_bits(high << 15 | low);
                    for relu in [false, true] {
                        let exact = small.encode(x, relu, nearest);
                        assert_eq!(u64::from(small.encode_nearest(x, relu)), exact, "{small:?} {:#x}", x.to_bits());
                    }
                }
            }
        }
    }
}
