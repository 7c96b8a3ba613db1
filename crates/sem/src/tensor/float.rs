//! Products of floats, summed in fixed point around the largest one: the model of [the module](super).

use super::format::{Class, Format, SPECIAL_PLACE, ZERO_PLACE};
use super::matrices::{Matrices, PANEL};
use super::round;

/// The largest place counts as at least this. Found with sums that are subnormal `.f32` numbers.
const FLOOR: i16 = -133;

/// Where C comes in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Start {
    /// C is a term of the first block.
    FromC,
    /// The first block starts from zero; C is added to the last result, to nearest even.
    AddC,
}

/// Formats and precision of a sum of products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FloatRule {
    /// Format of A.
    pub a: Format,
    /// Format of B.
    pub b: Format,
    /// Format of C and D: [`Format::F16`] or [`Format::F32`].
    pub d: Format,
    /// Bits that a term keeps below the place of the largest term.
    pub kept: i16,
    /// Low bits of D that are cleared.
    pub cleared: u32,
    /// Products that are summed at once.
    pub block: usize,
    /// Where C comes in.
    pub start: Start,
}

impl FloatRule {
    /// What the chip does with floats of 16 bits and more: a whole row of A at once, from C.
    pub(super) fn new(a: Format, b: Format, d: Format, block: usize) -> Option<Self> {
        let is_result = d == Format::F16 || d == Format::F32;
        is_result.then_some(FloatRule { a, b, d, kept: 25, cleared: 0, block, start: Start::FromC })
    }
}

/// A row of A, or a part of it.
#[derive(Clone, Copy)]
struct Row<'a> {
    value: &'a [f64],
    place: &'a [i16],
    raw: &'a [u64],
    /// Which row of B each element meets.
    index: &'a [u16],
    /// Is there an infinity or a NaN in the row?
    special: bool,
}

/// Eight columns of B, side by side.
#[derive(Clone, Copy)]
struct Panel<'a> {
    value: &'a [[f64; PANEL]],
    place: &'a [[i16; PANEL]],
    raw: &'a [[u64; PANEL]],
    /// Is there an infinity or a NaN?
    special: bool,
}

/// Puts D into the place of C.
pub(super) fn multiply(matrices: &mut Matrices, rule: &FloatRule) {
    let depth = matrices.depth;
    let Matrices { columns, terms, left, index, right, c, .. } = matrices;
    let (left_value, left_place) = rule.a.factors(left);
    let (right_value, right_place) = rule.b.factors(right.as_flattened());
    let (right_value, right_place) = (right_value.as_chunks().0, right_place.as_chunks().0);
    for (n, first) in (0..right.len()).step_by(depth).enumerate() {
        let rows = first..first + depth;
        let place = &right_place[rows.clone()];
        let special = is_special(place.as_flattened());
        let panel = Panel { value: &right_value[rows.clone()], place, raw: &right[rows], special };
        for (number, strip) in c.chunks_exact_mut(*columns).enumerate() {
            let at = number * *terms..(number + 1) * *terms;
            let place = &left_place[at.clone()];
            let row = Row {
                value: &left_value[at.clone()],
                place,
                raw: &left[at.clone()],
                index: &index[at],
                special: is_special(place),
            };
            strip_of_row(rule, row, panel, &mut strip[n * PANEL..(n + 1) * PANEL]);
        }
    }
}

/// Is there an infinity or a NaN?
fn is_special(places: &[i16]) -> bool {
    places.contains(&SPECIAL_PLACE)
}

/// Eight elements of D, from a row of A and eight columns of B.
fn strip_of_row(rule: &FloatRule, row: Row<'_>, panel: Panel<'_>, strip: &mut [u64]) {
    let c: [u32; PANEL] = std::array::from_fn(|j| strip[j] as u32);
    let start = if rule.start == Start::FromC { c } else { [0; PANEL] };
    let sum = (0..row.value.len())
        .step_by(rule.block)
        .fold(start, |c, first| block(rule, row.part(first, rule.block), panel, c));
    for j in 0..PANEL {
        let d = if rule.start == Start::FromC { sum[j] } else { round::add(rule.d, c[j], sum[j]) };
        strip[j] = u64::from(d);
    }
}

impl Row<'_> {
    /// The elements of one block.
    fn part(&self, first: usize, block: usize) -> Self {
        let at = first..self.value.len().min(first + block);
        Row {
            value: &self.value[at.clone()],
            place: &self.place[at.clone()],
            raw: &self.raw[at.clone()],
            index: &self.index[at],
            ..*self
        }
    }
}

