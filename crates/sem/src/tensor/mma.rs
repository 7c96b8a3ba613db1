//! `mma` and `wmma.mma` (PTX ISA 9.7.14.4.5 and 9.7.14.5.14): one warp multiplies two matrices in its registers.
//!
//! Both become the same machine instructions. What the chip does not have is put together from what it has, as the vendor's
//! assembler does it (the cases of `tests/truth/tensor` agree):
//!
//! - 8-bit floats: the lower two elements of every register become `.f16` and are multiplied, starting from zero; then the upper
//!   two, starting from that; then C is added, to nearest even.
//! - `wmma` with C and D of different types sums in `.f32`, from C widened, and rounds D to nearest even.
//! - 4-bit integers are widened to 8 bits, `.xor` of single bits is made of `.and`; both are exact.

use warpvm_isa::{Opcode, Word};

use super::element::Element;
use super::float::{FloatRule, Start};
use super::format::{Format, widen_to_f16};
use super::fragment::{Fragment, Registers, WarpRegister};
use super::integer::IntegerRule;
use super::matrices::{Arithmetic, Matrices};
use super::quads::QuadMma;
use super::round;
use super::shape::{self, Shape, unit, units};
use super::sparse::{Metadata, Sparsity};
use crate::Form;

/// Types of D, A, B, C, as they follow one another in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Types {
    pub d: Element,
    pub a: Element,
    pub b: Element,
    pub c: Element,
}

/// An `mma` or `wmma.mma` instruction without sparsity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mma(Kind);

/// Whether the warp multiplies two matrices or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Whole(Product),
    Quads(QuadMma),
}

/// One product of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Product {
    types: Types,
    a: Fragment,
    b: Fragment,
    c: Fragment,
    d: Fragment,
    arithmetic: Arithmetic,
}

impl Mma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        let shape = Shape::of(form)?;
        match form.opcode {
            Opcode::Mma if form.has(Word::Sp) || form.has(Word::SpOrderedMetadata) => None,
            Opcode::Mma => match QuadMma::from_form(form, shape) {
                Some(quads) => Some(Mma(Kind::Quads(quads))),
                None => Product::from_mma(form, shape).map(|product| Mma(Kind::Whole(product))),
            },
            Opcode::Wmma if form.has(Word::Mma) => Product::from_wmma(form, shape).map(|product| Mma(Kind::Whole(product))),
            _ => None,
        }
    }

    /// Registers of A.
    pub fn a(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.a.registers(),
            Kind::Quads(quads) => quads.factor(),
        }
    }

    /// Registers of B.
    pub fn b(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.b.registers(),
            Kind::Quads(quads) => quads.factor(),
        }
    }

    /// Registers of C.
    pub fn c(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.c.registers(),
            Kind::Quads(quads) => quads.c(),
        }
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.d.registers(),
            Kind::Quads(quads) => quads.d(),
        }
    }

    /// Multiplies. D is written whole.
    pub fn run(&self, a: &[WarpRegister], b: &[WarpRegister], c: &[WarpRegister], d: &mut [WarpRegister]) {
        match &self.0 {
            Kind::Whole(product) => product.run(a, b, c, d),
            Kind::Quads(quads) => quads.run(a, b, c, d),
        }
    }
}

impl Product {
    fn from_mma(form: &Form<'_>, shape: Shape) -> Option<Self> {
        let [d, a, b, c] = shape::elements(form)[..] else { return None };
        let types = Types { d, a, b, c };
        if is_mma(shape, types) { Self::new(form, shape, types) } else { None }
    }

    fn from_wmma(form: &Form<'_>, shape: Shape) -> Option<Self> {
        let types = match shape::elements(form)[..] {
            [d, c] => Types { d, a: Element::F16, b: Element::F16, c },
            [d, a, b, c] => Types { d, a, b, c },
            _ => return None,
        };
        let product = if is_wmma(shape, types) { Self::new(form, shape, types)? } else { return None };
        // Fragments of `.f16` always fill eight registers.
        let registers = if types.a == Element::F16 { 8 } else { product.a.registers().count };
        Some(Product { a: product.a.repeated(registers), b: product.b.repeated(registers.max(product.b.registers().count)), ..product })
    }

