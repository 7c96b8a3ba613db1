//! `ld`: a row read from the distances of its lanes.

use super::again::{Found, Shape};
use super::place::{Offsets, Region, first_region, offset_of, place, wide_offsets};
use super::{Group, Registers};
use crate::exec::memory::read;
use crate::memory::GlobalMemory;
use crate::program::{Address, Load};
use crate::slots::{Class, LaneMask, Slot};
use crate::vector::{self, AVX2, AVX512};

#[inline(always)]
pub(super) fn load<const LEVEL: u8>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    load: &Load,
    mask: LaneMask,
    hint: &mut u32,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512
        && let [(Class::R32, slot)] = load.results[..]
        && load.size == 4
        && slot.is_some()
        && load.address.base.is_some()
    {
        // SAFETY: the caller's level.
        return unsafe { load_word_avx512(global, group, w, &load.address, mask, slot, hint) }.is_some();
    }
    let bytes = load.size * load.results.len() as u32;
    let mut x = [0; 32];
    let Some(Region { host, .. }) = place::<LEVEL>(global, group, w, &load.address, mask, bytes, hint, &mut x) else {
        return false;
    };
    let regs = &mut group.warps[w].regs;
    for (n, &(class, slot)) in load.results.iter().enumerate() {
        if slot.is_some() {
            // SAFETY: `place` checked every active lane's bytes against the region.
            unsafe { load_element::<LEVEL>(regs, load, mask, host.add(n * load.size as usize), &x, class, slot) };
        }
    }
    true
}

/// One element of the vector that is loaded.
///
/// # Safety
/// The distances of active lanes are those of readable elements.
#[inline(always)]
unsafe fn load_element<const LEVEL: u8>(
    regs: &mut Registers,
    load: &Load,
    mask: LaneMask,
    host: *const u8,
    x: &Offsets,
    class: Class,
    slot: Slot,
) {
    // SAFETY: the caller's; rows are those of the block.
    unsafe {
        match (class, load.size) {
            #[cfg(target_arch = "x86_64")]
            (Class::R32, 4) if LEVEL == AVX512 => read32_avx512(host, x, mask, regs.row32_mut(slot)),
            (Class::R32, 4) => {
                let mut new = [0; 32];
                read32::<LEVEL>(host, x, &mut new);
                vector::keep32::<LEVEL>(regs.row32_mut(slot).as_mut_ptr(), mask, &new);
            }
            (Class::R32, 1) if !load.signed && are_neighbours::<32>(x, 1) => {
                let bytes = host.add(x[0] as usize).cast::<[u8; 32]>().read_unaligned();
                vector::keep32::<LEVEL>(regs.row32_mut(slot).as_mut_ptr(), mask, &bytes.map(u32::from));
            }
            (Class::R32, size) => {
                let new = std::array::from_fn(|i| read(host.add(x[i] as usize), size, load.signed) as u32);
                vector::keep32::<LEVEL>(regs.row32_mut(slot).as_mut_ptr(), mask, &new);
            }
            (_, size) => {
                let at = |i: usize| host.add(x[i] as usize);
                let new = std::array::from_fn(|i| read(at(i), size.min(8), load.signed));
                vector::keep64::<LEVEL>(regs.row64_mut(slot).as_mut_ptr(), mask, &new);
                if size == 16 {
                    let new = std::array::from_fn(|i| read(at(i).add(8), 8, false));
                    vector::keep64::<LEVEL>(regs.row64_mut(Slot(slot.0 + 256)).as_mut_ptr(), mask, &new);
                }
            }
        }
    }
}

/// Are these the offsets of neighbours?
#[inline(always)]
pub(super) fn are_neighbours<const N: usize>(x: &[u32], size: u32) -> bool {
    let mut differ = 0;
    for i in 0..N {
        differ |= x[i] ^ x[0].wrapping_add(i as u32 * size);
    }
    differ == 0
}

/// A word a lane, without a detour through memory. Says where the lanes were found.
///
/// # Safety
/// The processor has AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn load_word_avx512(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Address,
    mask: LaneMask,
    slot: Slot,
    hint: &mut u32,
) -> Option<Found> {
    let region = first_region(global, group, w, a, mask, hint)?;
    let regs = &mut group.warps[w].regs;
    // SAFETY: `wide_offsets` checks every active lane's bytes against the region.
    unsafe {
        let x = wide_offsets(regs, a, mask, &region, 4)?;
        let mut found = Found { region, starts: [0; 2], shapes: [Shape::Any; 2] };
        for half in 0..2 {
            let lane = 16 * half + ((mask >> (16 * half)).trailing_zeros() as usize & 15);
            found.starts[half] = offset_of(regs, a, &found.region, lane);
        }
        let row = regs.row32_mut(slot);
        for half in 0..2 {
            let (on, to) = ((mask >> (16 * half)) as u16, row.as_mut_ptr().add(16 * half));
            found.shapes[half] = read_half(found.region.host, x[half], found.starts[half], on, to);
        }
        Some(found)
    }
}

