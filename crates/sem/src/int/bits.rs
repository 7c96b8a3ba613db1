//! Counting, finding and moving bits (PTX ISA 9.7.1.15 to 9.7.1.22).
//!
//! Where the manual writes a loop over bits, these are shifts and masks, in a type of twice the width where a start
//! position or a length may lie beyond the register.
//!
//! The manual says that position and length of a bit field count modulo 256. The chip does so for fields of 32-bit values
//! only: for 64-bit ones a length of 256 is the whole register (`int/bfe.u64`, `int/bfe.s64`, `int/bfi.b64`).

use super::shape::{by_type, is_shaped};
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// `popc`: 9.7.1.15.
pub(super) fn popc<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { B32 => u32, B64 => u64 }, sink.op1(T::count_ones))
}

/// `clz`: 9.7.1.16.
pub(super) fn clz<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { B32 => u32, B64 => u64 }, sink.op1(T::leading_zeros))
}

/// How many bits from the top on are copies of the sign (zeros, for an unsigned type).
trait SignBits {
    /// 0 to the width of the type.
    fn sign_bits(self) -> u32;
}

macro_rules! sign_bits {
    ($($t:ty: $value:ident => $zeros:expr;)*) => { $(
        impl SignBits for $t {
            #[inline(always)]
            fn sign_bits(self) -> u32 {
                let $value = self;
                $zeros.leading_zeros()
            }
        }
    )* };
}
sign_bits! { u32: a => a; u64: a => a; i32: a => (a ^ (a >> 31)); i64: a => (a ^ (a >> 63)); }

/// `bfind`: 9.7.1.17. All ones where there is nothing to find, with `.shiftamt` too.
pub(super) fn bfind<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[Word::Shiftamt], 1, 2) {
        return Err(sink);
    }
    let as_shift_amount = form.has(Word::Shiftamt);
    by_type!(form.ty(0), sink, T: { U32 => u32, U64 => u64, S32 => i32, S64 => i64 }, {
        if as_shift_amount {
            sink.op1(|a: T| if a.sign_bits() == T::BITS { u32::MAX } else { a.sign_bits() })
        } else {
            // Nothing found: the width less one less the width is all ones.
            sink.op1(|a: T| (T::BITS - 1).wrapping_sub(a.sign_bits()))
        }
    })
}

/// `fns`: 9.7.1.18.
pub(super) fn fns<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 4) || form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    Ok(sink.op3(find_nth_set))
}

/// The position of the `offset`-th set bit from `base` on, upward for a positive offset; all ones if there is none.
///
/// A base above 31 is undefined; nothing is found from there. The least offset has no absolute value; the chip gives 0
/// for it (`more/fns`).
fn find_nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    if offset == i32::MIN {
        return 0;
    }
    if base > 31 {
        return u32::MAX;
    }
    // The bits in question at the low end, in the order in which they are counted.
    let mut rest = match offset {
        0 => mask >> base & 1,
        1.. => mask >> base,
        _ => (mask << (31 - base)).reverse_bits(),
    };
    for _ in 1..offset.unsigned_abs().min(33) {
        rest &= rest.wrapping_sub(1);
    }
    match (rest, offset) {
        (0, _) => u32::MAX,
        (_, 0..) => base + rest.trailing_zeros(),
        _ => base - rest.trailing_zeros(),
    }
}

/// `brev`: 9.7.1.19.
pub(super) fn brev<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 2) {
        return Err(sink);
    }
    by_type!(form.ty(0), sink, T: { B32 => u32, B64 => u64 }, sink.op1(T::reverse_bits))
}

/// `bfe`: 9.7.1.20.
pub(super) fn bfe<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[], 1, 4) {
        return Err(sink);
    }
    match form.ty(0) {
        Some(T::U32) => Ok(sink.op3(|a: u32, pos: u32, len: u32| {
            let shifted = (a as u64) >> (pos & 0xff).min(32);
            (shifted & low_ones(len & 0xff)) as u32
        })),
        Some(T::S32) => Ok(sink.op3(|a: i32, pos: u32, len: u32| {
            let shifted = (a as i64) >> (pos & 0xff).min(32);
            sign_extend(shifted, len & 0xff) as u32
        })),
        Some(T::U64) => Ok(sink.op3(|a: u64, pos: u32, len: u32| {
            let shifted = a.checked_shr(pos).unwrap_or(0);
            shifted & low_ones(len)
        })),
        Some(T::S64) => Ok(sink.op3(|a: i64, pos: u32, len: u32| {
            let shifted = a >> pos.min(63);
            sign_extend(shifted, len) as u64
        })),
        _ => Err(sink),
    }
}

/// The lowest `len` bits set; all 64 where `len` is larger.
#[inline(always)]
fn low_ones(len: u32) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// The lowest `len` bits as a signed number; 0 where `len` is 0, all of `a` where it is 64 or more.
#[inline(always)]
fn sign_extend(a: i64, len: u32) -> i64 {
    let unused = 64 - len.clamp(1, 64);
    let extended = (a << unused) >> unused;
    if len == 0 { 0 } else { extended }
}

/// `bfi`: 9.7.1.21.
pub(super) fn bfi<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[], 1, 5) {
        return Err(sink);
    }
    match form.ty(0) {
        Some(T::B32) => {
            Ok(sink.op4(|a: u32, b: u32, pos: u32, len: u32| insert(a as u64, b as u64, pos & 0xff, len & 0xff) as u32))
        }
        Some(T::B64) => Ok(sink.op4(insert)),
        _ => Err(sink),
    }
}

/// The lowest `len` bits of `a` put over those of `b` from `pos` on.
#[inline(always)]
fn insert(a: u64, b: u64, pos: u32, len: u32) -> u64 {
    let field = low_ones(len).checked_shl(pos).unwrap_or(0);
    let moved = a.checked_shl(pos).unwrap_or(0);
    (b & !field) | (moved & field)
}

/// `szext`: 9.7.1.22. Length 0 gives 0, also where `.wrap` makes it 0; a clamped length gives all of `a`.
pub(super) fn szext<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use ScalarType as T;
    if !is_shaped(form, &[Word::Clamp, Word::Wrap], 1, 3) {
        return Err(sink);
    }
    match (form.ty(0), form.has(Word::Clamp), form.has(Word::Wrap)) {
        (Some(T::U32), true, false) => Ok(sink.op2(|a: u32, len: u32| a & low_ones(len) as u32)),
        (Some(T::U32), false, true) => Ok(sink.op2(|a: u32, len: u32| a & low_ones(len & 31) as u32)),
        (Some(T::S32), true, false) => Ok(sink.op2(|a: i32, len: u32| sign_extend(a as i64, len) as u32)),
        (Some(T::S32), false, true) => Ok(sink.op2(|a: i32, len: u32| sign_extend(a as i64, len & 31) as u32)),
        _ => Err(sink),
    }
}

/// `bmsk`: 9.7.1.23.
pub(super) fn bmsk<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[Word::Clamp, Word::Wrap], 1, 3) || form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    match (form.has(Word::Clamp), form.has(Word::Wrap)) {
        (true, false) => {
            Ok(sink.op2(|pos: u32, len: u32| ((low_ones(len) as u32) as u64).checked_shl(pos).unwrap_or(0) as u32))
        }
        (false, true) => Ok(sink.op2(|pos: u32, len: u32| (low_ones(len & 31) << (pos & 31)) as u32)),
        _ => Err(sink),
    }
}
