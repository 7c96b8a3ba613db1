//! Where register values live: slots in a warp's register block, as rows of 32 lanes.
//!
//! A register of up to 32 bits is a row `[u32; 32]`, one of 64 bits a row `[u64; 32]`, one of 128 bits two such rows,
//! a predicate one `u32` with a bit a lane. A slot is the byte offset of its row in the block of its warp. Constants,
//! launch-wide special registers and kernel parameters are rows like any other, filled when a warp starts.

/// Lanes of a warp, as bits.
pub type LaneMask = u32;

/// Lanes in a warp.
pub const LANES: usize = 32;

/// Every lane.
pub const FULL: LaneMask = !0;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// A bit a lane.
    Pred,
    /// Up to 32 bits a lane.
    R32,
    /// 64 bits a lane.
    R64,
    /// 128 bits a lane: a row of low halves, then a row of high halves.
    R128,
}

impl Class {
    /// Bytes of a row.
    pub const fn bytes(self) -> u32 {
        match self {
            Class::Pred => 4,
            Class::R32 => 128,
            Class::R64 => 256,
            Class::R128 => 512,
        }
    }

    /// The class that holds values of this many bits.
    pub const fn of_bits(bits: u32) -> Class {
        match bits {
            1 => Class::Pred,
            2..=32 => Class::R32,
            33..=64 => Class::R64,
            _ => Class::R128,
        }
    }
}

/// Byte offset of a row in a warp's register block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Slot(pub u32);

impl Slot {
    /// No slot: an operand that is not there or a result that is thrown away.
    pub const NONE: Slot = Slot(u32::MAX);

    /// Is there one?
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}

/// The lanes of a mask, lowest first.
#[inline]
pub fn lanes(mask: LaneMask) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(lane)
    })
}

/// A row-sized piece of a register block, aligned for vector loads.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line(pub(crate) [u8; 64]);

/// The registers of one warp.
pub struct Registers {
    lines: Vec<Line>,
}

impl Registers {
    /// A zeroed block of at least `bytes` bytes.
    pub fn new(bytes: u32) -> Self {
        Registers { lines: vec![Line([0; 64]); (bytes as usize).div_ceil(64) + 1] }
    }

    /// Base of the block.
    #[inline(always)]
    pub fn base(&mut self) -> *mut u8 {
        self.lines.as_mut_ptr().cast()
    }

    /// The whole block, for those who want to know whether anything changed.
    pub fn words(&self) -> &[u64] {
        // SAFETY: the lines are plain bytes, aligned to 64.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * 8) }
    }

    fn bytes(&self) -> usize {
        self.lines.len() * 64
    }

    #[inline(always)]
    fn at(&self, slot: Slot, size: u32) -> *const u8 {
        assert!(slot.0 as usize + size as usize <= self.bytes(), "slot outside of the register block");
        // SAFETY: the offset was just checked against the size of the block.
        unsafe { self.lines.as_ptr().cast::<u8>().add(slot.0 as usize) }
    }

    /// A predicate row.
    #[inline(always)]
    pub fn pred(&self, slot: Slot) -> u32 {
        // SAFETY: `at` checked the bounds; predicate slots are 4-byte aligned.
        unsafe { self.at(slot, 4).cast::<u32>().read() }
    }

    /// Sets the bits of a predicate row for `mask`.
    #[inline(always)]
    pub fn set_pred(&mut self, slot: Slot, mask: LaneMask, bits: u32) {
        let old = self.pred(slot);
        // SAFETY: `pred` checked the bounds; the block is borrowed mutably.
        unsafe { self.at(slot, 4).cast_mut().cast::<u32>().write((old & !mask) | (bits & mask)) }
    }

    /// A 32-bit row.
    #[inline(always)]
    pub fn row32(&self, slot: Slot) -> &[u32; 32] {
        // SAFETY: bounds checked; rows are 64-byte aligned by the layout.
        unsafe { &*self.at(slot, 128).cast() }
    }