/// Reads words of 32 bits for AVX-512: each sixteen lanes are one access, one broadcast or one gather.
///
/// # Safety
/// The distances of active lanes are those of four readable bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn read32_avx512(host: *const u8, x: &Offsets, mask: LaneMask, row: &mut [u32; 32]) {
    use core::arch::x86_64::*;
    for half in 0..2 {
        let lane = 16 * half + ((mask >> (16 * half)).trailing_zeros() as usize & 15);
        // SAFETY: the caller's.
        unsafe {
            let at = _mm512_loadu_si512(x.as_ptr().add(16 * half).cast());
            read_half(host, at, x[lane], (mask >> (16 * half)) as u16, row.as_mut_ptr().add(16 * half));
        }
    }
}

/// Sixteen lanes: `start` is the distance of the first that is on. Says how they lie.
///
/// # Safety
/// As for [`read32_avx512`]; `to` points to sixteen words.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn read_half(host: *const u8, at: core::arch::x86_64::__m512i, start: u32, on: u16, to: *mut u32) -> Shape {
    use core::arch::x86_64::*;
    // SAFETY: the caller's; masked accesses touch no memory of lanes that are off.
    unsafe {
        let some = on.trailing_zeros() & 15;
        let steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
        let from = start.wrapping_sub(4 * some);
        let neighbours = _mm512_add_epi32(steps, _mm512_set1_epi32(from as i32));
        let (shape, got) = if _mm512_mask_cmpneq_epi32_mask(on, at, neighbours) == 0 {
            let p = host.wrapping_add(start as usize).wrapping_sub(4 * some as usize);
            let got = if on == 0xffff { _mm512_loadu_si512(p.cast()) } else { _mm512_maskz_loadu_epi32(on, p.cast()) };
            (Shape::Neighbours, got)
        } else if _mm512_mask_cmpneq_epi32_mask(on, at, _mm512_set1_epi32(start as i32)) == 0 {
            (Shape::One, _mm512_set1_epi32(host.add(start as usize).cast::<i32>().read_unaligned()))
        } else {
            (Shape::Any, _mm512_mask_i32gather_epi32::<1>(at, on, at, host.cast()))
        };
        let to = to.cast::<__m512i>();
        let new = if on == 0xffff { got } else { _mm512_mask_mov_epi32(vector::sleeping(to), on, got) };
        _mm512_storeu_si512(to, new);
        shape
    }
}

/// [`read32`] for AVX2: each eight lanes are one access, one broadcast or one gather.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn read32_vector(host: *const u8, x: &Offsets, out: &mut [u32; 32]) {
    use core::arch::x86_64::*;
    // SAFETY: the caller's.
    unsafe {
        let steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
        for chunk in 0..4 {
            let at = _mm256_loadu_si256(x.as_ptr().add(8 * chunk).cast());
            let start = x[8 * chunk];
            let first = _mm256_set1_epi32(start as i32);
            let apart = _mm256_sub_epi32(at, first);
            let row = _mm256_xor_si256(apart, steps);
            let got = if _mm256_testz_si256(row, row) == 1 {
                _mm256_loadu_si256(host.add(start as usize).cast())
            } else if _mm256_testz_si256(apart, apart) == 1 {
                _mm256_set1_epi32(host.add(start as usize).cast::<i32>().read_unaligned())
            } else {
                _mm256_i32gather_epi32::<1>(host.cast(), at)
            };
            _mm256_storeu_si256(out.as_mut_ptr().add(8 * chunk).cast(), got);
        }
    }
}

/// Reads words of 32 bits.
///
/// # Safety
/// All offsets are those of four readable bytes.
#[inline(always)]
unsafe fn read32<const LEVEL: u8>(host: *const u8, x: &Offsets, out: &mut [u32; 32]) {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX2 {
        // SAFETY: as the caller says.
        return unsafe { read32_vector(host, x, out) };
    }
    for chunk in 0..4 {
        let at = &x[8 * chunk..8 * chunk + 8];
        let to = &mut out[8 * chunk..8 * chunk + 8];
        // SAFETY: the caller's; neighbours are all inside where the first and the last are.
        unsafe {
            if are_neighbours::<8>(at, 4) {
                to.copy_from_slice(&host.add(at[0] as usize).cast::<[u32; 8]>().read_unaligned());
            } else if at.iter().fold(0, |d, a| d | a ^ at[0]) == 0 {
                to.fill(host.add(at[0] as usize).cast::<u32>().read_unaligned());
            } else {
                for i in 0..8 {
                    to[i] = host.add(at[i] as usize).cast::<u32>().read_unaligned();
                }
            }
        }
    }
}
