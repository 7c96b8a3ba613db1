//! Accesses whose base row an earlier one of the block has looked at: see `lower::again`.

use warpvm_sem::common::fma_f32;

use super::Group;
use super::place::{Offsets, Region, place};
use crate::lower::again::ROWS;
use crate::memory::GlobalMemory;
use crate::program::{Load, Store};
use crate::slots::{FULL, LaneMask, Registers, Slot, lanes};
use crate::vector::AVX512;

/// How sixteen lanes lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Words side by side, or no lane at all.
    Neighbours,
    /// All at one word.
    One,
    /// Anything else.
    Any,
}

/// Where the lanes of an access lie in a region, every active one of them inside.
pub(super) struct Found {
    pub region: Region,
    /// For each sixteen lanes, the distance of the first that is on.
    pub starts: [u32; 2],
    pub shapes: [Shape; 2],
}

/// Bytes from the first access of a row to the lowest and to the highest of the others.
pub type Reach = (i32, i32);

/// What is known of a base row.
pub struct Memo {
    /// The stretch of running that it holds for.
    pub stretch: u64,
    mask: LaneMask,
    shapes: [Shape; 2],
    /// Where the words of lane 0 and lane 16 are, or would be, for the first access.
    places: [*mut u8; 2],
}

// SAFETY: the memory that it points to is used by the thread that runs the engine.
unsafe impl Send for Memo {}

impl Memo {
    /// Nothing is known.
    pub const fn new() -> Self {
        Memo { stretch: 0, mask: 0, shapes: [Shape::Any; 2], places: [std::ptr::null_mut(); 2] }
    }

    /// Takes note of where the first access of a row led, if that says enough of all the others: invariant of a memo
    /// with a stretch is that the active lanes' words at every distance of the reach are inside and aligned.
    #[inline(always)]
    pub(super) fn learn(&mut self, stretch: u64, mask: LaneMask, found: &Found, (low, high): Reach) {
        let r = &found.region;
        // Distances in local memory count the lanes before: they say nothing of the bounds.
        let mut is_useful = r.stride == 0;
        for half in 0..2 {
            let on = mask >> (16 * half) & 0xffff;
            let some = on.trailing_zeros() & 15;
            let last = if found.shapes[half] == Shape::One { some } else { on.checked_ilog2().unwrap_or(some) };
            let first = i64::from(found.starts[half]);
            let end = first + i64::from(4 * (last - some)) + 4;
            let is_inside = first + i64::from(low) >= 0 && end + i64::from(high) <= i64::from(r.len);
            is_useful &= found.shapes[half] != Shape::Any && (is_inside || on == 0);
            let back = if found.shapes[half] == Shape::One { 0 } else { 4 * some as usize };
            self.places[half] = r.host.wrapping_add(first as usize).wrapping_sub(back);
        }
        self.stretch = if is_useful { stretch } else { 0 };
        (self.mask, self.shapes) = (mask, found.shapes);
    }

    #[inline(always)]
    pub fn is_known(&self, stretch: u64, mask: LaneMask) -> bool {
        self.stretch == stretch && self.mask == mask
    }

    /// Sixteen words at a distance from those of the first access.
    ///
    /// # Safety
    /// The memo holds for a whole warp, and the distance is within its reach; the processor has AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn half(&self, half: usize, by: i32) -> [f32; 16] {
        use core::arch::x86_64::*;
        let place = self.places[half].wrapping_offset(by as isize);
        // SAFETY: the caller's; a vector and an array of its elements are the same bytes.
        unsafe {
            let words = if self.shapes[half] == Shape::One {
                _mm512_set1_ps(place.cast::<f32>().read_unaligned())
            } else {
                _mm512_loadu_ps(place.cast())
            };
            std::mem::transmute::<__m512, [f32; 16]>(words)
        }
    }

    /// Reads the words at a distance from those of the first access.
    ///
    /// # Safety
    /// The memo holds for the mask, and the distance is within its reach; `row` points to a row of 32 words; the
    /// processor has `LEVEL`.
    #[inline(always)]
    unsafe fn read<const LEVEL: u8>(&self, by: i32, mask: LaneMask, row: *mut u32) {
        for half in 0..2 {
            // The words of lanes that sleep may lie outside.
            let place = self.places[half].wrapping_offset(by as isize);
            let on = (mask >> (16 * half)) as u16;
            // SAFETY: the caller's.
            unsafe { read_half::<LEVEL>(place, self.shapes[half], on, row.add(16 * half)) };
        }
    }
}

