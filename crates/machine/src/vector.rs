//! The vector instructions that row functions are compiled for.
//!
//! Rust has no way to say "this loop, once for each instruction set", so functions over rows take a *level* as a
//! constant: they are instantiated inside functions that enable the instructions of that level, and what loops do not
//! vectorise to (keeping the lanes that sleep, packing predicates) is spelled out here for each level. The level of
//! the processor is looked up once.

use std::sync::LazyLock;

use crate::slots::{FULL, LaneMask};

/// Any processor: lane by lane.
pub(crate) const PORTABLE: u8 = 0;
/// AVX2, FMA, BMI, F16C: eight lanes at a time.
pub(crate) const AVX2: u8 = 1;
/// AVX-512 F, BW, CD, DQ, VL: sixteen lanes at a time, with masks.
pub(crate) const AVX512: u8 = 2;

/// What this processor has. `WARPVM_VECTOR=portable` or `avx2` asks for less, to compare or to measure.
pub(crate) static LEVEL: LazyLock<u8> = LazyLock::new(|| {
    let most = match std::env::var("WARPVM_VECTOR").as_deref() {
        Ok("portable") => PORTABLE,
        Ok("avx2") => AVX2,
        _ => AVX512,
    };
    found().min(most)
});

#[cfg(target_arch = "x86_64")]
fn found() -> u8 {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("f16c");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => AVX512,
        (true, false) => AVX2,
        _ => PORTABLE,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn found() -> u8 {
    PORTABLE
}

/// What a row holds, read so that the compiler does not make a masked store of what follows: a load of the row that
/// comes next would have to wait until that has left the core.
///
/// # Safety
/// The bytes are readable; the processor has AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) unsafe fn sleeping(row: *const core::arch::x86_64::__m512i) -> core::arch::x86_64::__m512i {
    // SAFETY: the caller's; rows begin at a cache line.
    unsafe { row.read_volatile() }
}

/// Writes the lanes of `mask` of a row of words.
///
/// # Safety
/// `row` points to 32 words that may be written, at a cache line; the processor has `LEVEL`.
#[inline(always)]
pub(crate) unsafe fn keep32<const LEVEL: u8>(row: *mut u32, mask: LaneMask, new: &[u32; 32]) {
    // SAFETY: the caller's; every access is one of the 32 words.
    unsafe {
        if mask == FULL {
            row.cast::<[u32; 32]>().write(*new);
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX512 {
            use core::arch::x86_64::*;
            for half in 0..2 {
                let v = _mm512_loadu_si512(new.as_ptr().add(16 * half).cast());
                let to = row.add(16 * half).cast::<__m512i>();
                _mm512_storeu_si512(to, _mm512_mask_mov_epi32(sleeping(to), (mask >> (16 * half)) as u16, v));
            }
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX2 {
            use core::arch::x86_64::*;
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            for chunk in 0..4 {
                let on = _mm256_and_si256(_mm256_set1_epi32((mask >> (8 * chunk)) as i32), bits);
                let on = _mm256_cmpeq_epi32(on, bits);
                let to = row.add(8 * chunk).cast::<__m256i>();
                let v = _mm256_loadu_si256(new.as_ptr().add(8 * chunk).cast());
                _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), v, on));
            }
            return;
        }
        for i in 0..32 {
            let old = row.add(i).read();
            row.add(i).write(if mask >> i & 1 != 0 { new[i] } else { old });
        }
    }
}

/// Writes the lanes of `mask` of a row of double words.
///
/// # Safety
/// `row` points to 32 double words that may be written, at a cache line; the processor has `LEVEL`.
#[inline(always)]
pub(crate) unsafe fn keep64<const LEVEL: u8>(row: *mut u64, mask: LaneMask, new: &[u64; 32]) {
    // SAFETY: the caller's; every access is one of the 32 double words.
    unsafe {
        if mask == FULL {
            row.cast::<[u64; 32]>().write(*new);
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX512 {
            use core::arch::x86_64::*;
            for quarter in 0..4 {
                let v = _mm512_loadu_si512(new.as_ptr().add(8 * quarter).cast());
                let to = row.add(8 * quarter).cast::<__m512i>();
                _mm512_storeu_si512(to, _mm512_mask_mov_epi64(sleeping(to), (mask >> (8 * quarter)) as u8, v));
            }
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if LEVEL == AVX2 {
            use core::arch::x86_64::*;
            let bits = _mm256_setr_epi64x(1, 2, 4, 8);
            for chunk in 0..8 {
                let on = _mm256_and_si256(_mm256_set1_epi64x(i64::from(mask >> (4 * chunk))), bits);
                let on = _mm256_cmpeq_epi64(on, bits);
                let to = row.add(4 * chunk).cast::<__m256i>();
                let v = _mm256_loadu_si256(new.as_ptr().add(4 * chunk).cast());
                _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), v, on));
            }
            return;
        }
        for i in 0..32 {
            let old = row.add(i).read();
            row.add(i).write(if mask >> i & 1 != 0 { new[i] } else { old });
        }
    }
}

