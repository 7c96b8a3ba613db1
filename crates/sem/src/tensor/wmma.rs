//! `wmma.load` and `wmma.store` (PTX ISA 9.7.14.4.3 and 9.7.14.4.4): matrices between memory and the registers of a warp.

use warpvm_isa::{Opcode, Word};

use super::element::Element;
use super::fragment::{Fragment, LANES, Registers};
use super::shape::{self, Layout, Shape};
use crate::Form;

/// Bytes that a lane moves between memory and a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Number of the register in the fragment.
    pub register: usize,
    /// The lane.
    pub lane: usize,
    /// Lowest bit in the register.
    pub shift: u32,
    /// Bytes from the address in the instruction.
    pub offset: u64,
    /// How many bytes: 1, 2, 4 or 8.
    pub bytes: u32,
}

/// A `wmma.load` or `wmma.store` instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WmmaMove {
    fragment: Fragment,
    layout: Layout,
    /// What the stride counts.
    element: Element,
    /// Elements in a register, of which the fragment knows nothing where they always stay together.
    packed: usize,
}

/// Which matrix is moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    A,
    B,
    C,
    D,
}

impl WmmaMove {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        let role = role(form).filter(|_| form.opcode == Opcode::Wmma)?;
        let shape = Shape::of(form)?;
        let [element] = shape::elements(form)[..] else { return None };
        let [layout] = shape::each_layout(form)[..] else { return None };
        if !is_legal(role, shape, layout, element) {
            return None;
        }
        let Shape { m, n, k } = shape;
        // Elements of less than a byte are contiguous in memory and in registers.
        let packed = if element.bits() < 8 { element.per_register() } else { 1 };
        let unit = if packed > 1 { Element::S32 } else { element };
        let tall = (m, n) == (8, 32);
        let fragment = match role {
            Role::A => Fragment::left(m, k / packed, unit),
            Role::B if tall => Fragment::left(n, k / packed, unit).transposed(),
            Role::B => Fragment::right(k / packed, n, unit),
            Role::C | Role::D if tall => Fragment::result(n, m, unit).transposed(),
            Role::C | Role::D => Fragment::result(m, n, unit),
        };
        let repeats = element == Element::F16 && matches!(role, Role::A | Role::B);
        let fragment = if repeats { fragment.repeated(8) } else { fragment };
        Some(WmmaMove { fragment, layout, element, packed })
    }

    /// Registers of the fragment.
    pub fn registers(&self) -> Registers {
        self.fragment.registers()
    }

    /// The stride where the instruction has none: rows, or columns, follow one another without a gap.
    pub fn default_stride(&self) -> u32 {
        let (rows, columns) = self.fragment.size();
        match self.layout {
            Layout::Row => (columns * self.packed) as u32,
            Layout::Column => (rows * self.packed) as u32,
        }
    }

    /// Everything that is moved, by register, lane and place; `stride` counts elements.
    ///
    /// A register may hold several pieces. A load fills all registers; in repeated fragments some bytes are read twice.
    pub fn pieces(&self, stride: u32) -> impl Iterator<Item = Piece> + '_ {
        let per = self.fragment.per_register();
        (0..self.registers().count).flat_map(move |register| {
            (0..LANES).flat_map(move |lane| {
                (0..per).map(move |n| {
                    let (row, column) = self.fragment.place(register, lane, n);
                    self.piece((register, lane, n), (row, column), stride)
                })
            })
        })
    }

    fn piece(&self, (register, lane, n): (usize, usize, usize), (row, column): (usize, usize), stride: u32) -> Piece {
        let (line, along) = match self.layout {
            Layout::Row => (row, column),
            Layout::Column => (column, row),
        };
        let element = line as u64 * u64::from(stride) + (along * self.packed) as u64;
        let bits = self.element.bits();
        let unit = bits * self.packed as u32;
        Piece { register, lane, shift: n as u32 * unit, offset: element * u64::from(bits) / 8, bytes: unit / 8 }
    }
}

fn role(form: &Form<'_>) -> Option<Role> {
    let words: Vec<Word> = form.words().take(2).collect();
    match words[..] {
        [Word::Load, Word::A] => Some(Role::A),
        [Word::Load, Word::B] => Some(Role::B),
        [Word::Load, Word::C] => Some(Role::C),
        [Word::Store, Word::D] => Some(Role::D),
        _ => None,
    }
}

/// Does the chip move such a matrix?
fn is_legal(role: Role, shape: Shape, layout: Layout, element: Element) -> bool {
    use Element::*;
    let k16 = shape.is_in(&[(16, 16, 16), (32, 8, 16), (8, 32, 16)]);
    let k8 = shape.is_in(&[(16, 16, 8)]);
    let k4 = shape.is_in(&[(8, 8, 4)]);
    match (role, element) {
        (_, F16) | (Role::A | Role::B, Bf16 | S8 | U8) => k16,
        (_, F64) => k4,
        (Role::A | Role::B, Tf32) => k8,
        (Role::A | Role::B, S4 | U4) => shape.is_in(&[(8, 8, 32)]) && is_along_k(role, layout),
        (Role::A | Role::B, B1) => shape.is_in(&[(8, 8, 128)]) && is_along_k(role, layout),
        (Role::C | Role::D, F32) => k16 || k8,
        (Role::C | Role::D, S32) => k16 || shape.is_in(&[(8, 8, 32), (8, 8, 128)]),
        _ => false,
    }
}

/// Are the elements that are summed contiguous?
fn is_along_k(role: Role, layout: Layout) -> bool {
    (role == Role::A) == (layout == Layout::Row)
}
