//! `add`, `sub`, `mul`, `fma` and `mad` (PTX ISA 9.7.3, 9.7.4 and 9.7.5).
//!
//! Without a rounding these round to nearest even. The vendor's compiler may fuse `mul` and `add` without one; here each
//! rounds on its own.

use warpvm_isa::{Opcode, Rounding, ScalarType};

use super::directed::{self, Direction};
use super::element::{Bf16, Element, F16, Lanes, Pair};
use super::mode::{Clamp, Finish, Keep, Mode, Relu, Saturate};
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
        ScalarType::F32 => match mode.round() {
            Rounding::Zero => Ok(send_directed::<directed::Zero, S>(operation, mode, sink)),
            Rounding::Down => Ok(send_directed::<directed::Down, S>(operation, mode, sink)),
            Rounding::Up => Ok(send_directed::<directed::Up, S>(operation, mode, sink)),
            Rounding::NearestEven | Rounding::NearestAway => Ok(send::<f32, S>(operation, mode, sink)),
        },
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
    match (mode.clamp, mode.is_nearest()) {
        (_, false) => send_exact::<L, S>(operation, mode, sink),
        (Clamp::Keep, true) => send_nearest::<L, Keep, S>(operation, mode, sink),
        (Clamp::Saturate, true) => send_nearest::<L, Saturate, S>(operation, mode, sink),
        (Clamp::Relu, true) => send_nearest::<L, Relu, S>(operation, mode, sink),
    }
}

/// To nearest even. These are functions and not closures because only functions can be made to be inlined always.
fn send_nearest<L: Lanes, C: Finish, S: Sink>(operation: Operation, mode: Mode, sink: S) -> S::Out {
    match (operation, mode.is_ftz()) {
        (Operation::Add, false) => sink.op2(add::<L, C>),
        (Operation::Sub, false) => sink.op2(sub::<L, C>),
        (Operation::Mul, false) => sink.op2(mul::<L, C>),
        (Operation::Fma, false) if mode.oob => sink.op3(fma_oob::<L, C>),
        (Operation::Fma, false) => sink.op3(fma::<L, C>),
        (Operation::Add, true) => sink.op2(add_ftz::<L, C>),
        (Operation::Sub, true) => sink.op2(sub_ftz::<L, C>),
        (Operation::Mul, true) => sink.op2(mul_ftz::<L, C>),
        (Operation::Fma, true) => sink.op3(fma_ftz::<L, C>),
    }
}

macro_rules! lane_functions {
    ($($name:ident, $map:ident, $operation:path, $a:ident $($operand:ident)*;)*) => { $(
        #[inline(always)]
        fn $name<L: Lanes, C: Finish>($a: L, $($operand: L),*) -> L {
            $a.$map($($operand,)* $operation).map(C::apply)
        }
    )* };
}
lane_functions! {
    add, map2, Element::add, a b;
    sub, map2, Element::sub, a b;
    mul, map2, Element::mul, a b;
    fma, map3, Element::fma, a b c;
    fma_oob, map3, oob::fma, a b c;
    add_ftz, map2, Element::add_ftz, a b;
    sub_ftz, map2, Element::sub_ftz, a b;
    mul_ftz, map2, Element::mul_ftz, a b;
    fma_ftz, map3, Element::fma_ftz, a b c;
}

/// With any rounding.
fn send_exact<L: Lanes, S: Sink>(operation: Operation, mode: Mode, sink: S) -> S::Out {
    let Mode { underflow, clamp, .. } = mode;
    let rounding = mode.round();
    match operation {
        Operation::Add => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::add(x, y, rounding, underflow))))
        }
        Operation::Sub => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::sub(x, y, rounding, underflow))))
        }
        Operation::Mul => {
            sink.op2(move |a: L, b: L| a.map2(b, |x, y| clamp.apply(soft::mul(x, y, rounding, underflow))))
        }
        Operation::Fma => sink
            .op3(move |a: L, b: L, c: L| a.map3(b, c, |x, y, z| clamp.apply(soft::fma(x, y, z, rounding, underflow)))),
    }
}

/// `.f32` with a directed rounding.
fn send_directed<D: Direction, S: Sink>(operation: Operation, mode: Mode, sink: S) -> S::Out {
    let clamp = mode.clamp;
    match (operation, clamp, mode.is_ftz()) {
        (Operation::Add, Clamp::Keep, false) => sink.op2(directed::add::<D, false>),
        (Operation::Sub, Clamp::Keep, false) => sink.op2(directed::sub::<D, false>),
        (Operation::Mul, Clamp::Keep, false) => sink.op2(directed::mul::<D, false>),
        (Operation::Fma, Clamp::Keep, false) => sink.op3(directed::fma::<D, false>),
        (Operation::Add, _, false) => sink.op2(move |a, b| clamp.apply(directed::add::<D, false>(a, b))),
        (Operation::Sub, _, false) => sink.op2(move |a, b| clamp.apply(directed::sub::<D, false>(a, b))),
        (Operation::Mul, _, false) => sink.op2(move |a, b| clamp.apply(directed::mul::<D, false>(a, b))),
        (Operation::Fma, _, false) => sink.op3(move |a, b, c| clamp.apply(directed::fma::<D, false>(a, b, c))),
        (Operation::Add, _, true) => sink.op2(move |a, b| clamp.apply(directed::add::<D, true>(a, b))),
        (Operation::Sub, _, true) => sink.op2(move |a, b| clamp.apply(directed::sub::<D, true>(a, b))),
        (Operation::Mul, _, true) => sink.op2(move |a, b| clamp.apply(directed::mul::<D, true>(a, b))),
        (Operation::Fma, _, true) => sink.op3(move |a, b, c| clamp.apply(directed::fma::<D, true>(a, b, c))),
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
