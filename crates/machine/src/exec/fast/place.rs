//! Where the lanes of an access lead, checked for all of them at once.

use super::{Group, Warp};
use crate::memory::{GLOBAL_BASE, GlobalMemory, LOCAL_BASE, SHARED_BASE, SHARED_START};
use crate::program::{Address, AddressSpace};
use crate::slots::{Class, FULL, LaneMask, Registers};
use crate::vector::{AVX2, AVX512};

/// Who may use a memory at the same time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Users {
    /// All CTAs, on other host threads too.
    Device,
    /// Those of one group, on this host thread.
    Group,
}

/// Memory that all lanes of an access may lie in.
pub(super) struct Region {
    /// First byte.
    pub host: *mut u8,
    /// The address of the first byte.
    pub start: u64,
    /// Bytes, less than 2 GiB.
    pub len: u32,
    /// Distance between the memories of neighbouring lanes: 0 but for local memory.
    pub stride: u32,
    /// Who else uses it.
    pub users: Users,
}

/// Byte distances of the lanes from the start of a region; lanes that sleep have that of one that does not.
pub(super) type Offsets = [u32; 32];

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
            Some(Region { host, start, len: len.min(i32::MAX as u64) as u32, stride: 0, users: Users::Device })
        }
        AddressSpace::Shared | AddressSpace::Generic if high == SHARED_BASE >> 32 || !generic && high == 0 => {
            let cta = group.warps[w].cta;
            let memory = &mut group.ctas[cta].shared;
            let len = (memory.len() as u32).checked_sub(SHARED_START)?;
            // SAFETY: shared memory is longer than its reserved start, as was just checked.
            let host = unsafe { memory.as_mut_ptr().add(SHARED_START as usize) };
            Some(Region { host, start: (high << 32) + u64::from(SHARED_START), len, stride: 0, users: Users::Group })
        }
        AddressSpace::Local | AddressSpace::Frame | AddressSpace::Generic
            if high == LOCAL_BASE >> 32 || !generic && high == 0 =>
        {
            let warp = &mut group.warps[w];
            let stride = warp.local_stride;
            let fits = u64::from(stride) * 32 < i32::MAX as u64;
            fits.then_some(Region {
                host: warp.local.as_mut_ptr(),
                start: high << 32,
                len: stride,
                stride,
                users: Users::Group,
            })
        }
        _ => None,
    }
}

/// [`offsets`] of a whole warp with addresses of 32 bits, for AVX2.
///
/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn offsets_of_all(row: &[u32; 32], shift: u32, limit: u32, align: u32, start: u32, out: &mut Offsets) -> bool {
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

/// The distances of sixteen lanes each, in registers.
#[cfg(target_arch = "x86_64")]
pub(super) type Wide = [core::arch::x86_64::__m512i; 2];

/// [`offsets`] for AVX-512, for accesses with a base row; those of lanes that sleep may be anything.
///
/// # Safety
/// The processor has AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn wide_offsets(
    regs: &Registers,
    a: &Address,
    mask: LaneMask,
    r: &Region,
    bytes: u32,
) -> Option<Wide> {
    use core::arch::x86_64::*;
    let limit = r.len.checked_sub(bytes)?;
    let align = bytes - 1;
    let (mut bad, mut out);
    // SAFETY: rows hold 32 elements.
    unsafe {
        out = [_mm512_setzero_si512(); 2];
        bad = 0;
        if a.class == Class::R64 {
            let shift = _mm512_set1_epi64((a.offset as u64).wrapping_sub(r.start) as i64);
            let start = _mm512_set1_epi64((r.start & u64::from(align)) as i64);
            let (limit, align) = (_mm512_set1_epi64(i64::from(limit)), _mm512_set1_epi64(i64::from(align)));
            let row = regs.row64(a.base).as_ptr();
            for half in 0..2 {
                let mut words = [_mm256_setzero_si256(); 2];
                for q in 0..2 {
                    let i = 2 * half + q;
                    let x = _mm512_add_epi64(_mm512_loadu_si512(row.add(8 * i).cast()), shift);
                    let low = _mm512_test_epi64_mask(_mm512_add_epi64(x, start), align);
                    bad |= u32::from(_mm512_cmpgt_epu64_mask(x, limit) | low) << (8 * i);
                    words[q] = _mm512_cvtepi64_epi32(x);
                }
                out[half] = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(words[0]), words[1]);
            }
        } else {
            // An address of 32 bits wraps before it is looked at: the start of a region has no high part here.
            let shift = _mm512_set1_epi32((a.offset as u32).wrapping_sub(r.start as u32) as i32);
            let start = _mm512_set1_epi32((r.start as u32 & align) as i32);
            let (limit, align) = (_mm512_set1_epi32(limit as i32), _mm512_set1_epi32(align as i32));
            let row = regs.row32(a.base).as_ptr();
            for half in 0..2 {
                let x = _mm512_add_epi32(_mm512_loadu_si512(row.add(16 * half).cast()), shift);
                let low = _mm512_test_epi32_mask(_mm512_add_epi32(x, start), align);
                bad |= u32::from(_mm512_cmpgt_epu32_mask(x, limit) | low) << (16 * half);
                out[half] = x;
            }
        }
        if r.stride != 0 {
            let lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let stride = _mm512_set1_epi32(r.stride as i32);
            out[0] = _mm512_add_epi32(out[0], _mm512_mullo_epi32(lane, stride));
            let lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16));
            out[1] = _mm512_add_epi32(out[1], _mm512_mullo_epi32(lane, stride));
        }
    }
    (bad & mask == 0).then_some(out)
}