    fn new(form: &Form<'_>, shape: Shape, types: Types) -> Option<Self> {
        let [a, b] = [types.a, types.b].map(unit);
        let Shape { m, n, k } = shape;
        let depth = units(types.a, k);
        let arithmetic = arithmetic(form, shape, types)?;
        Some(Product {
            types,
            a: Fragment::left(m, depth, a),
            b: Fragment::right(depth, n, b),
            c: Fragment::result(m, n, types.c),
            d: Fragment::result(m, n, types.d),
            arithmetic,
        }
        .with_tall_fragments(shape))
    }

    /// `.m8n32k16` is computed as the transposed `.m32n8k16`.
    fn with_tall_fragments(self, Shape { m, n, .. }: Shape) -> Self {
        if (m, n) != (8, 32) {
            return self;
        }
        let (depth, _) = self.b.size();
        Product {
            b: Fragment::left(n, depth, unit(self.types.b)).transposed(),
            c: Fragment::result(n, m, self.types.c).transposed(),
            d: Fragment::result(n, m, self.types.d).transposed(),
            ..self
        }
    }

    /// Multiplies. D is written whole.
    fn run(&self, a: &[WarpRegister], b: &[WarpRegister], c: &[WarpRegister], d: &mut [WarpRegister]) {
        let (rows, depth) = self.a.size();
        let (_, columns) = self.b.size();
        let Types { a: of_a, b: of_b, .. } = self.types;
        let mut matrices = Matrices::new(rows, columns, depth, depth);
        self.a.read(a, |row, k, x| *matrices.left_mut(row, order(of_a, depth, k)) = convert(of_a, x));
        self.b.read(b, |k, column, x| *matrices.right_mut(order(of_b, depth, k), column) = convert(of_b, x));
        self.finish(matrices, c, d);
    }

    /// What is left when A and B are read.
    fn finish(&self, mut matrices: Matrices, c: &[WarpRegister], d: &mut [WarpRegister]) {
        self.c.read(c, |row, column, x| *matrices.c_mut(row, column) = x);
        match (self.types.c, self.types.d) {
            (Element::F16, Element::F32) => matrices.c.iter_mut().for_each(|x| *x = round::widen(*x)),
            _ => {}
        }
        matrices.multiply(self.arithmetic);
        match (self.types.c, self.types.d) {
            (Element::F32, Element::F16) => matrices.c.iter_mut().for_each(|x| *x = round::narrow(*x)),
            _ => {}
        }
        self.d.write(d, |row, column| matrices.c(row, column));
    }
}

/// Where the products with index `k` stand in the order of summation.
fn order(element: Element, depth: usize, k: usize) -> usize {
    match element {
        Element::E4m3 | Element::E5m2 => k / 4 * 2 + k % 2 + if k % 4 < 2 { 0 } else { depth / 2 },
        _ => k,
    }
}

/// What is multiplied in place of an element.
fn convert(element: Element, bits: u64) -> u64 {
    match element {
        Element::E4m3 | Element::E5m2 => widen_to_f16(element, bits),
        _ => bits,
    }
}

/// Does the chip have `mma` of this shape with these types?
fn is_mma(shape: Shape, Types { d, a, b, c }: Types) -> bool {
    use Element::*;
    match (a, b) {
        (F16, F16) => c == d && matches!(d, F16 | F32) && shape.is_in(&[(16, 8, 8), (16, 8, 16)]),
        (Bf16, Bf16) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 8), (16, 8, 16)]),
        (Tf32, Tf32) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 4), (16, 8, 8)]),
        (E4m3 | E5m2, E4m3 | E5m2) => c == d && matches!(d, F16 | F32) && shape.is_in(&[(16, 8, 16), (16, 8, 32)]),
        (F64, F64) => (d, c) == (F64, F64) && shape.is_in(&[(8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)]),
        (S8 | U8, S8 | U8) => (d, c) == (S32, S32) && shape.is_in(&[(8, 8, 16), (16, 8, 16), (16, 8, 32)]),
        (S4 | U4, S4 | U4) => (d, c) == (S32, S32) && shape.is_in(&[(8, 8, 32), (16, 8, 32), (16, 8, 64)]),
        (B1, B1) => (d, c) == (S32, S32) && shape.is_in(&[(8, 8, 128), (16, 8, 128), (16, 8, 256)]),
        _ => false,
    }
}

