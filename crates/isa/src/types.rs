//! Fundamental and packed types (PTX ISA 5.2), state spaces (5.1) and rounding modes.

use crate::words::Word;
use std::fmt;

/// A type of a register, variable or instruction (PTX ISA, section 5.2 and 5.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum ScalarType {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    F32,
    F64,
    Bf16,
    Bf16x2,
    Tf32,
    E4m3,
    E5m2,
    E4m3x2,
    E5m2x2,
    U16x2,
    S16x2,
    F32x2,
    Texref,
    Samplerref,
    Surfref,
}

impl ScalarType {
    /// The type a modifier names, if it names one.
    pub fn from_word(word: Word) -> Option<Self> {
        use ScalarType as T;
        Some(match word {
            Word::Pred => T::Pred,
            Word::B8 => T::B8,
            Word::B16 => T::B16,
            Word::B32 => T::B32,
            Word::B64 => T::B64,
            Word::B128 => T::B128,
            Word::U8 => T::U8,
            Word::U16 => T::U16,
            Word::U32 => T::U32,
            Word::U64 => T::U64,
            Word::S8 => T::S8,
            Word::S16 => T::S16,
            Word::S32 => T::S32,
            Word::S64 => T::S64,
            Word::F16 => T::F16,
            Word::F16x2 => T::F16x2,
            Word::F32 => T::F32,
            Word::F64 => T::F64,
            Word::Bf16 => T::Bf16,
            Word::Bf16x2 => T::Bf16x2,
            Word::Tf32 => T::Tf32,
            Word::E4m3 => T::E4m3,
            Word::E5m2 => T::E5m2,
            Word::E4m3x2 => T::E4m3x2,
            Word::E5m2x2 => T::E5m2x2,
            Word::U16x2 => T::U16x2,
            Word::S16x2 => T::S16x2,
            Word::F32x2 => T::F32x2,
            Word::Texref => T::Texref,
            Word::Samplerref => T::Samplerref,
            Word::Surfref => T::Surfref,
            _ => return None,
        })
    }

    /// The manual's spelling, without the leading dot.
    pub const fn text(self) -> &'static str {
        use ScalarType as T;
        match self {
            T::Pred => "pred",
            T::B8 => "b8",
            T::B16 => "b16",
            T::B32 => "b32",
            T::B64 => "b64",
            T::B128 => "b128",
            T::U8 => "u8",
            T::U16 => "u16",
            T::U32 => "u32",
            T::U64 => "u64",
            T::S8 => "s8",
            T::S16 => "s16",
            T::S32 => "s32",
            T::S64 => "s64",
            T::F16 => "f16",
            T::F16x2 => "f16x2",
            T::F32 => "f32",
            T::F64 => "f64",
            T::Bf16 => "bf16",
            T::Bf16x2 => "bf16x2",
            T::Tf32 => "tf32",
            T::E4m3 => "e4m3",
            T::E5m2 => "e5m2",
            T::E4m3x2 => "e4m3x2",
            T::E5m2x2 => "e5m2x2",
            T::U16x2 => "u16x2",
            T::S16x2 => "s16x2",
            T::F32x2 => "f32x2",
            T::Texref => "texref",
            T::Samplerref => "samplerref",
            T::Surfref => "surfref",
        }
    }

    /// Size of one value in bits; a predicate has 1.
    pub const fn bits(self) -> u32 {
        use ScalarType as T;
        match self {
            T::Pred => 1,
            T::B8 | T::U8 | T::S8 | T::E4m3 | T::E5m2 => 8,
            T::B16 | T::U16 | T::S16 | T::F16 | T::Bf16 | T::E4m3x2 | T::E5m2x2 => 16,
            T::B32 | T::U32 | T::S32 | T::F32 | T::F16x2 | T::Bf16x2 | T::Tf32 | T::U16x2 | T::S16x2 => 32,
            T::B64 | T::U64 | T::S64 | T::F64 | T::F32x2 | T::Texref | T::Samplerref | T::Surfref => 64,
            T::B128 => 128,
        }
    }

    /// Size in memory in bytes. A predicate has none.
    pub const fn bytes(self) -> u32 {
        self.bits() / 8
    }

    /// Is this a two's-complement signed integer type?
    pub const fn is_signed(self) -> bool {
        use ScalarType as T;
        matches!(self, T::S8 | T::S16 | T::S32 | T::S64 | T::S16x2)
    }

    /// Is this a floating-point type?
    pub const fn is_float(self) -> bool {
        use ScalarType as T;
        matches!(self, T::F16 | T::F16x2 | T::F32 | T::F64 | T::Bf16 | T::Bf16x2 | T::Tf32 | T::F32x2)
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Where a variable lives (PTX ISA, section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum StateSpace {
    Reg,
    Sreg,
    Const,
    Global,
    Local,
    Param,
    Shared,
    Tex,
    Generic,
}

/// Rounding of a floating-point result (PTX ISA, section 9.7.3 and 9.7.9.21).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even (`.rn`, `.rni`).
    NearestEven,
    /// Toward zero (`.rz`, `.rzi`).
    Zero,
    /// Toward negative infinity (`.rm`, `.rmi`).
    Down,
    /// Toward positive infinity (`.rp`, `.rpi`).
    Up,
    /// To nearest, ties away from zero (`.rna`).
    NearestAway,
}
