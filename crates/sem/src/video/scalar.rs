//! Scalar video instructions (PTX ISA 9.7.16), all but `vmad`.

use super::finish::{Finish, Merge};
use super::operation::{Operation, Receiver};
use super::select::{Field, Select, is_signed};
use crate::int::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::{Opcode, Word};

/// What is done with the saturated result and the last operand.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    /// There is no last operand.
    Nothing,
    /// The result takes the place of a field of the last operand.
    Merge(Merge),
    Add,
    Min,
    Max,
}

/// A form of this file, resolved.
#[derive(Clone, Copy)]
struct Scalar {
    a: Select,
    b: Select,
    finish: Finish,
    second: Second,
}

/// The forms of this file.
pub(super) fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    match (Operation::of(form), Scalar::of(form)) {
        (Some((operation, _)), Some(scalar)) => Ok(operation.deliver(Delivery { scalar, sink })),
        _ => Err(sink),
    }
}

impl Scalar {
    fn of(form: &Form<'_>) -> Option<Self> {
        let (operation, named_by) = Operation::of(form)?;
        let is_set = form.opcode == Opcode::Vset;
        // `vset` has no destination type; the chip takes that of its first source.
        let sources = usize::from(!is_set);
        let types: Vec<bool> = (0..sources + 2).map(|n| is_signed(form.ty(n))).collect::<Option<_>>()?;
        let (signed, a_signed, b_signed) = (types[0], types[sources], types[sources + 1]);

        let second_word = [Word::Add, Word::Min, Word::Max].into_iter().find(|word| form.has(*word));
        let words: Vec<Word> = named_by.into_iter().chain(second_word).chain((!is_set).then_some(Word::Sat)).collect();
        let is_legal = is_shaped(form, &words, sources + 2, form.operands)
            && !(operation.is_shift() && b_signed)
            && form.selector(3).is_empty()
            && !form.negated.contains(&true);
        let destination = Field::parse(form.selector(0))?;
        is_legal.then_some(Self {
            a: Select::scalar(form.selector(1), a_signed)?,
            b: Select::scalar(form.selector(2), b_signed)?,
            finish: Finish::new(operation, form.has(Word::Sat), signed, destination),
            second: Second::of(form, second_word, destination)?,
        })
    }
}

impl Second {
    /// Reads it off the number of operands, the selector of the destination and the word of the second operation.
    fn of(form: &Form<'_>, word: Option<Word>, destination: Field) -> Option<Self> {
        let is_whole = form.selector(0).is_empty();
        match (word, form.operands) {
            (None, 3) if is_whole => Some(Self::Nothing),
            (None, 4) => Some(Self::Merge(Merge::new(destination))),
            (Some(Word::Add), 4) if is_whole => Some(Self::Add),
            (Some(Word::Min), 4) if is_whole => Some(Self::Min),
            (Some(Word::Max), 4) if is_whole => Some(Self::Max),
            _ => None,
        }
    }
}

/// A resolved form and who waits for its closure.
struct Delivery<S> {
    scalar: Scalar,
    sink: S,
}

impl<S: Sink> Receiver for Delivery<S> {
    type Out = S::Out;

    fn receive(self, f: impl Fn(i64, i64) -> i64 + Copy + Send + Sync + 'static) -> S::Out {
        let Scalar { a: a_select, b: b_select, finish, second } = self.scalar;
        let first = move |a: u32, b: u32| finish.bound(f(a_select.of(a), b_select.of(b)));
        match second {
            Second::Nothing => self.sink.op2(move |a: u32, b: u32| first(a, b) as u32),
            Second::Add => self.sink.op3(move |a: u32, b: u32, c: u32| (first(a, b) as u32).wrapping_add(c)),
            Second::Min => self.sink.op3(move |a: u32, b: u32, c: u32| finish.min(first(a, b), c)),
            Second::Max => self.sink.op3(move |a: u32, b: u32, c: u32| finish.max(first(a, b), c)),
            Second::Merge(merge) => self.sink.op3(move |a: u32, b: u32, c: u32| merge.of(first(a, b), c)),
        }
    }
}
