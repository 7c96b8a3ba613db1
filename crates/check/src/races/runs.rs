//! Accesses of a warp as runs: neighbouring words that lanes touch in turn.
//!
//! Most accesses of 32 lanes have one of a few shapes: a row of neighbours, two half rows (tiles of 16 columns), both
//! halves at one row, one word for all or one a half. What a run's words hold is mostly the same, so it can be decided
//! about once ([`super::shadow::Shadow::add_run`]).

use warpvm_machine::observe::{Access, Addresses, Steps};
use warpvm_machine::slots::LaneMask;

/// Neighbouring words that lanes touch in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Address of the first word, a multiple of 4.
    pub start: u64,
    /// How many.
    pub words: usize,
    /// Lanes of the first word.
    pub lanes: LaneMask,
    /// How many words in a row the same lanes touch.
    pub each: usize,
    /// How many lanes further on those of the next words are.
    pub step: u32,
}

impl Run {
    /// The lanes that touch a word.
    #[inline]
    pub fn lanes_at(&self, word: usize) -> LaneMask {
        let groups = if self.each == 1 { word } else { word / self.each };
        self.lanes << (groups as u32 * self.step)
    }
}

/// Who may share a word with others, as one access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sharing {
    /// Lanes whose accesses do not race with each other, as reads.
    Together,
    /// Lanes that have to be looked at one after the other.
    Apart,
}

/// The runs of an access, one or two. They stand in the order of their lanes; two may overlap.
pub(super) struct Runs {
    list: [Run; 2],
    count: usize,
}

impl Runs {
    /// As slice.
    #[inline]
    pub fn list(&self) -> &[Run] {
        &self.list[..self.count]
    }

    #[inline]
    fn one(run: Run) -> Option<Runs> {
        Some(Runs { list: [run; 2], count: 1 })
    }

    /// The same for the lower and for the upper half of the lanes.
    #[inline]
    fn two(low: Run, upper: u64) -> Option<Runs> {
        Some(Runs { list: [low, Run { start: upper, lanes: low.lanes << 16, ..low }], count: 2 })
    }

    /// The runs of an access by all 32 lanes of whole words, where it has a shape that is known.
    #[inline]
    pub fn of_words(access: &Access<'_>, sharing: Sharing) -> Option<Runs> {
        let (Steps { lane: step, half }, size) = (access.spread.steps?, u64::from(access.size));
        let (start, upper) = (access.addresses.at(0), access.addresses.at(16));
        if size < 4 || (size | start | half) & 3 != 0 {
            return None;
        }
        let each = size as usize / 4;
        if step == 0 {
            let all = Run { start, words: each, lanes: !0, each, step: 0 };
            return match (sharing, half) {
                (Sharing::Apart, _) => None,
                (_, 0) => Runs::one(all),
                _ => Runs::two(Run { lanes: 0xffff, ..all }, upper),
            };
        }
        if step != size {
            return None;
        }
        let row = Run { start, words: 32 * each, lanes: 1, each, step: 1 };
        if half == 16 * size {
            return Runs::one(row);
        }
        let row = Run { words: 16 * each, ..row };
        if half == 0 && sharing == Sharing::Together {
            return Runs::one(Run { lanes: 0x1_0001, ..row });
        }
        Runs::two(row, upper)
    }

    /// The run of an access by all 32 lanes of neighbouring parts of words.
    #[inline]
    pub fn of_parts(access: &Access<'_>) -> Option<Runs> {
        let (start, size) = (access.addresses.at(0), u64::from(access.size));
        if !access.spread.is_row(size) || !start.is_multiple_of(4) || size > 2 {
            return None;
        }
        let step = 4 / size as u32;
        Runs::one(Run { start, words: 8 * size as usize, lanes: (1 << step) - 1, each: 1, step })
    }
}

/// The words that lanes touch, with the lanes of each: as few as a short look shows. A word may come twice.
pub(super) fn by_word(addresses: Addresses<'_>, mask: LaneMask) -> impl Iterator<Item = (u64, LaneMask)> {
    let at = move |lane: usize| addresses.at(lane);
    // Tiles of matrices are mostly read alike by both halves of a warp.
    let halves = (0..16).fold(0, |x, i| x | (at(i) ^ at(i + 16))) == 0;
    let (mut rest, both) = if halves { ((mask | mask >> 16) & 0xffff, !0) } else { (mask, 0) };
    std::iter::from_fn(move || {
        let first = if rest == 0 { return None } else { rest.trailing_zeros() as usize };
        let mut readers = 0;
        while rest != 0 && at(rest.trailing_zeros() as usize) == at(first) {
            readers |= rest & rest.wrapping_neg();
            rest &= rest - 1;
        }
        Some((at(first) & !3, mask & (readers | readers << 16 & both)))
    })
}

