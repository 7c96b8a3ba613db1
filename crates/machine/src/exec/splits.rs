//! The splits of a warp that can run.
//!
//! Mostly there are few, and a seeded schedule comes to another warp at every turn: the few are in the warp itself, where
//! a look at the warp has brought them along.

use std::ops::{Deref, DerefMut};

use super::warp::{NO_JOIN, Split};

/// How many are in the warp itself.
const FEW: usize = 4;
/// Nobody, in places that are free.
const NOBODY: Split = Split { pc: 0, mask: 0, join: NO_JOIN, frames: None };

/// A list of splits.
#[derive(Debug)]
pub struct Splits {
    few: [Split; FEW],
    /// How many of these there are.
    count: usize,
    /// All of them, where they are more.
    many: Vec<Split>,
}

impl Default for Splits {
    fn default() -> Self {
        Splits { few: [NOBODY; FEW], count: 0, many: Vec::new() }
    }
}

impl Deref for Splits {
    type Target = [Split];

    #[inline(always)]
    fn deref(&self) -> &[Split] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}

impl DerefMut for Splits {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Split] {
        if self.many.is_empty() { &mut self.few[..self.count] } else { &mut self.many }
    }
}

impl Splits {
    /// Adds one behind the others.
    #[inline(always)]
    pub fn push(&mut self, split: Split) {
        match self.few.get_mut(self.count) {
            Some(free) if self.many.is_empty() => {
                *free = split;
                self.count += 1;
            }
            _ => self.push_many(split),
        }
    }

    #[inline(never)]
    fn push_many(&mut self, split: Split) {
        if self.many.is_empty() {
            self.many.extend(self.few.iter_mut().map(|s| std::mem::replace(s, NOBODY)));
            self.count = 0;
        }
        self.many.push(split);
    }

    /// Takes away the last one.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Split> {
        let last = self.len().checked_sub(1)?;
        Some(self.remove(last))
    }

    /// Takes away the one at a place; those behind it move up.
    ///
    /// # Panics
    /// Where there is none.
    #[inline(always)]
    pub fn remove(&mut self, at: usize) -> Split {
        if !self.many.is_empty() {
            return self.many.remove(at);
        }
        let split = std::mem::replace(&mut self.few[..self.count][at], NOBODY);
        self.few_to_back(at);
        self.count -= 1;
        split
    }

    /// Moves the one at a place behind all others.
    ///
    /// # Panics
    /// Where there is none.
    #[inline(always)]
    pub fn to_back(&mut self, at: usize) {
        if self.many.is_empty() { self.few_to_back(at) } else { self.many[at..].rotate_left(1) }
    }

    /// Without a loop whose length nobody can foretell.
    #[inline(always)]
    fn few_to_back(&mut self, at: usize) {
        for i in 0..FEW - 1 {
            let is_behind = i >= at && i + 1 < self.count;
            self.few.swap(i, i + usize::from(is_behind));
        }
    }

    /// Takes away the one at a place; the last one comes there.
    ///
    /// # Panics
    /// Where there is none.
    #[inline]
    pub fn swap_remove(&mut self, at: usize) -> Split {
        let last = self.len() - 1;
        self.swap(at, last);
        self.remove(last)
    }

    /// Puts one at a place; those from there on move down.
    ///
    /// # Panics
    /// Where the place is beyond the end.
    pub fn insert(&mut self, at: usize, split: Split) {
        self.push(split);
        self[at..].rotate_right(1);
    }

    /// Takes all of them away.
    pub fn clear(&mut self) {
        self.few = [NOBODY; FEW];
        self.count = 0;
        self.many.clear();
    }

    /// Takes all of them away, in their order.
    pub fn take(&mut self) -> Vec<Split> {
        let all = self.to_vec();
        self.clear();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_list_as_any_other() {
        let mut random = Random::new(5);
        let (mut splits, mut list) = (Splits::default(), Vec::new());
        for pc in 0..10_000 {
            let split = Split { pc, ..NOBODY };
            let at = random.below(list.len());
            match random.below(8) {
                0..=2 if list.len() < 9 => {
                    splits.push(split.clone());
                    list.push(split);
                }
                3 => {
                    splits.insert(at, split.clone());
                    list.insert(at, split);
                }
                4 if !list.is_empty() => assert_eq!(splits.remove(at).pc, list.remove(at).pc),
                5 if !list.is_empty() => assert_eq!(splits.swap_remove(at).pc, list.swap_remove(at).pc),
                6 => assert_eq!(splits.pop().map(|s| s.pc), list.pop().map(|s| s.pc)),
                7 if !list.is_empty() && random.one_in(2) => {
                    splits.to_back(at);
                    list[at..].rotate_left(1);
                }
                7 if random.one_in(16) => {
                    splits.clear();
                    list.clear();
                }
                _ => {}
            }
            let pcs = |list: &[Split]| list.iter().map(|s| s.pc).collect::<Vec<_>>();
            assert_eq!(pcs(&splits), pcs(&list));
        }
        let all = splits.take();
        assert!(splits.is_empty() && all.len() == list.len());
    }
}
