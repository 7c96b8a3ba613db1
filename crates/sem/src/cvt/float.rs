//! Conversions between floating-point numbers, and rounding of them to integers in their own format.

use warpvm_isa::{Rounding, Word};

use super::mode::{Conversion, Mode};
use super::to_int::rounded;
use crate::Sink;
use crate::float::element::{Bf16, Element, F16};
use crate::float::format::{Class, Underflow};
use crate::float::half::narrow_to_odd;
use crate::float::mode::Clamp;
use crate::float::single::canonical;

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    if !is_legal(conversion) {
        return Err(sink);
    }
    let Conversion { to, from, mode } = conversion;
    if to == from {
        return same_type(to, mode, sink);
    }
    if mode.is_plain() {
        match (to, from) {
            (Word::F32, Word::F16) => return Ok(sink.op1(|a: F16| canonical(a.widen()))),
            (Word::F32, Word::Bf16) => return Ok(sink.op1(|a: Bf16| a.widen())),
            (Word::F16, Word::F32) => return Ok(sink.op1(F16::round)),
            (Word::Bf16, Word::F32) => return Ok(sink.op1(Bf16::round)),
            (Word::F64, Word::F32) => return Ok(sink.op1(|a: f32| f64::pick(a.is_nan(), nan(a), f64::from(a)))),
            (Word::F32, Word::F64) => return Ok(sink.op1(|a: f64| f32::pick(a.is_nan(), nan(a), a as f32))),
            (Word::F16, Word::F64) => {
                return Ok(sink.op1(|a: f64| F16::pick(a.is_nan(), nan(a), F16::round(narrow_to_odd(a)))));
            }
            _ => {}
        }
    }
    match from {
        Word::F16 => from_type::<F16, S>(to, mode, sink),
        Word::Bf16 => from_type::<Bf16, S>(to, mode, sink),
        Word::F32 => from_type::<f32, S>(to, mode, sink),
        Word::F64 => from_type::<f64, S>(to, mode, sink),
        _ => Err(sink),
    }
}

/// Which modifiers go with which types.
fn is_legal(conversion: Conversion) -> bool {
    let Conversion { to, from, mode } = conversion;
    let to_half = matches!(to, Word::F16 | Word::Bf16);
    let brain = to == Word::Bf16 || from == Word::Bf16;
    let narrows = width(to) < width(from) || (width(to) == width(from) && to != from);
    let rounds = narrows || (from == Word::Bf16 && to != from);
    let rounding = match mode.rounding {
        None => !narrows || (to_half && from != Word::F32 && from != Word::F64),
        Some(Word::Rn | Word::Rz) => rounds,
        Some(Word::Rm | Word::Rp) => rounds && !mode.relu && !mode.satfinite,
        Some(Word::Rni | Word::Rzi | Word::Rmi | Word::Rpi) => to == from,
        Some(_) => false,
    };
    let clamps = !(mode.relu || mode.satfinite) || (to_half && from == Word::F32 && !mode.sat && !mode.ftz);
    let ftz = !mode.ftz || to == Word::F32 || from == Word::F32;
    rounding && clamps && ftz && !(mode.sat && brain) && !(brain && to == from && mode.ftz)
}

fn width(ty: Word) -> u32 {
    match ty {
        Word::F64 => 64,
        Word::F32 => 32,
        _ => 16,
    }
}

impl Mode {
    /// To nearest even with no other modifier.
    fn is_plain(self) -> bool {
        let nearest = matches!(self.rounding, None | Some(Word::Rn));
        nearest && Mode { rounding: None, ..self } == Mode::default()
    }

    fn clamp(self) -> Clamp {
        match (self.sat, self.relu) {
            (true, _) => Clamp::Saturate,
            (false, true) => Clamp::Relu,
            (false, false) => Clamp::Keep,
        }
    }
}

fn from_type<A: Element, S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match to {
        Word::F16 => Ok(any::<A, F16, S>(mode, sink)),
        Word::Bf16 => Ok(any::<A, Bf16, S>(mode, sink)),
        Word::F32 => Ok(any::<A, f32, S>(mode, sink)),
        Word::F64 => Ok(any::<A, f64, S>(mode, sink)),
        _ => Err(sink),
    }
}

/// With any modifiers.
fn any<A: Element, D: Element, S: Sink>(mode: Mode, sink: S) -> S::Out {
    let rounding = mode.float_rounding().unwrap_or(Rounding::NearestEven);
    let clamp = mode.clamp();
    // `.ftz` is about 8-bit exponents: the chip flushes such a source, but not on the way to `.f16`, and an `.f32` result.
    let flush_source = mode.ftz && A::FORMAT.exponent_bits == 8 && D::FORMAT != F16::FORMAT;
    let underflow = if mode.ftz && D::FORMAT == f32::FORMAT { Underflow::Flush } else { Underflow::Gradual };
    sink.op1(move |a: A| {
        let a = if flush_source { a.flush() } else { a };
        let result = match (flush_source && a.is_nan(), D::BITS) {
            (true, 64) => nan(f32::INVALID),
            (true, _) => D::INVALID,
            (false, _) => convert::<A, D>(a, rounding, underflow),
        };
        clamp.apply(if mode.satfinite { finite(result) } else { result })
    })
}

