//! Row functions of long operations: what a compiler would leave as a call for each lane is inside of the loop, and so
//! becomes vector instructions, table entries gathered among them.

use warpvm_sem::{Long1, Long2};

use super::{AVX2, AVX512, Call, FEW, RowOp, Source, get, put, put_few};
use crate::slots::LaneMask;

/// Row functions of one level for operations of some inputs.
macro_rules! functions {
    ($module:ident, $trait:ident, $($arg:ident $source:ident: $slot:literal),+) => {
        mod $module {
            use super::*;

            #[inline(never)]
            unsafe fn few<L: $trait>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: the caller of `RowOp::run` vouches for the block; slots lie in it.
                unsafe { put_few(op.results(), regs, mask, |i| L::at($(get::<L::$arg>(regs.add(op.slots[$slot].0 as usize), i)),+)) }
            }

            #[inline(always)]
            unsafe fn all<L: $trait, const LEVEL: u8>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: as in `few`.
                unsafe {
                    if mask.count_ones() < FEW {
                        return few::<L>(op, regs, mask);
                    }
                    $(let $source = Source::new::<L::$arg, LEVEL>(regs.add(op.slots[$slot].0 as usize));)+
                    put::<L::D, LEVEL>(op.results(), regs, mask, |i| L::at($($source.get::<L::$arg>(i)),+));
                }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx512<L: $trait>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: passed on.
                unsafe { all::<L, AVX512>(op, regs, mask) }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx2<L: $trait>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: passed on.
                unsafe { all::<L, AVX2>(op, regs, mask) }
            }

            /// The function for a level.
            pub fn at<L: $trait>(level: u8) -> Call {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    AVX512 => avx512::<L>,
                    #[cfg(target_arch = "x86_64")]
                    AVX2 => avx2::<L>,
                    _ => few::<L>,
                }
            }
        }
    };
}
functions!(rows1, Long1, A a: 2);
functions!(rows2, Long2, A a: 2, B b: 3);

/// For one input.
pub(super) fn one<L: Long1>(level: u8) -> Call {
    rows1::at::<L>(level)
}

/// For two.
pub(super) fn two<L: Long2>(level: u8) -> Call {
    rows2::at::<L>(level)
}
