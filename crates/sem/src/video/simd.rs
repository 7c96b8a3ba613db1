//! SIMD video instructions (PTX ISA 9.7.17): the same steps in two half-words or four bytes of a register at once.

use super::operation::{Operation, Receiver};
use super::select::{Select, is_signed};
use crate::int::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::{Opcode, ScalarType, Word};

/// A form of this file, resolved. `N` is the number of lanes in a register, 2 or 4.
#[derive(Clone, Copy)]
struct Packed<const N: usize> {
    a: [Select; N],
    b: [Select; N],
    /// All ones for a lane that the destination mask names, else 0.
    lanes: [u32; N],
    low: i64,
    high: i64,
    /// `.add`: lanes are summed with the last operand, not merged with it.
    accumulate: bool,
}

/// The forms of this file with `N` lanes.
pub(super) fn lane<S: Sink, const N: usize>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if is_sum_of_byte_distances(form) {
        return Ok(sink.op3(sum_of_byte_distances));
    }
    match (Operation::of(form), Packed::<N>::of(form)) {
        (Some((operation, _)), Some(packed)) => Ok(operation.deliver(Delivery { packed, sink })),
        _ => Err(sink),
    }
}

impl<const N: usize> Packed<N> {
    const BITS: u32 = 32 / N as u32;

    fn of(form: &Form<'_>) -> Option<Self> {
        // A comparison has no destination type: its result is unsigned.
        let is_set = matches!(form.opcode, Opcode::Vset2 | Opcode::Vset4);
        let sources = usize::from(!is_set);
        let signed = if is_set { false } else { is_signed(form.ty(0))? };
        let (a_signed, b_signed) = (is_signed(form.ty(sources))?, is_signed(form.ty(sources + 1))?);
        let (_, named_by) = Operation::of(form)?;
        let (saturate, accumulate) = (form.has(Word::Sat), form.has(Word::Add));
        let words: Vec<Word> = named_by.into_iter().chain([Word::Add]).chain((!is_set).then_some(Word::Sat)).collect();
        let is_legal = is_shaped(form, &words, sources + 2, 4)
            && !(saturate && accumulate)
            && form.selector(3).is_empty()
            && !form.negated.contains(&true);
        let (low, high) = match (saturate, signed) {
            (false, _) => (i64::MIN, i64::MAX),
            (true, true) => (-1 << (Self::BITS - 1), (1 << (Self::BITS - 1)) - 1),
            (true, false) => (0, (1 << Self::BITS) - 1),
        };
        is_legal.then_some(Self {
            a: Self::selects(form.selector(1), 0, a_signed)?,
            b: Self::selects(form.selector(2), N, b_signed)?,
            lanes: Self::mask(form.selector(0))?,
            low,
            high,
            accumulate,
        })
    }

    /// A source selector: a digit a lane, highest lane first, counting fields of the pair of sources. By default the
    /// fields are those from `first` on.
    fn selects(selector: &str, first: usize, signed: bool) -> Option<[Select; N]> {
        let mut fields = std::array::from_fn(|lane| first + lane);
        if !selector.is_empty() {
            let digits = Self::digits(selector)?;
            if digits.len() != N || digits.iter().any(|digit| *digit >= 2 * N) {
                return None;
            }
            fields = std::array::from_fn(|lane| digits[N - 1 - lane]);
        }
        Some(fields.map(|field| Select::new(field as u32 * Self::BITS, Self::BITS, signed)))
    }

    /// A destination mask: the lanes that it names, in falling order. By default all.
    fn mask(selector: &str) -> Option<[u32; N]> {
        if selector.is_empty() {
            return Some([u32::MAX; N]);
        }
        let digits = Self::digits(selector)?;
        let is_falling = digits.windows(2).all(|pair| pair[0] > pair[1]);
        if digits.is_empty() || !is_falling || digits[0] >= N {
            return None;
        }
        Some(std::array::from_fn(|lane| if digits.contains(&lane) { u32::MAX } else { 0 }))
    }

    /// The digits after `h` or `b`.
    fn digits(selector: &str) -> Option<Vec<usize>> {
        let digits = selector.strip_prefix(if N == 2 { 'h' } else { 'b' })?;
        digits.chars().map(|digit| digit.to_digit(10).map(|digit| digit as usize)).collect()
    }
}

/// A resolved form and who waits for its closure.
struct Delivery<S, const N: usize> {
    packed: Packed<N>,
    sink: S,
}

impl<S: Sink, const N: usize> Receiver for Delivery<S, N> {
    type Out = S::Out;

    fn receive(self, f: impl Fn(i64, i64) -> i64 + Copy + Send + Sync + 'static) -> S::Out {
        let Packed { a: a_selects, b: b_selects, lanes, low: lower, high: upper, accumulate } = self.packed;
        let bits = Packed::<N>::BITS;
        let result = move |lane: usize, pair: u64| {
            let t = f(a_selects[lane].of_pair(pair), b_selects[lane].of_pair(pair));
            t.max(lower).min(upper) as u32 & lanes[lane]
        };
        let pair = |a: u32, b: u32| a as u64 | (b as u64) << 32;
        if accumulate {
            return self.sink.op3(move |a: u32, b: u32, c: u32| {
                (0..N).fold(c, |sum, lane| sum.wrapping_add(result(lane, pair(a, b))))
            });
        }
        let low = u32::MAX >> (32 - bits);
        let kept = (0..N).fold(0, |kept, lane| kept | ((!lanes[lane] & low) << (lane as u32 * bits)));
        self.sink.op3(move |a: u32, b: u32, c: u32| {
            (0..N).fold(c & kept, |d, lane| d | ((result(lane, pair(a, b)) & low) << (lane as u32 * bits)))
        })
    }
}

/// Is this `vabsdiff4.u32.u32.u32.add` without selectors, what `__vsadu4` becomes?
fn is_sum_of_byte_distances(form: &Form<'_>) -> bool {
    form.opcode == Opcode::Vabsdiff4
        && is_shaped(form, &[Word::Add], 3, 4)
        && form.has(Word::Add)
        && (0..3).all(|n| form.ty(n) == Some(ScalarType::U32))
        && form.selectors.iter().all(|selector| selector.is_empty())
        && !form.negated.contains(&true)
}

/// The hot form of block matching, in 32-bit steps only so that it vectorises.
#[inline(always)]
fn sum_of_byte_distances(a: u32, b: u32, c: u32) -> u32 {
    let mut sum = c;
    for shift in [0, 8, 16, 24] {
        let (a, b) = ((a >> shift) & 0xff, (b >> shift) & 0xff);
        sum = sum.wrapping_add(a.max(b) - a.min(b));
    }
    sum
}
