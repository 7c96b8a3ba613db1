//! Accesses of warps, told once: what the shadow's words point to.
//!
//! The lanes of an access share everything but the lane, and a word of shadow is small because it names an [`Event`] and
//! lanes. Events that no word names any more are swept away from time to time.

use warpvm_machine::program::{Pc, Scope};

use super::clock::Clock;

/// How an access was made; the low four bits are the bytes of the word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Flags(u16);

impl Flags {
    pub const READ: Flags = Flags(0x10);
    pub const WRITE: Flags = Flags(0x20);
    /// Strong in the memory model: atomic, volatile, relaxed and so on.
    pub const STRONG: Flags = Flags(0x40);
    /// Strong by `.volatile`.
    pub const VOLATILE: Flags = Flags(0x80);
    /// `mbarrier.init`, `mbarrier.inval`.
    pub const INIT: Flags = Flags(0x400);
    /// Another mbarrier operation.
    pub const MBARRIER: Flags = Flags(0x800);
    /// A volatile access whose value decides on a branch.
    pub const POLL: Flags = Flags(0x1000);
    /// Stands for accesses of one kind by two warps or more: see [`Event::of_two`].
    pub const MANY: Flags = Flags(0x2000);
    /// Each lane of a word touches one byte of it, in turn.
    pub const QUARTERS: Flags = Flags(0x4000);
    /// Each lane of a word touches one half of it, in turn.
    pub const HALVES: Flags = Flags(0x8000);

    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    pub fn scoped(self, scope: Scope) -> Flags {
        Flags(self.0 | (scope as u16) << 8)
    }

    pub fn scope(self) -> Scope {
        match self.0 >> 8 & 3 {
            0 => Scope::Cta,
            1 => Scope::Cluster,
            2 => Scope::Gpu,
            _ => Scope::Sys,
        }
    }

    pub fn on(self, bytes: u16) -> Flags {
        Flags(self.0 & !15 | bytes)
    }

    pub fn bytes(self) -> u16 {
        self.0 & 15
    }

    /// [`Flags::QUARTERS`] or [`Flags::HALVES`].
    pub fn parts(self) -> Option<Flags> {
        let parts = Flags(self.0 & (Flags::QUARTERS.0 | Flags::HALVES.0));
        (parts != Flags::default()).then_some(parts)
    }

    /// Of an access in parts: as the access to a lane's part of a word is told by itself.
    pub fn part(self, lane: usize) -> Flags {
        let whole = self.without(Flags::QUARTERS).without(Flags::HALVES);
        if self.has(Flags::QUARTERS) { whole.on(1 << (lane % 4)) } else { whole.on(3 << (2 * (lane % 2))) }
    }

    pub fn is_read_only(self) -> bool {
        !self.has(Flags::WRITE)
    }

    /// Are all bytes of the other among these?
    pub fn covers_bytes(self, other: Flags) -> bool {
        other.bytes() & !self.bytes() == 0
    }
}

/// An access of a warp, or of its lanes' agents, at one time and in one way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub(super) struct Event {
    pub cta: u32,
    pub clock: Clock,
    pub pc: Pc,
    pub row: u16,
    pub flags: Flags,
    /// Of an event that stands for many: the instruction of the first.
    pub first: Pc,
}

impl Event {
    /// Two accesses of one kind by different warps, and all others of the kind that nothing orders with them: what races
    /// with any of them races with one of the two. Who they were is told by the word, so that many words name one event:
    /// see [`Two`].
    pub fn of_two(first: &Event, second: &Event) -> Event {
        Event {
            clock: first.clock.max(second.clock),
            row: u16::MAX,
            flags: second.flags.with(Flags::MANY),
            first: first.pc,
            ..*second
        }
    }
}

/// An event that stands for two accesses of different warps. A word that names it has a number in the place of its
/// lanes: of each access the lowest lane (5 bits) and, above these, the warp (5 bits).
#[derive(Clone, Copy, Debug)]
pub(super) struct Two {
    pub event: EventId,
    warps: u32,
}

impl Two {
    /// An event made by [`Event::of_two`] of accesses by these warps.
    pub fn new(event: EventId, first: u16, second: u16) -> Self {
        Two { event, warps: 1 << 31 | u32::from(first & 31) << 10 | u32::from(second & 31) << 15 }
    }

    /// What stands in the place of the lanes of a word that these have touched.
    #[inline]
    pub fn lanes(self, first: u32, second: u32) -> u32 {
        self.warps | (first.trailing_zeros() & 31) | (second.trailing_zeros() & 31) << 5
    }
}

