//! The addresses of a warp's lanes, and how they lie.

use super::Registers;
use crate::program::{Address, AddressSpace};
use crate::slots::{Class, LaneMask};
use crate::spread::{Spread, spread};
use crate::vector::AVX512;

/// The lanes' addresses as written, before the space is looked at. An address of a window of the generic space (0 for none) that
/// reaches an instruction of its space is taken as one in the window, as the chip does with the upper half of a 64-bit shared
/// address.
#[inline(always)]
pub(super) fn addresses<const LEVEL: u8>(
    regs: &Registers,
    stack: &[u32; 32],
    a: &Address,
    window: u64,
    mask: LaneMask,
    out: &mut [u64; 32],
    spread: &mut Spread,
) {
    // Each part is written where it stays: to copy what was just written in parts is slow.
    *spread = of_lanes::<LEVEL>(regs, stack, a, window, mask, out);
}

#[inline(always)]
fn of_lanes<const LEVEL: u8>(
    regs: &Registers,
    stack: &[u32; 32],
    a: &Address,
    window: u64,
    mask: LaneMask,
    out: &mut [u64; 32],
) -> Spread {
    let offset = a.offset as u64;
    let inside = |at: u64| if window != 0 && at >> 32 == window >> 32 { at - window } else { at };
    match (a.base.is_some(), a.class) {
        #[cfg(target_arch = "x86_64")]
        (true, Class::R64) if LEVEL == AVX512 => {
            // SAFETY: the caller's level.
            return unsafe { vector::wide(regs.row64(a.base), offset, window, mask, out) };
        }
        #[cfg(target_arch = "x86_64")]
        (true, Class::R32) if LEVEL == AVX512 => {
            // SAFETY: as above.
            return unsafe { vector::narrow(regs.row32(a.base), offset as u32, mask, out) };
        }
        (true, Class::R64) => *out = regs.row64(a.base).map(|base| inside(base.wrapping_add(offset))),
        (true, _) => *out = regs.row32(a.base).map(|base| u64::from(base.wrapping_add(offset as u32))),
        (false, _) if a.space == AddressSpace::Frame => *out = stack.map(|base| offset + u64::from(base)),
        (false, Class::R64) => *out = [inside(offset); 32],
        (false, _) => *out = [offset; 32],
    }
    spread(out, mask)
}

/// For AVX-512.
#[cfg(target_arch = "x86_64")]
mod vector {
    use core::arch::x86_64::*;

