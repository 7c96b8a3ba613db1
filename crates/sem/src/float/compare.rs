//! `setp` and `set` of floating-point numbers (PTX ISA 9.7.6 and 9.7.7). Comparisons of integers are in `int`.
//!
//! Two values stand in one of four relations, and a comparison is a set of relations. The comparisons of the common
//! types have closures of their own; the others test whether the relation is in the set.

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};

use super::element::{Bf16, Element, F16, Pair};
use super::format::Format;
use crate::{Form, Sink, Value};

const LESS: u32 = 1;
const EQUAL: u32 = 2;
const GREATER: u32 = 4;
const UNORDERED: u32 = 8;

const NOT_EQUAL: u32 = LESS | GREATER;
const AT_MOST: u32 = LESS | EQUAL;
const AT_LEAST: u32 = GREATER | EQUAL;
const ORDERED: u32 = LESS | EQUAL | GREATER;
const EQUAL_UNORDERED: u32 = EQUAL | UNORDERED;
const NOT_EQUAL_UNORDERED: u32 = NOT_EQUAL | UNORDERED;
const LESS_UNORDERED: u32 = LESS | UNORDERED;
const AT_MOST_UNORDERED: u32 = AT_MOST | UNORDERED;
const GREATER_UNORDERED: u32 = GREATER | UNORDERED;
const AT_LEAST_UNORDERED: u32 = AT_LEAST | UNORDERED;

/// A comparison with what is done to its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Comparison {
    /// The relations for which it holds.
    holds: u32,
    /// The Boolean operation with a third operand, where there is one.
    combine: Option<Combine>,
    /// Subnormal operands count as zeros.
    ftz: bool,
}

/// `.and`, `.or` or `.xor`: true where both are, and where one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Combine {
    both: bool,
    one: bool,
}

impl Combine {
    fn of(word: Word) -> Option<Self> {
        match word {
            Word::And => Some(Combine { both: true, one: false }),
            Word::Or => Some(Combine { both: true, one: true }),
            Word::Xor => Some(Combine { both: false, one: true }),
            _ => None,
        }
    }

    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "a loop over lanes is to have no branches")]
    fn apply(self, outcome: bool, c: bool) -> bool {
        (outcome & c & self.both) | ((outcome ^ c) & self.one)
    }
}

impl Comparison {
    /// Reads the modifiers that are not types.
    fn of(form: &Form<'_>, ty: ScalarType) -> Option<Self> {
        let (mut holds, mut combine, mut ftz) = (None, None, false);
        for modifier in form.modifiers {
            let Modifier::Word(word) = *modifier else { return None };
            if ScalarType::from_word(word).is_some() {
            } else if let Some(set) = relations(word) {
                if holds.replace(set).is_some() {
                    return None;
                }
            } else if let Some(operation) = Combine::of(word) {
                if combine.replace(operation).is_some() {
                    return None;
                }
            } else if word != Word::Ftz || std::mem::replace(&mut ftz, true) {
                return None;
            }
        }
        let may_flush = matches!(ty, ScalarType::F16 | ScalarType::F16x2 | ScalarType::F32);
        let complete = form.operands == if combine.is_some() { 4 } else { 3 };
        (complete && (!ftz || may_flush)).then_some(Comparison { holds: holds?, combine, ftz })
    }

    #[inline(always)]
    fn outcome<V: Compare>(self, a: V, b: V) -> bool {
        let a = V::pick(self.ftz, a.flush(), a);
        let b = V::pick(self.ftz, b.flush(), b);
        a.relation(b) & self.holds != 0
    }
}

/// The relations for which a comparison holds.
fn relations(word: Word) -> Option<u32> {
    Some(match word {
        Word::Eq => EQUAL,
        Word::Ne => NOT_EQUAL,
        Word::Lt => LESS,
        Word::Le => AT_MOST,
        Word::Gt => GREATER,
        Word::Ge => AT_LEAST,
        Word::Equ => EQUAL_UNORDERED,
        Word::Neu => NOT_EQUAL_UNORDERED,
        Word::Ltu => LESS_UNORDERED,
        Word::Leu => AT_MOST_UNORDERED,
        Word::Gtu => GREATER_UNORDERED,
        Word::Geu => AT_LEAST_UNORDERED,
        Word::Num => ORDERED,
        Word::Nan => UNORDERED,
        _ => return None,
    })
}

/// A number that can be compared.
trait Compare: Element {
    /// The relation of `self` to `b`.
    fn relation(self, b: Self) -> u32;
}

