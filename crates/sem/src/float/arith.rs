//! `add`, `sub`, `mul`, `fma` and `mad` (PTX ISA 9.7.3, 9.7.4 and 9.7.5).
//!
//! Without a rounding these round to nearest even. The vendor's compiler may fuse `mul` and `add` without one; here each
//! rounds on its own.

use warpvm_isa::{Opcode, ScalarType};

use super::element::{Bf16, Element, F16, Lanes, Pair};
use super::mode::{Clamp, Mode};
use super::{oob, soft};
use crate::{Form, Sink, Value};

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Add,
    Sub,
    Mul,
    Fma,
}

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let operation = match form.opcode {
        Opcode::Add => Operation::Add,
        Opcode::Sub => Operation::Sub,
        Opcode::Mul => Operation::Mul,
        Opcode::Fma | Opcode::Mad => Operation::Fma,
        _ => return Err(sink),
    };
    if form.operands != if operation == Operation::Fma { 4 } else { 3 } {
        return Err(sink);
    }
    let (Some(mode), Some(ty)) = (Mode::of(form), form.ty(0)) else { return Err(sink) };
    if let Some(from) = form.ty(1) {
        return match (ty, from, form.ty(2)) {
            (ScalarType::F32, ScalarType::F16, None) => mixed(form, operation, mode, F16::widen, sink),
            (ScalarType::F32, ScalarType::Bf16, None) => mixed(form, operation, mode, Bf16::widen, sink),
            _ => Err(sink),
        };
    }
    if !is_legal(form.opcode, ty, mode) {
        return Err(sink);
    }
    match ty {
        ScalarType::F16 => Ok(send::<F16, S>(operation, mode, sink)),
        ScalarType::F16x2 => Ok(send::<Pair<F16>, S>(operation, mode, sink)),
        ScalarType::Bf16 => Ok(send::<Bf16, S>(operation, mode, sink)),
        ScalarType::Bf16x2 => Ok(send::<Pair<Bf16>, S>(operation, mode, sink)),
        ScalarType::F32 => Ok(send::<f32, S>(operation, mode, sink)),
        ScalarType::F32x2 => Ok(send::<Pair<f32>, S>(operation, mode, sink)),
        ScalarType::F64 => Ok(send::<f64, S>(operation, mode, sink)),
        _ => Err(sink),
    }
}

/// Which modifiers go with which type; `fma` and `mad` must name a rounding.
fn is_legal(opcode: Opcode, ty: ScalarType, mode: Mode) -> bool {
    use ScalarType as T;
    let fused = matches!(opcode, Opcode::Fma | Opcode::Mad);
    if fused && mode.rounding.is_none() {
        return false;
    }
    let saturates = mode.clamp == Clamp::Saturate;
    let relu = mode.clamp == Clamp::Relu;
    match ty {
        T::F32 => !relu && !mode.oob,
        T::F32x2 => opcode != Opcode::Mad && mode.clamp == Clamp::Keep && !mode.oob,
        T::F64 => mode.clamp == Clamp::Keep && !mode.is_ftz() && !mode.oob,
        T::F16 | T::F16x2 | T::Bf16 | T::Bf16x2 => {
            let brain = matches!(ty, T::Bf16 | T::Bf16x2);
            opcode != Opcode::Mad
                && mode.is_nearest()
                && (fused || !relu && !mode.oob)
                && !(brain && (saturates || mode.is_ftz()))
                && !(mode.oob && mode.is_ftz())
        }
        _ => false,
    }
}

