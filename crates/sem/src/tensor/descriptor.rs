//! Matrix descriptors of `wgmma`: where a matrix in shared memory has its elements (PTX ISA 9.7.15.5.1).
//!
//! A matrix is read in pieces of 16 bytes that lie along its major dimension. Without swizzle eight pieces that follow one another
//! across that dimension are a core matrix of 128 bytes; with a swizzle of `w` bytes they lie `w` bytes apart, and `w / 16`
//! such columns side by side. Bits 4 to 6 of the address are then exchanged by bits 7 to 9, as many as the swizzle has, counted
//! from the base offset. Two strides lead to further columns and to the next eight pieces.
//!
//! | | next piece along the major dimension | next eight pieces across it |
//! |---|---|---|
//! | K-major, no swizzle | leading | stride |
//! | K-major, swizzle | 16 bytes, then (beyond the swizzle) leading | stride |
//! | MN-major, no swizzle | stride | leading |
//! | MN-major, swizzle | 16 bytes, then leading | stride |
//!
//! Read off the chip for every element of 512 descriptors (`wgmma.addr.*` in `tests/truth/tensor`). The manual gives the
//! canonical layouts only.

/// Bytes that are always side by side.
pub(super) const PIECE: u32 = 16;

/// Bits of an address in shared memory that a descriptor can express.
const ADDRESS_MASK: u32 = (1 << 18) - 1;

/// Along which dimension neighbours are next to each other in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Major {
    /// The summed dimension: rows of A, columns of B.
    K,
    /// The other dimension (`imm-trans` is 1).
    Mn,
}

/// A matrix descriptor, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Descriptor {
    start: u32,
    leading: u32,
    stride: u32,
    base_offset: u32,
    /// Bytes of the swizzle; 16 where there is none.
    width: u32,
}

impl Descriptor {
    /// From its 64 bits.
    pub(super) const fn new(bits: u64) -> Self {
        Descriptor {
            start: Self::bytes(bits),
            leading: Self::bytes(bits >> 16),
            stride: Self::bytes(bits >> 32),
            base_offset: (bits >> 49) as u32 & 7,
            width: match bits >> 62 {
                0 => 16,
                1 => 128,
                2 => 64,
                _ => 32,
            },
        }
    }

    /// A field of 14 bits, in units of 16 bytes.
    const fn bytes(field: u64) -> u32 {
        (field as u32 & 0x3fff) * PIECE
    }

    /// Address of the piece that is number `along` along the major dimension, of line `across`.
    pub(super) const fn piece(self, major: Major, across: u32, along: u32) -> u32 {
        let columns = self.width / PIECE;
        let (next_column, next_lines) = match major {
            Major::Mn if self.width == PIECE => (self.stride, self.leading),
            _ => (self.leading, self.stride),
        };
        let line = across % 8 * self.width + (across / 8).wrapping_mul(next_lines);
        let column = along % columns * PIECE + (along / columns).wrapping_mul(next_column);
        let address = self.start.wrapping_add(line).wrapping_add(column);
        let exchange = (address >> 7).wrapping_sub(self.base_offset) & (columns - 1);
        (address ^ (exchange * PIECE)) & ADDRESS_MASK
    }
}
