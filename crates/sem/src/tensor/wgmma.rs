//! `wgmma.mma_async` (PTX ISA 9.7.15.5.2).

use std::ops::Range;

use warpvm_isa::{Opcode, Word};

use super::descriptor::{Descriptor, Major, PIECE};
use super::element::Element;
use super::float::FloatRule;
use super::format::Format;
use super::fragment::{Fragment, Registers, WarpRegister};
use super::integer::{BitOperation, IntegerRule};
use super::matrices::{Arithmetic, Matrices};
use super::shape::{self, Shape, unit, units};
use super::sparse::{Metadata, Sparsity};
use crate::Form;

/// Warps of a warpgroup.
const WARPS: usize = 4;

/// Rows of D that one warp holds.
const ROWS: usize = 16;

/// One register of every lane of the four warps of a warpgroup.
pub type WarpgroupRegister = [WarpRegister; WARPS];

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
    d: Element,
    a: Element,
    b: Element,
    arithmetic: Arithmetic,
}

impl Wgmma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        if form.has(Word::Sp) { None } else { Self::new(form, Shape::of(form)?) }
    }

    /// With the shape of the stored A.
    fn new(form: &Form<'_>, shape: Shape) -> Option<Self> {
        let [d, a, b] = shape::elements(form)[..] else { return None };
        let words = [Word::MmaAsync, Word::Sync, Word::Aligned, Word::Sp];
        let legal = form.opcode == Opcode::Wgmma
            && form.has(Word::MmaAsync)
            && shape::each_layout(form).is_empty()
            && shape::has_no_more_than(form, &words, a)
            && is_legal(shape, (d, a, b));
        if !legal {
            return None;
        }
        Some(Wgmma { shape, d, a, b, arithmetic: arithmetic(form, shape, (d, a, b))? })
    }

    /// Columns of B and D.
    pub fn columns(&self) -> usize {
        self.shape.n
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        self.result().registers()
    }

    /// Registers of A, where it is in registers.
    pub fn a(&self) -> Registers {
        Registers { count: 4, bits: 32 }
    }

    /// The part of D that a warp holds.
    fn result(&self) -> Fragment {
        Fragment::result(ROWS, self.shape.n, self.d)
    }

    /// Multiplies. `shared` reads 16 bytes at an address in the shared window that is a multiple of 16.
    pub fn run(&self, operands: &WgmmaOperands<'_>, shared: &dyn Fn(u32) -> [u8; 16], d: &mut [WarpgroupRegister]) {
        each_warp(d, |warp, registers| self.run_warp(warp, operands, shared, registers));
    }

    /// As [`Wgmma::run`], for the part of A and D that one warp of the four has.
    pub fn run_warp(
        &self,
        warp: usize,
        operands: &WgmmaOperands<'_>,
        shared: &dyn Fn(u32) -> [u8; 16],
        d: &mut [WarpRegister],
    ) {
        let depth = units(self.a, self.shape.k);
        let matrices = Matrices::new(ROWS, self.shape.n, depth, depth);
        self.multiply(matrices, warp, operands, shared, d);
    }

    /// Which bits of a warp's part of D are undefined where bits of its registers are: of A (empty where A is in shared memory) and
    /// of D, where the product starts from it.
    pub fn undefined_of_warp(&self, a: &[WarpRegister], d: &[WarpRegister]) -> Vec<WarpRegister> {
        let mut rows = [false; ROWS];
        let terms = units(self.a, self.shape.k);
        Fragment::left(ROWS, terms, unit(self.a)).read(a, |row, _, x| rows[row] |= x != 0);
        let n = self.shape.n;
        let mut open = vec![false; ROWS * n];
        self.result().read(d, |row, column, x| open[row * n + column] |= x != 0);
        let ones = u64::MAX >> (64 - self.d.bits());
        let mut out = vec![[0; 32]; self.d().count];
        self.result().write(&mut out, |row, column| if rows[row] || open[row * n + column] { ones } else { 0 });
        out
    }

    /// Calls `f` with the address of every 16 bytes of shared memory that one warp needs.
    pub fn each_address(&self, warp: usize, operands: &WgmmaOperands<'_>, mut f: impl FnMut(u32)) {
        let depth = units(self.a, self.shape.k);
        self.addresses(warp, operands, (depth, depth), &mut f);
    }

    /// With the elements of a row of A and of a column of B.
    fn addresses(
        &self,
        warp: usize,
        operands: &WgmmaOperands<'_>,
        (terms, depth): (usize, usize),
        f: &mut dyn FnMut(u32),
    ) {
        let [a, b] = [self.a, self.b].map(unit);
        if let Left::Shared { descriptor, major } = operands.a {
            each_piece(major, a, (rows_of(warp), terms), |line, piece, _| {
                f(Descriptor::new(descriptor).piece(major, line, piece));
            });
        }
        each_piece(operands.b_major, b, (0..self.shape.n, depth), |line, piece, _| {
            f(Descriptor::new(operands.b).piece(operands.b_major, line, piece));
        });
    }

    /// Multiplies into matrices that are zero but for the index.
    fn multiply(
        &self,
        mut matrices: Matrices,
        warp: usize,
        operands: &WgmmaOperands<'_>,
        shared: &dyn Fn(u32) -> [u8; 16],
        d: &mut [WarpRegister],
    ) {
        let [a, b] = [self.a, self.b].map(unit);
        let n = self.shape.n;
        let (terms, depth) = (matrices.terms, matrices.depth);
        match operands.a {
            Left::Registers(registers) => {
                let registers: Vec<WarpRegister> = registers.iter().map(|warps| warps[warp]).collect();
                Fragment::left(ROWS, terms, a).read(&registers, |row, k, x| *matrices.left_mut(row, k) = x);
            }
            Left::Shared { descriptor, major } => {
                read(Descriptor::new(descriptor), major, a, (rows_of(warp), terms), shared, |row, k, x| {
                    *matrices.left_mut(row, k) = x;
                });
            }
        }
        read(Descriptor::new(operands.b), operands.b_major, b, (0..n, depth), shared, |column, k, x| {
            *matrices.right_mut(k, column) = x;
        });
        if operands.a_sign == Sign::Minus {
            matrices.left.iter_mut().for_each(|x| *x ^= self.a.sign());
        }
        if operands.b_sign == Sign::Minus {
            matrices.right.iter_mut().flatten().for_each(|x| *x ^= self.b.sign());
        }
        if operands.accumulate == Accumulate::FromD {
            self.result().read(d, |row, column, x| *matrices.c_mut(row, column) = x);
        }
        matrices.multiply(self.arithmetic);
        self.result().write(d, |row, column| matrices.c(row, column));
    }
}

