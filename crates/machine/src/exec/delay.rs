//! Stores that become visible late (PTX ISA, chapter 8).
//!
//! Nothing in the memory model makes a plain store visible to other threads before its thread releases: by a fence, a
//! barrier, an operation with release semantics, or its exit. A seeded schedule therefore keeps some of them back and
//! writes them later, in any order. A thread always sees its own stores: an access to bytes of one that is kept back
//! writes it first, which also keeps the order of a thread's stores to one place. Strong stores are not kept back, so
//! that what a strong read sees is what stands in memory.

use super::part::Part;
use super::{Engine, Group, WarpView};
use crate::memory::Space;
use crate::observe::{Observer, Who};
use crate::program::{BarrierOp, Callee, CollectiveOp, Kind, Ordering, Pc, Store};
use crate::random::Random;
use crate::slots::{Class, LaneMask, Slot};

/// Most stores of lanes that are kept back at a time.
const MOST: usize = 256;
/// Bytes of the widest store.
const WIDEST: usize = 32;

/// A store of one lane that is not in memory yet.
#[derive(Clone, Copy)]
pub struct Delayed {
    who: Who,
    lane: u32,
    place: Place,
    size: u32,
    bytes: [u8; WIDEST],
    /// The bytes that it writes. They are there as long as the CTA runs, which does not end before this is written.
    target: *mut u8,
}

// SAFETY: the engine that holds it and the memory that it points to are used by one thread at a time.
unsafe impl Send for Delayed {}

/// Where in which memory.
#[derive(Clone, Copy)]
struct Place {
    space: Space,
    /// For shared memory: the CTA (index in the grid) whose it is.
    cta: u32,
    address: u64,
}

impl Place {
    fn of(group: &Group, part: &Part, lane: usize) -> Self {
        let cta = if part.space == Space::Shared { group.ctas[part.cta].index } else { 0 };
        Place { space: part.space, cta, address: part.at(lane) }
    }
}

impl Delayed {
    fn overlaps(&self, place: Place, size: u32) -> bool {
        self.place.space == place.space
            && self.place.cta == place.cta
            && self.place.address < place.address.saturating_add(u64::from(size))
            && place.address < self.place.address + u64::from(self.size)
    }

    fn is_of(&self, who: Who, lanes: LaneMask) -> bool {
        self.who == who && lanes >> self.lane & 1 != 0
    }
}

/// Number of hashes of warps.
const OWNERS: usize = 256;

/// All that are not in memory yet, in the order in which they came.
#[derive(Default)]
pub struct Delays {
    /// Where in `list` each is.
    order: Vec<u8>,
    list: Vec<Delayed>,
    /// Places in `list` that may be used again.
    free: Vec<u8>,
    /// What is known of those of the warps with a hash: every access asks, and mostly there are none, or elsewhere.
    owners: Owners,
}

/// Stores of some warps.
#[derive(Clone, Copy, Default)]
struct Owned {
    count: u32,
    /// They lie between these addresses, whatever memory is meant.
    low: u64,
    high: u64,
}

struct Owners([Owned; OWNERS]);

impl Default for Owners {
    fn default() -> Self {
        Owners([Owned::default(); OWNERS])
    }
}

impl Owners {
    #[inline(always)]
    fn of(&mut self, who: Who) -> &mut Owned {
        &mut self.0[Self::hash(who)]
    }

    #[inline(always)]
    fn hash(who: Who) -> usize {
        (who.cta.wrapping_mul(0x9E37_79B1) >> 24 ^ who.warp) as usize % OWNERS
    }
}

impl Delays {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// May there be stores of a warp?
    #[inline(always)]
    fn may_hold(&self, who: Who) -> bool {
        self.owners.0[Owners::hash(who)].count != 0
    }

    /// May some of them be at these bytes?
    #[inline(always)]
    fn may_hold_at(&self, who: Who, low: u64, end: u64) -> bool {
        let owned = &self.owners.0[Owners::hash(who)];
        low < owned.high && owned.low < end
    }

