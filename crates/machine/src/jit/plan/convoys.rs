//! Masked blocks that the same lanes run one after the other.
//!
//! Where lanes sleep, those that are awake often stay together all the same: the one thread of a block that adds up what the
//! others have found goes through its loop as a warp would. A *convoy* is a range of masked blocks that lanes enter at the
//! first only, whose branches inside go the same way for all of them, and which no other lane can enter before they have all
//! left it. A value that is only alive in there is as if no lane slept: it may be a scalar although it is computed several
//! times, and what it is for the others does not matter.

use super::{Plan, Term, ValueId};

/// The first and the last block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Convoy {
    first: usize,
    last: usize,
}

impl Convoy {
    fn holds(self, b: usize) -> bool {
        (self.first..=self.last).contains(&b)
    }
}

/// Most blocks of one.
const LONGEST: usize = 64;

impl Plan {
    /// Finds the convoys, as far as it is known now which branches part lanes.
    pub(super) fn find_convoys(&mut self) {
        let n = self.blocks.len();
        // The first and the last block that each is entered from; what is behind a stop is entered from outside.
        let mut from: Vec<Option<(usize, usize)>> = vec![None; n];
        for (b, block) in self.blocks.iter().enumerate() {
            let is_stop = matches!(block.term, Term::Stop { .. });
            for &to in &block.successors {
                let (low, high) = from[to].unwrap_or((b, b));
                from[to] = Some(if is_stop { (0, n) } else { (low.min(b), high.max(b)) });
            }
        }
        self.convoys = vec![None; n];
        let mut first = 0;
        while first < n {
            let mut all = (first..self.longest(first)).rev().map(|last| Convoy { first, last });
            let found = all.find(|&c| self.is_convoy(c, &from));
            if let Some(c) = found {
                self.convoys[c.first..=c.last].fill(Some(c));
            }
            first = found.map_or(first, |c| c.last) + 1;
        }
    }

    /// One past the last block that a convoy from a first one on may have.
    fn longest(&self, first: usize) -> usize {
        let most = self.blocks.len().min(first + LONGEST);
        for b in first..most {
            let block = &self.blocks[b];
            if !block.masked || block.successors.iter().any(|&s| s < first) {
                return b;
            }
            if self.parts_at(b) && block.successors.contains(&(b + 1)) {
                return b + 1;
            }
        }
        most
    }

    /// Does the end of a block part its lanes?
    fn parts_at(&self, b: usize) -> bool {
        match self.blocks[b].term {
            Term::Branch { guard: Some(guard), .. } | Term::Exit { guard: Some(guard) } => self.parts(guard),
            _ => false,
        }
    }

    fn is_convoy(&self, c: Convoy, from: &[Option<(usize, usize)>]) -> bool {
        (c.first..=c.last).all(|b| {
            let block = &self.blocks[b];
            let is_entered_inside = from[b].is_none_or(|(low, high)| c.holds(low) && c.holds(high));
            // Others may wait at a loop's head before the first block: they would come in behind.
            let goes_back = block.successors.iter().any(|&s| s < c.first);
            let goes_on = block.successors.iter().any(|&s| c.holds(s));
            block.masked && (b == c.first || is_entered_inside) && !goes_back && !(self.parts_at(b) && goes_on)
        })
    }

    /// Is a value only alive within one convoy?
    pub(super) fn is_confined(&self, v: ValueId) -> bool {
        let value = &self.values[v];
        let Some(&pc) = value.defs.first() else { return false };
        let Some(c) = self.convoys[self.block_of[pc as usize]] else { return false };
        let is_alive = |b: usize| self.blocks[b].live_in.contains(&v);
        !self.whole.contains(&v)
            && value.defs.iter().all(|&pc| c.holds(self.block_of[pc as usize]))
            && !is_alive(c.first)
            && self.blocks[c.first..=c.last]
                .iter()
                .all(|block| block.successors.iter().all(|&s| c.holds(s) || !is_alive(s)))
    }
}