/// A `wgmma.mma_async.sp` instruction: half of A is zero and not stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseWgmma {
    wgmma: Wgmma,
    sparsity: Sparsity,
}

impl SparseWgmma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        let shape = Shape::of(form).filter(|_| form.has(Word::Sp))?;
        // Single bits cannot be sparse.
        let wgmma = Wgmma::new(form, Shape { k: shape.k / 2, ..shape }).filter(|wgmma| wgmma.a != Element::B1)?;
        Some(SparseWgmma { wgmma, sparsity: Sparsity::new(wgmma.a, shape.k) })
    }

    /// Columns of B and D.
    pub fn columns(&self) -> usize {
        self.wgmma.columns()
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        self.wgmma.d()
    }

    /// Registers of A, where it is in registers.
    pub fn a(&self) -> Registers {
        self.wgmma.a()
    }

    /// Valid values of the selector: those below this.
    pub fn selectors(&self) -> u32 {
        self.sparsity.selectors()
    }

    /// Multiplies, as [`Wgmma::run`]. Each warp has the metadata of its own rows of A.
    pub fn run(
        &self,
        operands: &WgmmaOperands<'_>,
        (metadata, selector): (&WarpgroupRegister, u32),
        shared: &dyn Fn(u32) -> [u8; 16],
        d: &mut [WarpgroupRegister],
    ) {
        each_warp(d, |warp, registers| {
            let metadata = Metadata { register: &metadata[warp], selector };
            self.run_warp(warp, operands, metadata, shared, registers);
        });
    }

    /// As [`Wgmma::run_warp`].
    pub fn run_warp(
        &self,
        warp: usize,
        operands: &WgmmaOperands<'_>,
        metadata: Metadata<'_>,
        shared: &dyn Fn(u32) -> [u8; 16],
        d: &mut [WarpRegister],
    ) {
        let Shape { n, k: terms, .. } = self.wgmma.shape;
        let mut matrices = Matrices::new(ROWS, n, terms, 2 * terms);
        self.sparsity.indices(&metadata, |row, term, k| matrices.index[row * terms + term] = k as u16);
        self.wgmma.multiply(matrices, warp, operands, shared, d);
    }

    /// As [`Wgmma::each_address`].
    pub fn each_address(&self, warp: usize, operands: &WgmmaOperands<'_>, mut f: impl FnMut(u32)) {
        let terms = self.wgmma.shape.k;
        self.wgmma.addresses(warp, operands, (terms, 2 * terms), &mut f);
    }
}