#[cfg(test)]
mod tests {
    use warpvm_machine::fault::AccessKind;
    use warpvm_machine::memory::Space;
    use warpvm_machine::observe::Spread;
    use warpvm_machine::program::{Ordering, Scope};

    use super::*;

    /// An access of a whole warp.
    fn access<'a>(addresses: &'a [u64; 32], spread: &'a Spread, size: u32) -> Access<'a> {
        Access {
            pc: 0,
            lanes: !0,
            space: Space::Shared,
            addresses: Addresses::new(addresses),
            spread,
            shared_cta: 0,
            size,
            kind: AccessKind::Read,
            ordering: Ordering::Weak,
            scope: Scope::Cta,
            asynchronous: false,
        }
    }

    fn of_words(at: &[u64; 32], size: u32, sharing: Sharing) -> Option<Runs> {
        Runs::of_words(&access(at, &Spread::of(at, !0), size), sharing)
    }

    fn of_parts(at: &[u64; 32], size: u32) -> Option<Runs> {
        Runs::of_parts(&access(at, &Spread::of(at, !0), size))
    }

    fn touched(runs: &Runs) -> Vec<(u64, LaneMask)> {
        let of = |run: &Run| (0..run.words).map(|i| (run.start + 4 * i as u64, run.lanes_at(i))).collect::<Vec<_>>();
        runs.list().iter().flat_map(of).collect()
    }

    #[test]
    fn a_row_and_two_half_rows() {
        let row = of_words(&std::array::from_fn(|l| 64 + 8 * l as u64), 8, Sharing::Apart).expect("a row");
        let words: Vec<_> = (0..64).map(|w| (64 + 4 * w, 1 << (w / 2))).collect();
        assert_eq!(touched(&row), words);
        let tile = std::array::from_fn(|l| 4 * (l as u64 % 16) + 256 * (l as u64 / 16));
        let tile = of_words(&tile, 4, Sharing::Apart).expect("two rows");
        let words: Vec<_> = (0..32).map(|w| (4 * (w % 16) + 256 * (w / 16), 1 << w)).collect();
        assert_eq!(touched(&tile), words);
    }

    #[test]
    fn shared_words() {
        let both = std::array::from_fn(|l| 4 * (l as u64 % 16));
        let together = of_words(&both, 4, Sharing::Together).expect("a row");
        assert_eq!(touched(&together), (0..16).map(|w| (4 * w, 0x1_0001 << w)).collect::<Vec<_>>());
        let apart = of_words(&both, 4, Sharing::Apart).expect("two rows");
        assert_eq!(touched(&apart).len(), 32);
        let halves = std::array::from_fn(|l| 64 * (l as u64 / 16));
        let halves = of_words(&halves, 4, Sharing::Together).expect("two words");
        assert_eq!(touched(&halves), [(0, 0xffff), (64, 0xffff_0000)]);
        assert!(of_words(&[64; 32], 4, Sharing::Apart).is_none());
    }

    #[test]
    fn parts_of_words() {
        let bytes = of_parts(&std::array::from_fn(|l| 32 + l as u64), 1).expect("a row");
        assert_eq!(touched(&bytes), (0..8).map(|w| (32 + 4 * w, 0xf << (4 * w))).collect::<Vec<_>>());
        assert!(of_parts(&std::array::from_fn(|l| 33 + l as u64), 1).is_none());
        let halves = of_parts(&std::array::from_fn(|l| 2 * l as u64), 2).expect("a row");
        assert_eq!(touched(&halves), (0..16).map(|w| (4 * w, 3 << (2 * w))).collect::<Vec<_>>());
    }

    #[test]
    fn other_shapes_are_none() {
        let mut at: [u64; 32] = std::array::from_fn(|l| 4 * l as u64);
        at[31] += 4;
        assert!(of_words(&at, 4, Sharing::Together).is_none());
        assert!(of_words(&std::array::from_fn(|l| 2 + 4 * l as u64), 4, Sharing::Together).is_none());
    }
}
