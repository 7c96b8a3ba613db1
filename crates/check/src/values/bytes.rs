//! Which bits of a memory are undefined, by blocks of 128 bytes.

use std::collections::HashMap;

use super::rows::OriginId;

/// Bytes of a block.
const BLOCK: u64 = 128;

/// Undefined bits of a block's bytes, and the origin of what was stored, by words of four bytes.
#[derive(Clone)]
struct Part {
    bits: [u8; BLOCK as usize],
    origin: [OriginId; BLOCK as usize / 4],
    /// Bytes with undefined bits.
    left: u32,
}

#[derive(Clone, Default)]
enum Block {
    /// As at the start.
    #[default]
    Untouched,
    /// Defined.
    Clean,
    Part(Box<Part>),
}

/// What a memory holds where nothing was stored yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    Defined,
    Undefined,
}

impl Block {
    fn load(&self, start: Start, at: usize, len: usize) -> u64 {
        match self {
            Block::Clean => 0,
            Block::Untouched => {
                if start == Start::Undefined {
                    super::rows::ones(8 * len as u32)
                } else {
                    0
                }
            }
            Block::Part(part) => {
                let mut bytes = [0; 8];
                bytes[..len].copy_from_slice(&part.bits[at..at + len]);
                u64::from_le_bytes(bytes)
            }
        }
    }

    fn origin(&self, at: usize, len: usize) -> OriginId {
        match self {
            Block::Part(part) => {
                let at = (at..at + len).find(|&i| part.bits[i] != 0).unwrap_or(at);
                part.origin[at / 4]
            }
            _ => 0,
        }
    }

    fn store(&mut self, start: Start, at: usize, len: usize, bits: u64, origin: OriginId) {
        let is_settled = match self {
            Block::Clean => bits == 0,
            Block::Untouched => bits == 0 && start == Start::Defined,
            Block::Part(_) => false,
        };
        if is_settled {
            return;
        }
        if !matches!(self, Block::Part(_)) {
            let undefined = matches!(self, Block::Untouched) && start == Start::Undefined;
            let (fill, left) = if undefined { (0xff, BLOCK as u32) } else { (0, 0) };
            *self = Block::Part(Box::new(Part { bits: [fill; _], origin: [0; _], left }));
        }
        let Block::Part(part) = self else { return };
        for (i, new) in bits.to_le_bytes()[..len].iter().enumerate() {
            let old = std::mem::replace(&mut part.bits[at + i], *new);
            part.left = part.left + u32::from(*new != 0) - u32::from(old != 0);
            if *new != 0 {
                part.origin[(at + i) / 4] = origin;
            }
        }
        if part.left == 0 {
            *self = Block::Clean;
        }
    }
}

/// Splits a range into pieces of at most 8 bytes that do not cross a block: block, offset in it, offset in the range,
/// length.
fn pieces(address: u64, len: u32) -> impl Iterator<Item = (u64, usize, u32, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done >= len {
            return None;
        }
        let at = address + u64::from(done);
        let room = (BLOCK - at % BLOCK).min(8).min(u64::from(len - done)) as usize;
        let piece = (at / BLOCK, (at % BLOCK) as usize, done, room);
        done += room as u32;
        Some(piece)
    })
}

/// A memory of its own: shared memory of a CTA, or local memory of a thread.
#[derive(Default)]
pub(super) struct Bytes {
    blocks: Vec<Block>,
}

impl Bytes {
    /// Are these bytes known to be defined without a closer look?
    #[inline]
    pub fn is_clean(&self, address: u64, len: u32) -> bool {
        let block = (address / BLOCK) as usize;
        let ends = ((address + u64::from(len)).saturating_sub(1) / BLOCK) as usize;
        block == ends && matches!(self.blocks.get(block), Some(Block::Clean))
    }

    /// Undefined bits of up to 8 bytes, and their origin.
    pub fn load(&self, address: u64, len: u32) -> (u64, OriginId) {
        let (mut bits, mut origin) = (0, 0);
        for (block, at, done, room) in pieces(address, len) {
            let untouched = Block::Untouched;
            let block = self.blocks.get(block as usize).unwrap_or(&untouched);
            let new = block.load(Start::Undefined, at, room);
            if new != 0 && bits == 0 {
                origin = block.origin(at, room);
            }
            bits |= new << (8 * done);
        }
        (bits, origin)
    }