/// An event with the lanes that touched a word.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub event: Event,
    pub lanes: u32,
}

impl Record {
    /// The part of it that is not of a lane itself, which is a record as well. Of an event that stands for many: one that
    /// is of another warp.
    pub fn of_another(self, than: &Record) -> Record {
        let (row, others) = (than.event.row, self.lanes & !than.lanes);
        if !self.event.flags.has(Flags::MANY) {
            let is_own = (self.event.cta, self.event.row) == (than.event.cta, row) && others != 0;
            return if is_own { Record { lanes: others, ..self } } else { self };
        }
        let flags = self.event.flags.without(Flags::MANY);
        let part = |at: u32| self.lanes >> at & 31;
        let (warp, pc, lane) = if part(15) == u32::from(row) {
            (part(10), self.event.first, part(0))
        } else {
            (part(15), self.event.pc, part(5))
        };
        Record { event: Event { row: warp as u16, pc, flags, first: 0, ..self.event }, lanes: 1 << lane }
    }
}

/// Index of an event; 0 is none.
pub(super) type EventId = u32;

/// Entries of the cache that finds events again: for some instructions of all warps that run.
const CACHE: usize = 1 << 14;
/// Events before the first sweep: as many as the processor's cache holds.
const FIRST_SWEEP: usize = 1 << 15;

/// All events that words may name.
pub(super) struct Events {
    list: Vec<Event>,
    /// By hash: the rest of the hash, and the event.
    cache: Vec<(u32, EventId)>,
    limit: usize,
}

impl Events {
    pub fn new() -> Self {
        let mut list = Vec::with_capacity(FIRST_SWEEP + FIRST_SWEEP / 64);
        list.push(Event::default());
        Events { list, cache: vec![(0, 0); CACHE], limit: FIRST_SWEEP }
    }

    #[inline]
    pub fn at(&self, id: EventId) -> &Event {
        &self.list[id as usize]
    }

    /// The index of an event, a new one where it is not known.
    #[inline]
    pub fn id(&mut self, event: &Event) -> EventId {
        let way = u32::from(event.row) << 6 ^ u32::from(event.flags.bytes());
        let hash = (event.cta << 12 ^ way ^ event.first << 3).wrapping_mul(0x9E37_79B9);
        let tag = hash ^ event.clock.wrapping_mul(0x85EB_CA6B) ^ event.pc.wrapping_mul(0xC2B2_AE35);
        // Instructions of a warp that follow each other are neighbours.
        let slot = &mut self.cache[(hash >> 16).wrapping_add(event.pc) as usize % CACHE];
        // An old event is not in the processor's cache: the tag mostly tells that it is another one.
        if slot.0 == tag && self.list[slot.1 as usize] == *event {
            return slot.1;
        }
        self.list.push(*event);
        *slot = (tag, self.list.len() as EventId - 1);
        slot.1
    }

    /// Are there so many that those that nobody names should go?
    #[inline]
    pub fn are_many(&self) -> bool {
        self.list.len() > self.limit
    }

    /// Keeps the events that `visit` shows, and tells it their new indices. The next sweep is when that many have come
    /// that to look at `places` places again costs little beside them.
    pub fn sweep(&mut self, places: usize, mut visit: impl FnMut(&mut dyn FnMut(&mut EventId))) {
        let mut moved: Vec<EventId> = vec![0; self.list.len()];
        let mut kept = Vec::with_capacity(FIRST_SWEEP + FIRST_SWEEP / 64);
        kept.push(Event::default());
        let list = &self.list;
        visit(&mut |id| {
            let to = &mut moved[*id as usize];
            if *id != 0 && *to == 0 {
                kept.push(list[*id as usize]);
                *to = kept.len() as EventId - 1;
            }
            *id = *to;
        });
        self.cache.fill((0, 0));
        self.limit = FIRST_SWEEP.max(2 * kept.len()).max(kept.len() + places);
        self.list = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_stand_for_many_and_one_of_them_is_of_another_warp() {
        let read = |row, pc| Event { cta: 1, clock: 3, pc, row, flags: Flags::READ.on(15), first: 0 };
        let event = Event::of_two(&read(0, 10), &read(2, 11));
        let many = Record { event, lanes: Two::new(1, 0, 2).lanes(0xf8, 0xf0) };
        let by = |row| Record { event: read(row, 12), lanes: 1 };
        let (first, second) = (many.of_another(&by(2)), many.of_another(&by(0)));
        assert_eq!((first.event, first.lanes), (read(0, 10), 8));
        assert_eq!((second.event, second.lanes), (read(2, 11), 16));
    }
}
