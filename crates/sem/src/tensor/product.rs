//! One product of a warp: from registers to matrices and back.

use super::element::Element;
use super::float::{FloatRule, Start};
use super::format::{Format, widen_to_f16};
use super::fragment::{Fragment, LANES, WarpRegister};
use super::integer::IntegerRule;
use super::matrices::{Arithmetic, Matrices};
use super::round;
use super::shape::{self, Shape, unit, units};
use crate::Form;

/// Types of D, A, B, C, as they follow one another in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Types {
    pub d: Element,
    pub a: Element,
    pub b: Element,
    pub c: Element,
}

/// Where the operands are and how they are multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Product {
    pub types: Types,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
    pub d: Fragment,
    pub arithmetic: Arithmetic,
    /// `.satfinite` where `.f32` sums become `.f16`.
    pub saturates: bool,
}

impl Product {
    /// The product of a dense shape.
    pub(super) fn new(form: &Form<'_>, shape: Shape, types: Types) -> Option<Self> {
        let [a, b] = [types.a, types.b].map(unit);
        let Shape { m, n, k } = shape;
        let depth = units(types.a, k);
        Some(Product {
            types,
            a: Fragment::left(m, depth, a),
            b: Fragment::right(depth, n, b),
            c: Fragment::result(m, n, types.c),
            d: Fragment::result(m, n, types.d),
            arithmetic: arithmetic(form, shape, types)?,
            saturates: false,
        })
    }

    /// The steps of products of `.f32` with fewer terms than the shape has.
    pub(super) fn in_blocks(self, block: usize) -> Self {
        match self.arithmetic {
            Arithmetic::Float(rule) => Product { arithmetic: Arithmetic::Float(FloatRule { block, ..rule }), ..self },
            _ => self,
        }
    }

    /// Multiplies; `index` tells which row of B each element of a row of A meets, where it is not the same.
    pub(super) fn run(
        &self,
        (a, b, c): (&[WarpRegister], &[WarpRegister], &[WarpRegister]),
        d: &mut [WarpRegister],
        fill_index: impl FnOnce(&mut Matrices),
    ) {
        let Types { a: of_a, b: of_b, c: of_c, d: of_d } = self.types;
        let (rows, terms) = self.a.size();
        let (depth, columns) = self.b.size();
        let mut matrices = Matrices::new(rows, columns, terms, depth);
        fill_index(&mut matrices);
        self.a.read(a, |row, k, x| *matrices.left_mut(row, order(of_a, terms, k)) = convert(of_a, x));
        // With an index, B stays in its own order.
        let order_b = |k| if terms == depth { order(of_b, depth, k) } else { k };
        self.b.read(b, |k, column, x| *matrices.right_mut(order_b(k), column) = convert(of_b, x));
        self.c.read(c, |row, column, x| *matrices.c_mut(row, column) = x);
        if (of_c, of_d) == (Element::F16, Element::F32) {
            matrices.c.iter_mut().for_each(|x| *x = round::widen(*x));
        }
        matrices.multiply(self.arithmetic);
        if (of_c, of_d) == (Element::F32, Element::F16) {
            let saturates = self.saturates;
            matrices.c.iter_mut().for_each(|x| *x = if saturates { narrow_finite(*x) } else { round::narrow(*x) });
        }
        self.d.write(d, |row, column| matrices.c(row, column));
    }
}

/// Undefined bits of the operands A, B and C.
pub type Undefined<'a> = [&'a [WarpRegister]; 3];

impl Product {
    /// Which bits of D are undefined where bits of the operands are: those of every element that an undefined one goes into.
    /// A product of integers with a defined zero is zero whatever the other factor is.
    pub(super) fn undefined(&self, (a, b): (&[WarpRegister], &[WarpRegister]), of: Undefined<'_>) -> Vec<WarpRegister> {
        let (rows, terms) = self.a.size();
        let (_, columns) = self.b.size();
        let is_exact = matches!(self.arithmetic, Arithmetic::Integer(_) | Arithmetic::Bits(_));
        // Of each element: is it undefined, does it count?
        let mut left = vec![(false, !is_exact); rows * terms];
        let mut right = vec![(false, !is_exact); columns * terms];
        let mut open = vec![false; rows * columns];
        self.a.read(of[0], |row, k, x| left[row * terms + k].0 |= x != 0);
        self.b.read(of[1], |k, column, x| right[column * terms + k].0 |= x != 0);
        self.a.read(a, |row, k, x| left[row * terms + k].1 |= x != 0);
        self.b.read(b, |k, column, x| right[column * terms + k].1 |= x != 0);
        self.c.read(of[2], |row, column, x| open[row * columns + column] |= x != 0);
        for (row, left) in left.chunks_exact(terms).enumerate() {
            for (column, right) in right.chunks_exact(terms).enumerate() {
                let goes_in = |(a, b): (&(bool, bool), &(bool, bool))| a.0 && (b.0 || b.1) || b.0 && a.1;
                open[row * columns + column] |= left.iter().zip(right).any(goes_in);
            }
        }
        let ones = u64::MAX >> (64 - self.types.d.bits());
        let mut d = vec![[0; LANES]; self.d.registers().count];
        self.d.write(&mut d, |row, column| if open[row * columns + column] { ones } else { 0 });
        d
    }
}

/// `.f32` to `.f16`; a finite number stays finite.
fn narrow_finite(x: u64) -> u64 {
    const LARGEST: u64 = 0x7bff;
    let narrow = round::narrow(x);
    let is_finite = f32::from_bits(x as u32).is_finite();
    if is_finite && narrow & 0x7fff > LARGEST { narrow & 0x8000 | LARGEST } else { narrow }
}

/// Where element `k` of a row of A stands in the order of summation.
///
/// There is no product of 8-bit floats for one warp: the lower halves of all registers become `.f16` and are multiplied, then
/// the upper halves.
pub(super) fn order(element: Element, terms: usize, k: usize) -> usize {
    match element {
        Element::E4m3 | Element::E5m2 => k / 4 * 2 + k % 2 + if k % 4 < 2 { 0 } else { terms / 2 },
        _ => k,
    }
}

/// What is multiplied in place of an element.
fn convert(element: Element, bits: u64) -> u64 {
    match element {
        Element::E4m3 => widen_to_f16(Format::E4m3, bits),
        Element::E5m2 => widen_to_f16(Format::E5m2, bits),
        _ => bits,
    }
}

/// How a form multiplies.
fn arithmetic(form: &Form<'_>, shape: Shape, types: Types) -> Option<Arithmetic> {
    use Element::*;
    Some(match types.a {
        F64 => Arithmetic::Double(shape::rounding(form)),
        S8 | U8 | S4 | U4 => {
            Arithmetic::Integer(IntegerRule { a: types.a, b: types.b, overflow: shape::overflow(form) })
        }
        B1 => Arithmetic::Bits(shape::bit_operation(form)?),
        E4m3 | E5m2 => {
            let halves = float_rule(shape, Types { a: F16, b: F16, ..types })?;
            Arithmetic::Float(FloatRule { block: shape.k / 2, start: Start::AddC, ..halves })
        }
        _ => Arithmetic::Float(float_rule(shape, types)?),
    })
}

fn float_rule(shape: Shape, Types { d, a, b, c }: Types) -> Option<FloatRule> {
    let result = if c == d { d } else { Element::F32 };
    FloatRule::new(Format::of(a)?, Format::of(b)?, Format::of(result)?, shape.k)
}
