//! `shfl` of a whole warp.

use crate::exec::shuffle_source;
use crate::program::ShflMode;
use crate::slots::{FULL, Registers, Slot};
use crate::vector::{self, AVX2, AVX512};

/// Operands of a shuffle.
pub struct ShuffleSlots {
    /// Value, lane or mask, clamp.
    pub sources: [Slot; 3],
    /// Result or `NONE`.
    pub result: Slot,
    /// Second result or `NONE`.
    pub predicate: Slot,
}

/// `shfl` of a whole warp whose lanes all give the same second and third operand.
#[inline(always)]
pub(super) fn shuffle<const LEVEL: u8>(regs: &mut Registers, mode: ShflMode, slots: &ShuffleSlots) -> bool {
    let (b, c) = (regs.row32(slots.sources[1]), regs.row32(slots.sources[2]));
    // SAFETY: the caller's level.
    if !unsafe { vector::is_uniform::<LEVEL>(b) && vector::is_uniform::<LEVEL>(c) } {
        return false;
    }
    let (b, c) = (b[0], c[0]);
    let (mut from, mut valid) = ([0u32; 32], [0u32; 32]);
    // The mode is a constant in each of these loops.
    macro_rules! sources {
        ($mode:expr) => {
            for i in 0..32 {
                let (lane, ok) = shuffle_source($mode, i as u32, b, c);
                from[i] = lane;
                valid[i] = u32::from(ok);
            }
        };
    }
    match mode {
        ShflMode::Up => sources!(ShflMode::Up),
        ShflMode::Down => sources!(ShflMode::Down),
        ShflMode::Bfly => sources!(ShflMode::Bfly),
        ShflMode::Idx => sources!(ShflMode::Idx),
    }
    if slots.result.is_some() {
        // SAFETY: the caller's level.
        unsafe { permute::<LEVEL>(regs, slots, &from) };
    }
    if slots.predicate.is_some() {
        // SAFETY: the caller's level.
        let word = unsafe { vector::pack::<LEVEL>(&valid) };
        regs.set_pred(slots.predicate, FULL, word);
    }
    true
}

/// The result: of each lane the value of lane `from`.
///
/// # Safety
/// The processor has `LEVEL`; lanes are below 32.
#[inline(always)]
unsafe fn permute<const LEVEL: u8>(regs: &mut Registers, slots: &ShuffleSlots, from: &[u32; 32]) {
    let x = *regs.row32(slots.sources[0]);
    let row = regs.row32_mut(slots.result);
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 {
        use core::arch::x86_64::*;
        // SAFETY: rows hold 32 words. Any choice out of 32 is one instruction for sixteen lanes.
        unsafe {
            let low = _mm512_loadu_si512(x.as_ptr().cast());
            let high = _mm512_loadu_si512(x.as_ptr().add(16).cast());
            for half in 0..2 {
                let at = _mm512_loadu_si512(from.as_ptr().add(16 * half).cast());
                let new = _mm512_permutex2var_epi32(low, at, high);
                _mm512_storeu_si512(row.as_mut_ptr().add(16 * half).cast(), new);
            }
        }
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX2 {
        use core::arch::x86_64::*;
        // SAFETY: as above. Eight lanes choose in each quarter, and keep what is of their quarter.
        unsafe {
            let quarters: [__m256i; 4] = std::array::from_fn(|q| _mm256_loadu_si256(x.as_ptr().add(8 * q).cast()));
            for chunk in 0..4 {
                let at = _mm256_loadu_si256(from.as_ptr().add(8 * chunk).cast());
                let of = _mm256_srli_epi32::<3>(at);
                let mut new = _mm256_permutevar8x32_epi32(quarters[0], at);
                for q in 1..4 {
                    let mine = _mm256_cmpeq_epi32(of, _mm256_set1_epi32(q as i32));
                    new = _mm256_blendv_epi8(new, _mm256_permutevar8x32_epi32(quarters[q], at), mine);
                }
                _mm256_storeu_si256(row.as_mut_ptr().add(8 * chunk).cast(), new);
            }
        }
        return;
    }
    for i in 0..32 {
        row[i] = x[from[i] as usize & 31];
    }
}
