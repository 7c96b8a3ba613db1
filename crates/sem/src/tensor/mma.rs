//! `mma` (PTX ISA 9.7.14.5).

use warpvm_isa::{Modifier, Opcode, Rounding, Word};

use super::element::Element;
use super::float::{FloatRule, Start};
use super::format::{Format, widen_to_f16};
use super::fragment;
use super::integer::{IntegerRule, Overflow};
use super::matrices::{Arithmetic, BitOperation, Matrices};
use crate::Form;

/// Lanes of a warp.
const LANES: usize = 32;

/// Registers of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    /// How many.
    pub count: usize,
    /// Width of each: 32 or 64.
    pub bits: u32,
}

/// Size of a matrix product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// Rows of A, C and D.
    pub m: usize,
    /// Columns of B, C and D.
    pub n: usize,
    /// Columns of A, rows of B.
    pub k: usize,
}

/// Types of D, A, B, C, as they follow one another in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Types {
    pub d: Element,
    pub a: Element,
    pub b: Element,
    pub c: Element,
}

/// An `mma` instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mma {
    shape: Shape,
    types: Types,
    arithmetic: Arithmetic,
}

impl Mma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        if form.opcode != Opcode::Mma {
            return None;
        }
        let shape = shape_of(form)?;
        let types: Vec<Element> = form.words().filter_map(Element::from_word).collect();
        let [d, a, b, c] = types[..] else { return None };
        let types = Types { d, a, b, c };
        if form.has(Word::Sp) || form.has(Word::SpOrderedMetadata) || !is_legal(shape, types) {
            return None;
        }
        Some(Mma { shape, types, arithmetic: arithmetic(form, shape, types)? })
    }

    /// Registers of A.
    pub fn a(&self) -> Registers {
        registers(self.shape.m * self.shape.k, self.types.a)
    }

    /// Registers of B.
    pub fn b(&self) -> Registers {
        registers(self.shape.k * self.shape.n, self.types.b)
    }

    /// Registers of C.
    pub fn c(&self) -> Registers {
        registers(self.shape.m * self.shape.n, self.types.c)
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        registers(self.shape.m * self.shape.n, self.types.d)
    }

    /// Multiplies. Each operand is a list of registers, each register a row of 32 lanes; D is written whole.
    pub fn run(&self, a: &[[u64; LANES]], b: &[[u64; LANES]], c: &[[u64; LANES]], d: &mut [[u64; LANES]]) {
        let Shape { m, n, k } = self.shape;
        let unit = unit(self.types.a);
        let depth = k * self.types.a.bits() as usize / unit.bits() as usize;
        let mut matrices = Matrices::new(m, n, depth, depth);
        let order = |k: usize| order(self.types.a, depth, k);
        each_element(a, unit, |register, lane, element, value| {
            let (row, k) = fragment::left(m, unit.per_register(), register, lane, element);
            *matrices.left_mut(row, order(k)) = convert(self.types.a, value);
        });
        each_element(b, unit, |register, lane, element, value| {
            let (k, column) = fragment::right(unit.per_register(), register, lane, element);
            *matrices.right_mut(order(k), column) = convert(self.types.b, value);
        });
        each_element(c, self.types.c, |register, lane, element, value| {
            let (row, column) = fragment::result(m, self.types.c.per_register(), register, lane, element);
            *matrices.c_mut(row, column) = value;
        });
        matrices.multiply(self.arithmetic);
        for (register, row) in d.iter_mut().enumerate() {
            for (lane, word) in row.iter_mut().enumerate() {
                *word = (0..self.types.d.per_register()).fold(0, |word, element| {
                    let (row, column) = fragment::result(m, self.types.d.per_register(), register, lane, element);
                    word | matrices.c(row, column) << (element as u32 * self.types.d.bits() % 64)
                });
            }
        }
    }
}

/// The shape among the modifiers.
pub(super) fn shape_of(form: &Form<'_>) -> Option<Shape> {
    form.modifiers.iter().find_map(|modifier| match *modifier {
        Modifier::Shape { m, n, k } => Some(Shape { m: m.into(), n: n.into(), k: k.into() }),
        _ => None,
    })
}

