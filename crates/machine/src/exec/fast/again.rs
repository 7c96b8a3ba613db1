//! Accesses whose base row an earlier one of the block has looked at: see `lower::again`.

use super::Group;
use super::place::{Offsets, Region, place};
use crate::memory::GlobalMemory;
use crate::program::{Address, Load, Store};
use crate::slots::{FULL, LaneMask, Registers, lanes};

/// How sixteen lanes lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// None is on.
    Nobody,
    /// Words side by side.
    Neighbours,
    /// All at one word.
    One,
    /// Anything else.
    Any,
}

/// What is known of a base row.
pub struct Memo {
    /// The stretch of running that it holds for.
    pub stretch: u64,
    mask: LaneMask,
    /// The offset that it was found with.
    offset: i64,
    host: *mut u8,
    len: u32,
    /// Lowest and highest distance of a lane.
    low: u32,
    high: u32,
    shapes: [Shape; 2],
    /// The distance that lane 0 and lane 16 have, or would have: it may be below zero. Regions are below 2 GiB.
    starts: [i32; 2],
}

// SAFETY: the memory that it points to is used by the thread that runs the engine.
unsafe impl Send for Memo {}

impl Memo {
    /// Nothing is known.
    pub const fn new() -> Self {
        Memo {
            stretch: 0,
            mask: 0,
            offset: 0,
            host: std::ptr::null_mut(),
            len: 0,
            low: 0,
            high: 0,
            shapes: [Shape::Any; 2],
            starts: [0; 2],
        }
    }

    #[inline(always)]
    fn learn(&mut self, stretch: u64, a: &Address, mask: LaneMask, r: &Region, x: &Offsets) {
        let (mut low, mut high) = (x[0], x[0]);
        for &d in x {
            low = low.min(d);
            high = high.max(d);
        }
        for half in 0..2 {
            let at = &x[16 * half..16 * half + 16];
            let on = mask >> (16 * half) & 0xffff;
            let some = on.trailing_zeros() & 15;
            let first = at[some as usize];
            let (mut apart, mut uneven) = (0, 0);
            for i in 0..16 {
                let is_on = 0u32.wrapping_sub(on >> i & 1);
                apart |= (at[i] ^ first) & is_on;
                uneven |= (at[i] ^ first.wrapping_add(4 * i as u32).wrapping_sub(4 * some)) & is_on;
            }
            (self.shapes[half], self.starts[half]) = match (on, uneven, apart) {
                (0, ..) => (Shape::Nobody, 0),
                (_, 0, _) => (Shape::Neighbours, first as i32 - 4 * some as i32),
                (_, _, 0) => (Shape::One, first as i32),
                _ => (Shape::Any, 0),
            };
        }
        // Distances in local memory count the lanes before: they say nothing of the bounds.
        let is_useful = r.stride == 0 && !self.shapes.contains(&Shape::Any);
        self.stretch = if is_useful { stretch } else { 0 };
        (self.mask, self.offset, self.host, self.len) = (mask, a.offset, r.host, r.len);
        (self.low, self.high) = (low, high);
    }

    /// Where the distances of another offset begin, if all of them are inside and aligned.
    #[inline(always)]
    fn moved(&self, stretch: u64, a: &Address, mask: LaneMask) -> Option<*mut u8> {
        let by = a.offset.wrapping_sub(self.offset);
        let is_known = self.stretch == stretch && self.mask == mask && by as i32 as i64 == by && by % 4 == 0;
        let is_inside = i64::from(self.low) + by >= 0 && i64::from(self.high) + by + 4 <= i64::from(self.len);
        (is_known && is_inside).then(|| self.host.wrapping_offset(by as isize))
    }
}

/// `ld` of a word a lane from a row that may be known. `None` where nothing was done.
#[inline(always)]
pub(super) fn load_again<const LEVEL: u8>(
    regs: &mut Registers,
    load: &Load,
    mask: LaneMask,
    stretch: u64,
    memo: &Memo,
) -> bool {
    let Some(host) = memo.moved(stretch, &load.address, mask) else { return false };
    let row = regs.row32_mut(load.results[0].1);
    // SAFETY: the memo says that the active lanes' words are inside, and how they lie.
    unsafe { read(host, memo, mask, row) };
    true
}

/// # Safety
/// The active lanes' words are readable at the distances of the memo.
#[inline(always)]
unsafe fn read(host: *mut u8, memo: &Memo, mask: LaneMask, row: &mut [u32; 32]) {
    // The words of lanes that sleep may lie outside.
    let place = |half: usize| host.wrapping_offset(memo.starts[half] as isize);
    if mask == FULL {
        for half in 0..2 {
            let to = &mut row[16 * half..16 * half + 16];
            // SAFETY: the caller's.
            unsafe {
                if memo.shapes[half] == Shape::One {
                    to.fill(place(half).cast::<u32>().read_unaligned());
                } else {
                    to.copy_from_slice(&place(half).cast::<[u32; 16]>().read_unaligned());
                }
            }
        }
        return;
    }
    for half in 0..2 {
        let step = if memo.shapes[half] == Shape::One { 0 } else { 4 };
        for i in lanes(mask >> (16 * half) & 0xffff) {
            // SAFETY: the caller's.
            row[16 * half + i] = unsafe { place(half).wrapping_add(step * i).cast::<u32>().read_unaligned() };
        }
    }
}

/// `ld` of a word a lane that others of the block follow: learns. False where it has to be done otherwise.
#[inline(always)]
pub(super) fn load_first<const LEVEL: u8>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    load: &Load,
    mask: LaneMask,
    hint: &mut u32,
    stretch: u64,
    memo: &mut Memo,
) -> bool {
    let mut x = [0; 32];
    let Some(r) = place::<LEVEL>(global, group, w, &load.address, mask, 4, hint, &mut x) else { return false };
    memo.learn(stretch, &load.address, mask, &r, &x);
    memo.stretch == stretch && load_again::<LEVEL>(&mut group.warps[w].regs, load, mask, stretch, memo)
}

/// `st` of a word a lane to a row that may be known.
#[inline(always)]
pub(super) fn store_again<const LEVEL: u8>(
    regs: &mut Registers,
    store: &Store,
    mask: LaneMask,
    stretch: u64,
    memo: &Memo,
) -> bool {
    if memo.shapes.contains(&Shape::One) {
        return false;
    }
    let Some(host) = memo.moved(stretch, &store.address, mask) else { return false };
    let row = regs.row32(store.sources[0].1);
    for half in 0..2 {
        let on = mask >> (16 * half) & 0xffff;
        let p = host.wrapping_offset(memo.starts[half] as isize);
        let from: &[u32; 16] = row[16 * half..16 * half + 16].try_into().expect("sixteen words");
        // SAFETY: the memo says that the active lanes' words are inside and side by side.
        unsafe {
            if on == 0xffff {
                p.cast::<[u32; 16]>().write_unaligned(*from);
            } else {
                for i in (0..16).filter(|i| on >> i & 1 != 0) {
                    p.wrapping_add(4 * i).cast::<u32>().write_unaligned(from[i]);
                }
            }
        }
    }
    true
}
