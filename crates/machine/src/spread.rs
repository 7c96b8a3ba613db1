//! How the addresses of a warp's lanes lie.

use crate::slots::{FULL, LaneMask};

/// Bytes between neighbours, at most, that count as a regular distance.
pub(crate) const MOST_STEP: u64 = 1 << 16;

/// How the addresses of an access lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The lowest address of a lane that takes part.
    pub low: u64,
    /// The highest.
    pub high: u64,
    /// How far neighbours are from each other and how far the two halves of the warp are, if all 32 lanes take part and their
    /// addresses go by that.
    pub steps: Option<Steps>,
}

/// Regular distances: lane `i` is at that of lane 0, `i % 16` times `lane` and `i / 16` times `half` further on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// From a lane to the next one of its half, in bytes.
    pub lane: u64,
    /// From lane 0 to lane 16, in bytes, modulo 2^64.
    pub half: u64,
}

impl Spread {
    /// That of no lanes.
    pub(crate) const NONE: Spread = Spread { low: 0, high: 0, steps: None };

    /// That of the lanes' addresses.
    #[must_use]
    pub fn of(at: &[u64; 32], lanes: LaneMask) -> Self {
        spread(at, lanes)
    }

    /// Of lanes that are regular modulo 2^64, if none goes beyond that.
    #[inline(always)]
    pub(crate) fn regular(at: &[u64; 32], steps: Steps) -> Option<Self> {
        let (low, high) = (at[0].min(at[16]), at[0].max(at[16]));
        let high = high.checked_add(15 * steps.lane)?;
        Some(Spread { low, high, steps: Some(steps) })
    }

    /// That of the same lanes, all `by` bytes (modulo 2^64) further on.
    #[inline]
    #[must_use]
    pub fn moved(&self, by: u64) -> Self {
        Spread { low: self.low.wrapping_add(by), high: self.high.wrapping_add(by), ..*self }
    }

    /// Are all 32 lanes side by side, each `size` bytes after the one before?
    #[must_use]
    pub fn is_row(&self, size: u64) -> bool {
        self.steps == Some(Steps { lane: size, half: 16 * size })
    }
}

/// [`Spread::of`], to be compiled for several processors.
#[inline(always)]
pub(crate) fn spread(at: &[u64; 32], lanes: LaneMask) -> Spread {
    if lanes == FULL
        && let Some(spread) = steps(at).and_then(|steps| Spread::regular(at, steps))
    {
        return spread;
    }
    let first = at[lanes.trailing_zeros() as usize & 31];
    let (mut low, mut high) = (first, first);
    for (lane, &at) in at.iter().enumerate() {
        let at = if lanes >> lane & 1 != 0 { at } else { first };
        (low, high) = (low.min(at), high.max(at));
    }
    Spread { low, high, steps: None }
}

#[inline(always)]
fn steps(at: &[u64; 32]) -> Option<Steps> {
    let steps = Steps { lane: at[1].wrapping_sub(at[0]), half: at[16].wrapping_sub(at[0]) };
    let mut apart = 0;
    for i in 0..16 {
        apart |= at[i + 16].wrapping_sub(at[i]) ^ steps.half;
    }
    // The lanes of the first half but the last, in two eights that overlap.
    for first in [0, 7] {
        for i in first..first + 8 {
            apart |= at[i + 1].wrapping_sub(at[i]) ^ steps.lane;
        }
    }
    (apart == 0 && steps.lane <= MOST_STEP).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_halves_and_one_word() {
        let row = Spread::of(&std::array::from_fn(|i| 64 + 4 * i as u64), FULL);
        assert_eq!((row.low, row.high), (64, 188));
        assert!(row.is_row(4) && !row.is_row(8));
        let tile = Spread::of(&std::array::from_fn(|i| 1024 + 4 * (i as u64 % 16) - 256 * (i as u64 / 16)), FULL);
        let steps = Steps { lane: 4, half: 0u64.wrapping_sub(256) };
        assert_eq!(tile, Spread { low: 768, high: 1084, steps: Some(steps) });
        let one = Spread::of(&[8; 32], FULL);
        assert_eq!(one, Spread { low: 8, high: 8, steps: Some(Steps { lane: 0, half: 0 }) });
    }

    #[test]
    fn no_steps() {
        let mut at: [u64; 32] = std::array::from_fn(|i| 4 * i as u64);
        assert_eq!(Spread::of(&at, 0xf0), Spread { low: 16, high: 28, steps: None });
        for odd in 0..32 {
            let regular = std::mem::replace(&mut at[odd], 1000);
            let spread = Spread::of(&at, FULL);
            let low = if odd == 0 { 4 } else { 0 };
            assert_eq!(spread, Spread { low, high: 1000, steps: None }, "lane {odd}");
            at[odd] = regular;
        }
        let around = Spread::of(&std::array::from_fn(|i| (u64::MAX - 10).wrapping_add(i as u64)), FULL);
        assert_eq!(around, Spread { low: 0, high: u64::MAX, steps: None });
    }
}
