//! What a lane knows of the accesses of others: vector clocks, kept small.
//!
//! Every thread counts its own time. A full vector clock has an entry a thread of the grid; here it is layered by what
//! really synchronises. Of each CTA that a lane has heard of it keeps a [`Known`]: a `floor`, the time up to which
//! everything that *all* threads of the CTA did is known, and rows of 32 entries only for the warps of which more is
//! known. A barrier of the whole CTA leaves nothing but a floor; `bar.warp.sync` adds one row; a flag adds the rows
//! that its writer knew.
//!
//! Asynchronous copies are done by threads of their own: behind the rows of the real warps there is one set of rows a
//! [`Agent`], with an entry for each lane that issues copies. A floor says nothing of them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Time of a thread: 0 is before everything.
pub(super) type Clock = u32;

/// Who makes an access for a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agent {
    /// The lane itself.
    Thread,
    /// A `cp.async` in a group.
    CopyGroup,
    /// Writes of a bulk copy in a bulk group.
    BulkWrite,
    /// Reads of a bulk copy in a bulk group.
    BulkRead,
    /// A bulk copy that completes on an mbarrier.
    BulkMbarrier,
    /// A `wgmma` in a group; the first lane of a warp stands for all.
    Wgmma,
}

/// Number of [`Agent`]s.
pub(super) const AGENTS: u32 = 6;

impl Agent {
    /// The row of a warp's lanes as this agent, in a CTA of `warps` warps.
    pub fn row(self, warps: u32, warp: u32) -> u16 {
        (self as u32 * warps + warp) as u16
    }
}

/// What is known of one CTA.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    /// Everything that its threads did up to this time.
    pub floor: Clock,
    /// What is known beyond: by row, sorted.
    rows: Vec<(u16, [Clock; 32])>,
}

impl Known {
    fn find(&self, row: u16) -> Result<usize, usize> {
        self.rows.binary_search_by_key(&row, |r| r.0)
    }

    /// Is what these lanes did at this time known?
    #[inline]
    pub fn covers(&self, warps: u32, row: u16, lanes: u32, clock: Clock) -> bool {
        if u32::from(row) < warps && clock <= self.floor {
            return true;
        }
        match self.find(row) {
            Ok(i) => warpvm_machine::slots::lanes(lanes).all(|l| self.rows[i].1[l] >= clock),
            Err(_) => lanes == 0,
        }
    }

    /// The time up to which a lane is known.
    pub fn of(&self, warps: u32, row: u16, lane: usize) -> Clock {
        let floor = if u32::from(row) < warps { self.floor } else { 0 };
        self.find(row).map_or(floor, |i| self.rows[i].1[lane].max(floor))
    }

    /// Adds what a lane did up to a time.
    pub fn raise(&mut self, row: u16, lane: usize, clock: Clock) {
        let i = match self.find(row) {
            Ok(i) => i,
            Err(i) => {
                self.rows.insert(i, (row, [0; 32]));
                i
            }
        };
        let entry = &mut self.rows[i].1[lane];
        *entry = clock.max(*entry);
    }

    /// Adds what lanes did up to their times.
    pub fn raise_all(&mut self, row: u16, lanes: u32, times: &[Clock; 32]) {
        let mine = |l: usize| if lanes >> l & 1 != 0 { times[l] } else { 0 };
        match self.find(row) {
            Ok(i) => {
                let entries = &mut self.rows[i].1;
                (0..32).for_each(|l| entries[l] = entries[l].max(mine(l)));
            }
            Err(i) => self.rows.insert(i, (row, std::array::from_fn(mine))),
        }
    }

    /// Adds what another knows.
    pub fn join(&mut self, other: &Known) {
        self.floor = self.floor.max(other.floor);
        for (row, entries) in &other.rows {
            match self.find(*row) {
                Ok(i) => {
                    let mine = &mut self.rows[i].1;
                    (0..32).for_each(|l| mine[l] = mine[l].max(entries[l]));
                }
                Err(i) => self.rows.insert(i, (*row, *entries)),
            }
        }
    }

    /// Sets the floor and forgets the rows of real warps that it covers.
    pub fn level(&mut self, warps: u32, floor: Clock) {
        self.floor = self.floor.max(floor);
        let floor = self.floor;
        self.rows.retain(|(row, entries)| u32::from(*row) >= warps || entries.iter().any(|c| *c > floor));
    }
}

/// What a lane, or a place that lanes synchronise through, knows.
#[derive(Clone, Default, Debug)]
pub(super) struct Know {
    /// Of the CTA that it belongs to.
    pub own: Known,
    /// Of others.
    pub others: Option<Arc<BTreeMap<u32, Arc<Known>>>>,
}

impl Know {
    /// What is known of a CTA.
    pub fn of(&self, mine: u32, cta: u32) -> Option<&Known> {
        if cta == mine { Some(&self.own) } else { self.others.as_ref()?.get(&cta).map(|k| &**k) }
    }

    /// Adds what another knows; `mine` and `theirs` say whose `own` is.
    pub fn join(&mut self, mine: u32, other: &Know, theirs: u32) {
        self.join_cta(mine, theirs, &other.own, None);
        let Some(list) = &other.others else { return };
        if let Some(own) = &self.others
            && Arc::ptr_eq(own, list)
        {
            return;
        }
        for (cta, known) in list.iter() {
            self.join_cta(mine, *cta, known, Some(known));
        }
    }

    fn join_cta(&mut self, mine: u32, cta: u32, known: &Known, shared: Option<&Arc<Known>>) {
        if cta == mine {
            self.own.join(known);
            return;
        }
        let map = Arc::make_mut(self.others.get_or_insert_default());
        match map.get_mut(&cta) {
            Some(old) => {
                if shared.is_none_or(|s| !Arc::ptr_eq(old, s)) {
                    Arc::make_mut(old).join(known);
                }
            }
            None => {
                map.insert(cta, shared.cloned().unwrap_or_else(|| Arc::new(known.clone())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_covers_threads_but_not_copies() {
        let known = Known { floor: 5, ..Known::default() };
        assert!(known.covers(2, 1, 0xff, 5));
        assert!(!known.covers(2, 1, 0xff, 6));
        assert!(!known.covers(2, Agent::CopyGroup.row(2, 0), 1, 1));
    }

    #[test]
    fn rows_are_exact_by_lane() {
        let mut known = Known { floor: 1, ..Known::default() };
        known.raise(0, 3, 7);
        assert!(known.covers(1, 0, 1 << 3, 7));
        assert!(!known.covers(1, 0, 1 << 3 | 1 << 4, 7));
        assert_eq!(known.of(1, 0, 3), 7);
        assert_eq!(known.of(1, 0, 4), 1);
    }

    #[test]
    fn what_others_know_is_passed_on() {
        let mut first = Know::default();
        first.own.raise(0, 0, 4);
        let mut second = Know::default();
        second.join(1, &first, 0);
        let mut third = Know::default();
        third.join(2, &second, 1);
        assert!(third.of(2, 0).is_some_and(|k| k.covers(1, 0, 1, 4)));
    }
}
