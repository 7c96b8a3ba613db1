//! Places that lanes synchronise through: words that strong writes release at, and mbarriers.
//!
//! PTX ISA, section 8.9: a release pattern (`st.release`, or a fence and then a strong write) synchronises with an
//! acquire pattern (`ld.acquire`, or a strong read and then a fence) that observes it, where the scopes of both include
//! the other's thread. A read-modify-write passes on what it reads.

use std::collections::HashMap;
use std::sync::Arc;

use warpvm_machine::program::{Pc, Scope};

use super::clock::{Clock, Know};

/// What a write lets out.
#[derive(Clone)]
pub(super) struct Release {
    /// For whom.
    pub scope: Scope,
    /// The CTA that `know` belongs to.
    pub cta: u32,
    /// What those learn that acquire it.
    pub know: Arc<Know>,
    /// The write.
    pub pc: Pc,
}

/// What a lane has read but not acquired.
#[derive(Clone)]
pub(super) struct Pending {
    pub release: Release,
    /// Scope of the read.
    pub scope: Scope,
    /// Was it a read-modify-write?
    pub by_atomic: bool,
}

/// What a lane has read at one word, in turn, but not acquired: one sum, or a lock that many wait for would cost an
/// entry an owner for each lane that looks at it.
#[derive(Clone)]
pub(super) struct Awaited {
    /// The word.
    key: u64,
    pub pending: Pending,
    /// What was read last, to see at once that it is the same again.
    last: Arc<Know>,
}

impl Awaited {
    /// The first of its kind.
    pub fn new(key: u64, pending: Pending) -> Self {
        let last = pending.release.know.clone();
        Awaited { key, pending, last }
    }

    /// Is a second read of the same kind, so that the two are acquired together or not at all?
    pub fn is_alike(&self, key: u64, new: &Pending) -> bool {
        let (a, b) = (&self.pending, new);
        (self.key, a.scope, a.by_atomic) == (key, b.scope, b.by_atomic)
            && (a.release.scope, a.release.cta) == (b.release.scope, b.release.cta)
    }

    /// Adds all of it to a list of such.
    pub fn add_to(&self, list: &mut Vec<Awaited>) {
        match list.iter_mut().find(|a| a.is_alike(self.key, &self.pending)) {
            Some(known) => known.add(&self.pending),
            None => list.push(self.clone()),
        }
    }

    /// Adds what was read now.
    pub fn add(&mut self, new: &Pending) {
        if Arc::ptr_eq(&self.last, &new.release.know) {
            return;
        }
        self.last = new.release.know.clone();
        let cta = new.release.cta;
        Arc::make_mut(&mut self.pending.release.know).join(cta, &new.release.know, cta);
        self.pending.release.pc = new.release.pc;
    }
}

/// The words that hold releases.
#[derive(Default)]
pub(super) struct Words {
    map: HashMap<u64, Vec<Release>>,
    /// Bits of the hashes of words that were ever in `map`.
    filter: [u64; 16],
}

fn bit(key: u64) -> (usize, u64) {
    let hash = (key >> 2).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54;
    ((hash / 64) as usize & 15, 1 << (hash % 64))
}

impl Words {
    /// Is there no release at all?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// May there be a release at this word?
    #[inline]
    pub fn may_hold(&self, key: u64) -> bool {
        let (i, mask) = bit(key);
        self.filter[i] & mask != 0
    }

    /// The releases of a word.
    pub fn at(&self, key: u64) -> &[Release] {
        if self.may_hold(key) { self.map.get(&key).map_or(&[], Vec::as_slice) } else { &[] }
    }

    /// A write that is no release: what was there is not observed any more.
    pub fn clear(&mut self, key: u64) {
        if self.may_hold(key) {
            self.map.remove(&key);
        }
    }

    /// A write with these releases takes the place of what was there.
    pub fn set(&mut self, key: u64, releases: Vec<Release>) {
        if releases.is_empty() {
            return self.clear(key);
        }
        let (i, mask) = bit(key);
        self.filter[i] |= mask;
        self.map.insert(key, releases);
    }

