//! The quick way for loads, stores, atomics and shuffles. An observer is told before of what they do.
//!
//! A load or store takes it where every active lane's bytes lie in one memory (one allocation, the CTA's shared memory,
//! or the threads' own local memory) and are aligned: then all lanes are checked at once ([`place`]), and each eight or
//! sixteen lanes are one access, one broadcast or one gather. Everything else, faults among it, is left to the slow way,
//! which has done nothing yet. The functions are compiled three times, as those of `row`.

mod addresses;
mod again;
mod atomic;
mod load;
mod place;
mod shuffle;
mod store;

use super::{Group, Warp};
use crate::lower::again::ROWS;
use crate::memory::GlobalMemory;
use crate::program::{Address, Atomic, Load, ShflMode, Store};
use crate::slots::{LaneMask, Registers, Slot};
use crate::spread::Spread;
use crate::vector::{AVX2, AVX512, PORTABLE};

pub(super) use again::{Done, Memo, Reach};
pub(crate) use again::{KnownLoad, Product};
pub(super) use shuffle::ShuffleSlots;

/// Versions of a function for each level of vector instructions, and the choice between them.
macro_rules! leveled {
    ($(#[$doc:meta])* $name:ident, $avx2:ident, $avx512:ident, $module:ident, ($($arg:ident: $ty:ty),*) -> $out:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        fn $avx512($($arg: $ty),*) -> $out {
            $module::$name::<AVX512>($($arg),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        fn $avx2($($arg: $ty),*) -> $out {
            $module::$name::<AVX2>($($arg),*)
        }
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name(level: u8, $($arg: $ty),*) -> $out {
            match level {
                // SAFETY: a level is what the processor was found to have.
                #[cfg(target_arch = "x86_64")]
                AVX512 => unsafe { $avx512($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                AVX2 => unsafe { $avx2($($arg),*) },
                _ => $module::$name::<PORTABLE>($($arg),*),
            }
        }
    };
    ($(#[$doc:meta])* unsafe $name:ident, $avx2:ident, $avx512:ident, $module:ident, ($($arg:ident: $ty:ty),*) -> $out:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx512($($arg: $ty),*) -> $out {
            // SAFETY: the caller's.
            unsafe { $module::$name::<AVX512>($($arg),*) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx2($($arg: $ty),*) -> $out {
            // SAFETY: the caller's.
            unsafe { $module::$name::<AVX2>($($arg),*) }
        }
        $(#[$doc])*
        ///
        /// # Safety
        /// As the function of that name says.
        #[inline(always)]
        pub(super) unsafe fn $name(level: u8, $($arg: $ty),*) -> $out {
            // SAFETY: a level is what the processor was found to have; the rest is the caller's.
            unsafe {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    AVX512 => $avx512($($arg),*),
                    #[cfg(target_arch = "x86_64")]
                    AVX2 => $avx2($($arg),*),
                    _ => $module::$name::<PORTABLE>($($arg),*),
                }
            }
        }
    };
}
leveled!(
    /// The lanes' addresses as written to `out`, and how those of `mask` lie to `spread`. Where they are in a window of the generic space (or 0)
    /// they are taken from its start.
    addresses, addresses_avx2, addresses_avx512, addresses,
    (regs: &Registers, stack: &[u32; 32], a: &Address, window: u64, mask: LaneMask, out: &mut [u64; 32], spread: &mut Spread) -> ());
leveled!(
    /// `ld` for the lanes of `mask`. False where it has to be done the slow way; then nothing has been done.
    load, load_avx2, load_avx512, load,
    (global: &GlobalMemory, group: &mut Group, w: usize, load: &Load, mask: LaneMask, hint: &mut u32) -> bool);
leveled!(
    /// `st` for the lanes of `mask`, as [`load`].
    store, store_avx2, store_avx512, store,
    (global: &GlobalMemory, group: &mut Group, w: usize, store: &Store, mask: LaneMask, hint: &mut u32) -> bool);
leveled!(
    /// `atom` and `red` for the lanes of `mask`, as [`load`]. Otherwise the number of values that changed.
    atomic, atomic_avx2, atomic_avx512, atomic,
    (global: &GlobalMemory, group: &mut Group, w: usize, a: &Atomic, mask: LaneMask, hint: &mut u32) -> Option<u32>);
leveled!(
    /// `shfl` of a whole warp. False where it has to be done the slow way.
    shuffle, shuffle_avx2, shuffle_avx512, shuffle,
    (regs: &mut Registers, mode: ShflMode, slots: &ShuffleSlots) -> bool);
leveled!(
    /// `ld` of a word a lane that others of its block follow, as [`load`].
    load_first, load_first_avx2, load_first_avx512, again,
    (global: &GlobalMemory, group: &mut Group, w: usize, load: &Load, mask: LaneMask, hint: &mut u32, stretch: u64, memo: &mut Memo, reach: Reach) -> bool);
leveled!(
    /// `ld` of a word a lane from a row that may be known, as [`load`].
    load_again, load_again_avx2, load_again_avx512, again,
    (regs: &mut Registers, slot: Slot, by: i32, mask: LaneMask, stretch: u64, memo: &Memo) -> bool);
leveled!(
    /// `st` of a word a lane to a row that may be known, as [`load`].
    store_again, store_again_avx2, store_again_avx512, again,
    (regs: &mut Registers, store: &Store, by: i32, mask: LaneMask, stretch: u64, memo: &Memo) -> bool);
leveled!(
    /// Two `ld` of words from rows that may be known, in turn, and what is done with them.
    unsafe load_two, load_two_avx2, load_two_avx512, again,
    (base: *mut u8, two: &[KnownLoad; 2], product: Option<Product>, mask: LaneMask, stretch: u64, memos: &[Memo; ROWS]) -> Done);
