//! `st`: a row written to the distances of its lanes.

use super::Group;
use super::load::are_neighbours;
use super::place::{Offsets, Region, place};
use crate::exec::memory::write;
use crate::memory::GlobalMemory;
use crate::program::Store;
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
        unsafe {
            #[cfg(target_arch = "x86_64")]
            if LEVEL == AVX512 {
                write32_avx512(host, &x, mask, regs.row32(slot));
                return true;
            }
            write32(host, &x, mask, regs.row32(slot));
        }
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

/// [`write32`] for AVX-512: each sixteen lanes are one access where they are neighbours.
///
/// # Safety
/// As for [`write32`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn write32_avx512(host: *mut u8, x: &Offsets, mask: LaneMask, row: &[u32; 32]) {
    use core::arch::x86_64::*;
    // SAFETY: the caller's; masked accesses touch no memory of lanes that are off.
    unsafe {
        let steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
        for half in 0..2 {
            let on = (mask >> (16 * half)) as u16;
            let at = _mm512_loadu_si512(x.as_ptr().add(16 * half).cast());
            let some = on.trailing_zeros() as usize & 15;
            let start = x[16 * half + some].wrapping_sub(4 * some as u32);
            let apart = _mm512_sub_epi32(at, _mm512_set1_epi32(start as i32));
            if _mm512_mask_cmpneq_epi32_mask(on, apart, steps) == 0 {
                let p = host.wrapping_add(x[16 * half + some] as usize).wrapping_sub(4 * some);
                let new = _mm512_loadu_si512(row.as_ptr().add(16 * half).cast());
                if on == 0xffff {
                    _mm512_storeu_si512(p.cast(), new);
                } else {
                    _mm512_mask_storeu_epi32(p.cast(), on, new);
                }
            } else {
                for i in lanes(u32::from(on)) {
                    host.add(x[16 * half + i] as usize).cast::<u32>().write_unaligned(row[16 * half + i]);
                }
            }
        }
    }
}