/// Sums one block of products and `c` for eight columns.
fn block(rule: &FloatRule, row: Row<'_>, panel: Panel<'_>, c: [u32; PANEL]) -> [u32; PANEL] {
    let sum = match rule.d {
        Format::F16 => finite_block(rule, row, panel, c, |x| Format::F16.factor(u64::from(x)), round::to_f16),
        _ => finite_block(rule, row, panel, c, |x| Format::F32.factor(u64::from(x)), round::to_f32),
    };
    let special = row.special || panel.special || c.iter().any(|&x| rule.d.is_special(u64::from(x)));
    if special { with_specials(rule, row, panel, c, sum) } else { sum }
}

/// Sums one block; infinities and NaNs count as zero.
#[inline(always)]
fn finite_block(
    rule: &FloatRule,
    row: Row<'_>,
    panel: Panel<'_>,
    c: [u32; PANEL],
    factor: impl Fn(u32) -> super::format::Factor,
    round: impl Fn(f64) -> u32,
) -> [u32; PANEL] {
    let c = c.map(factor);
    let mut top = c.map(|x| x.place.max(FLOOR));
    for (&a, &k) in row.place.iter().zip(row.index) {
        let b = &panel.place[k as usize];
        for j in 0..PANEL {
            top[j] = top[j].max(a + b[j]);
        }
    }
    // In units of the sum, 2^(top - kept), every term is cut to an integer.
    let scale = top.map(|top| power(rule.kept - top));
    let mut sum: [f64; PANEL] = std::array::from_fn(|j| cut(c[j].value * scale[j]));
    for (&a, &k) in row.value.iter().zip(row.index) {
        let b = &panel.value[k as usize];
        for j in 0..PANEL {
            sum[j] += cut(a * b[j] * scale[j]);
        }
    }
    std::array::from_fn(|j| round(sum[j] * power(top[j] - rule.kept)) >> rule.cleared << rule.cleared)
}

/// `2^exponent`, a normal number.
#[inline(always)]
fn power(exponent: i16) -> f64 {
    f64::from_bits(((i64::from(exponent) + 1023) as u64) << 52)
}

/// Cuts toward zero to an integer; for numbers below 2^27 of at most 24 significant bits.
#[inline(always)]
fn cut(x: f64) -> f64 {
    /// So large that its last bit is worth one: adding it rounds to an integer, to nearest.
    const SHIFTER: f64 = 1.5 * (1u64 << 52) as f64;
    /// Just less than a half, by less than the distance from such a number to the next integer.
    const ALMOST_HALF: f64 = 0.5 - 1.0 / (1u64 << 26) as f64;
    (x - ALMOST_HALF.copysign(x)) + SHIFTER - SHIFTER
}

/// `sum`, but infinity or NaN where one of the terms is.
#[cold]
fn with_specials(rule: &FloatRule, row: Row<'_>, panel: Panel<'_>, c: [u32; PANEL], sum: [u32; PANEL]) -> [u32; PANEL] {
    std::array::from_fn(|j| {
        let mut found = Found::default();
        found.add(rule.d.class(u64::from(c[j])));
        for (&a, &k) in row.raw.iter().zip(row.index) {
            found.add(product(rule.a.class(a), rule.b.class(panel.raw[k as usize][j])));
        }
        match found {
            Found { nan: false, infinite: [false, false] } => sum[j],
            Found { nan: false, infinite: [true, false] } => round::infinity(rule.d, false),
            Found { nan: false, infinite: [false, true] } => round::infinity(rule.d, true),
            _ => round::nan(rule.d),
        }
    })
}

/// Which special values are among the terms.
#[derive(Clone, Copy, Default)]
struct Found {
    nan: bool,
    /// Positive, negative.
    infinite: [bool; 2],
}

impl Found {
    fn add(&mut self, class: Class) {
        match class {
            Class::Nan => self.nan = true,
            Class::Infinite { negative } => self.infinite[usize::from(negative)] = true,
            Class::Zero | Class::Finite { .. } => {}
        }
    }
}

/// The class of a product, but for underflow and overflow.
fn product(a: Class, b: Class) -> Class {
    use Class::*;
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Zero) | (Zero, Infinite { .. }) => Nan,
        (Infinite { negative: x }, Infinite { negative: y } | Finite { negative: y })
        | (Finite { negative: x }, Infinite { negative: y }) => Infinite { negative: x != y },
        (Finite { negative: x }, Finite { negative: y }) => Finite { negative: x != y },
        (Zero, _) | (_, Zero) => Zero,
    }
}

const _: () = assert!(2 * SPECIAL_PLACE < FLOOR && ZERO_PLACE + 300 < FLOOR);
