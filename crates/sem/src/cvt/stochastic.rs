//! Stochastic rounding, `.rs` (PTX ISA 8.7, for `sm_100a`): the discarded fraction is rounded up where it carries when
//! random bits are added to it.
//!
//! The four sources of a form with a vector operand `{a, b, e, f}` arrive as two 64-bit values, `a` in the low and `b`
//! in the high half of the first, `e` and `f` in the second.

use std::cmp::Ordering;

use warpvm_isa::Word;

use super::mode::{Conversion, Mode};
use super::narrow::clamped;
use super::small::Small;
use crate::float::element::{Bf16, Element, F16, Pair};
use crate::float::format::{Class, Finite, split};
use crate::{Form, Sink, Value};

/// Random bits for one number: a fraction of `bits` bits.
#[derive(Clone, Copy, Debug)]
struct Random {
    value: u32,
    bits: u32,
}

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { to, from, mode } = conversion;
    if from != Word::F32 || !mode.only_clamps() {
        return Err(sink);
    }
    match (to, form.operands) {
        (Word::F16x2, 4) => Ok(pair::<F16, S>(13, mode, sink)),
        (Word::Bf16x2, 4) => Ok(pair::<Bf16, S>(16, mode, sink)),
        (Word::E4m3x4 | Word::E5m2x4 | Word::E2m3x4 | Word::E3m2x4 | Word::E2m1x4, 3) if mode.satfinite => {
            four(to, mode, sink)
        }
        _ => Err(sink),
    }
}

/// Two halves: the random bits of `a` are the low ones of the upper half of the operand, those of `b` of the lower.
fn pair<E: Element, S: Sink>(bits: u32, mode: Mode, sink: S) -> S::Out {
    sink.op3(move |a: f32, b: f32, random: u32| {
        let mask = (1 << bits) - 1;
        let one = |x, value| clamped(half::<E>(x, Random { value, bits }), mode);
        Pair(one(b, random & mask), one(a, random >> 16 & mask))
    })
}

fn half<E: Element>(x: f32, random: Random) -> E {
    let format = E::FORMAT;
    E::from_u64(match f32::FORMAT.classify(x.to_u64()) {
        Class::Nan => format.nan(),
        Class::Infinite(negative) => format.infinite(negative),
        Class::Zero(negative) => format.zero(negative),
        Class::Finite(x) => {
            let magnitude = round(x, format.min_exponent(), format.fraction_bits, random);
            format.zero(x.negative) | magnitude.min(format.infinity())
        }
    })
}

/// Four small numbers: `a` and `b` share the upper random bits, `e` and `f` the lower ones.
fn four<S: Sink>(to: Word, mode: Mode, sink: S) -> Result<S::Out, S> {
    let Some(small) = Small::of(to) else { return Err(sink) };
    let all = move |ab: u64, ef: u64, random: u32| {
        let (upper, lower) = shares(to, random);
        let one = |x: u64, random| {
            let x = f32::from_bits(x as u32);
            small.encode(x, mode.relu, |x, min_exponent, fraction| round(x, min_exponent, fraction, random))
        };
        let numbers = [one(ab, upper), one(ab >> 32, upper), one(ef, lower), one(ef >> 32, lower)];
        numbers.into_iter().fold(0, |packed, x| packed << small.stride() | x)
    };
    if small.stride() == 4 {
        return Ok(sink.op3(move |ab, ef, random| all(ab, ef, random) as u16));
    }
    Ok(sink.op3(move |ab, ef, random| all(ab, ef, random) as u32))
}

/// The random bits of `a, b` and of `e, f`. For 4-bit results they are the upper and the lower byte of each half.
fn shares(to: Word, random: u32) -> (Random, Random) {
    let (upper, lower) = if to == Word::E2m1x4 {
        (random >> 16 & 0xff00 | random >> 8 & 0xff, random >> 8 & 0xff00 | random & 0xff)
    } else {
        (random >> 16, random & 0xffff)
    };
    (Random { value: upper, bits: 16 }, Random { value: lower, bits: 16 })
}

/// Like `round_magnitude`, but up where the fraction that is cut off plus the random fraction reaches one unit.
fn round(x: Finite, min_exponent: i32, fraction_bits: u32, random: Random) -> u64 {
    let lowest = min_exponent - fraction_bits as i32;
    let unit = (x.magnitude() - fraction_bits as i32).max(lowest);
    let (kept, ..) = split(x, unit);
    // The fraction in units of the last random bit, cut off.
    let (fine, _, _) = split(x, unit - random.bits as i32);
    let fraction = fine - (kept << random.bits);
    let carries = (fraction + u64::from(random.value)).cmp(&(1 << random.bits)) != Ordering::Less;
    (((unit - lowest) as u64) << fraction_bits) + kept + u64::from(carries)
}
