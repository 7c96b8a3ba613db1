//! `.f32` with directed rounding, computed in `.f64` and rounded once more.
//!
//! Sums and products of `.f32` numbers are exact in `.f64` or are rounded *to odd* there (see [`super::half`]), which
//! leaves the second rounding right. There are no branches, for this is not rare: `expf` of the CUDA library has a
//! `fma.rm.f32`.

#![expect(clippy::needless_bitwise_bool, reason = "a loop over lanes is to have no branches")]

use super::element::Element;
use super::half::add_to_odd_f64;
use super::pick::{pick32, pick64};
use super::single::canonical;

/// A directed rounding as a type, for functions that are made once for each.
pub(super) trait Direction: 'static {
    /// Positive numbers are rounded away from zero.
    const UP: bool;
    /// Negative numbers are rounded away from zero.
    const DOWN: bool;
}

/// `.rz`
pub(super) enum Zero {}
/// `.rm`
pub(super) enum Down {}
/// `.rp`
pub(super) enum Up {}

impl Direction for Zero {
    const UP: bool = false;
    const DOWN: bool = false;
}
impl Direction for Down {
    const UP: bool = false;
    const DOWN: bool = true;
}
impl Direction for Up {
    const UP: bool = true;
    const DOWN: bool = false;
}

/// `a + b`
#[inline(always)]
pub(super) fn add<D: Direction, const FTZ: bool>(a: f32, b: f32) -> f32 {
    round::<D, FTZ>(sum::<D>(operand::<FTZ>(a), operand::<FTZ>(b)))
}

/// `a - b`
#[inline(always)]
pub(super) fn sub<D: Direction, const FTZ: bool>(a: f32, b: f32) -> f32 {
    add::<D, FTZ>(a, -b)
}

/// `a * b`
#[inline(always)]
pub(super) fn mul<D: Direction, const FTZ: bool>(a: f32, b: f32) -> f32 {
    round::<D, FTZ>(operand::<FTZ>(a) * operand::<FTZ>(b))
}

/// `a * b + c`
#[inline(always)]
pub(super) fn fma<D: Direction, const FTZ: bool>(a: f32, b: f32, c: f32) -> f32 {
    round::<D, FTZ>(sum::<D>(operand::<FTZ>(a) * operand::<FTZ>(b), operand::<FTZ>(c)))
}

#[inline(always)]
fn operand<const FTZ: bool>(x: f32) -> f64 {
    f64::from(if FTZ { x.flush() } else { x })
}

/// Rounds to odd; an exact zero has the sign that the rounding gives it.
#[inline(always)]
fn sum<D: Direction>(a: f64, b: f64) -> f64 {
    const SIGN: u64 = 1 << 63;
    let sum = add_to_odd_f64(a, b);
    let one_is_negative = (a.to_bits() | b.to_bits()) & SIGN != 0;
    let negative_zero = D::DOWN & (sum == 0.0) & one_is_negative;
    f64::from_bits(pick64(negative_zero, SIGN, sum.to_bits()))
}

/// Rounds to `.f32`.
#[inline(always)]
fn round<D: Direction, const FTZ: bool>(x: f64) -> f32 {
    let near = x as f32;
    let magnitude = f64::from(near).abs();
    let away = (D::UP & (x > 0.0)) | (D::DOWN & (x < 0.0));
    let bits = near.to_bits();
    // `near` is one of the two neighbours of `x`; the wanted one may be the other.
    let inward = pick32(!away & (magnitude > x.abs()), bits.wrapping_sub(1), bits);
    let rounded = pick32(away & (magnitude < x.abs()), bits.wrapping_add(1), inward);
    let tiny = FTZ & is_tiny(x, away);
    canonical(f32::from_bits(pick32(tiny, bits & 0x8000_0000, rounded)))
}

/// Is it below the smallest normal number after rounding with an unbounded exponent?
#[inline(always)]
fn is_tiny(x: f64, away: bool) -> bool {
    const MIN: f64 = f32::MIN_POSITIVE as f64;
    // The largest number of 24 bits below the smallest normal one.
    const BELOW: f64 = MIN - MIN / (1 << 24) as f64;
    (x.abs() < MIN) & !(away & (x.abs() > BELOW))
}