/// The rows of A and D that a warp has.
fn rows_of(warp: usize) -> Range<usize> {
    warp * ROWS..(warp + 1) * ROWS
}

/// Calls `work` with the registers of each warp, and keeps what it makes of them.
fn each_warp(registers: &mut [WarpgroupRegister], mut work: impl FnMut(usize, &mut [WarpRegister])) {
    for warp in 0..WARPS {
        let mut of_warp: Vec<WarpRegister> = registers.iter().map(|warps| warps[warp]).collect();
        work(warp, &mut of_warp);
        registers.iter_mut().zip(of_warp).for_each(|(warps, register)| warps[warp] = register);
    }
}

/// Calls `f` with the line, the piece along it, and the first of the line's and the piece's elements, of the pieces of 16 bytes
/// that some lines of a matrix in shared memory have. `depth` counts elements along K.
fn each_piece(
    major: Major,
    element: Element,
    (lines, depth): (Range<usize>, usize),
    mut f: impl FnMut(u32, u32, (usize, usize)),
) {
    let per_piece = PIECE as usize * 8 / element.bits() as usize;
    match major {
        Major::K => {
            for line in lines.clone() {
                for piece in 0..depth / per_piece {
                    f(line as u32, piece as u32, (line - lines.start, piece * per_piece));
                }
            }
        }
        Major::Mn => {
            for line in 0..depth {
                for piece in lines.start / per_piece..lines.end / per_piece {
                    f(line as u32, piece as u32, (piece * per_piece - lines.start, line));
                }
            }
        }
    }
}

/// Calls `take` with index across K from the first of `lines` on, index along K, and value of every element of some lines of
/// a matrix in shared memory.
fn read(
    descriptor: Descriptor,
    major: Major,
    element: Element,
    lines: (Range<usize>, usize),
    shared: &dyn Fn(u32) -> [u8; 16],
    mut take: impl FnMut(usize, usize, u64),
) {
    let bytes = element.bits() as usize / 8;
    each_piece(major, element, lines, |line, piece, (across, along)| {
        let data = shared(descriptor.piece(major, line, piece));
        for (n, element) in data.chunks_exact(bytes).enumerate() {
            let value = element.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            match major {
                Major::K => take(across, along + n, value),
                Major::Mn => take(across + n, along, value),
            }
        }
    });
}

/// How a form multiplies.
fn arithmetic(form: &Form<'_>, shape: Shape, (d, a, b): (Element, Element, Element)) -> Option<Arithmetic> {
    use Element::*;
    Some(match a {
        S8 | U8 => Arithmetic::Integer(IntegerRule { a, b, overflow: shape::overflow(form) }),
        B1 => Arithmetic::Bits(shape::bit_operation(form).filter(|&operation| operation == BitOperation::And)?),
        _ => {
            let rule = FloatRule::new(Format::of(a)?, Format::of(b)?, Format::of(d)?, shape.k)?;
            Arithmetic::Float(match (a.bits(), d) {
                // 8-bit floats keep less, and D has no more than 13 bits of fraction.
                (8, F32) => FloatRule { kept: 13, cleared: 10, ..rule },
                (8, _) => FloatRule { kept: 13, ..rule },
                _ => rule,
            })
        }
    })
}

/// Does the chip have the product of this shape with these types? For a sparse A, `shape` has half of its columns.
fn is_legal(Shape { m, n, k }: Shape, (d, a, b): (Element, Element, Element)) -> bool {
    use Element::*;
    let float_columns = n % 8 == 0 && (8..=256).contains(&n);
    let integer_columns = float_columns && (n % 16 == 0 || n == 8 || n == 24);
    m == 64
        && match (a, b) {
            (F16, F16) => k == 16 && float_columns && matches!(d, F16 | F32),
            (Bf16, Bf16) => k == 16 && float_columns && d == F32,
            (Tf32, Tf32) => k == 8 && float_columns && d == F32,
            (E4m3 | E5m2, E4m3 | E5m2) => k == 32 && float_columns && matches!(d, F16 | F32),
            (S8 | U8, S8 | U8) => k == 32 && integer_columns && d == S32,
            (B1, B1) => k == 256 && integer_columns && d == S32,
            _ => false,
        }
}
