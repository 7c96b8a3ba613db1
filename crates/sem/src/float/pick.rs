//! Choices without a branch.
//!
//! A branch in a closure keeps a loop over 32 lanes from becoming vector code, and the compiler makes branches of `if`
//! where more than one follows another. These are masks.

/// `yes` where `c` is true, else `no`.
#[inline(always)]
pub(crate) fn pick32(c: bool, yes: u32, no: u32) -> u32 {
    no ^ ((yes ^ no) & u32::from(c).wrapping_neg())
}

/// `yes` where `c` is true, else `no`.
#[inline(always)]
pub(crate) fn pick64(c: bool, yes: u64, no: u64) -> u64 {
    no ^ ((yes ^ no) & u64::from(c).wrapping_neg())
}