/// Does the chip have `wmma.mma` of this shape with these types?
fn is_wmma(shape: Shape, Types { d, a, b, c }: Types) -> bool {
    use Element::*;
    let k16 = shape.is_in(&[(16, 16, 16), (32, 8, 16), (8, 32, 16)]);
    a == b
        && match a {
            F16 => k16 && matches!(d, F16 | F32) && matches!(c, F16 | F32),
            Bf16 => k16 && (d, c) == (F32, F32),
            Tf32 => shape.is_in(&[(16, 16, 8)]) && (d, c) == (F32, F32),
            F64 => shape.is_in(&[(8, 8, 4)]) && (d, c) == (F64, F64),
            S8 | U8 => k16 && (d, c) == (S32, S32),
            S4 | U4 => shape.is_in(&[(8, 8, 32)]) && (d, c) == (S32, S32),
            B1 => shape.is_in(&[(8, 8, 128)]) && (d, c) == (S32, S32),
            _ => false,
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
        // `wmma` takes two steps of four.
        Tf32 if form.opcode == Opcode::Wmma => Arithmetic::Float(FloatRule { block: 4, ..float_rule(shape, types)? }),
        _ => Arithmetic::Float(float_rule(shape, types)?),
    })
}

fn float_rule(shape: Shape, types: Types) -> Option<FloatRule> {
    Some(FloatRule {
        a: Format::of(types.a)?,
        b: Format::of(types.b)?,
        d: Format::of(if types.c == types.d { types.d } else { Element::F32 })?,
        kept: 25,
        cleared: 0,
        block: shape.k,
        start: Start::FromC,
    })
}

/// An `mma.sp` instruction: half of A is zero and not stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseMma {
    product: Product,
    sparsity: Sparsity,
}

impl SparseMma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        if form.opcode != Opcode::Mma || !(form.has(Word::Sp) || form.has(Word::SpOrderedMetadata)) {
            return None;
        }
        let shape = Shape::of(form)?;
        let [d, a, b, c] = shape::elements(form)[..] else { return None };
        let types = Types { d, a, b, c };
        if !is_sparse_mma(shape, types) {
            return None;
        }
        // Half of the products of the dense shape.
        let product = Product::new(form, Shape { k: shape.k / 2, ..shape }, types)?;
        let product = Product { b: Fragment::right(shape.k, shape.n, b), ..product };
        Some(SparseMma { product, sparsity: Sparsity::new(a, shape.k) })
    }

    /// Registers of A.
    pub fn a(&self) -> Registers {
        self.product.a.registers()
    }

    /// Registers of B.
    pub fn b(&self) -> Registers {
        self.product.b.registers()
    }

    /// Registers of C.
    pub fn c(&self) -> Registers {
        self.product.c.registers()
    }

    /// Registers of D.
    pub fn d(&self) -> Registers {
        self.product.d.registers()
    }

    /// Valid values of the selector: those below this.
    pub fn selectors(&self) -> u32 {
        self.sparsity.selectors()
    }

    /// Multiplies. D is written whole.
    pub fn run(
        &self,
        a: &[WarpRegister],
        b: &[WarpRegister],
        c: &[WarpRegister],
        metadata: Metadata<'_>,
        d: &mut [WarpRegister],
    ) {
        let (rows, terms) = self.product.a.size();
        let (depth, columns) = self.product.b.size();
        let Types { a: of_a, b: of_b, .. } = self.product.types;
        let mut matrices = Matrices::new(rows, columns, terms, depth);
        self.product.a.read(a, |row, k, x| *matrices.left_mut(row, order(of_a, terms, k)) = convert(of_a, x));
        self.product.b.read(b, |k, column, x| *matrices.right_mut(k, column) = convert(of_b, x));
        self.sparsity.indices(&metadata, |row, term, k| {
            matrices.index[row * terms + order(of_a, terms, term)] = k as u16;
        });
        self.product.finish(matrices, c, d);
    }
}

/// Does the chip have `mma.sp` of this shape with these types?
fn is_sparse_mma(shape: Shape, Types { d, a, b, c }: Types) -> bool {
    use Element::*;
    match (a, b) {
        (F16, F16) => c == d && matches!(d, F16 | F32) && shape.is_in(&[(16, 8, 16), (16, 8, 32)]),
        (Bf16, Bf16) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 16), (16, 8, 32)]),
        (Tf32, Tf32) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 8), (16, 8, 16)]),
        (E4m3 | E5m2, E4m3 | E5m2) => (d, c) == (F32, F32) && shape.is_in(&[(16, 8, 64)]),
        (S8 | U8, S8 | U8) => (d, c) == (S32, S32) && shape.is_in(&[(16, 8, 32), (16, 8, 64)]),
        (S4 | U4, S4 | U4) => (d, c) == (S32, S32) && shape.is_in(&[(16, 8, 64), (16, 8, 128)]),
        _ => false,
    }
}
