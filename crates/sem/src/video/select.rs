//! The first step of a video instruction: which field of a register is meant, and how it is extended.

use warpvm_isa::ScalarType;

/// A field of a register or of a pair of registers, and how it is extended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Select {
    shift: u32,
    mask: u32,
    /// The sign bit of the field where it is signed, else 0.
    sign: u32,
}

impl Select {
    /// The field of `bits` bits that starts at bit `shift`.
    pub(super) fn new(shift: u32, bits: u32, signed: bool) -> Self {
        let mask = u32::MAX >> (32 - bits);
        Self { shift, mask, sign: if signed { 1 << (bits - 1) } else { 0 } }
    }

    /// What a selector of a scalar instruction means: `b0` to `b3`, `h0`, `h1`, or "" for the whole register.
    pub(super) fn scalar(selector: &str, signed: bool) -> Option<Self> {
        let field = Field::parse(selector)?;
        Some(Self::new(field.shift, field.bits, signed))
    }

    /// The field, extended to 33 bits.
    #[inline(always)]
    pub(super) fn of(self, a: u32) -> i64 {
        let field = (a >> self.shift) & self.mask;
        (field ^ self.sign) as i64 - self.sign as i64
    }

    /// The field of a pair of registers. It has 16 bits at most.
    #[inline(always)]
    pub(super) fn of_pair(self, pair: u64) -> i64 {
        let field = (pair >> self.shift) as u32 & self.mask;
        (field ^ self.sign) as i64 - self.sign as i64
    }
}

/// Where a scalar result goes, or where a source comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Field {
    pub(super) shift: u32,
    pub(super) bits: u32,
}

impl Field {
    /// Reads `b0` to `b3`, `h0`, `h1` or "".
    pub(super) fn parse(selector: &str) -> Option<Self> {
        let (bits, digit) = match selector.as_bytes() {
            [] => return Some(Self { shift: 0, bits: 32 }),
            [b'b', digit @ b'0'..=b'3'] => (8, digit),
            [b'h', digit @ b'0'..=b'1'] => (16, digit),
            _ => return None,
        };
        Some(Self { shift: u32::from(digit - b'0') * bits, bits })
    }

    /// The bits of the register that it covers.
    pub(super) fn mask(self) -> u32 {
        (u32::MAX >> (32 - self.bits)) << self.shift
    }
}

/// Signedness of `.u32` and `.s32`, the only types of these instructions.
pub(super) fn is_signed(ty: Option<ScalarType>) -> Option<bool> {
    match ty? {
        ScalarType::U32 => Some(false),
        ScalarType::S32 => Some(true),
        _ => None,
    }
}