    /// A read-modify-write adds to what was there.
    pub fn add(&mut self, key: u64, stamp: &Stamp<'_>) {
        let (i, mask) = bit(key);
        self.filter[i] |= mask;
        let list = self.map.entry(key).or_default();
        // Wide releases of all CTAs are one; narrow ones are told apart by CTA.
        let is_wide = stamp.scope >= Scope::Gpu;
        let same = |r: &&mut Release| {
            if is_wide { r.scope >= Scope::Gpu } else { r.scope == stamp.scope && r.cta == stamp.cta }
        };
        match list.iter_mut().find(same) {
            Some(old) => {
                let known = old.know.of(old.cta, stamp.cta);
                if known.is_none_or(|k| k.of(stamp.warps, stamp.row, stamp.lane) < stamp.clock) {
                    let know = Arc::make_mut(&mut old.know);
                    know.join(old.cta, &stamp.knowledge(), stamp.cta);
                    old.pc = stamp.pc;
                }
            }
            None => list.push(stamp.release()),
        }
    }
}

/// A lane's knowledge and time, about to be released.
pub(super) struct Stamp<'a> {
    pub scope: Scope,
    pub cta: u32,
    pub warps: u32,
    pub row: u16,
    pub lane: usize,
    pub clock: Clock,
    pub know: &'a Arc<Know>,
    pub pc: Pc,
}

impl Stamp<'_> {
    fn knowledge(&self) -> Know {
        let mut know = Know::clone(self.know);
        know.own.raise(self.row, self.lane, self.clock);
        know
    }

    /// As a release of its own.
    pub fn release(&self) -> Release {
        Release { scope: self.scope, cta: self.cta, know: Arc::new(self.knowledge()), pc: self.pc }
    }
}

/// An mbarrier object.
#[derive(Default)]
pub(super) struct Mbarrier {
    /// What those knew that have arrived, in all phases.
    arriving: Know,
    /// The same of the completed phases.
    done: Arc<Know>,
    /// The widest scope of arrivals.
    pub scope: Scope,
    phase: bool,
    /// The knowledge that was added last, to skip lanes that know the same.
    last: Option<Arc<Know>>,
    /// Phases that have completed.
    pub phases: u32,
    /// The last arrival, and the one that completed the last phase; none where bytes did.
    arrival: Option<Arrival>,
    pub completer: Option<Arrival>,
    /// The phase that each lane (CTA, warp, lane) saw completed last.
    pub seen: HashMap<(u32, u32, usize), u32>,
    /// Where it was initialised.
    pub init: Option<Pc>,
}

/// Somebody who arrived, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival {
    pub cta: u32,
    pub row: u16,
    pub lane: usize,
    pub clock: Clock,
}

impl Mbarrier {
    /// A new object, with the place where it was initialised.
    pub fn new(init: Option<Pc>) -> Self {
        Mbarrier { scope: Scope::Cta, init, ..Mbarrier::default() }
    }

    /// The object is in this phase: if it has changed, everything that arrived is done.
    pub fn see_phase(&mut self, phase: bool, by_arrival: bool) {
        if phase != self.phase {
            self.phase = phase;
            self.phases += 1;
            self.completer = if by_arrival { self.arrival } else { None };
            self.done = Arc::new(self.arriving.clone());
        }
    }

    /// A lane arrives; `mine` is the CTA of the object.
    pub fn arrive(&mut self, mine: u32, stamp: &Stamp<'_>) {
        if self.last.as_ref().is_none_or(|l| !Arc::ptr_eq(l, stamp.know)) {
            self.arriving.join(mine, stamp.know, stamp.cta);
            self.last = Some(stamp.know.clone());
        }
        self.raise(mine, stamp);
        self.scope = self.scope.max(stamp.scope);
        let Stamp { cta, row, lane, clock, .. } = *stamp;
        self.arrival = Some(Arrival { cta, row, lane, clock });
    }

    /// Something that is done at a time of its own counts for the phase.
    pub fn raise(&mut self, mine: u32, stamp: &Stamp<'_>) {
        let mut only = Know::default();
        if stamp.cta == mine {
            self.arriving.own.raise(stamp.row, stamp.lane, stamp.clock);
        } else {
            only.own.raise(stamp.row, stamp.lane, stamp.clock);
            self.arriving.join(mine, &only, stamp.cta);
        }
    }

    /// What a lane learns that sees a phase complete.
    pub fn done(&self, cta: u32, pc: Pc) -> Release {
        Release { scope: self.scope, cta, know: self.done.clone(), pc }
    }
}
