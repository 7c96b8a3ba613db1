//! The quick way for loads, stores and shuffles of a run that nobody observes.
//!
//! A load or store takes it where every active lane's bytes lie in one memory (one allocation, the CTA's shared memory,
//! or the threads' own local memory) and are aligned: then all lanes are checked at once, and each eight lanes are one
//! access, one broadcast or one gather. Everything else, faults among it, is left to the slow way, which has done
//! nothing yet. The functions are compiled twice, as those of `row`.

use super::{Group, Warp};
use crate::memory::{GLOBAL_BASE, GlobalMemory, LOCAL_BASE, SHARED_BASE, SHARED_START};
use crate::program::{Address, AddressSpace, Load, ShflMode, Store};
use crate::row::HAS_AVX2;
use crate::slots::{Class, FULL, LaneMask, Registers, Slot};

/// Memory that all lanes of an access may lie in.
struct Region {
    /// First byte.
    host: *mut u8,
    /// The address of the first byte.
    start: u64,
    /// Bytes, less than 2 GiB.
    len: u32,
    /// Distance between the memories of neighbouring lanes: 0 but for local memory.
    stride: u32,
}

/// Byte distances of the lanes from the start of a region; lanes that sleep have that of one that does not.
type Offsets = [u32; 32];

/// The address of one lane as written.
#[inline(always)]
fn address_of(regs: &Registers, warp_stack: &[u32; 32], a: &Address, lane: usize) -> u64 {
    let offset = a.offset as u64;
    match (a.base.is_some(), a.class) {
        (false, _) if a.space == AddressSpace::Frame => offset + u64::from(warp_stack[lane]),
        (false, _) => offset,
        (true, Class::R64) => regs.row64(a.base)[lane].wrapping_add(offset),
        (true, _) => u64::from(regs.row32(a.base)[lane].wrapping_add(offset as u32)),
    }
}

/// The memory that the first lane's address leads to.
#[inline(always)]
fn region(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    space: AddressSpace,
    first: u64,
    hint: &mut u32,
) -> Option<Region> {
    let high = first >> 32;
    let generic = space == AddressSpace::Generic;
    match space {
        AddressSpace::Global | AddressSpace::Const | AddressSpace::Generic if first >= GLOBAL_BASE => {
            let (host, start, len) = global.region(first, hint)?;
            Some(Region { host, start, len: len.min(i32::MAX as u64) as u32, stride: 0 })
        }
        AddressSpace::Shared | AddressSpace::Generic if high == SHARED_BASE >> 32 || !generic && high == 0 => {
            let cta = group.warps[w].cta;
            let memory = &mut group.ctas[cta].shared;
            let len = (memory.len() as u32).checked_sub(SHARED_START)?;
            // SAFETY: shared memory is longer than its reserved start, as was just checked.
            let host = unsafe { memory.as_mut_ptr().add(SHARED_START as usize) };
            Some(Region { host, start: (high << 32) + u64::from(SHARED_START), len, stride: 0 })
        }
        AddressSpace::Local | AddressSpace::Frame | AddressSpace::Generic
            if high == LOCAL_BASE >> 32 || !generic && high == 0 =>
        {
            let warp = &mut group.warps[w];
            let stride = warp.local_stride;
            let fits = u64::from(stride) * 32 < i32::MAX as u64;
            fits.then_some(Region { host: warp.local.as_mut_ptr(), start: high << 32, len: stride, stride })
        }
        _ => None,
    }
}

