//! Types of matrix elements.

use warpvm_isa::Word;

/// Type of a matrix element (PTX ISA 9.7.14, matrix data-types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum Element {
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    S8,
    U8,
    S4,
    U4,
    B1,
    S32,
}

impl Element {
    /// The type that a modifier names, if it names one.
    pub fn from_word(word: Word) -> Option<Self> {
        Some(match word {
            Word::F16 => Element::F16,
            Word::Bf16 => Element::Bf16,
            Word::Tf32 => Element::Tf32,
            Word::F32 => Element::F32,
            Word::F64 => Element::F64,
            Word::E4m3 => Element::E4m3,
            Word::E5m2 => Element::E5m2,
            Word::S8 => Element::S8,
            Word::U8 => Element::U8,
            Word::S4 => Element::S4,
            Word::U4 => Element::U4,
            Word::B1 => Element::B1,
            Word::S32 => Element::S32,
            _ => return None,
        })
    }

    /// Size of an element in a register or in memory, in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Element::B1 => 1,
            Element::S4 | Element::U4 => 4,
            Element::E4m3 | Element::E5m2 | Element::S8 | Element::U8 => 8,
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 | Element::F32 | Element::S32 => 32,
            Element::F64 => 64,
        }
    }

    /// Width of a register that holds elements of this type: 64 for `.f64`, else 32.
    pub const fn register_bits(self) -> u32 {
        if self.bits() > 32 { 64 } else { 32 }
    }

    /// Number of elements in a register.
    pub const fn per_register(self) -> usize {
        (self.register_bits() / self.bits()) as usize
    }

    /// The sign bit of a float.
    pub(super) const fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }
}
