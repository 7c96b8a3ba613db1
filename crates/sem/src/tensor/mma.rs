//! `mma` and `wmma.mma` (PTX ISA 9.7.14.4.5 and 9.7.14.5.14): one warp multiplies two matrices in its registers.
//!
//! Both become the same machine instructions. What the chip does not have is put together from what it has, as the vendor's
//! assembler does it, and the cases of `tests/truth/tensor` agree:
//!
//! - 8-bit floats: the lower two elements of every register become `.f16` and are multiplied, starting from zero; then the upper
//!   two, starting from that; then C is added, to nearest even.
//! - `wmma` of `.tf32` takes two steps of four columns of A, where `mma.m16n8k8` takes one of eight.
//! - `wmma` with C and D of different types sums in `.f32`, from C widened, and rounds D to nearest even. Only there does
//!   `.satfinite`, which PTX had up to 6.4, do anything: a finite `.f32` that is too large for `.f16` becomes the largest
//!   `.f16`; infinities and NaN stay (`tensor/wmma.*`).
//! - `wmma.m8n32k16` is the transposed `.m32n8k16`.
//! - 4-bit integers are widened to 8 bits, `.xor` of single bits is made of `.and`; both are exact.

use warpvm_isa::{Opcode, Word};

use super::element::Element;
use super::fragment::{Fragment, Registers, WarpRegister};
use super::product::{Product, Types, Undefined};
use super::quads::QuadMma;
use super::shape::{self, Layout, Shape, unit};
use crate::Form;

/// An `mma` or `wmma.mma` instruction without sparsity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mma(Kind);

/// Whether the warp multiplies two matrices or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Whole(Product),
    Quads(QuadMma),
}

impl Mma {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        let shape = Shape::of(form)?;
        let kind = match form.opcode {
            Opcode::Mma => match QuadMma::from_form(form, shape) {
                Some(quads) => Kind::Quads(quads),
                None => Kind::Whole(from_mma(form, shape)?),
            },
            Opcode::Wmma if form.has(Word::Mma) => Kind::Whole(from_wmma(form, shape)?),
            _ => return None,
        };
        Some(Mma(kind))
    }

    /// Registers of A.
    pub fn a(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.a.registers(),
            Kind::Quads(_) => QuadMma::FACTOR,
        }
    }

    /// Registers of B.
    pub fn b(&self) -> Registers {
        match &self.0 {
            Kind::Whole(product) => product.b.registers(),
            Kind::Quads(_) => QuadMma::FACTOR,
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

    /// Which bits of D are undefined where bits of the operands are; `None` where that is not known of the form.
    pub fn undefined(&self, a: &[WarpRegister], b: &[WarpRegister], of: Undefined<'_>) -> Option<Vec<WarpRegister>> {
        match &self.0 {
            Kind::Whole(product) => Some(product.undefined((a, b), of)),
            Kind::Quads(_) => None,
        }
    }

    /// Multiplies. D is written whole.
    pub fn run(&self, a: &[WarpRegister], b: &[WarpRegister], c: &[WarpRegister], d: &mut [WarpRegister]) {
        match &self.0 {
            Kind::Whole(product) => product.run((a, b, c), d, |_| ()),
            Kind::Quads(quads) => quads.run(a, b, c, d),
        }
    }
}

fn from_mma(form: &Form<'_>, shape: Shape) -> Option<Product> {
    let [d, a, b, c] = shape::elements(form)[..] else { return None };
    let types = Types { d, a, b, c };
    let legal = is_mma(shape, types)
        && shape::layouts(form) == Some((Layout::Row, Layout::Column))
        && shape::has_no_more_than(form, &[Word::Sync, Word::Aligned], a);
    if legal { Product::new(form, shape, types) } else { None }
}

fn from_wmma(form: &Form<'_>, shape: Shape) -> Option<Product> {
    let types = match shape::elements(form)[..] {
        [d, c] => Types { d, a: Element::F16, b: Element::F16, c },
        [d, a, b, c] => Types { d, a, b, c },
        _ => return None,
    };
    let layouts = shape::layouts(form)?;
    let small = matches!(types.a, Element::S4 | Element::U4 | Element::B1);
    let legal = is_wmma(shape, types)
        && (!small || layouts == (Layout::Row, Layout::Column))
        && (types.a == Element::F16 || !form.has(Word::Satfinite) || is_integer(types.a))
        && shape::has_no_more_than(form, &[Word::Sync, Word::Aligned, Word::Mma, Word::Satfinite], types.a);
    let product = if legal { Product::new(form, shape, types)? } else { return None };
    Some(match types.a {
        Element::Tf32 => product.in_blocks(4),
        Element::F16 => {
            let product = tall(product, shape);
            let saturates = form.has(Word::Satfinite);
            Product { a: product.a.repeated(8), b: product.b.repeated(8), saturates, ..product }
        }
        _ => tall(product, shape),
    })
}

fn is_integer(element: Element) -> bool {
    matches!(element, Element::S8 | Element::U8 | Element::S4 | Element::U4)
}

/// The fragments of `.m8n32k16` are those of the transposed product.
fn tall(product: Product, Shape { m, n, k }: Shape) -> Product {
    if (m, n) != (8, 32) {
        return product;
    }
    let Types { d, b, c, .. } = product.types;
    Product {
        b: Fragment::left(n, k, unit(b)).transposed(),
        c: Fragment::result(n, m, c).transposed(),
        d: Fragment::result(n, m, d).transposed(),
        ..product
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
