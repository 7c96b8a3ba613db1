//! What is to be done about the records of words, decided once for many words.
//!
//! Most accesses need no more than a look at the event that is there, and what is to be done about an event is the same
//! for most lanes of a warp: it is decided once ([`Decision`]).

use super::clock::Clock;
use super::events::{Event, EventId, Events, Flags, Record, Two};
use super::fate::covers_kind;

/// Decisions that are kept during an access.
const KEPT: usize = 8;

/// How an access is ordered with those before it, for the lanes of a warp.
pub(super) trait Order {
    /// Is the record ordered before the access of the present lane?
    fn is_after(&self, r: &Record) -> bool;
    /// Is everything of this event ordered before the access, for every lane?
    fn is_settled(&self, e: &Event) -> bool;
    /// Is it ordered before every access that may still come?
    fn is_dead(&self, r: &Record) -> bool;
    /// As `is_dead`, for every lane of the event.
    fn is_all_dead(&self, e: &Event) -> bool;
    /// Are these two morally strong towards each other?
    fn are_strong(&self, r: &Event, x: &Event) -> bool;
    /// Is it an access of the same warp's lanes themselves?
    fn is_own_warp(&self, e: &Event) -> bool;
    /// Are they of one kind and so that two of different warps, which nothing orders, may stand for more?
    fn are_alike(&self, r: &Event, x: &Event) -> bool;
    /// May any two be so?
    fn unites(&self) -> bool;
    /// The time up to which what threads of the CTA did is ordered before every access that may still come.
    fn dead(&self) -> Clock;
    /// When an event is: the end of time where `dead` says nothing of it.
    fn age(&self, e: &Event) -> Clock;
}

/// What to do with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Replace,
    Skip,
    Merge,
    Append,
    /// The two stand for all of their kind.
    Unite,
    Look,
}

/// What to do where a word holds a certain event.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    /// Where only the present lane touched it, or where each of the present lanes touched the same part as now.
    pub own: Act,
    /// Otherwise.
    pub others: Act,
    /// Do the lanes of both touch parts of the word, in the same way?
    pub in_parts: bool,
}

impl Decision {
    /// The same in all cases.
    fn always(act: Act) -> Self {
        Decision { own: act, others: act, in_parts: false }
    }

    /// For an access by `lanes` to a word that those of `touched` touched.
    #[inline]
    pub fn act(self, touched: u32, lanes: u32) -> Act {
        if self.own == self.others {
            self.others
        } else if touched == lanes && (self.in_parts || lanes.is_power_of_two()) {
            self.own
        } else if touched & lanes == touched && touched.is_power_of_two() {
            // Not the same for all of the lanes.
            Act::Look
        } else {
            self.others
        }
    }
}

/// An access of a warp to many words, with what was decided so far.
pub(super) struct Visit<'a, O: Order> {
    pub order: O,
    pub events: &'a mut Events,
    pub event: Event,
    /// 0 until it is needed.
    id: EventId,
    /// Events that were decided about, each at its last digits.
    about: [EventId; KEPT],
    decisions: [Decision; KEPT],
}

impl<'a, O: Order> Visit<'a, O> {
    #[inline(always)]
    pub fn new(order: O, events: &'a mut Events, event: Event) -> Self {
        let decisions = [Decision::always(Act::Replace); KEPT];
        Visit { order, events, event, id: 0, about: [0; KEPT], decisions }
    }

    /// The index of the event of the access.
    #[inline]
    pub fn id(&mut self) -> EventId {
        if self.id == 0 {
            self.id = self.events.id(&self.event);
        }
        self.id
    }

    /// When the access is, as [`Order::age`] tells.
    #[inline]
    pub fn age(&self) -> Clock {
        self.order.age(&self.event)
    }

    #[inline]
    pub fn decide(&mut self, id: EventId) -> Decision {
        let slot = id as usize % KEPT;
        if self.about[slot] != id {
            self.about[slot] = id;
            self.decisions[slot] = self.decide_anew(id);
        }
        self.decisions[slot]
    }

    /// Does an event say all that there is to say?
    #[inline]
    pub fn is_said(&mut self, id: EventId) -> bool {
        let decision = self.decide(id);
        decision.own == Act::Skip && decision.others == Act::Skip
    }

    /// Is an event known as one that says all that there is to say?
    #[inline]
    pub fn is_known_said(&self, id: EventId) -> bool {
        let (slot, skip) = (id as usize % KEPT, Act::Skip);
        self.about[slot] == id && self.decisions[slot].own == skip && self.decisions[slot].others == skip
    }

    /// Does an event stand for many accesses of the same time and kind?
    fn is_one_of(&self, r: &Event) -> bool {
        let is_many = r.flags == self.event.flags.with(Flags::MANY);
        is_many && r.clock == self.event.clock && r.cta == self.event.cta
    }

    /// The event that stands for another and this one.
    pub fn united(&mut self, with: EventId) -> Two {
        let first = *self.events.at(with);
        let event = self.events.id(&Event::of_two(&first, &self.event));
        Two::new(event, first.row, self.event.row)
    }

    fn decide_anew(&mut self, id: EventId) -> Decision {
        let r = self.events.at(id);
        if self.is_one_of(r) {
            return Decision::always(Act::Skip);
        }
        if self.order.is_all_dead(r) {
            return Decision::always(Act::Replace);
        }
        let own_id = self.id();
        let (r, x) = (self.events.at(id), &self.event);
        if id == own_id && x.flags.is_read_only() {
            return Decision::always(Act::Merge);
        }
        let covers = x.flags.covers_bytes(r.flags) && covers_kind(x.flags, r.flags);
        let is_settled = self.order.is_settled(r);
        let is_pair = r.flags.is_read_only() && x.flags.is_read_only() || self.order.are_strong(r, x);
        let is_apart = r.flags.bytes() & x.flags.bytes() == 0;
        let is_harmless = is_settled || is_pair || is_apart;
        let is_alike = is_pair && !is_apart && !x.flags.has(Flags::VOLATILE) && self.order.are_alike(r, x);
        let others = if is_settled && covers {
            Act::Replace
        } else if id == own_id && (x.flags.is_read_only() || x.flags.has(Flags::STRONG) && is_pair) {
            Act::Merge
        } else if is_alike && r.flags.has(Flags::MANY) {
            Act::Skip
        } else if is_alike && !self.order.is_own_warp(r) {
            Act::Unite
        } else if is_harmless {
            Act::Append
        } else {
            Act::Look
        };
        let same_time = r.row == x.row && r.clock == x.clock;
        let own = if others == Act::Replace || others == Act::Merge || !self.order.is_own_warp(r) {
            others
        } else if covers {
            Act::Replace
        } else if same_time && r.flags.covers_bytes(x.flags) && covers_kind(r.flags, x.flags) {
            Act::Skip
        } else {
            Act::Append
        };
        Decision { own, others, in_parts: r.flags.parts() == x.flags.parts() && x.flags.parts().is_some() }
    }
}