    /// A 32-bit row to write.
    #[inline(always)]
    pub fn row32_mut(&mut self, slot: Slot) -> &mut [u32; 32] {
        // SAFETY: as above, and the block is borrowed mutably.
        unsafe { &mut *self.at(slot, 128).cast_mut().cast() }
    }

    /// A 64-bit row.
    #[inline(always)]
    pub fn row64(&self, slot: Slot) -> &[u64; 32] {
        // SAFETY: bounds checked; rows are 64-byte aligned by the layout.
        unsafe { &*self.at(slot, 256).cast() }
    }

    /// A 64-bit row to write.
    #[inline(always)]
    pub fn row64_mut(&mut self, slot: Slot) -> &mut [u64; 32] {
        // SAFETY: as above, and the block is borrowed mutably.
        unsafe { &mut *self.at(slot, 256).cast_mut().cast() }
    }

    /// One lane's value, zero-extended; the low half of a 128-bit one.
    pub fn get(&self, class: Class, slot: Slot, lane: usize) -> u64 {
        match class {
            Class::Pred => u64::from(self.pred(slot) >> lane & 1),
            Class::R32 => u64::from(self.row32(slot)[lane]),
            Class::R64 | Class::R128 => self.row64(slot)[lane],
        }
    }

    /// Sets one lane's value; the low half of a 128-bit one.
    pub fn set(&mut self, class: Class, slot: Slot, lane: usize, value: u64) {
        match class {
            Class::Pred => self.set_pred(slot, 1 << lane, if value & 1 != 0 { FULL } else { 0 }),
            Class::R32 => self.row32_mut(slot)[lane] = value as u32,
            Class::R64 | Class::R128 => self.row64_mut(slot)[lane] = value,
        }
    }

    /// Sets every lane.
    pub fn fill(&mut self, class: Class, slot: Slot, value: u64) {
        match class {
            Class::Pred => self.set_pred(slot, FULL, if value & 1 != 0 { FULL } else { 0 }),
            Class::R32 => self.row32_mut(slot).fill(value as u32),
            Class::R64 => self.row64_mut(slot).fill(value),
            Class::R128 => {
                self.row64_mut(slot).fill(value);
                self.row64_mut(Slot(slot.0 + 256)).fill(0);
            }
        }
    }

    /// The bytes of slots `start..end`, to save them over a recursive call.
    pub fn save(&self, start: Slot, end: Slot) -> Vec<u8> {
        let len = end.0 - start.0;
        // SAFETY: `at` checked that the range lies in the block.
        unsafe { std::slice::from_raw_parts(self.at(start, len), len as usize) }.to_vec()
    }

    /// Puts back the columns of `mask` of what [`Registers::save`] took, where `rows` lists the slots.
    pub fn restore(&mut self, start: Slot, saved: &[u8], rows: &[(Class, Slot)], mask: LaneMask) {
        for &(class, slot) in rows {
            let at = (slot.0 - start.0) as usize;
            let word =
                |i: usize| u64::from_le_bytes(saved[at + 8 * i..at + 8 * i + 8].try_into().expect("eight bytes"));
            for lane in lanes(mask) {
                match class {
                    Class::Pred => {
                        let bits = u32::from_le_bytes(saved[at..at + 4].try_into().expect("four bytes"));
                        self.set_pred(slot, 1 << lane, bits);
                    }
                    Class::R32 => {
                        let b = &saved[at + 4 * lane..at + 4 * lane + 4];
                        self.row32_mut(slot)[lane] = u32::from_le_bytes(b.try_into().expect("four bytes"));
                    }
                    Class::R64 => self.row64_mut(slot)[lane] = word(lane),
                    Class::R128 => {
                        self.row64_mut(slot)[lane] = word(lane);
                        self.row64_mut(Slot(slot.0 + 256))[lane] = word(32 + lane);
                    }
                }
            }
        }
    }
}