/// [`wide_offsets`] of one lane.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn offset_of(regs: &Registers, a: &Address, r: &Region, lane: usize) -> u32 {
    let base = if a.class == Class::R64 { regs.row64(a.base)[lane] as u32 } else { regs.row32(a.base)[lane] };
    base.wrapping_add((a.offset as u32).wrapping_sub(r.start as u32)).wrapping_add(r.stride * lane as u32)
}

/// Distances of all lanes, where all active ones are aligned and inside.
#[inline(always)]
fn offsets<const LEVEL: u8>(
    regs: &Registers,
    warp_stack: &[u32; 32],
    a: &Address,
    mask: LaneMask,
    r: &Region,
    bytes: u32,
    out: &mut Offsets,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 && a.base.is_some() && bytes <= 32 {
        // SAFETY: the caller's level; `out` holds 32 words.
        return unsafe {
            use core::arch::x86_64::*;
            let Some(wide) = wide_offsets(regs, a, mask, r, bytes) else { return false };
            let first = offset_of(regs, a, r, mask.trailing_zeros() as usize);
            for half in 0..2 {
                let sleeping = !(mask >> (16 * half)) as u16;
                let x = _mm512_mask_set1_epi32(wide[half], sleeping, first as i32);
                _mm512_storeu_si512(out.as_mut_ptr().add(16 * half).cast(), x);
            }
            true
        };
    }
    let Some(limit) = r.len.checked_sub(bytes) else { return false };
    let (mut beyond, mut largest, mut low) = (0u32, 0u32, 0u32);
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX2 && mask == FULL && a.base.is_some() && a.class == Class::R32 && r.stride == 0 && bytes <= 32 {
        let shift = (a.offset as u32).wrapping_sub(r.start as u32);
        // SAFETY: the caller's level.
        return unsafe { offsets_of_all(regs.row32(a.base), shift, limit, bytes - 1, r.start as u32, out) };
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
    for x in out.iter() {
        largest = largest.max(*x);
        low |= x.wrapping_add(start & align);
    }
    // A lane that sleeps has distance 0; the start of every region is aligned.
    if beyond != 0 || largest > limit || low & align != 0 {
        return false;
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
    true
}

/// The memory that the lanes of `mask` lead to, and how far from its start each is. `None` where they are not all in one,
/// where one is outside or misaligned, or where this is not known to be the quick case.
#[inline(always)]
pub(super) fn place<const LEVEL: u8>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Address,
    mask: LaneMask,
    bytes: u32,
    hint: &mut u32,
    out: &mut Offsets,
) -> Option<Region> {
    let r = first_region(global, group, w, a, mask, hint)?;
    let warp: &Warp = &group.warps[w];
    offsets::<LEVEL>(&warp.regs, &warp.stack, a, mask, &r, bytes, out).then_some(r)
}

/// The memory that the first active lane leads to.
#[inline(always)]
pub(super) fn first_region(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Address,
    mask: LaneMask,
    hint: &mut u32,
) -> Option<Region> {
    let lane = mask.trailing_zeros() as usize;
    let warp: &Warp = &group.warps[w];
    let first = address_of(&warp.regs, &warp.stack, a, lane);
    region(global, group, w, a.space, first, hint)
}