macro_rules! compare_floats {
    ($($t:ty, $widen:expr;)*) => { $(
        impl Compare for $t {
            #[inline(always)]
            fn relation(self, b: $t) -> u32 {
                let (a, b) = ($widen(self), $widen(b));
                let ordered = u32::from(a < b) * LESS | u32::from(a == b) * EQUAL | u32::from(a > b) * GREATER;
                ordered | u32::from(ordered == 0) * UNORDERED
            }
        }
    )* };
}
compare_floats! { F16, F16::widen; Bf16, Bf16::widen; f32, std::convert::identity; f64, std::convert::identity; }

/// Hands the meaning of a form of this file to `sink`.
///
/// # Errors
/// The sink, where the form is not of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match form.opcode {
        Opcode::Setp => setp(form, sink),
        Opcode::Set => set(form, sink),
        _ => Err(sink),
    }
}

/// `setp`: the first predicate is the outcome combined with `c`, the second is the opposite outcome combined with `c`;
/// of packed types they are the outcomes of the low and the high halves.
fn setp<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    let (Some(ty), None) = (form.ty(0), form.ty(1)) else { return Err(sink) };
    let Some(comparison) = Comparison::of(form, ty) else { return Err(sink) };
    match ty {
        T::F32 => setp_float::<f32, S>(comparison, sink),
        T::F64 => setp_float::<f64, S>(comparison, sink),
        T::F16 => Ok(setp_any::<F16, S>(comparison, sink)),
        T::Bf16 => Ok(setp_any::<Bf16, S>(comparison, sink)),
        T::F16x2 => Ok(setp_pair::<F16, S>(comparison, sink)),
        T::Bf16x2 => Ok(setp_pair::<Bf16, S>(comparison, sink)),
        _ => Err(sink),
    }
}

/// A closure for each comparison of a common floating-point type.
fn setp_float<V: Compare + PartialOrd, S: Sink>(comparison: Comparison, sink: S) -> Result<S::Out, S> {
    if comparison.combine.is_some() || comparison.ftz {
        return Ok(setp_any::<V, S>(comparison, sink));
    }
    Ok(match comparison.holds {
        EQUAL => sink.op2(|a: V, b: V| both(a == b)),
        NOT_EQUAL => sink.op2(|a: V, b: V| both(differ(a, b))),
        LESS => sink.op2(|a: V, b: V| both(a < b)),
        AT_MOST => sink.op2(|a: V, b: V| both(a <= b)),
        GREATER => sink.op2(|a: V, b: V| both(a > b)),
        AT_LEAST => sink.op2(|a: V, b: V| both(a >= b)),
        EQUAL_UNORDERED => sink.op2(|a: V, b: V| both(!differ(a, b))),
        NOT_EQUAL_UNORDERED => sink.op2(|a: V, b: V| both(a != b)),
        LESS_UNORDERED => sink.op2(|a: V, b: V| both(!at_least(a, b))),
        AT_MOST_UNORDERED => sink.op2(|a: V, b: V| both(!above(a, b))),
        GREATER_UNORDERED => sink.op2(|a: V, b: V| both(!at_least(b, a))),
        AT_LEAST_UNORDERED => sink.op2(|a: V, b: V| both(!above(b, a))),
        ORDERED => sink.op2(|a: V, b: V| both(a.partial_cmp(&b).is_some())),
        UNORDERED => sink.op2(|a: V, b: V| both(a.partial_cmp(&b).is_none())),
        _ => return Err(sink),
    })
}

/// Is neither NaN, and are they different? Of numbers this is not `!=`, which holds for NaN.
#[inline(always)]
#[expect(clippy::double_comparisons, reason = "the comparison that is proposed holds for NaN")]
fn differ<V: Compare + PartialOrd>(a: V, b: V) -> bool {
    a < b || a > b
}

#[inline(always)]
fn at_least<V: Compare + PartialOrd>(a: V, b: V) -> bool {
    a >= b
}

#[inline(always)]
fn above<V: Compare + PartialOrd>(a: V, b: V) -> bool {
    a > b
}

/// Both predicates of a comparison that is not combined.
#[inline(always)]
fn both(outcome: bool) -> (bool, bool) {
    (outcome, !outcome)
}

fn setp_any<V: Compare, S: Sink>(comparison: Comparison, sink: S) -> S::Out {
    match comparison.combine {
        None => sink.op2(move |a: V, b: V| both(comparison.outcome(a, b))),
        Some(combine) => sink.op3(move |a: V, b: V, c: bool| {
            let outcome = comparison.outcome(a, b);
            (combine.apply(outcome, c), combine.apply(!outcome, c))
        }),
    }
}