/// Registers that hold so many elements, spread over a warp.
pub(super) fn registers(elements: usize, element: Element) -> Registers {
    Registers { count: elements / LANES / element.per_register(), bits: element.register_bits() }
}

/// The type as which elements are taken out of a register: single bits stay together, 32 of them.
pub(super) fn unit(element: Element) -> Element {
    if element == Element::B1 { Element::S32 } else { element }
}

/// Calls `take` with register, lane, place in the register, and value of every element.
fn each_element(registers: &[[u64; LANES]], element: Element, mut take: impl FnMut(usize, usize, usize, u64)) {
    for (register, row) in registers.iter().enumerate() {
        for (lane, &word) in row.iter().enumerate() {
            for n in 0..element.per_register() {
                take(register, lane, n, element.pick(word, n));
            }
        }
    }
}

/// What is multiplied in place of an element.
fn convert(element: Element, bits: u64) -> u64 {
    match element {
        Element::E4m3 | Element::E5m2 => widen_to_f16(element, bits),
        _ => bits,
    }
}

/// Where the products with index `k` stand in the order of summation.
///
/// There is no `mma` of 8-bit floats in the chip: the lower halves of all registers are made `.f16` and multiplied, then the upper
/// halves.
fn order(element: Element, depth: usize, k: usize) -> usize {
    match element {
        Element::E4m3 | Element::E5m2 => k / 4 * 2 + k % 2 + if k % 4 < 2 { 0 } else { depth / 2 },
        _ => k,
    }
}

/// Does the chip have `mma` of this shape with these types?
fn is_legal(Shape { m, n, k }: Shape, Types { d, a, b, c }: Types) -> bool {
    use Element::*;
    let is = |list: &[(usize, usize, usize)]| list.contains(&(m, n, k));
    match (a, b) {
        (F16, F16) => c == d && matches!(d, F16 | F32) && is(&[(16, 8, 8), (16, 8, 16)]),
        (Bf16, Bf16) => (d, c) == (F32, F32) && is(&[(16, 8, 8), (16, 8, 16)]),
        (Tf32, Tf32) => (d, c) == (F32, F32) && is(&[(16, 8, 4), (16, 8, 8)]),
        (E4m3 | E5m2, E4m3 | E5m2) => c == d && matches!(d, F16 | F32) && is(&[(16, 8, 16), (16, 8, 32)]),
        (F64, F64) => (d, c) == (F64, F64) && is(&[(8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)]),
        (S8 | U8, S8 | U8) => (d, c) == (S32, S32) && is(&[(8, 8, 16), (16, 8, 16), (16, 8, 32)]),
        (S4 | U4, S4 | U4) => (d, c) == (S32, S32) && is(&[(8, 8, 32), (16, 8, 32), (16, 8, 64)]),
        (B1, B1) => (d, c) == (S32, S32) && is(&[(8, 8, 128), (16, 8, 128), (16, 8, 256)]),
        _ => false,
    }
}

/// How a form multiplies.
fn arithmetic(form: &Form<'_>, shape: Shape, types: Types) -> Option<Arithmetic> {
    use Element::*;
    Some(match types.a {
        F64 => Arithmetic::Double(form.rounding().unwrap_or(Rounding::NearestEven)),
        S8 | U8 | S4 | U4 => {
            let overflow = if form.has(Word::Satfinite) { Overflow::Saturate } else { Overflow::Wrap };
            Arithmetic::Integer(IntegerRule { a: types.a, b: types.b, overflow })
        }
        B1 if form.has(Word::And) => Arithmetic::Bits(BitOperation::And),
        B1 if form.has(Word::Xor) => Arithmetic::Bits(BitOperation::Xor),
        B1 => return None,
        E4m3 | E5m2 => {
            let halves = float_rule(shape, Types { a: F16, b: F16, ..types })?;
            Arithmetic::Float(FloatRule { block: shape.k / 2, start: Start::AddC, ..halves })
        }
        _ => Arithmetic::Float(float_rule(shape, types)?),
    })
}

fn float_rule(shape: Shape, types: Types) -> Option<FloatRule> {
    Some(FloatRule {
        a: Format::of(types.a)?,
        b: Format::of(types.b)?,
        d: Format::of(types.d)?,
        kept: 25,
        cleared: 0,
        block: shape.k,
        start: Start::FromC,
    })
}