/// [`offsets`] of a whole warp with addresses of 32 bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
fn offsets_of_all(row: &[u32; 32], shift: u32, limit: u32, align: u32, start: u32, out: &mut Offsets) -> bool {
    use core::arch::x86_64::*;
    // SAFETY: rows hold 32 words.
    unsafe {
        let shift = _mm256_set1_epi32(shift as i32);
        let mut most = _mm256_setzero_si256();
        let mut low = _mm256_setzero_si256();
        let first = _mm256_set1_epi32((start & align) as i32);
        for chunk in 0..4 {
            let x = _mm256_add_epi32(_mm256_loadu_si256(row.as_ptr().add(8 * chunk).cast()), shift);
            _mm256_storeu_si256(out.as_mut_ptr().add(8 * chunk).cast(), x);
            most = _mm256_max_epu32(most, x);
            low = _mm256_or_si256(low, _mm256_add_epi32(x, first));
        }
        let limit = _mm256_set1_epi32(limit as i32);
        let inside = _mm256_cmpeq_epi32(_mm256_max_epu32(most, limit), limit);
        let low = _mm256_and_si256(low, _mm256_set1_epi32(align as i32));
        _mm256_movemask_epi8(inside) == -1 && _mm256_testz_si256(low, low) == 1
    }
}

/// Distances of all lanes, where all active ones are aligned and inside.
#[inline(always)]
fn offsets<const VECTOR: bool>(
    regs: &Registers,
    warp_stack: &[u32; 32],
    a: &Address,
    mask: LaneMask,
    r: &Region,
    bytes: u32,
) -> Option<Offsets> {
    let mut out = [0u32; 32];
    let limit = r.len.checked_sub(bytes)?;
    let (mut beyond, mut largest, mut low) = (0u32, 0u32, 0u32);
    #[cfg(target_arch = "x86_64")]
    if VECTOR && mask == FULL && a.base.is_some() && a.class == Class::R32 && r.stride == 0 && bytes <= 32 {
        let shift = (a.offset as u32).wrapping_sub(r.start as u32);
        // SAFETY: only the functions compiled for AVX2 say `VECTOR`.
        let fits = unsafe { offsets_of_all(regs.row32(a.base), shift, limit, bytes - 1, r.start as u32, &mut out) };
        return fits.then_some(out);
    }
    if a.base.is_some() && a.class == Class::R64 {
        let row = regs.row64(a.base);
        let shift = (a.offset as u64).wrapping_sub(r.start);
        for i in 0..32 {
            let x = row[i].wrapping_add(shift);
            let on = 0u32.wrapping_sub(mask >> i & 1);
            beyond |= (x >> 32) as u32 & on;
            out[i] = x as u32 & on;
        }
    } else if a.base.is_some() {
        let row = regs.row32(a.base);
        let shift = (a.offset as u32).wrapping_sub(r.start as u32);
        for i in 0..32 {
            // An address of 32 bits wraps before it is looked at: the start of a region has no high part here.
            let on = 0u32.wrapping_sub(mask >> i & 1);
            out[i] = row[i].wrapping_add(shift) & on;
        }
    } else {
        for i in 0..32 {
            let stack = if a.space == AddressSpace::Frame { warp_stack[i] } else { 0 };
            let x = (a.offset as u64).wrapping_add(u64::from(stack)).wrapping_sub(r.start);
            let on = 0u32.wrapping_sub(mask >> i & 1);
            beyond |= (x >> 32) as u32 & on;
            out[i] = x as u32 & on;
        }
    }
    let align = if bytes <= 32 { bytes - 1 } else { 0 };
    let start = r.start as u32;
    for x in out {
        largest = largest.max(x);
        low |= x.wrapping_add(start & align);
    }
    // A lane that sleeps has distance 0; the start of every region is aligned.
    if beyond != 0 || largest > limit || low & align != 0 {
        return None;
    }
    if mask != FULL {
        let first = out[mask.trailing_zeros() as usize];
        for i in 0..32 {
            out[i] = if mask >> i & 1 != 0 { out[i] } else { first };
        }
    }
    if r.stride != 0 {
        for (i, x) in out.iter_mut().enumerate() {
            *x += r.stride * i as u32;
        }
    }
    Some(out)
}

/// Keeps the active lanes of a new row.
#[inline(always)]
fn put32(regs: &mut Registers, slot: Slot, mask: LaneMask, new: &[u32; 32]) {
    let row = regs.row32_mut(slot);
    for i in 0..32 {
        row[i] = if mask >> i & 1 != 0 { new[i] } else { row[i] };
    }
}