    fn push(&mut self, d: Delayed) {
        let owned = self.owners.of(d.who);
        let (low, high) = (d.place.address, d.place.address + u64::from(d.size));
        *owned = match owned.count {
            0 => Owned { count: 1, low, high },
            count => Owned { count: count + 1, low: low.min(owned.low), high: high.max(owned.high) },
        };
        let at = if let Some(at) = self.free.pop() {
            self.list[usize::from(at)] = d;
            at
        } else {
            self.list.push(d);
            (self.list.len() - 1) as u8
        };
        self.order.push(at);
    }

    /// The one at a place of the order.
    fn at(&self, nth: usize) -> &Delayed {
        &self.list[usize::from(self.order[nth])]
    }

    /// The one that stands there in `list` is in memory.
    fn let_go(&mut self, at: u8) {
        self.owners.of(self.list[usize::from(at)].who).count -= 1;
        self.free.push(at);
    }

    /// All of them, the last one first.
    fn newest(&self) -> impl Iterator<Item = &Delayed> {
        self.order.iter().rev().map(|at| &self.list[usize::from(*at)])
    }
}

impl WarpView<'_> {
    /// A byte of global memory, or of the shared memory of a CTA (index in the grid), as the last store left it,
    /// whether others see it yet or not.
    pub fn peek(&self, space: Space, cta: u32, address: u64) -> Option<u8> {
        let place = Place { space, cta: if space == Space::Shared { cta } else { 0 }, address };
        if let Some(d) = self.delayed.newest().find(|d| d.overlaps(place, 1)) {
            return Some(d.bytes[(address - d.place.address) as usize]);
        }
        match space {
            Space::Global => self.global.peek(address),
            Space::Shared => {
                let cta = self.ctas.iter().find(|c| c.index == cta)?;
                cta.shared.get(address as usize).copied()
            }
            Space::Local | Space::Param => None,
        }
    }
}

