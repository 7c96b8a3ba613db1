//! Which bits of a memory are undefined, by blocks of 128 bytes.

use rustc_hash::FxHashMap;
use warpvm_machine::memory::SHARED_START;

use super::rows::OriginId;

/// Bytes of a block.
const BLOCK: u64 = 128;

/// Undefined bits of a block's bytes, and the origin of what was stored, by words of four bytes.
#[derive(Clone)]
struct Part {
    bits: [u8; BLOCK as usize],
    origin: [OriginId; BLOCK as usize / 4],
    /// Bytes with undefined bits.
    open: u128,
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
    /// Are these bytes defined?
    #[inline]
    fn is_defined(&self, start: Start, at: usize, len: usize) -> bool {
        match self {
            Block::Clean => true,
            Block::Untouched => start == Start::Defined,
            Block::Part(part) => part.open & within(at, len) == 0,
        }
    }

    /// Makes bytes defined.
    fn define(&mut self, start: Start, at: usize, len: usize) {
        if self.is_defined(start, at, len) {
            return;
        }
        if len == BLOCK as usize {
            *self = Block::Clean;
            return;
        }
        let part = self.part(start);
        part.bits[at..at + len].fill(0);
        part.open &= !within(at, len);
        if part.open == 0 {
            *self = Block::Clean;
        }
    }

    /// Its bytes one by one.
    fn part(&mut self, start: Start) -> &mut Part {
        if !matches!(self, Block::Part(_)) {
            let undefined = matches!(self, Block::Untouched) && start == Start::Undefined;
            let (fill, open) = if undefined { (0xff, !0) } else { (0, 0) };
            *self = Block::Part(Box::new(Part { bits: [fill; _], origin: [0; _], open }));
        }
        match self {
            Block::Part(part) => part,
            _ => unreachable!("just made"),
        }
    }

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
        let part = self.part(start);
        for (i, new) in bits.to_le_bytes()[..len].iter().enumerate() {
            part.bits[at + i] = *new;
            let bit = 1 << (at + i);
            part.open = if *new != 0 { part.open | bit } else { part.open & !bit };
            if *new != 0 {
                part.origin[(at + i) / 4] = origin;
            }
        }
        if part.open == 0 {
            *self = Block::Clean;
        }
    }
}

/// Bytes of a block, as bits.
#[inline]
fn within(at: usize, len: usize) -> u128 {
    let ones = if len >= BLOCK as usize { !0 } else { (1 << len) - 1 };
    ones << at
}

/// Splits a range by blocks: block, offset in it, length.
fn by_block(address: u64, len: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = address.saturating_add(len);
    let mut at = address;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let room = (BLOCK - at % BLOCK).min(end - at);
            let piece = (at / BLOCK, (at % BLOCK) as usize, room as usize);
            at += room;
            piece
        })
    })
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
    /// Blocks that are not clean yet, where the size is known.
    left: Option<u64>,
}

impl Bytes {
    /// The shared memory of a CTA, of `len` bytes from the start of the window on.
    pub fn of_cta(len: u64) -> Self {
        let start = u64::from(SHARED_START);
        let left = len.div_ceil(BLOCK).saturating_sub(start / BLOCK);
        let mut bytes = Bytes { blocks: Vec::new(), left: Some(left) };
        if left != 0 && !len.is_multiple_of(BLOCK) {
            // Nobody can reach what is behind the end.
            bytes.define(len, BLOCK - len % BLOCK);
        }
        bytes
    }

    /// Are all bytes that anybody can reach defined?
    #[inline]
    pub fn is_all_clean(&self) -> bool {
        self.left == Some(0)
    }

    /// Are these bytes defined?
    #[inline]
    pub fn is_clean(&self, address: u64, len: u64) -> bool {
        let is_defined =
            |(block, at, len)| self.blocks.get(block as usize).is_some_and(|b| b.is_defined(Start::Undefined, at, len));
        by_block(address, len).all(is_defined)
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
            let part = bits >> (8 * done);
            self.change(block, |b| b.store(Start::Undefined, at, room, part, origin));
        }
    }

    /// Makes a range of any length defined.
    pub fn define(&mut self, address: u64, len: u64) {
        for (block, at, len) in by_block(address, len) {
            self.change(block, |b| b.define(Start::Undefined, at, len));
        }
    }

    fn change(&mut self, block: u64, f: impl FnOnce(&mut Block)) {
        let index = block as usize;
        if index >= self.blocks.len() {
            self.blocks.resize(index + 1, Block::Untouched);
        }
        let block = &mut self.blocks[index];
        let was = matches!(block, Block::Clean);
        f(block);
        let is = matches!(block, Block::Clean);
        if let Some(left) = &mut self.left
            && index as u64 >= u64::from(SHARED_START) / BLOCK
        {
            *left = left.saturating_add_signed(i64::from(was) - i64::from(is));
        }
    }
}

/// Global memory.
#[derive(Default)]
pub(super) struct GlobalBytes {
    blocks: FxHashMap<u64, Block>,
    /// Allocations that nobody has written: start and end, sorted.
    undefined: Vec<(u64, u64)>,
    /// Have undefined bits been stored elsewhere?
    is_stained: bool,
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
        self.undefined.is_empty() && !self.is_stained
    }

    /// What the allocation of an address held at the start.
    pub fn start(&self, address: u64) -> Start {
        let at = self.undefined.partition_point(|r| r.0 <= address);
        match at.checked_sub(1).map(|i| self.undefined[i]) {
            Some((_, end)) if address < end => Start::Undefined,
            _ => Start::Defined,
        }
    }

    /// Are all bytes between these places defined, as far as can be said at a glance?
    #[inline]
    pub fn is_plain(&self, from: u64, to: u64) -> bool {
        let at = self.undefined.partition_point(|r| r.1 <= from);
        !self.is_stained && self.undefined.get(at).is_none_or(|r| r.0 >= to)
    }

    /// Are these bytes defined?
    #[inline]
    pub fn is_clean(&self, address: u64, len: u64) -> bool {
        let start = self.start(address);
        by_block(address, len).all(|(block, at, len)| match self.blocks.get(&block) {
            Some(block) => block.is_defined(start, at, len),
            None => start == Start::Defined,
        })
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
            self.is_stained |= start == Start::Defined;
            self.blocks.entry(index).or_default().store(start, at, room, low, origin);
        }
    }

    /// Are all bytes between these places in one allocation that held nothing at the start?
    #[inline]
    pub fn is_one_undefined(&self, from: u64, to: u64) -> bool {
        let at = self.undefined.partition_point(|r| r.1 <= from);
        self.undefined.get(at).is_some_and(|r| r.0 <= from && to <= r.1)
    }

    /// Makes a range of one allocation defined.
    pub fn define(&mut self, address: u64, len: u64) {
        let start = self.start(address);
        for (index, at, len) in by_block(address, len) {
            if start == Start::Undefined || self.blocks.contains_key(&index) {
                self.blocks.entry(index).or_default().define(start, at, len);
            }
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
