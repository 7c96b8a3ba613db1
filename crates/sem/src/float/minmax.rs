//! `min` and `max` (PTX ISA 9.7.3 and 9.7.4).
//!
//! Zeros are ordered by their sign. A NaN operand gives the other one, or NaN with `.NaN`. With `.xorsign.abs` the
//! magnitudes are compared and the result has the exclusive or of the signs, also where one operand is NaN.

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};

use super::element::{Bf16, Element, F16, Lanes, Pair};
use crate::{Form, Sink};

/// The modifiers of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mode {
    ftz: bool,
    nan: bool,
    xorsign: bool,
    abs: bool,
}

/// The modifiers where they are more than `.NaN`, and the direction: what the closure of the rarer forms captures.
#[derive(Clone, Copy, Debug)]
struct Pick {
    mode: Mode,
    max: bool,
}

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let max = match form.opcode {
        Opcode::Min => false,
        Opcode::Max => true,
        _ => return Err(sink),
    };
    let (Some(mode), Some(ty), None) = (Mode::of(form), form.ty(0), form.ty(1)) else { return Err(sink) };
    let pick = Pick { mode, max };
    if form.operands == 4 {
        return three(pick, ty, sink);
    }
    if form.operands != 3 || mode.abs != mode.xorsign {
        return Err(sink);
    }
    match ty {
        ScalarType::F16 => Ok(send::<F16, S>(pick, sink)),
        ScalarType::F16x2 => Ok(send::<Pair<F16>, S>(pick, sink)),
        ScalarType::F32 => Ok(send::<f32, S>(pick, sink)),
        ScalarType::Bf16 if !mode.ftz => Ok(send::<Bf16, S>(pick, sink)),
        ScalarType::Bf16x2 if !mode.ftz => Ok(send::<Pair<Bf16>, S>(pick, sink)),
        ScalarType::F64 if mode == Mode::default() => Ok(send::<f64, S>(pick, sink)),
        _ => Err(sink),
    }
}

impl Mode {
    fn of(form: &Form<'_>) -> Option<Self> {
        let mut mode = Mode::default();
        for modifier in form.modifiers {
            let Modifier::Word(word) = *modifier else { return None };
            let flag = match word {
                Word::Ftz => &mut mode.ftz,
                Word::NaN => &mut mode.nan,
                Word::Xorsign => &mut mode.xorsign,
                Word::Abs => &mut mode.abs,
                _ if ScalarType::from_word(word).is_some() => continue,
                _ => return None,
            };
            if std::mem::replace(flag, true) {
                return None;
            }
        }
        Some(mode)
    }
}

fn send<L: Lanes, S: Sink>(pick: Pick, sink: S) -> S::Out {
    let nan = Mode { nan: true, ..Mode::default() };
    match (pick.max, pick.mode) {
        (false, mode) if mode == Mode::default() => sink.op2(|a: L, b: L| a.map2(b, |x, y| number(lesser(x, y), x, y))),
        (true, mode) if mode == Mode::default() => sink.op2(|a: L, b: L| a.map2(b, |x, y| number(greater(x, y), x, y))),
        (false, mode) if mode == nan => sink.op2(|a: L, b: L| a.map2(b, |x, y| any_nan(lesser(x, y), x, y))),
        (true, mode) if mode == nan => sink.op2(|a: L, b: L| a.map2(b, |x, y| any_nan(greater(x, y), x, y))),
        _ => sink.op2(move |a: L, b: L| a.map2(b, |x, y| pick.apply(x, y))),
    }
}

/// `min` and `max` of three numbers, which only `.f32` has (PTX ISA 9.7.3.11, for `sm_100`).
fn three<S: Sink>(pick: Pick, ty: ScalarType, sink: S) -> Result<S::Out, S> {
    if ty != ScalarType::F32 || pick.mode.xorsign {
        return Err(sink);
    }
    Ok(sink.op3(move |a: f32, b: f32, c: f32| pick.apply(pick.apply(a, b), c)))
}

impl Pick {
    #[inline(always)]
    fn apply<E: Element>(self, a: E, b: E) -> E {
        let Mode { ftz, nan, xorsign, abs } = self.mode;
        let sign = (a.to_u64() ^ b.to_u64()) & E::FORMAT.sign();
        let prepare = |x: E| {
            let x = E::pick(ftz, x.flush(), x);
            E::pick(abs, x.magnitude(), x)
        };
        let (a, b) = (prepare(a), prepare(b));
        let chosen = E::pick(self.max, greater(a, b), lesser(a, b));
        let result = E::pick(nan, any_nan(chosen, a, b), number(chosen, a, b));
        let signed = E::from_u64(result.to_u64() | sign);
        E::pick(xorsign & !result.is_nan(), signed, result)
    }
}

#[inline(always)]
fn lesser<E: Element>(a: E, b: E) -> E {
    E::pick(a.key() < b.key(), a, b)
}

#[inline(always)]
fn greater<E: Element>(a: E, b: E) -> E {
    E::pick(a.key() > b.key(), a, b)
}

/// `chosen`, but the other operand where one is NaN.
#[inline(always)]
fn number<E: Element>(chosen: E, a: E, b: E) -> E {
    let other = E::pick(a.is_nan(), b.quiet(), a);
    E::pick(b.is_nan(), other, E::pick(a.is_nan(), b, chosen))
}

/// `chosen`, but NaN where an operand is NaN.
#[inline(always)]
fn any_nan<E: Element>(chosen: E, a: E, b: E) -> E {
    E::pick(b.is_nan(), b.quiet(), E::pick(a.is_nan(), a.quiet(), chosen))
}