impl<O: Observer> Engine<'_, O> {
    /// Stores a lane's value to `p` of `part`, now or later. Notes whether memory changes.
    ///
    /// # Safety
    /// `p` points to the bytes of the store.
    pub(super) unsafe fn store_or_delay(
        &mut self,
        group: &mut Group,
        w: usize,
        store: &Store,
        part: &Part,
        lane: usize,
        p: *mut u8,
    ) {
        let size = store.size * store.sources.len() as u32;
        let mut bytes = [0; WIDEST];
        gather(group, w, store, lane, &mut bytes);
        if part.space != Space::Local && self.may_delay(store.ordering) {
            let (who, place) = (Self::who(group, w), Place::of(group, part, lane));
            self.delayed.push(Delayed { who, lane: lane as u32, place, size, bytes, target: p });
            return;
        }
        let before = self.changes;
        // SAFETY: the caller's.
        unsafe { self.put(p, &bytes[..size as usize]) };
        if part.space == Space::Local {
            // Nobody else can see it.
            self.changes = before;
        }
    }

    fn may_delay(&mut self, ordering: Ordering) -> bool {
        let one_in = self.temper.delay_one_in;
        one_in != 0
            && self.delayed.order.len() < MOST
            && ordering == Ordering::Weak
            && self.random.as_mut().is_some_and(|r| r.one_in(one_in))
    }

    /// # Safety
    /// `p` points to as many bytes.
    unsafe fn put(&mut self, p: *mut u8, bytes: &[u8]) {
        // SAFETY: the caller's.
        let there = unsafe { std::slice::from_raw_parts_mut(p, bytes.len()) };
        // Most are words: those need no call.
        if let (Some(there), &[a, b, c, d]) = (there.first_chunk_mut::<4>(), bytes) {
            self.changes += u64::from(std::mem::replace(there, [a, b, c, d]) != [a, b, c, d]);
            return;
        }
        self.changes += u64::from(there != bytes);
        there.copy_from_slice(bytes);
    }

    /// May stores of a warp be kept back?
    #[inline(always)]
    pub(super) fn may_hold_back(&self, group: &Group, w: usize) -> bool {
        !self.delayed.is_empty() && self.delayed.may_hold(Self::who(group, w))
    }

    /// Lanes are about to touch memory: their own stores to the same bytes come first, and before a release all.
    #[inline(always)]
    pub(super) fn see_own(&mut self, group: &Group, w: usize, part: &Part, size: u32, ordering: Ordering) {
        if self.may_hold_back(group, w) {
            self.write_own(group, w, part, size, ordering);
        }
    }

    #[cold]
    fn write_own(&mut self, group: &Group, w: usize, part: &Part, size: u32, ordering: Ordering) {
        let who = Self::who(group, w);
        let releases = matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst);
        let end = part.spread.high.saturating_add(u64::from(size));
        if !releases && !self.delayed.may_hold_at(who, part.spread.low, end) {
            return;
        }
        self.write_those(|d| {
            d.is_of(who, part.lanes) && (releases || d.overlaps(Place::of(group, part, d.lane as usize), size))
        });
    }

    /// Lanes are about to run an instruction other than a load, store or atomic.
    #[inline(always)]
    pub(super) fn release_before(&mut self, group: &Group, w: usize, pc: Pc, lanes: LaneMask) {
        if self.may_hold_back(group, w) {
            self.write_released(group, w, pc, lanes);
        }
    }

    #[cold]
    fn write_released(&mut self, group: &Group, w: usize, pc: Pc, lanes: LaneMask) {
        let orders = match &self.cx.program.code[pc as usize].kind {
            Kind::Collective(c) => match c.op {
                CollectiveOp::VoteAll { .. }
                | CollectiveOp::VoteAny { .. }
                | CollectiveOp::VoteUni { .. }
                | CollectiveOp::VoteBallot { .. }
                | CollectiveOp::Shfl(_)
                | CollectiveOp::MatchAny(_)
                | CollectiveOp::MatchAll(_)
                | CollectiveOp::Redux(_)
                | CollectiveOp::Elect => false,
                CollectiveOp::BarWarp
                | CollectiveOp::Matrix(_)
                | CollectiveOp::Fragment(_)
                | CollectiveOp::TensorMap(_)
                | CollectiveOp::Other(_) => true,
            },
            Kind::Barrier(b) => !matches!(b.op, BarrierOp::ClusterArrive { release: false }),
            Kind::Fence(_)
            | Kind::Mbarrier(_)
            | Kind::AsyncCopy(_)
            | Kind::AsyncGroup(_)
            | Kind::TensorMapReplace(_)
            | Kind::RemoteStore(_)
            | Kind::Exit => true,
            // What is freed may be somebody else's next.
            Kind::Call(c) => matches!(c.callee, Callee::Builtin(_)),
            _ => false,
        };
        if orders {
            let who = Self::who(group, w);
            self.write_those(|d| d.is_of(who, lanes));
        }
    }

    /// Time passes: now and then a store becomes visible.
    #[inline]
    pub fn write_some(&mut self, random: &mut Random) {
        while !self.delayed.is_empty() && random.one_in(self.temper.keep) {
            let at = self.delayed.order.remove(random.below(self.delayed.order.len()));
            self.write_delayed(at);
        }
    }

    /// Writes everything that was kept back.
    pub fn write_all(&mut self) {
        self.write_those(|_| true);
    }

    fn write_those(&mut self, which: impl Fn(&Delayed) -> bool) {
        let mut kept = 0;
        for nth in 0..self.delayed.order.len() {
            let at = self.delayed.order[nth];
            if which(self.delayed.at(nth)) {
                self.write_delayed(at);
            } else {
                self.delayed.order[kept] = at;
                kept += 1;
            }
        }
        self.delayed.order.truncate(kept);
    }

    /// Writes the one that stands there in the list; it is in the order no more.
    fn write_delayed(&mut self, at: u8) {
        let d = self.delayed.list[usize::from(at)];
        // SAFETY: `target` is said to be there.
        unsafe { self.put(d.target, &d.bytes[..d.size as usize]) };
        self.delayed.let_go(at);
    }
}

/// The bytes of a lane's store.
fn gather(group: &Group, w: usize, store: &Store, lane: usize, bytes: &mut [u8; WIDEST]) {
    let regs = &group.warps[w].regs;
    let size = store.size as usize;
    for (to, &(class, slot)) in bytes.chunks_exact_mut(size).zip(&store.sources) {
        let low = regs.get(class, slot, lane).to_le_bytes();
        to[..size.min(8)].copy_from_slice(&low[..size.min(8)]);
        if size == 16 {
            to[8..].copy_from_slice(&regs.get(Class::R64, Slot(slot.0 + 256), lane).to_le_bytes());
        }
    }
}