fn send<L: Lanes, S: Sink>(operation: Operation, mode: Mode, sink: S) -> S::Out {
    let Mode { underflow, clamp, .. } = mode;
    let rounding = mode.round();
    match (operation, mode.is_nearest(), mode.is_ftz()) {
        (Operation::Add, true, false) => clamped2(clamp, sink, |a: L, b: L| a.map2(b, Element::add)),
        (Operation::Sub, true, false) => clamped2(clamp, sink, |a: L, b: L| a.map2(b, Element::sub)),
        (Operation::Mul, true, false) => clamped2(clamp, sink, |a: L, b: L| a.map2(b, Element::mul)),
        (Operation::Fma, true, false) if mode.oob => {
            sink.op3(move |a: L, b: L, c: L| a.map3(b, c, oob::fma).map(|x| clamp.apply(x)))
        }
        (Operation::Fma, true, false) => clamped3(clamp, sink, |a: L, b: L, c: L| a.map3(b, c, Element::fma)),
        (Operation::Add, true, true) => sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(x.add_ftz(y)))),
        (Operation::Sub, true, true) => sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(x.sub_ftz(y)))),
        (Operation::Mul, true, true) => sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(x.mul_ftz(y)))),
        (Operation::Fma, true, true) => {
            sink.op3(move |a: L, b: L, c: L| a.map3(b, c, |x, y, z| clamp.apply(x.fma_ftz(y, z))))
        }
        (Operation::Add, false, _) => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::add(x, y, rounding, underflow))))
        }
        (Operation::Sub, false, _) => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::sub(x, y, rounding, underflow))))
        }
        (Operation::Mul, false, _) => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::mul(x, y, rounding, underflow))))
        }
        (Operation::Fma, false, _) => sink
            .op3(move |a: L, b: L, c: L| a.map3(b, c, |x, y, z| clamp.apply(soft::fma(x, y, z, rounding, underflow)))),
    }
}

/// Chooses the clamp outside of the closure.
fn clamped2<L: Lanes, S: Sink>(clamp: Clamp, sink: S, f: impl Fn(L, L) -> L + Copy + Send + Sync + 'static) -> S::Out {
    match clamp {
        Clamp::Keep => sink.op2(f),
        clamp => sink.op2(move |a, b| f(a, b).map(|x| clamp.apply(x))),
    }
}

/// Chooses the clamp outside of the closure.
fn clamped3<L: Lanes, S: Sink>(
    clamp: Clamp,
    sink: S,
    f: impl Fn(L, L, L) -> L + Copy + Send + Sync + 'static,
) -> S::Out {
    match clamp {
        Clamp::Keep => sink.op3(f),
        Clamp::Saturate => sink.op3(move |a, b, c| f(a, b, c).map(Element::saturate)),
        Clamp::Relu => sink.op3(move |a, b, c| f(a, b, c).map(Element::relu)),
    }
}

/// `add`, `sub` and `fma` with `.f32` results of narrower operands (PTX ISA 9.7.5). `widen` is exact, so that this is
/// the `.f32` operation.
fn mixed<N: Value, S: Sink>(
    form: &Form<'_>,
    operation: Operation,
    mode: Mode,
    widen: impl Fn(N) -> f32 + Copy + Send + Sync + 'static,
    sink: S,
) -> Result<S::Out, S> {
    let Mode { underflow, clamp, .. } = mode;
    if mode.is_ftz() || mode.oob || clamp == Clamp::Relu {
        return Err(sink);
    }
    let rounding = mode.round();
    match form.opcode {
        Opcode::Add if mode.is_nearest() => Ok(sink.op2(move |a: N, c: f32| clamp.apply(widen(a).add(c)))),
        Opcode::Sub if mode.is_nearest() => Ok(sink.op2(move |a: N, c: f32| clamp.apply(widen(a).sub(c)))),
        Opcode::Fma if mode.rounding.is_none() => Err(sink),
        Opcode::Fma if mode.is_nearest() => {
            Ok(sink.op3(move |a: N, b: N, c: f32| clamp.apply(widen(a).fma(widen(b), c))))
        }
        Opcode::Add | Opcode::Sub => Ok(sink.op2(move |a: N, c: f32| {
            let sum = if operation == Operation::Add { soft::add } else { soft::sub };
            clamp.apply(sum(widen(a), c, rounding, underflow))
        })),
        Opcode::Fma => {
            Ok(sink.op3(move |a: N, b: N, c: f32| clamp.apply(soft::fma(widen(a), widen(b), c, rounding, underflow))))
        }
        _ => Err(sink),
    }
}
