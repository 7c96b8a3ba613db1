//! Comparison of integers and untyped values (PTX ISA 9.7.6): `set` and `setp`. Floating-point comparisons are elsewhere.
//!
//! With a Boolean operation the predicate `c` is the third input. The two results of `setp` are `p = cmp OP c` and
//! `q = !cmp OP c`; without an operation `q` is the complement of `p`.

use super::shape::{by_type, is_shaped};
use crate::{Form, Sink, Value};
use warpvm_isa::{ScalarType, Word};

/// A comparison, with the unsigned spellings `lo ls hi hs` folded into the others.
#[derive(Clone, Copy, PartialEq)]
enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// What a word means for a type, if the type has it.
    fn from_word(word: Word, operand: ScalarType) -> Option<Self> {
        use ScalarType as T;
        let is_ordered = !matches!(operand, T::B16 | T::B32 | T::B64);
        let is_unsigned = matches!(operand, T::U16 | T::U32 | T::U64);
        match word {
            Word::Eq => Some(Self::Eq),
            Word::Ne => Some(Self::Ne),
            Word::Lt if is_ordered => Some(Self::Lt),
            Word::Le if is_ordered => Some(Self::Le),
            Word::Gt if is_ordered => Some(Self::Gt),
            Word::Ge if is_ordered => Some(Self::Ge),
            Word::Lo if is_unsigned => Some(Self::Lt),
            Word::Ls if is_unsigned => Some(Self::Le),
            Word::Hi if is_unsigned => Some(Self::Gt),
            Word::Hs if is_unsigned => Some(Self::Ge),
            _ => None,
        }
    }

    /// Bits 0, 1 and 2: is it true of less, equal, greater?
    fn table(self) -> u32 {
        match self {
            Self::Lt => 0b001,
            Self::Eq => 0b010,
            Self::Le => 0b011,
            Self::Gt => 0b100,
            Self::Ne => 0b101,
            Self::Ge => 0b110,
        }
    }
}

/// A Boolean operation as the sum of two terms: true where both are, true where exactly one is.
#[derive(Clone, Copy)]
struct BoolOp {
    both: bool,
    one: bool,
}

impl BoolOp {
    /// The operation that a word names.
    fn from_word(word: Word) -> Option<Self> {
        match word {
            Word::And => Some(Self { both: true, one: false }),
            Word::Or => Some(Self { both: true, one: true }),
            Word::Xor => Some(Self { both: false, one: true }),
            _ => None,
        }
    }

    /// Applies it, without a branch.
    #[expect(clippy::needless_bitwise_bool, reason = "a loop of it over lanes is to vectorise")]
    #[inline(always)]
    fn of(self, a: bool, b: bool) -> bool {
        (a & b & self.both) | ((a ^ b) & self.one)
    }
}

/// All that a form of this file says.
struct Shape {
    comparison: Comparison,
    combine: Option<BoolOp>,
    /// Type of the values compared.
    operand: ScalarType,
}

impl Shape {
    /// Reads a form with so many types, the compared one last.
    fn of(form: &Form<'_>, types: usize) -> Option<Self> {
        let operand = form.ty(types - 1)?;
        let rest = || form.words().filter(|word| ScalarType::from_word(*word).is_none());
        let comparing = rest().find(|word| BoolOp::from_word(*word).is_none())?;
        let combining = rest().find(|word| BoolOp::from_word(*word).is_some());
        let words = [comparing, combining.unwrap_or(comparing)];
        let count = 1 + combining.iter().len();
        if rest().count() != count || !is_shaped(form, &words, types, 2 + count) {
            return None;
        }
        Some(Self {
            comparison: Comparison::from_word(comparing, operand)?,
            combine: combining.and_then(BoolOp::from_word),
            operand,
        })
    }
}

/// `setp`: 9.7.6.2.
pub(super) fn setp<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let Some(shape) = Shape::of(form, 1) else { return Err(sink) };
    by_type!(Some(shape.operand), sink, T: {
        B16 | U16 => u16, B32 | U32 => u32, B64 | U64 => u64, S16 => i16, S32 => i32, S64 => i64
    }, setp_by_comparison::<S, T>(&shape, sink))
}

/// A closure of its own for each comparison.
fn setp_by_comparison<S: Sink, T: Value + Ord>(shape: &Shape, sink: S) -> S::Out {
    match shape.comparison {
        Comparison::Eq => setp_by_test(shape, sink, |a: T, b: T| a == b),
        Comparison::Ne => setp_by_test(shape, sink, |a: T, b: T| a != b),
        Comparison::Lt => setp_by_test(shape, sink, |a: T, b: T| a < b),
        Comparison::Le => setp_by_test(shape, sink, |a: T, b: T| a <= b),
        Comparison::Gt => setp_by_test(shape, sink, |a: T, b: T| a > b),
        Comparison::Ge => setp_by_test(shape, sink, |a: T, b: T| a >= b),
    }
}

/// Delivers one comparison with what it is combined with.
fn setp_by_test<S: Sink, T: Value>(
    shape: &Shape,
    sink: S,
    test: impl Fn(T, T) -> bool + Copy + Send + Sync + 'static,
) -> S::Out {
    match shape.combine {
        None => sink.op2(move |a: T, b: T| {
            let p = test(a, b);
            (p, !p)
        }),
        Some(op) => sink.op3(move |a: T, b: T, c: bool| {
            let t = test(a, b);
            (op.of(t, c), op.of(!t, c))
        }),
    }
}

/// `set`: 9.7.6.1. True is all ones for an integer destination and 1.0 for a floating-point one.
pub(super) fn set<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as Ty;
    let Some(shape) = Shape::of(form, 2) else { return Err(sink) };
    match form.ty(0) {
        Some(Ty::U32 | Ty::S32) => set_to(&shape, sink, u32::MAX),
        Some(Ty::F32) => set_to(&shape, sink, 0x3f80_0000_u32),
        Some(Ty::F16) => set_to(&shape, sink, 0x3c00_u16),
        Some(Ty::Bf16) => set_to(&shape, sink, 0x3f80_u16),
        _ => Err(sink),
    }
}

/// `set` with `yes` for true and zero for false.
fn set_to<S: Sink, D: Value + Default>(shape: &Shape, sink: S, yes: D) -> Result<S::Out, S> {
    by_type!(Some(shape.operand), sink, T: {
        B16 | U16 => u16, B32 | U32 => u32, B64 | U64 => u64, S16 => i16, S32 => i32, S64 => i64
    }, set_by_table::<S, D, T>(shape, sink, yes))
}

/// `set` is rare: one closure serves all comparisons by looking the order of the values up.
fn set_by_table<S: Sink, D: Value + Default, T: Value + Ord>(shape: &Shape, sink: S, yes: D) -> S::Out {
    let table = shape.comparison.table();
    let test = move |a: T, b: T| (table >> ((a >= b) as u32 + (a > b) as u32)) & 1 != 0;
    let write = move |t: bool| if t { yes } else { D::default() };
    match shape.combine {
        None => sink.op2(move |a: T, b: T| write(test(a, b))),
        Some(op) => sink.op3(move |a: T, b: T, c: bool| write(op.of(test(a, b), c))),
    }
}