#[inline(always)]
fn put64(regs: &mut Registers, slot: Slot, mask: LaneMask, new: &[u64; 32]) {
    let row = regs.row64_mut(slot);
    for i in 0..32 {
        row[i] = if mask >> i & 1 != 0 { new[i] } else { row[i] };
    }
}

/// Are these the offsets of neighbours?
#[inline(always)]
fn are_neighbours<const N: usize>(x: &[u32], size: u32) -> bool {
    let mut differ = 0;
    for i in 0..N {
        differ |= x[i] ^ x[0].wrapping_add(i as u32 * size);
    }
    differ == 0
}

/// [`read32`] for AVX2: each eight lanes are one access, one broadcast or one gather.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
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
unsafe fn read32<const VECTOR: bool>(host: *const u8, x: &Offsets, out: &mut [u32; 32]) {
    #[cfg(target_arch = "x86_64")]
    if VECTOR {
        // SAFETY: as the caller says, and the processor has AVX2.
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

#[inline(always)]
fn load_body<const VECTOR: bool>(regs: &mut Registers, load: &Load, mask: LaneMask, host: *const u8, x: &Offsets) {
    for (n, &(class, slot)) in load.results.iter().enumerate() {
        if !slot.is_some() {
            continue;
        }
        // SAFETY: `offsets` checked every lane's bytes against the region.
        unsafe {
            let host = host.add(n * load.size as usize);
            match (class, load.size) {
                (Class::R32, 4) => {
                    let mut new = [0; 32];
                    read32::<VECTOR>(host, x, &mut new);
                    put32(regs, slot, mask, &new);
                }
                (Class::R32, 1) if !load.signed && are_neighbours::<32>(x, 1) => {
                    let bytes = host.add(x[0] as usize).cast::<[u8; 32]>().read_unaligned();
                    put32(regs, slot, mask, &bytes.map(u32::from));
                }
                (Class::R32, size) => {
                    let new =
                        std::array::from_fn(|i| super::memory::read(host.add(x[i] as usize), size, load.signed) as u32);
                    put32(regs, slot, mask, &new);
                }
                (_, size) => {
                    let at = |i: usize| host.add(x[i] as usize);
                    let new = std::array::from_fn(|i| super::memory::read(at(i), size.min(8), load.signed));
                    put64(regs, slot, mask, &new);
                    if size == 16 {
                        let new = std::array::from_fn(|i| super::memory::read(at(i).add(8), 8, false));
                        put64(regs, Slot(slot.0 + 256), mask, &new);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn store_body(regs: &Registers, store: &Store, mask: LaneMask, host: *mut u8, x: &Offsets) {
    if let [(Class::R32, slot)] = store.sources[..]
        && store.size == 4
    {
        let row = regs.row32(slot);
        for chunk in 0..4 {
            let at = &x[8 * chunk..8 * chunk + 8];
            let on = mask >> (8 * chunk) & 0xff;
            // SAFETY: `offsets` checked every lane's bytes against the region.
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
        return;
    }
    for lane in crate::slots::lanes(mask) {
        for (n, &(class, slot)) in store.sources.iter().enumerate() {
            // SAFETY: as above.
            unsafe {
                let p = host.add(x[lane] as usize + n * store.size as usize);
                let value =
                    if class == Class::R32 { u64::from(regs.row32(slot)[lane]) } else { regs.get(class, slot, lane) };
                super::memory::write(p, store.size.min(8), value);
                if store.size == 16 {
                    super::memory::write(p.add(8), 8, regs.get(Class::R64, Slot(slot.0 + 256), lane));
                }
            }
        }
    }
}

/// Two versions of a function: for AVX2 and for any processor.
macro_rules! twice {
    ($name:ident, $vector:ident, $body:ident, ($($arg:ident: $ty:ty),*) -> $out:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        fn $vector($($arg: $ty),*) -> $out {
            $body::<true>($($arg),*)
        }
        #[inline(always)]
        pub(super) fn $name($($arg: $ty),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            if *HAS_AVX2 {
                // SAFETY: the processor has what the function is compiled for.
                return unsafe { $vector($($arg),*) };
            }
            $body::<false>($($arg),*)
        }
    };
}
twice!(load, load_vector, try_load, (global: &GlobalMemory, group: &mut Group, w: usize, load: &Load, mask: LaneMask, hint: &mut u32) -> bool);
twice!(store, store_vector, try_store, (global: &GlobalMemory, group: &mut Group, w: usize, store: &Store, mask: LaneMask, hint: &mut u32) -> bool);
twice!(shuffle, shuffle_vector, try_shuffle, (regs: &mut Registers, mode: ShflMode, slots: &ShuffleSlots) -> bool);

/// `ld` for the lanes of `mask`. False where it has to be done the slow way; then nothing has been done.
#[inline(always)]
fn try_load<const VECTOR: bool>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    load: &Load,
    mask: LaneMask,
    hint: &mut u32,
) -> bool {
    let Some((host, x)) =
        place::<VECTOR>(global, group, w, &load.address, mask, load.size * load.results.len() as u32, hint)
    else {
        return false;
    };
    load_body::<VECTOR>(&mut group.warps[w].regs, load, mask, host, &x);
    true
}

/// `st` for the lanes of `mask`, as [`try_load`].
#[inline(always)]
fn try_store<const VECTOR: bool>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    store: &Store,
    mask: LaneMask,
    hint: &mut u32,
) -> bool {
    let Some((host, x)) =
        place::<VECTOR>(global, group, w, &store.address, mask, store.size * store.sources.len() as u32, hint)
    else {
        return false;
    };
    store_body(&group.warps[w].regs, store, mask, host, &x);
    true
}

#[inline(always)]
fn place<const VECTOR: bool>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Address,
    mask: LaneMask,
    bytes: u32,
    hint: &mut u32,
) -> Option<(*mut u8, Offsets)> {
    let lane = mask.trailing_zeros() as usize;
    let warp: &Warp = &group.warps[w];
    let first = address_of(&warp.regs, &warp.stack, a, lane);
    let r = region(global, group, w, a.space, first, hint)?;
    let warp: &Warp = &group.warps[w];
    let x = offsets::<VECTOR>(&warp.regs, &warp.stack, a, mask, &r, bytes)?;
    Some((r.host, x))
}

/// Operands of a shuffle.
pub(super) struct ShuffleSlots {
    /// Value, lane or mask, clamp.
    pub sources: [Slot; 3],
    /// Result or `NONE`.
    pub result: Slot,
    /// Second result or `NONE`.
    pub predicate: Slot,
}

/// `shfl` of a whole warp whose lanes all give the same second and third operand.
#[inline(always)]
fn try_shuffle<const VECTOR: bool>(regs: &mut Registers, mode: ShflMode, slots: &ShuffleSlots) -> bool {
    let (b, c) = (regs.row32(slots.sources[1]), regs.row32(slots.sources[2]));
    let mut differ = 0;
    for i in 0..32 {
        differ |= (b[i] ^ b[0]) | (c[i] ^ c[0]);
    }
    if differ != 0 {
        return false;
    }
    let (b, c) = (b[0], c[0]);
    let x = *regs.row32(slots.sources[0]);
    let mut out = [0u32; 32];
    let mut valid = 0u32;
    match mode {
        ShflMode::Bfly if c & 0x1f1f == 0x1f => {
            valid = FULL;
            let (far, near) = ((b >> 3 & 3) as usize, b as usize & 7);
            for chunk in 0..4 {
                let from = 8 * (chunk ^ far);
                for i in 0..8 {
                    out[8 * chunk + i] = x[from + (i ^ near)];
                }
            }
        }
        _ => {
            for i in 0..32 {
                let (from, ok) = super::shuffle_source(mode, i as u32, b, c);
                out[i] = x[from as usize];
                valid |= u32::from(ok) << i;
            }
        }
    }
    if slots.result.is_some() {
        *regs.row32_mut(slots.result) = out;
    }
    if slots.predicate.is_some() {
        regs.set_pred(slots.predicate, FULL, valid);
    }
    true
}
