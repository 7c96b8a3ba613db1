//! Products of floats, summed in fixed point around the largest one.

use super::format::{Class, Factor, Format, PLACE_BIAS};
use super::matrices::{Matrices, PANEL};
use super::round;

/// Exponent below which the largest term does not pull the unit of the sum.
const FLOOR: i32 = -133;

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
    pub kept: u32,
    /// Low bits of the result that are cleared.
    pub cleared: u32,
    /// Products that are summed at once.
    pub block: usize,
    /// Where C comes in.
    pub start: Start,
}

/// A row of A.
#[derive(Clone, Copy)]
struct Row<'a> {
    factors: &'a [Factor],
    raw: &'a [u64],
    /// Which row of B each element meets.
    index: &'a [u16],
    /// Is there an infinity or a NaN?
    special: bool,
}

/// Eight columns of B, side by side.
#[derive(Clone, Copy)]
struct Panel<'a> {
    value: &'a [[f32; PANEL]],
    place: &'a [[u16; PANEL]],
    raw: &'a [[u64; PANEL]],
    /// The columns that hold an infinity or a NaN, as bits.
    special: u8,
}

/// Puts D into the place of C.
pub(super) fn multiply(matrices: &mut Matrices, rule: &FloatRule) {
    let depth = matrices.depth();
    let Matrices { columns, terms, left, index, right, c, .. } = matrices;
    let factors: Vec<Factor> = left.iter().map(|&x| rule.a.factor(x)).collect();
    let value: Vec<_> = right.iter().map(|row| row.map(|x| rule.b.factor(x).value)).collect();
    let place: Vec<_> = right.iter().map(|row| row.map(|x| rule.b.factor(x).place)).collect();
    for first in (0..right.len()).step_by(depth) {
        let rows = first..first + depth;
        let raw = &right[rows.clone()];
        let special = raw.iter().fold(0, |columns, row| columns | special_columns(row, rule.b));
        let panel = Panel { value: &value[rows.clone()], place: &place[rows], raw, special };
        let column = first / depth * PANEL;
        for (n, strip) in c.chunks_exact_mut(*columns).enumerate() {
            let at = n * *terms..(n + 1) * *terms;
            let raw = &left[at.clone()];
            let special = raw.iter().any(|&x| rule.a.class(x).is_special());
            let row = Row { factors: &factors[at.clone()], raw, index: &index[at], special };
            strip_of_row(rule, row, panel, &mut strip[column..column + PANEL]);
        }
    }
}

/// Eight elements of D, from a row of A and eight columns of B.
fn strip_of_row(rule: &FloatRule, row: Row<'_>, panel: Panel<'_>, strip: &mut [u64]) {
    let c: [u32; PANEL] = std::array::from_fn(|j| strip[j] as u32);
    let special = row.special || panel.special != 0;
    let start = if rule.start == Start::FromC { c } else { [0; PANEL] };
    let sum = (0..row.factors.len()).step_by(rule.block).fold(start, |c, first| {
        let row = row.part(first, rule.block);
        let sum = block(rule, row, panel, c);
        if special || any_special(rule.d, c) { with_specials(rule, row, panel, c, sum) } else { sum }
    });
    for j in 0..PANEL {
        let d = if rule.start == Start::FromC { sum[j] } else { round::add(rule.d, c[j], sum[j]) };
        strip[j] = u64::from(d);
    }
}

impl Row<'_> {
    /// The elements of one block.
    fn part(&self, first: usize, block: usize) -> Self {
        let at = first..self.factors.len().min(first + block);
        Row { factors: &self.factors[at.clone()], raw: &self.raw[at.clone()], index: &self.index[at], ..*self }
    }
}

/// Is one of them an infinity or a NaN?
fn any_special(format: Format, c: [u32; PANEL]) -> bool {
    c.iter().fold(false, |any, &x| any | format.class(u64::from(x)).is_special())
}

/// The columns that hold an infinity or a NaN, as bits.
fn special_columns(row: &[u64], format: Format) -> u8 {
    row.iter().rev().fold(0, |bits, &x| bits << 1 | u8::from(format.class(x).is_special()))
}

/// Sums one block of products and `c` for eight columns; infinities and NaNs count as zero.
fn block(rule: &FloatRule, row: Row<'_>, panel: Panel<'_>, c: [u32; PANEL]) -> [u32; PANEL] {
    let c = c.map(|x| rule.d.factor(u64::from(x)));
    // C has the place of a product with one.
    let c_place = c.map(|x| if x.place == 0 { 0 } else { x.place + PLACE_BIAS as u16 });
    let mut top = c_place.map(|place| place.max((2 * PLACE_BIAS + FLOOR) as u16));
    for (a, &k) in row.factors.iter().zip(row.index) {
        let place = &panel.place[k as usize];
        for j in 0..PANEL {
            top[j] = top[j].max(a.place + place[j]);
        }
    }
    // The unit of the sum is 2^(top - kept). A product of significands is multiplied by a power of two that is put together
    // from its exponent field, and cut toward zero; where the field would be negative nothing of the term is left.
    let field = (127 + rule.kept - rule.a.fraction_bits - rule.b.fraction_bits) as u16;
    let mut sum = [0i32; PANEL];
    for (a, &k) in row.factors.iter().zip(row.index) {
        let (value, place) = (&panel.value[k as usize], &panel.place[k as usize]);
        for j in 0..PANEL {
            sum[j] += scale(a.value * value[j], a.place + place[j] + field, top[j]);
        }
    }
    let field = (127 + rule.kept - rule.d.fraction_bits) as u16;
    std::array::from_fn(|j| {
        let sum = f64::from(sum[j]) + f64::from(scale(c[j].value, c_place[j] + field, top[j]));
        round::toward(rule.d, sum, i32::from(top[j]) - 2 * PLACE_BIAS - rule.kept as i32) >> rule.cleared << rule.cleared
    })
}

/// `value * 2^(field - top - 127)`, cut toward zero.
#[inline(always)]
fn scale(value: f32, field: u16, top: u16) -> i32 {
    (value * f32::from_bits(u32::from(field.saturating_sub(top)) << 23)) as i32
}

/// `sum`, but infinity or NaN where one of the terms is.
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
            Class::Zero { .. } | Class::Finite { .. } => {}
        }
    }
}

/// The class of a product.
fn product(a: Class, b: Class) -> Class {
    use Class::*;
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
        (Infinite { negative: x }, Infinite { negative: y } | Finite { negative: y })
        | (Finite { negative: x }, Infinite { negative: y }) => Infinite { negative: x != y },
        (Zero { .. } | Finite { .. }, Zero { .. } | Finite { .. }) => Zero { negative: false },
    }
}