    use super::{LaneMask, Spread};
    use crate::slots::FULL;
    use crate::spread::{MOST_STEP, Steps};

    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    pub(super) unsafe fn wide(
        base: &[u64; 32],
        offset: u64,
        window: u64,
        mask: LaneMask,
        out: &mut [u64; 32],
    ) -> Spread {
        // SAFETY: rows hold 32 elements.
        unsafe {
            let shift = _mm512_set1_epi64(offset as i64);
            let mut x = [_mm512_setzero_si512(); 4];
            for (i, x) in x.iter_mut().enumerate() {
                *x = _mm512_add_epi64(_mm512_loadu_si512(base.as_ptr().add(8 * i).cast()), shift);
                if window != 0 {
                    let window = _mm512_set1_epi64(window as i64);
                    let is_inside =
                        _mm512_cmpeq_epi64_mask(_mm512_srli_epi64::<32>(*x), _mm512_srli_epi64::<32>(window));
                    *x = _mm512_mask_sub_epi64(*x, is_inside, *x, window);
                }
                _mm512_storeu_si512(out.as_mut_ptr().add(8 * i).cast(), *x);
            }
            of_wide(x, mask, out)
        }
    }

    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    unsafe fn of_wide(x: [__m512i; 4], mask: LaneMask, at: &[u64; 32]) -> Spread {
        let steps = Steps { lane: at[1].wrapping_sub(at[0]), half: at[16].wrapping_sub(at[0]) };
        // SAFETY: the caller's.
        unsafe {
            if mask == FULL && steps.lane <= MOST_STEP {
                let (lane, half) = (_mm512_set1_epi64(steps.lane as i64), _mm512_set1_epi64(steps.half as i64));
                let upper = _mm512_alignr_epi64::<1>(x[1], x[0]);
                let apart = _mm512_cmpneq_epi64_mask(_mm512_sub_epi64(x[2], x[0]), half)
                    | _mm512_cmpneq_epi64_mask(_mm512_sub_epi64(x[3], x[1]), half)
                    | _mm512_cmpneq_epi64_mask(_mm512_sub_epi64(upper, x[0]), lane)
                    | _mm512_mask_cmpneq_epi64_mask(
                        0x7f,
                        _mm512_sub_epi64(_mm512_alignr_epi64::<1>(x[1], x[1]), x[1]),
                        lane,
                    );
                if apart == 0
                    && let Some(spread) = Spread::regular(at, steps)
                {
                    return spread;
                }
            }
            let (mut low, mut high) = (_mm512_set1_epi64(-1), _mm512_setzero_si512());
            for (i, x) in x.iter().enumerate() {
                let on = (mask >> (8 * i)) as u8;
                low = _mm512_mask_min_epu64(low, on, low, *x);
                high = _mm512_mask_max_epu64(high, on, high, *x);
            }
            Spread { low: _mm512_reduce_min_epu64(low), high: _mm512_reduce_max_epu64(high), steps: None }
        }
    }

    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    pub(super) unsafe fn narrow(base: &[u32; 32], offset: u32, mask: LaneMask, out: &mut [u64; 32]) -> Spread {
        // SAFETY: rows hold 32 elements.
        unsafe {
            let shift = _mm512_set1_epi32(offset as i32);
            let mut x = [_mm512_setzero_si512(); 2];
            for (i, x) in x.iter_mut().enumerate() {
                *x = _mm512_add_epi32(_mm512_loadu_si512(base.as_ptr().add(16 * i).cast()), shift);
                let to = out.as_mut_ptr().add(16 * i);
                let (lower, upper) = (_mm512_castsi512_si256(*x), _mm512_extracti64x4_epi64::<1>(*x));
                _mm512_storeu_si512(to.cast(), _mm512_cvtepu32_epi64(lower));
                _mm512_storeu_si512(to.add(8).cast(), _mm512_cvtepu32_epi64(upper));
            }
            let first = |half: usize| base[16 * half].wrapping_add(offset);
            let lane = base[1].wrapping_sub(base[0]);
            let half = first(1).wrapping_sub(first(0));
            if mask == FULL && u64::from(lane) <= MOST_STEP {
                let apart = _mm512_cmpneq_epi32_mask(_mm512_sub_epi32(x[1], x[0]), _mm512_set1_epi32(half as i32))
                    | _mm512_mask_cmpneq_epi32_mask(
                        0x7fff,
                        _mm512_sub_epi32(_mm512_alignr_epi32::<1>(x[0], x[0]), x[0]),
                        _mm512_set1_epi32(lane as i32),
                    );
                // What is so modulo 2^32 is so where no half goes beyond that.
                let does_wrap = first(0).max(first(1)).checked_add(15 * lane).is_none();
                let half = u64::from(first(1)).wrapping_sub(u64::from(first(0)));
                if apart == 0
                    && !does_wrap
                    && let Some(spread) = Spread::regular(out, Steps { lane: u64::from(lane), half })
                {
                    return spread;
                }
            }
            let (mut low, mut high) = (_mm512_set1_epi32(-1), _mm512_setzero_si512());
            for (i, x) in x.iter().enumerate() {
                let on = (mask >> (16 * i)) as u16;
                low = _mm512_mask_min_epu32(low, on, low, *x);
                high = _mm512_mask_max_epu32(high, on, high, *x);
            }
            let (low, high) = (_mm512_reduce_min_epu32(low), _mm512_reduce_max_epu32(high));
            Spread { low: u64::from(low), high: u64::from(high), steps: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::addresses;
    use super::*;
    use crate::memory::SHARED_BASE;
    use crate::random::Random;
    use crate::slots::Slot;
    use crate::vector::PORTABLE;

    /// Rows of bases: regular ones, such that nearly are, such that wrap, and any.
    fn bases(random: &mut Random) -> [u64; 32] {
        let mut any = |list: &[u64]| list[random.below(list.len())];
        let start = any(&[0, 64, 4096, 0xffff_ffc0, SHARED_BASE + 1024, u64::MAX - 60]);
        let (lane, half) = (any(&[0, 1, 4, 4, 8, 400, 1 << 20]), any(&[0, 64, 64, 512, 0u64.wrapping_sub(256)]));
        let (odd, by) = (any(&[32, 32, 0, 1, 15, 16, 31]), any(&[4, 1, 1 << 32]));
        let mut at: [u64; 32] =
            std::array::from_fn(|i| start.wrapping_add(i as u64 % 16 * lane).wrapping_add(i as u64 / 16 * half));
        if let Some(at) = at.get_mut(odd as usize) {
            *at = at.wrapping_add(by);
        }
        at
    }

    #[test]
    fn all_levels_give_the_same() {
        let mut random = Random::new(7);
        let mut regs = Registers::new(1024);
        for _ in 0..20_000 {
            let row = bases(&mut random);
            let class = [Class::R32, Class::R64][random.below(2)];
            let slot = Slot(256);
            match class {
                Class::R32 => *regs.row32_mut(slot) = row.map(|x| x as u32),
                _ => *regs.row64_mut(slot) = row,
            }
            let offset = [0, 4, -4, 1 << 20][random.below(4)];
            let a = Address { base: slot, class, offset, space: AddressSpace::Shared };
            let window = [0, SHARED_BASE][random.below(2)];
            let mask = [!0, !0, 0xffff, 0x8000_0001, 1 << random.below(32)][random.below(5)];
            let got = [PORTABLE, *crate::vector::LEVEL].map(|level| {
                let mut out = [0; 32];
                let mut spread = Spread::NONE;
                addresses(level, &regs, &[0; 32], &a, window, mask, &mut out, &mut spread);
                (out, spread)
            });
            assert_eq!(got[0], got[1], "{a:?}, mask {mask:#x}");
            assert_eq!(got[0].1, Spread::of(&got[0].0, mask));
        }
    }
}
