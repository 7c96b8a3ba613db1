//! `wgmma.mma_async` (PTX ISA 9.7.15.5.2).

use warpvm_isa::{Opcode, Word};

use super::descriptor::{Descriptor, Major, PIECE};
use super::element::Element;
use super::float::{FloatRule, Start};
use super::format::Format;
use super::fragment;
use super::integer::{IntegerRule, Overflow};
use super::matrices::{Arithmetic, BitOperation, Matrices};
use super::mma::{Registers, Shape, Types, shape_of, unit};
use crate::Form;

/// Warps of a warpgroup.
const WARPS: usize = 4;

/// Rows of D that one warp holds.
const ROWS: usize = 16;

/// One register of every lane of the four warps of a warpgroup.
pub type WarpgroupRegister = [[u64; 32]; WARPS];

/// Where A is.
#[derive(Clone, Copy, Debug)]
pub enum Left<'a> {
    /// In four registers.
    Registers(&'a [WarpgroupRegister]),
    /// In shared memory.
    Shared {
        /// Its matrix descriptor.
        descriptor: u64,
        /// `imm-trans-a`
        major: Major,
    },
}

/// What D starts from (`scale-d`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Accumulate {
    /// Zero.
    FromZero,
    /// What D holds.
    FromD,
}

/// A factor that is an immediate (`imm-scale-a`, `imm-scale-b`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// 1
    Plus,
    /// -1
    Minus,
}

/// The operands of `wgmma.mma_async` but for D.
#[derive(Clone, Copy, Debug)]
pub struct WgmmaOperands<'a> {
    /// A
    pub a: Left<'a>,
    /// Matrix descriptor of B.
    pub b: u64,
    /// `imm-trans-b`
    pub b_major: Major,
    /// `scale-d`
    pub accumulate: Accumulate,
    /// `imm-scale-a`
    pub a_sign: Sign,
    /// `imm-scale-b`
    pub b_sign: Sign,
}

/// A `wgmma.mma_async` instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wgmma {
    shape: Shape,
    types: Types,
    arithmetic: Arithmetic,
}

impl Wgmma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        if form.opcode != Opcode::Wgmma || !form.has(Word::MmaAsync) || form.has(Word::Sp) {
            return None;
        }
        let shape = shape_of(form)?;
        let types: Vec<Element> = form.words().filter_map(Element::from_word).collect();
        let [d, a, b] = types[..] else { return None };
        let types = Types { d, a, b, c: d };
        Some(Wgmma { shape, types, arithmetic: arithmetic(form, shape, types)? })
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        Registers { count: self.shape.n * ROWS / 32 / self.types.d.per_register(), bits: 32 }
    }

    /// Registers of A, where it is in registers.
    pub fn a(&self) -> Registers {
        Registers { count: 4, bits: 32 }
    }

    /// Multiplies. `shared` reads 16 bytes at an address in the shared window that is a multiple of 16.
    pub fn run(&self, operands: &WgmmaOperands<'_>, shared: &dyn Fn(u32) -> [u8; 16], d: &mut [WarpgroupRegister]) {
        let unit_a = unit(self.types.a);
        let depth = self.shape.k * self.types.a.bits() as usize / unit_a.bits() as usize;
        let mut matrices = Matrices::new(self.shape.m, self.shape.n, depth, depth);
        match operands.a {
            Left::Registers(a) => each(a, unit_a, |warp, register, lane, element, value| {
                let (row, k) = fragment::left(ROWS, unit_a.per_register(), register, lane, element);
                *matrices.left_mut(warp * ROWS + row, k) = value;
            }),
            Left::Shared { descriptor, major } => {
                read(Descriptor::new(descriptor), major, unit_a, (self.shape.m, depth), shared, |row, k, value| {
                    *matrices.left_mut(row, k) = value;
                });
            }
        }
        read(Descriptor::new(operands.b), operands.b_major, unit_a, (self.shape.n, depth), shared, |column, k, value| {
            *matrices.right_mut(k, column) = value;
        });
        if operands.a_sign == Sign::Minus {
            matrices.left.iter_mut().for_each(|x| *x ^= 1 << (self.types.a.bits() - 1));
        }
        if operands.b_sign == Sign::Minus {
            matrices.right.iter_mut().flatten().for_each(|x| *x ^= 1 << (self.types.b.bits() - 1));
        }
        if operands.accumulate == Accumulate::FromD {
            each(d, self.types.d, |warp, register, lane, element, value| {
                let (row, column) = fragment::result(ROWS, self.types.d.per_register(), register, lane, element);
                *matrices.c_mut(warp * ROWS + row, column) = value;
            });
        }
        matrices.multiply(self.arithmetic);
        for (register, warps) in d.iter_mut().enumerate() {
            for (warp, row) in warps.iter_mut().enumerate() {
                for (lane, word) in row.iter_mut().enumerate() {
                    *word = (0..self.types.d.per_register()).fold(0, |word, element| {
                        let (row, column) = fragment::result(ROWS, self.types.d.per_register(), register, lane, element);
                        word | matrices.c(warp * ROWS + row, column) << (element as u32 * self.types.d.bits())
                    });
                }
            }
        }
    }
}

/// Calls `take` with warp, register, lane, place in the register, and value of every element.
fn each(
    registers: &[WarpgroupRegister],
    element: Element,
    mut take: impl FnMut(usize, usize, usize, usize, u64),
) {
    for (register, warps) in registers.iter().enumerate() {
        for (warp, row) in warps.iter().enumerate() {
            for (lane, &word) in row.iter().enumerate() {
                for n in 0..element.per_register() {
                    take(warp, register, lane, n, element.pick(word, n));
                }
            }
        }
    }
}

/// Calls `take` with index across K, index along K, and value of every element of a matrix in shared memory.
fn read(
    descriptor: Descriptor,
    major: Major,
    element: Element,
    (lines, depth): (usize, usize),
    shared: &dyn Fn(u32) -> [u8; 16],
    mut take: impl FnMut(usize, usize, u64),
) {
    let bytes = element.bits() as usize / 8;
    let per_piece = PIECE as usize / bytes;
    let (along, across) = match major {
        Major::K => (depth, lines),
        Major::Mn => (lines, depth),
    };
    for line in 0..across {
        for piece in 0..along / per_piece {
            let data = shared(descriptor.piece(major, line as u32, piece as u32));
            for (n, element) in data.chunks_exact(bytes).enumerate() {
                let value = element.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
                let at = piece * per_piece + n;
                match major {
                    Major::K => take(line, at, value),
                    Major::Mn => take(at, line, value),
                }
            }
        }
    }
}

/// How a form multiplies.
fn arithmetic(form: &Form<'_>, shape: Shape, types: Types) -> Option<Arithmetic> {
    use Element::*;
    Some(match types.a {
        S8 | U8 => {
            let overflow = if form.has(Word::Satfinite) { Overflow::Saturate } else { Overflow::Wrap };
            Arithmetic::Integer(IntegerRule { a: types.a, b: types.b, overflow })
        }
        B1 => Arithmetic::Bits(BitOperation::And),
        _ => {
            let get = |k: &str, d: u32| std::env::var(k).map_or(d, |x| x.parse().unwrap());
            Arithmetic::Float(FloatRule {
                a: Format::of(types.a)?,
                b: Format::of(types.b)?,
                d: Format::of(types.d)?,
                kept: get("KEPT", if types.a.bits() == 8 { 13 } else { 25 }),
                cleared: if types.a.bits() == 8 && types.d == F32 { 10 } else { 0 },
                block: get("BLOCK", shape.k as u32) as usize,
                start: Start::FromC,
            })
        }
    })
}