/// # Safety
/// The words of the lanes that are on are readable at the place; `to` points to sixteen words; the processor has `LEVEL`.
#[inline(always)]
unsafe fn read_half<const LEVEL: u8>(place: *const u8, shape: Shape, on: u16, to: *mut u32) {
    // SAFETY: the caller's.
    unsafe {
        if on == 0xffff {
            let to = to.cast::<[u32; 16]>();
            if shape == Shape::One {
                to.write([place.cast::<u32>().read_unaligned(); 16]);
            } else {
                to.write(place.cast::<[u32; 16]>().read_unaligned());
            }
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX512 {
            use core::arch::x86_64::*;
            if on != 0 {
                let got = if shape == Shape::One {
                    _mm512_set1_epi32(place.cast::<i32>().read_unaligned())
                } else {
                    // A masked access touches no memory of lanes that are off.
                    _mm512_maskz_loadu_epi32(on, place.cast())
                };
                let to = to.cast::<__m512i>();
                _mm512_storeu_si512(to, _mm512_mask_mov_epi32(crate::vector::sleeping(to), on, got));
            }
            return;
        }
        let step = if shape == Shape::One { 0 } else { 4 };
        for i in lanes(u32::from(on)) {
            to.add(i).write(place.wrapping_add(step * i).cast::<u32>().read_unaligned());
        }
    }
}

/// `ld` of a word a lane from a row that may be known, at a distance from the first access. False where nothing was done.
#[inline(always)]
pub(super) fn load_again<const LEVEL: u8>(
    regs: &mut Registers,
    slot: Slot,
    by: i32,
    mask: LaneMask,
    stretch: u64,
    memo: &Memo,
) -> bool {
    let is_known = memo.is_known(stretch, mask);
    if is_known {
        // SAFETY: lowering put `by` into the reach of the row's first access.
        unsafe { memo.read::<LEVEL>(by, mask, regs.row32_mut(slot).as_mut_ptr()) };
    }
    is_known
}

/// A load of a row that another of its block has looked at.
#[derive(Clone, Copy)]
pub struct KnownLoad {
    /// The number of the row.
    pub id: u8,
    /// Bytes from the first access.
    pub by: i32,
    /// The result.
    pub slot: Slot,
}

/// The product of what two loads give, plus a row.
#[derive(Clone, Copy)]
pub struct Product {
    /// The sum's row.
    pub sum: Slot,
    /// The row that is added.
    pub addend: Slot,
}

/// What [`load_two`] has done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Nothing.
    Nothing,
    /// The loads.
    Loads,
    /// The loads, and what follows them.
    All,
}

/// Two [`load_again`] in turn, and what is done with the two rows where this is known to be a product.
///
/// # Safety
/// `base` is that of a register block that holds the slots.
#[inline(always)]
pub(super) unsafe fn load_two<const LEVEL: u8>(
    base: *mut u8,
    two: &[KnownLoad; 2],
    product: Option<Product>,
    mask: LaneMask,
    stretch: u64,
    memos: &[Memo; ROWS],
) -> Done {
    let [a, b] = two.map(|k| &memos[k.id as usize % ROWS]);
    if !a.is_known(stretch, mask) || !b.is_known(stretch, mask) {
        return Done::Nothing;
    }
    // SAFETY: the caller's; lowering put the distances into the reach of the rows' first accesses.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX512
            && mask == FULL
            && let Some(product) = product
        {
            for half in 0..2 {
                let row = |slot: Slot| base.add(slot.0 as usize).cast::<[f32; 16]>().add(half);
                let x = a.half(half, two[0].by);
                row(two[0].slot).write(x);
                let y = b.half(half, two[1].by);
                row(two[1].slot).write(y);
                let z = row(product.addend).read();
                row(product.sum).write(std::array::from_fn(|i| fma_f32(x[i], y[i], z[i])));
            }
            return Done::All;
        }
        a.read::<LEVEL>(two[0].by, mask, base.add(two[0].slot.0 as usize).cast());
        b.read::<LEVEL>(two[1].by, mask, base.add(two[1].slot.0 as usize).cast());
    }
    Done::Loads
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
    reach: Reach,
) -> bool {
    let slot = load.results[0].1;
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 {
        // SAFETY: the caller's level.
        let found = unsafe { super::load::load_word_avx512(global, group, w, &load.address, mask, slot, hint) };
        return match found {
            Some(found) => {
                memo.learn(stretch, mask, &found, reach);
                true
            }
            None => false,
        };
    }
    let mut x = [0; 32];
    let Some(r) = place::<LEVEL>(global, group, w, &load.address, mask, 4, hint, &mut x) else { return false };
    memo.learn(stretch, mask, &shapes(r, mask, &x), reach);
    load_again::<LEVEL>(&mut group.warps[w].regs, slot, 0, mask, stretch, memo)
}

/// How lanes lie whose distances are these.
#[inline(always)]
fn shapes(region: Region, mask: LaneMask, x: &Offsets) -> Found {
    let mut found = Found { region, starts: [0; 2], shapes: [Shape::Any; 2] };
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
        found.starts[half] = first;
        found.shapes[half] = match (uneven, apart) {
            (0, _) => Shape::Neighbours,
            (_, 0) => Shape::One,
            _ => Shape::Any,
        };
    }
    found
}

/// `st` of a word a lane to a row that may be known.
#[inline(always)]
pub(super) fn store_again<const LEVEL: u8>(
    regs: &mut Registers,
    store: &Store,
    by: i32,
    mask: LaneMask,
    stretch: u64,
    memo: &Memo,
) -> bool {
    if memo.shapes.contains(&Shape::One) || !memo.is_known(stretch, mask) {
        return false;
    }
    let row = regs.row32(store.sources[0].1);
    for half in 0..2 {
        let on = mask >> (16 * half) & 0xffff;
        let p = memo.places[half].wrapping_offset(by as isize);
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
