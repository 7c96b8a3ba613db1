//! Lines of sixteen words: what they have in common is kept once.
//!
//! Lanes mostly touch neighbouring words in turn, so that the records of a whole line are an event and a pattern of lanes
//! (a [`Row`]). A line that was touched in another way is split into cells.

use super::clock::Clock;
use super::events::{EventId, Two};
use super::runs::Run;

/// Words of a line.
pub(super) const LINE: usize = 16;
/// Rows of a line, at most; more is for chains.
pub(super) const ROWS: usize = 3;

/// A word: an event with its lanes; or a chain's first block and its length.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub event: EventId,
    pub lanes: u32,
}

impl Cell {
    /// Now names an event that stands for two, the second by `lanes`.
    #[inline]
    pub fn unite(&mut self, both: Two, lanes: u32) {
        *self = Cell { event: both.event, lanes: both.lanes(self.lanes, lanes) };
    }
}

/// An event that all words of a line name, with the lanes of each.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    pub event: EventId,
    pattern: Pattern,
}

/// The lanes of a row's words.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Pattern {
    /// Those of the first word.
    lanes: u32,
    /// How they change from word to word.
    step: u16,
    /// How many words in a row have the same.
    each: u8,
    /// Do they tell of two accesses ([`Two`])?
    is_of_two: bool,
}

impl Pattern {
    #[inline]
    fn at(self, word: usize) -> u32 {
        let groups = if self.each == 1 { word } else { word / usize::from(self.each.max(1)) } as u32;
        let step = groups * u32::from(self.step);
        if self.is_of_two { self.lanes + step } else { self.lanes << step }
    }
}

impl Row {
    /// The part of a run that fills a line, from its word at `from` on.
    #[inline]
    pub fn of(run: &Run, from: usize, event: EventId) -> Option<Row> {
        let lanes = run.lanes_at(from);
        let (step, each) = match run.each {
            1 => (run.step, 1),
            2 | 4 if from.is_multiple_of(run.each) => (run.step, run.each),
            _ if lanes == run.lanes_at(from + LINE - 1) => (0, 1),
            _ => return None,
        };
        let pattern = Pattern { lanes, step: step as u16, each: each as u8, is_of_two: false };
        Some(Row { event, pattern })
    }

    /// As the cell of a word.
    #[inline]
    pub fn cell(&self, word: usize) -> Cell {
        Cell { event: self.event, lanes: self.pattern.at(word) }
    }

    /// Are each word's lanes the same as in another row?
    #[inline]
    pub fn is_by_the_same(&self, other: &Row) -> bool {
        self.pattern == other.pattern
    }

    /// Does each word have the lanes of the first, further on? Then what can be said of the first word's can be said of all.
    pub fn lanes(&self) -> u32 {
        self.pattern.lanes
    }

    /// Takes in the lanes of another row of the same event. Otherwise false, and nothing has changed.
    pub fn merge(&mut self, other: &Row) -> bool {
        let (mine, theirs) = (&mut self.pattern, other.pattern);
        let is_alike = (mine.step, mine.each, mine.is_of_two) == (theirs.step, theirs.each, theirs.is_of_two);
        if is_alike {
            mine.lanes |= theirs.lanes;
        }
        is_alike
    }

    /// The row of an event that stands for two rows, where there is one.
    pub fn of_two(first: &Row, second: &Row, both: impl FnOnce() -> Two) -> Option<Row> {
        let (a, b) = (first.pattern, second.pattern);
        if a.is_of_two || b.is_of_two || a.each != b.each {
            return None;
        }
        let both = both();
        let (lanes, step) = (both.lanes(a.lanes, b.lanes), a.step | b.step << 5);
        Some(Row { event: both.event, pattern: Pattern { lanes, step, each: a.each, is_of_two: true } })
    }
}

/// What the words of a line have in common.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// Time of the newest record, where all are of threads of the CTA; otherwise the end of time. 0 where there is none.
    pub newest: Clock,
    /// Does each word go by its own cell, and are there no rows?
    pub is_split: bool,
    /// May some cells be chains?
    pub has_chains: bool,
    /// Are all rows reads?
    pub is_read: bool,
    count: u8,
    rows: [Row; ROWS],
}

impl Line {
    /// The rows of a line that is not split.
    #[inline]
    pub fn rows(&mut self) -> &mut [Row] {
        &mut self.rows[..usize::from(self.count)]
    }

    /// The event that all of its words name, if that is the only one.
    #[inline]
    pub fn only(&self) -> Option<EventId> {
        (self.count == 1 && !self.is_split).then_some(self.rows[0].event)
    }

    /// Forgets everything. Chains have been given back.
    #[inline]
    pub fn clear(&mut self) {
        self.newest = 0;
        (self.is_split, self.has_chains, self.count) = (false, false, 0);
    }

    /// Has one row only, made at a time.
    #[inline]
    pub fn set(&mut self, row: Row, newest: Clock, is_read: bool) {
        self.rows[0] = row;
        (self.newest, self.count, self.is_read) = (newest, 1, is_read);
        (self.is_split, self.has_chains) = (false, false);
    }

    /// Adds a row; there is room for it.
    pub fn push(&mut self, row: Row, is_read: bool) {
        if let Some(place) = self.rows.get_mut(usize::from(self.count)) {
            *place = row;
            self.count += 1;
            self.is_read &= is_read;
        }
    }

    /// Something was added.
    #[inline]
    pub fn touch(&mut self, time: Clock) {
        self.newest = self.newest.max(time);
    }
}
