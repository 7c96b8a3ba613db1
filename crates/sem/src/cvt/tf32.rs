//! Conversion to `.tf32`: the upper 19 bits of an `.f32`, the others zero.

use warpvm_isa::{Rounding, Word};

use super::mode::{Conversion, Mode};
use crate::Sink;
use crate::float::format::{Class, Format, Underflow};

const LOW: u32 = 0x1fff;
const INFINITY: u32 = 0x7f80_0000;

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(conversion: Conversion, sink: S) -> Result<S::Out, S> {
    let Conversion { from, mode, .. } = conversion;
    if from != Word::F32 || mode.ftz || mode.sat {
        return Err(sink);
    }
    match (mode.rounding, mode.relu, mode.satfinite) {
        (Some(Word::Rna), false, false) => Ok(sink.op1(nearest_away)),
        (Some(Word::Rna), false, true) => Ok(sink.op1(nearest_away_finite)),
        (Some(Word::Rn), ..) => Ok(sink.op1(move |a: u32| round(a, Rounding::NearestEven, mode))),
        (Some(Word::Rz), ..) => Ok(sink.op1(move |a: u32| round(a, Rounding::Zero, mode))),
        _ => Err(sink),
    }
}

/// `.rna`: adds half a unit to the bits and cuts them; the payload of a NaN is only cut.
#[inline(always)]
fn nearest_away(a: u32) -> u32 {
    let special = a & INFINITY == INFINITY;
    (if special { a } else { a.wrapping_add(LOW / 2 + 1) }) & !LOW
}

/// `.rna.satfinite`: one unit less where the exponent has all bits set, which suits infinities; a NaN is not spared.
#[inline(always)]
fn nearest_away_finite(a: u32) -> u32 {
    let rounded = nearest_away(a);
    if rounded & INFINITY == INFINITY { rounded.wrapping_sub(LOW + 1) } else { rounded }
}

fn round(a: u32, rounding: Rounding, mode: Mode) -> u32 {
    let format = Format::TF32;
    let bits = match Format::F32.classify(u64::from(a)) {
        Class::Nan => return (format.nan() as u32) << 13,
        Class::Infinite(negative) => format.infinite(negative),
        Class::Zero(negative) => format.zero(negative),
        Class::Finite(x) => format.round(x, rounding, Underflow::Gradual),
    };
    let bits = if mode.relu && bits & format.sign() != 0 { 0 } else { bits };
    let infinite = bits & !format.sign() == format.infinity();
    ((if mode.satfinite && infinite { bits - 1 } else { bits }) as u32) << 13
}