    /// Stores up to 8 bytes with these undefined bits.
    pub fn store(&mut self, address: u64, len: u32, bits: u64, origin: OriginId) {
        for (block, at, done, room) in pieces(address, len) {
            let index = block as usize;
            if index >= self.blocks.len() {
                self.blocks.resize(index + 1, Block::Untouched);
            }
            let part = bits >> (8 * done);
            self.blocks[index].store(Start::Undefined, at, room, part, origin);
        }
    }

    /// Makes a range of any length defined.
    pub fn define(&mut self, address: u64, len: u64) {
        let mut done = 0;
        while done < len {
            let piece = (len - done).min(8) as u32;
            self.store(address + done, piece, 0, 0);
            done += u64::from(piece);
        }
    }
}

/// Global memory.
#[derive(Default)]
pub(super) struct GlobalBytes {
    blocks: HashMap<u64, Block>,
    /// Allocations that nobody has written: start and end, sorted.
    undefined: Vec<(u64, u64)>,
}

impl GlobalBytes {
    /// An allocation that holds nothing yet.
    pub fn add_undefined(&mut self, base: u64, len: u64) {
        let at = self.undefined.partition_point(|r| r.0 < base);
        self.undefined.insert(at, (base, base + len));
    }

    /// Can there be undefined bytes at all?
    #[inline]
    pub fn is_trivial(&self) -> bool {
        self.undefined.is_empty() && self.blocks.is_empty()
    }

    /// What the allocation of an address held at the start.
    pub fn start(&self, address: u64) -> Start {
        let at = self.undefined.partition_point(|r| r.0 <= address);
        match at.checked_sub(1).map(|i| self.undefined[i]) {
            Some((_, end)) if address < end => Start::Undefined,
            _ => Start::Defined,
        }
    }

    /// Undefined bits of up to 8 bytes, and their origin.
    pub fn load(&self, address: u64, len: u32) -> (u64, OriginId) {
        let start = self.start(address);
        let (mut bits, mut origin) = (0, 0);
        for (index, at, done, room) in pieces(address, len) {
            let (new, from) = match self.blocks.get(&index) {
                Some(block) => (block.load(start, at, room), block.origin(at, room)),
                None => (Block::Untouched.load(start, at, room), 0),
            };
            if new != 0 && bits == 0 {
                origin = from;
            }
            bits |= new << (8 * done);
        }
        (bits, origin)
    }

    /// Stores up to 8 bytes with these undefined bits.
    pub fn store(&mut self, address: u64, len: u32, bits: u64, origin: OriginId) {
        let start = self.start(address);
        for (index, at, done, room) in pieces(address, len) {
            let part = bits >> (8 * done);
            let low = part & super::rows::ones(8 * room as u32);
            if low == 0 && start == Start::Defined && !self.blocks.contains_key(&index) {
                continue;
            }
            self.blocks.entry(index).or_default().store(start, at, room, low, origin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_defined_one_by_one() {
        let mut bytes = Bytes::default();
        assert_eq!(bytes.load(1024, 4).0, 0xffff_ffff);
        bytes.store(1025, 1, 0, 0);
        assert_eq!(bytes.load(1024, 4).0, 0xffff_00ff);
        bytes.store(1148, 8, 0xff << 32, 5);
        assert_eq!(bytes.load(1152, 4), (0xff, 5), "a store over the edge of a block");
    }

    #[test]
    fn a_whole_block_becomes_clean() {
        let mut bytes = Bytes::default();
        bytes.define(1024, 128);
        assert!(bytes.is_clean(1024, 16));
        assert!(!bytes.is_clean(1152, 4));
    }

    #[test]
    fn global_memory_is_defined_where_the_host_wrote() {
        let mut bytes = GlobalBytes::default();
        assert!(bytes.is_trivial());
        bytes.add_undefined(4096, 64);
        assert_eq!(bytes.load(4100, 4).0, 0xffff_ffff);
        assert_eq!(bytes.load(4160, 4).0, 0);
        bytes.store(4100, 4, 0, 0);
        assert_eq!(bytes.load(4100, 8).0, 0xffff_ffff << 32);
    }
}
