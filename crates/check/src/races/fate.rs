//! What becomes of a record when another access comes: the rules of the shadow, a record at a time.

use super::events::{Flags, Record};
use super::visit::Order;

/// What goes for want of room is not the last plain write.
pub(super) fn may_go(flags: Flags) -> bool {
    flags.is_read_only() || flags.has(Flags::STRONG)
}

/// Would an access that races with `r` also race with the younger, ordered `x`, as far as kinds go?
pub(super) fn covers_kind(x: Flags, r: Flags) -> bool {
    let kind = x.has(Flags::WRITE) || r.is_read_only();
    let strength = !x.has(Flags::STRONG) || r.has(Flags::STRONG) && r.scope() >= x.scope();
    let poll = !x.has(Flags::POLL) || r.has(Flags::POLL);
    kind && strength && poll && x.has(Flags::INIT) >= r.has(Flags::INIT)
}

/// What becomes of a record when another access comes.
pub(super) enum Fate {
    Stays,
    Goes,
    /// It says all that the new one says.
    Says,
    /// It takes in the new one's lane.
    Merges,
}

pub(super) fn fate(r: &Record, x: &Record, order: &impl Order, race: &mut impl FnMut(&Record)) -> Fate {
    if order.is_dead(r) {
        return Fate::Goes;
    }
    let (old, new) = (r.event.flags, x.event.flags);
    if old.bytes() & new.bytes() == 0 {
        return Fate::Stays;
    }
    let is_after = order.is_after(r);
    let conflict = old.has(Flags::WRITE) || new.has(Flags::WRITE);
    let raced = !is_after && conflict && !order.are_strong(&r.event, &x.event);
    if raced {
        race(r);
    }
    if r.event == x.event && !raced {
        if r.lanes & x.lanes != 0 {
            return Fate::Says;
        }
        if new.is_read_only() || new.has(Flags::STRONG) {
            return Fate::Merges;
        }
    }
    if new.covers_bytes(old) && covers_kind(new, old) && (is_after || raced) {
        return Fate::Goes;
    }
    let same_time = r.event.row == x.event.row && r.event.clock == x.event.clock && r.event.cta == x.event.cta;
    if same_time && r.lanes == x.lanes && is_after && old.covers_bytes(new) && covers_kind(old, new) {
        return Fate::Says;
    }
    Fate::Stays
}