fn setp_pair<E: Compare, S: Sink>(comparison: Comparison, sink: S) -> S::Out {
    let outcomes = move |a: Pair<E>, b: Pair<E>| (comparison.outcome(a.0, b.0), comparison.outcome(a.1, b.1));
    match comparison.combine {
        None => sink.op2(outcomes),
        Some(combine) => sink.op3(move |a: Pair<E>, b: Pair<E>, c: bool| {
            let (low, high) = outcomes(a, b);
            (combine.apply(low, c), combine.apply(high, c))
        }),
    }
}

/// `set`: all bits, or one, where the outcome is true, else zero.
fn set<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    let (Some(to), Some(from), None) = (form.ty(0), form.ty(1), form.ty(2)) else { return Err(sink) };
    let Some(comparison) = Comparison::of(form, from) else { return Err(sink) };
    if !is_legal_set(to, from, comparison.ftz) {
        return Err(sink);
    }
    match from {
        T::F16 => set_one::<F16, S>(comparison, to, sink),
        T::Bf16 => set_one::<Bf16, S>(comparison, to, sink),
        T::F32 => set_one::<f32, S>(comparison, to, sink),
        T::F64 => set_one::<f64, S>(comparison, to, sink),
        T::F16x2 => Ok(set_pair::<F16, S>(comparison, to, sink)),
        T::Bf16x2 => Ok(set_pair::<Bf16, S>(comparison, to, sink)),
        _ => Err(sink),
    }
}

/// The pairs of types of `set`: those of the manual, and the half results of wider comparisons that the vendor's
/// assembler takes as well.
fn is_legal_set(to: ScalarType, from: ScalarType, ftz: bool) -> bool {
    use ScalarType as T;
    match from {
        T::F16x2 => matches!(to, T::U32 | T::S32 | T::F16x2),
        T::Bf16x2 => matches!(to, T::U32 | T::S32 | T::Bf16x2),
        T::F16 => matches!(to, T::U16 | T::S16 | T::U32 | T::S32 | T::F16) || (to == T::Bf16 && !ftz),
        T::Bf16 => matches!(to, T::U16 | T::S16 | T::U32 | T::S32 | T::Bf16),
        _ => matches!(to, T::U32 | T::S32 | T::F32 | T::F16) || (to == T::Bf16 && !ftz),
    }
}

/// What `set` writes for true.
fn truth(to: ScalarType) -> Option<u64> {
    Some(match to {
        ScalarType::U32 | ScalarType::S32 => 0xffff_ffff,
        ScalarType::U16 | ScalarType::S16 => 0xffff,
        ScalarType::F32 => Format::F32.one(),
        ScalarType::F16 => Format::F16.one(),
        ScalarType::Bf16 => Format::BF16.one(),
        _ => return None,
    })
}

fn set_one<V: Compare, S: Sink>(comparison: Comparison, to: ScalarType, sink: S) -> Result<S::Out, S> {
    match truth(to) {
        Some(yes) if to.bits() == 16 => Ok(set_value::<V, u16, S>(comparison, yes, sink)),
        Some(yes) => Ok(set_value::<V, u32, S>(comparison, yes, sink)),
        None => Err(sink),
    }
}

fn set_value<V: Compare, D: Value, S: Sink>(comparison: Comparison, yes: u64, sink: S) -> S::Out {
    let choose = move |outcome| D::from_u64(if outcome { yes } else { 0 });
    match comparison.combine {
        None => sink.op2(move |a: V, b: V| choose(comparison.outcome(a, b))),
        Some(combine) => sink.op3(move |a: V, b: V, c: bool| choose(combine.apply(comparison.outcome(a, b), c))),
    }
}

fn set_pair<E: Compare, S: Sink>(comparison: Comparison, to: ScalarType, sink: S) -> S::Out {
    let yes = match to {
        ScalarType::U32 | ScalarType::S32 => 0xffff,
        _ => E::FORMAT.one() as u32,
    };
    let choose = move |low, high| if low { yes } else { 0 } | if high { yes << 16 } else { 0 };
    match comparison.combine {
        None => {
            sink.op2(move |a: Pair<E>, b: Pair<E>| choose(comparison.outcome(a.0, b.0), comparison.outcome(a.1, b.1)))
        }
        Some(combine) => sink.op3(move |a: Pair<E>, b: Pair<E>, c: bool| {
            let low = combine.apply(comparison.outcome(a.0, b.0), c);
            choose(low, combine.apply(comparison.outcome(a.1, b.1), c))
        }),
    }
}
