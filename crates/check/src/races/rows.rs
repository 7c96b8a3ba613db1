//! What is decided about once for many words: rows of lines, and cells that name the same event.

use super::events::EventId;
use super::fate::may_go;
use super::lines::{Cell, Line, ROWS, Row};
use super::runs::Run;
use super::visit::{Act, Order, Visit};

/// Marks a cell that names a chain.
pub(super) const CHAIN: u32 = 1 << 31;

/// Adds the part of a run that fills a line which is not split, where nothing in the line needs a closer look. Otherwise
/// false, and nothing has changed.
pub(super) fn add_row<O: Order>(
    line: &mut Line,
    run: &Run,
    from: usize,
    most: usize,
    visit: &mut Visit<'_, O>,
) -> bool {
    if let [row] = line.rows()
        && visit.is_one_of(row.event)
    {
        return true;
    }
    let Some(new) = Row::of(run, from, visit.id()) else { return false };
    let (age, is_read) = (visit.age(), visit.event.flags.is_read_only());
    let count = line.rows().len();
    if count == 0 {
        line.set(new, age, is_read);
        return true;
    }
    // Nothing is to be said about reads, but that they are there.
    let is_noted = count > 1 && line.is_read && is_read && !visit.order.unites();
    // The row that takes it in, if none of the others needs a closer look.
    let mut taker = None;
    for i in 0..count {
        let row = &mut line.rows()[i];
        if is_noted {
            if row.event == new.event {
                return row.merge(&new);
            }
            continue;
        }
        let decision = visit.decide(row.event);
        let act = if decision.own == decision.others {
            decision.others
        } else if row.is_by_the_same(&new) {
            decision.act(row.lanes(), new.lanes())
        } else {
            return false;
        };
        match act {
            Act::Replace if count == 1 => {
                line.set(new, age, is_read);
                return true;
            }
            Act::Replace | Act::Look => return false,
            Act::Append => {}
            act => taker = taker.or(Some((i, act))),
        }
    }
    if let Some((i, act)) = taker {
        let row = &mut line.rows()[i];
        match act {
            Act::Merge => return row.merge(&new),
            Act::Unite => {
                let Some(both) = Row::of_two(row, &new, || visit.united(row.event)) else { return false };
                *row = both;
                line.touch(age);
            }
            _ => {}
        }
        return true;
    }
    if count < ROWS.min(most) {
        line.push(new, is_read);
        line.touch(age);
        return true;
    }
    let last = &mut line.rows()[count - 1];
    let can_go = count == most && (is_noted || may_go(visit.events.at(last.event).flags));
    if can_go {
        *last = new;
        line.is_read &= is_read;
        line.touch(age);
    }
    can_go
}

/// How many of the cells name the same as the first.
#[inline]
pub(super) fn equals(cells: &[Cell]) -> usize {
    let first = cells[0].event;
    if cells.iter().fold(0, |apart, c| apart | (c.event ^ first)) == 0 {
        return cells.len();
    }
    cells.iter().position(|c| c.event != first).unwrap_or(cells.len())
}

/// What has become of words.
pub(super) enum Added {
    /// Nothing yet.
    Nothing,
    /// What they hold says it all.
    Said,
    /// Their records have gone.
    Instead,
    /// It is in their records.
    More,
}

/// Adds an access to words of a run, from the one at `from` on, that name the same event, where that needs no closer look.
#[inline]
pub(super) fn add_to_equals<O: Order>(cells: &mut [Cell], run: &Run, from: usize, visit: &mut Visit<'_, O>) -> Added {
    let first = cells[0].event;
    if first & CHAIN != 0 {
        return Added::Nothing;
    }
    if first != 0 && visit.is_one_of(first) {
        return Added::Said;
    }
    if first == 0 || visit.is_all_dead(first) {
        put_all(cells, run, from, visit.id());
        return Added::Instead;
    }
    let decision = visit.decide(first);
    let act = if decision.own == decision.others {
        decision.others
    } else {
        let act = decision.act(cells[0].lanes, run.lanes_at(from));
        if cells.iter().enumerate().any(|(i, c)| decision.act(c.lanes, run.lanes_at(from + i)) != act) {
            return Added::Nothing;
        }
        act
    };
    match act {
        Act::Replace => {
            put_all(cells, run, from, visit.id());
            return Added::Instead;
        }
        Act::Merge => cells.iter_mut().enumerate().for_each(|(i, c)| c.lanes |= run.lanes_at(from + i)),
        Act::Skip => return Added::Said,
        Act::Unite => {
            let event = visit.united(first);
            cells.iter_mut().enumerate().for_each(|(i, c)| c.unite(event, run.lanes_at(from + i)));
        }
        Act::Append | Act::Look => return Added::Nothing,
    }
    Added::More
}

/// Puts an event into words of a run.
#[inline]
fn put_all(cells: &mut [Cell], run: &Run, from: usize, event: EventId) {
    if run.each == 1 {
        let mut lanes = run.lanes_at(from);
        for cell in cells {
            *cell = Cell { event, lanes };
            lanes <<= run.step;
        }
        return;
    }
    for (i, cell) in cells.iter_mut().enumerate() {
        *cell = Cell { event, lanes: run.lanes_at(from + i) };
    }
}