/// Packs 32 zero-or-one words into one.
///
/// # Safety
/// The processor has `LEVEL`.
#[inline(always)]
pub(crate) unsafe fn pack<const LEVEL: u8>(bits: &[u32; 32]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 {
        use core::arch::x86_64::*;
        // SAFETY: sixteen words are read of 32, twice.
        return unsafe {
            let one = _mm512_set1_epi32(1);
            let low = _mm512_test_epi32_mask(_mm512_loadu_si512(bits.as_ptr().cast()), one);
            let high = _mm512_test_epi32_mask(_mm512_loadu_si512(bits.as_ptr().add(16).cast()), one);
            u32::from(low) | u32::from(high) << 16
        };
    }
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX2 {
        use core::arch::x86_64::*;
        let mut word = 0;
        for chunk in 0..4 {
            // SAFETY: eight words are read of 32.
            word |= unsafe {
                let v = _mm256_loadu_si256(bits.as_ptr().add(8 * chunk).cast());
                (_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32::<31>(v))) as u32) << (8 * chunk)
            };
        }
        return word;
    }
    bits.iter().enumerate().fold(0, |word, (i, b)| word | b << i)
}

/// A word's bits as 32 words, zero or one.
///
/// # Safety
/// The processor has `LEVEL`.
#[inline(always)]
pub(crate) unsafe fn unpack<const LEVEL: u8>(word: u32) -> [u32; 32] {
    let mut out = [0; 32];
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 {
        use core::arch::x86_64::*;
        for half in 0..2 {
            // SAFETY: sixteen words are written of 32.
            unsafe {
                let v = _mm512_maskz_set1_epi32((word >> (16 * half)) as u16, 1);
                _mm512_storeu_si512(out.as_mut_ptr().add(16 * half).cast(), v);
            }
        }
        return out;
    }
    for i in 0..32 {
        out[i] = word >> i & 1;
    }
    out
}

/// Do all lanes hold the same word?
///
/// # Safety
/// The processor has `LEVEL`.
#[inline(always)]
pub(crate) unsafe fn is_uniform<const LEVEL: u8>(row: &[u32; 32]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX512 {
        use core::arch::x86_64::*;
        // SAFETY: sixteen words are read of 32, twice.
        return unsafe {
            let first = _mm512_set1_epi32(row[0] as i32);
            let low = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(row.as_ptr().cast()), first);
            let high = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(row.as_ptr().add(16).cast()), first);
            low | high == 0
        };
    }
    #[cfg(target_arch = "x86_64")]
    if LEVEL == AVX2 {
        use core::arch::x86_64::*;
        // SAFETY: eight words are read of 32, four times.
        return unsafe {
            let first = _mm256_set1_epi32(row[0] as i32);
            let apart = |i: usize| _mm256_xor_si256(_mm256_loadu_si256(row.as_ptr().add(8 * i).cast()), first);
            let any = _mm256_or_si256(_mm256_or_si256(apart(0), apart(1)), _mm256_or_si256(apart(2), apart(3)));
            _mm256_testz_si256(any, any) == 1
        };
    }
    row.iter().all(|x| *x == row[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    mod wide {
        use super::*;

        #[target_feature(enable = "avx2")]
        unsafe fn avx2(mask: u32, row: &mut [u32; 32], long: &mut [u64; 32]) -> (u32, [u32; 32]) {
            // SAFETY: rows of the right size; the caller has AVX2.
            unsafe {
                keep32::<AVX2>(row.as_mut_ptr(), mask, &std::array::from_fn(|i| i as u32 + 100));
                keep64::<AVX2>(long.as_mut_ptr(), mask, &std::array::from_fn(|i| i as u64 + 100));
                let bits = unpack::<AVX2>(mask);
                (pack::<AVX2>(&bits), bits)
            }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn avx512(mask: u32, row: &mut [u32; 32], long: &mut [u64; 32]) -> (u32, [u32; 32]) {
            // SAFETY: rows of the right size; the caller has AVX-512.
            unsafe {
                keep32::<AVX512>(row.as_mut_ptr(), mask, &std::array::from_fn(|i| i as u32 + 100));
                keep64::<AVX512>(long.as_mut_ptr(), mask, &std::array::from_fn(|i| i as u64 + 100));
                let bits = unpack::<AVX512>(mask);
                (pack::<AVX512>(&bits), bits)
            }
        }

        #[repr(align(64))]
        struct Aligned<T>([T; 32]);

        #[test]
        fn all_levels_do_the_same() {
            let level = found();
            for mask in [0, 1, 0x8000_0000, 0xffff_0000, 0x1234_5678, 0xdead_beef, FULL] {
                let expected = std::array::from_fn(|i| if mask >> i & 1 != 0 { i as u32 + 100 } else { 7 });
                for wanted in [AVX2, AVX512].into_iter().filter(|l| *l <= level) {
                    let (mut row, mut long) = (Aligned([7; 32]), Aligned([7; 32]));
                    // SAFETY: the processor has that level.
                    let (word, bits) = unsafe {
                        if wanted == AVX2 {
                            avx2(mask, &mut row.0, &mut long.0)
                        } else {
                            avx512(mask, &mut row.0, &mut long.0)
                        }
                    };
                    assert_eq!((word, row.0), (mask, expected));
                    assert_eq!(long.0, expected.map(u64::from));
                    assert_eq!(bits, std::array::from_fn(|i| mask >> i & 1));
                }
            }
        }
    }
}