/// Converts exactly or with one rounding.
pub(super) fn convert<A: Element, D: Element>(a: A, rounding: Rounding, underflow: Underflow) -> D {
    match A::FORMAT.classify(a.to_u64()) {
        Class::Nan => nan(a),
        Class::Infinite(negative) => D::from_u64(D::FORMAT.infinite(negative)),
        Class::Zero(negative) => D::from_u64(D::FORMAT.zero(negative)),
        Class::Finite(x) => D::from_u64(D::FORMAT.round(x, rounding, underflow)),
    }
}

/// `.satfinite`: infinities become the largest finite numbers.
pub(super) fn finite<E: Element>(x: E) -> E {
    let bits = x.to_u64();
    let infinite = bits & !E::FORMAT.sign() == E::FORMAT.infinity();
    E::from_u64(if infinite { bits - 1 } else { bits })
}

/// What becomes of a NaN in another format.
#[inline(always)]
fn nan<A: Element, D: Element>(a: A) -> D {
    let wide = A::BITS == 64 || D::BITS == 64;
    let copies = A::FORMAT == Bf16::FORMAT && D::BITS == 32;
    if !wide && !copies {
        return D::INVALID;
    }
    let sign = if a.is_negative() { D::FORMAT.sign() } else { 0 };
    let payload = a.to_u64() & ((1 << A::FORMAT.fraction_bits) - 1);
    let (from, to) = (A::FORMAT.fraction_bits, D::FORMAT.fraction_bits);
    let moved = if to >= from { payload << (to - from) } else { payload >> (from - to) };
    let quiet = if wide { 1 << (to - 1) } else { 0 };
    D::from_u64(sign | D::FORMAT.infinity() | moved | quiet)
}

/// Equal types: a copy, or rounding to an integer.
fn same_type<S: Sink>(ty: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    match ty {
        Word::F16 => Ok(integral::<F16, S>(mode, sink)),
        Word::Bf16 => Ok(integral::<Bf16, S>(mode, sink)),
        Word::F32 => Ok(integral::<f32, S>(mode, sink)),
        Word::F64 => Ok(integral::<f64, S>(mode, sink)),
        _ => Err(sink),
    }
}

fn integral<E: Integral, S: Sink>(mode: Mode, sink: S) -> S::Out {
    let plain = Mode { rounding: None, ..mode } == Mode::default();
    match (mode.integer_rounding(), plain) {
        (None, true) if E::BITS == 16 => sink.op1(|a: E| E::pick(a.is_nan(), a.quiet(), a)),
        (None, true) => sink.op1(|a: E| a),
        (Some(Rounding::NearestEven), true) => sink.op1(|a: E| a.to_integral(Rounding::NearestEven)),
        (Some(Rounding::Zero), true) => sink.op1(|a: E| a.to_integral(Rounding::Zero)),
        (Some(Rounding::Down), true) => sink.op1(|a: E| a.to_integral(Rounding::Down)),
        (Some(Rounding::Up), true) => sink.op1(|a: E| a.to_integral(Rounding::Up)),
        (rounding, _) => {
            let (ftz, clamp) = (mode.ftz, mode.clamp());
            let prepare = move |a: E| E::pick(ftz, a.flush(), a);
            match rounding {
                None => sink.op1(move |a: E| clamp.apply(E::pick(a.is_nan(), a.quiet(), prepare(a)))),
                Some(rounding) => sink.op1(move |a: E| clamp.apply(prepare(a).to_integral(rounding))),
            }
        }
    }
}

/// Rounding to an integer in the same format, which is exact in a wider one.
trait Integral: Element {
    fn to_integral(self, rounding: Rounding) -> Self;
}

impl Integral for F16 {
    #[inline(always)]
    fn to_integral(self, rounding: Rounding) -> F16 {
        F16::round(rounded!(self.widen(), rounding))
    }
}

impl Integral for Bf16 {
    #[inline(always)]
    fn to_integral(self, rounding: Rounding) -> Bf16 {
        Bf16::round(rounded!(self.widen(), rounding))
    }
}

impl Integral for f32 {
    #[inline(always)]
    fn to_integral(self, rounding: Rounding) -> f32 {
        canonical(rounded!(self, rounding))
    }
}

impl Integral for f64 {
    #[inline(always)]
    fn to_integral(self, rounding: Rounding) -> f64 {
        f64::pick(self.is_nan(), self.quiet(), rounded!(self, rounding))
    }
}
