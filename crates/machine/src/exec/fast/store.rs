//! `st`: a row written to the distances of its lanes.

use super::Group;
use super::load::are_neighbours;
use super::place::{Offsets, Region, first_region, offset_of, place, wide_offsets};
use crate::exec::memory::write;
use crate::memory::GlobalMemory;
use crate::program::{Address, Store};
use crate::slots::{Class, LaneMask, Slot, lanes};
use crate::vector::AVX512;

#[inline(always)]
pub(super) fn store<const LEVEL: u8>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    store: &Store,
    mask: LaneMask,
    hint: &mut u32,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512
        && let [(Class::R32, slot)] = store.sources[..]
        && store.size == 4
        && store.address.base.is_some()
    {
        // SAFETY: the caller's level.
        return unsafe { store_word_avx512(global, group, w, &store.address, mask, slot, hint) };
    }
    let bytes = store.size * store.sources.len() as u32;
    let mut x = [0; 32];
    let Some(Region { host, .. }) = place::<LEVEL>(global, group, w, &store.address, mask, bytes, hint, &mut x) else {
        return false;
    };
    let regs = &group.warps[w].regs;
    if let [(Class::R32, slot)] = store.sources[..]
        && store.size == 4
    {
        // SAFETY: `place` checked every active lane's bytes against the region.
        unsafe { write32(host, &x, mask, regs.row32(slot)) };
        return true;
    }
    for lane in lanes(mask) {
        for (n, &(class, slot)) in store.sources.iter().enumerate() {
            // SAFETY: as above.
            unsafe {
                let p = host.add(x[lane] as usize + n * store.size as usize);
                let value =
                    if class == Class::R32 { u64::from(regs.row32(slot)[lane]) } else { regs.get(class, slot, lane) };
                write(p, store.size.min(8), value);
                if store.size == 16 {
                    write(p.add(8), 8, regs.get(Class::R64, Slot(slot.0 + 256), lane));
                }
            }
        }
    }
    true
}

/// Writes words of 32 bits, lower lanes first.
///
/// # Safety
/// The distances of active lanes are those of four writable bytes.
#[inline(always)]
unsafe fn write32(host: *mut u8, x: &Offsets, mask: LaneMask, row: &[u32; 32]) {
    for chunk in 0..4 {
        let at = &x[8 * chunk..8 * chunk + 8];
        let on = mask >> (8 * chunk) & 0xff;
        // SAFETY: the caller's.
        unsafe {
            if on == 0xff && are_neighbours::<8>(at, 4) {
                let from: [u32; 8] = row[8 * chunk..8 * chunk + 8].try_into().expect("eight words");
                host.add(at[0] as usize).cast::<[u32; 8]>().write_unaligned(from);
            } else {
                for i in (0..8).filter(|i| on >> i & 1 != 0) {
                    host.add(at[i] as usize).cast::<u32>().write_unaligned(row[8 * chunk + i]);
                }
            }
        }
    }
}

/// A word a lane, without a detour through memory: each sixteen lanes are one access where they are neighbours.
///
/// # Safety
/// The processor has AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store_word_avx512(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Address,
    mask: LaneMask,
    slot: Slot,
    hint: &mut u32,
) -> bool {
    use core::arch::x86_64::*;
    let Some(r) = first_region(global, group, w, a, mask, hint) else { return false };
    let regs = &group.warps[w].regs;
    let row = regs.row32(slot);
    // SAFETY: `wide_offsets` checks every active lane's bytes against the region; masked accesses touch no memory of
    // lanes that are off.
    unsafe {
        let Some(x) = wide_offsets(regs, a, mask, &r, 4) else { return false };
        let steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
        for half in 0..2 {
            let on = (mask >> (16 * half)) as u16;
            let some = on.trailing_zeros() as usize & 15;
            let start = offset_of(regs, a, &r, 16 * half + some);
            let first = _mm512_set1_epi32(start.wrapping_sub(4 * some as u32) as i32);
            if _mm512_mask_cmpneq_epi32_mask(on, x[half], _mm512_add_epi32(steps, first)) == 0 {
                let p = r.host.wrapping_add(start as usize).wrapping_sub(4 * some);
                let new = _mm512_loadu_si512(row.as_ptr().add(16 * half).cast());
                if on == 0xffff {
                    _mm512_storeu_si512(p.cast(), new);
                } else {
                    _mm512_mask_storeu_epi32(p.cast(), on, new);
                }
            } else {
                for i in lanes(u32::from(on)) {
                    let lane = 16 * half + i;
                    r.host.add(offset_of(regs, a, &r, lane) as usize).cast::<u32>().write_unaligned(row[lane]);
                }
            }
        }
    }
    true
}
