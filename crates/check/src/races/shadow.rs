//! Shadow memory: for each touched word, the accesses that a later one may still race with.
//!
//! A word of four bytes has a [`Cell`] with one [`Record`] in place; more go to a list. A record names the warp (or its
//! agent for asynchronous copies), its lanes, their time, the bytes of the word, and how it was made. A record goes
//! away as soon as no later access can race with it without racing with a younger one as well:
//! - where every thread that can reach the memory is ordered after it (`dead`: after a barrier of the whole CTA);
//! - where a younger access covers it: ordered after it, of at least its bytes, a write or at least a read, and not
//!   stronger in the memory model.
//!
//! Readers and atomics of many CTAs are remembered for a few of them only: more would cost memory and show nothing new.

use warpvm_machine::program::{Pc, Scope};

use super::clock::Clock;

/// Bytes of a page.
const PAGE: u64 = 1024;
/// Words of a page.
const WORDS: usize = (PAGE / 4) as usize;
/// Most records of a word that are kept of CTAs other than the newest access's.
const FOREIGN: usize = 4;

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

    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
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

    fn is_read_only(self) -> bool {
        !self.has(Flags::WRITE)
    }
}

/// Accesses of lanes of a warp, at one time and in one way.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub cta: u32,
    pub clock: Clock,
    pub lanes: u32,
    pub pc: Pc,
    pub row: u16,
    pub flags: Flags,
}

/// A word's records: one here, the others in list `more - 1`.
#[derive(Clone, Copy, Default)]
struct Cell {
    first: Record,
    more: u32,
}

/// Shadow of one memory.
#[derive(Default)]
pub(super) struct Shadow {
    base: u64,
    /// Index + 1 of each page; 0 where it was never touched.
    index: Vec<u32>,
    pages: Vec<Box<[Cell; WORDS]>>,
    lists: Vec<Vec<Record>>,
    free: Vec<u32>,
}

/// Somebody who makes an access, for one lane.
pub(super) trait Order {
    /// Is the record ordered before the access?
    fn is_after(&self, r: &Record) -> bool;
    /// Is it ordered before every access that may still come?
    fn is_dead(&self, r: &Record) -> bool;
    /// Are these two morally strong towards each other?
    fn are_strong(&self, r: &Record, x: &Record) -> bool;
}

impl Shadow {
    /// An empty one for addresses from `base` on.
    pub fn new(base: u64) -> Self {
        Shadow { base, ..Shadow::default() }
    }

    fn cell(&mut self, word: u64) -> &mut Cell {
        let at = word.wrapping_sub(self.base);
        let page = (at / PAGE) as usize;
        if page >= self.index.len() {
            self.index.resize(page + 1, 0);
        }
        if self.index[page] == 0 {
            self.pages.push(Box::new([Cell::default(); WORDS]));
            self.index[page] = self.pages.len() as u32;
        }
        &mut self.pages[self.index[page] as usize - 1][(at % PAGE / 4) as usize]
    }

    /// Adds an access to the word at `word` (a multiple of 4). Calls `race` for each record that it races with.
    #[inline]
    pub fn add(&mut self, word: u64, x: &Record, order: &impl Order, race: impl FnMut(&Record)) {
        let cell = self.cell(word);
        if cell.more == 0 {
            let r = &mut cell.first;
            if r.flags == Flags::default() {
                *r = *x;
                return;
            }
            if r.row == x.row && r.clock == x.clock && r.cta == x.cta && r.flags == x.flags {
                if x.flags.is_read_only() || x.flags.has(Flags::STRONG) {
                    r.lanes |= x.lanes;
                    return;
                }
                if r.lanes == x.lanes && order.is_after(r) {
                    return;
                }
            }
            let covers = x.flags.bytes() | !r.flags.bytes() == !0;
            if order.is_dead(r) || covers && covers_kind(x.flags, r.flags) && order.is_after(r) {
                *r = *x;
                return;
            }
        }
        self.add_slow(word, x, order, race);
    }

    #[inline(never)]
    fn add_slow(&mut self, word: u64, x: &Record, order: &impl Order, mut race: impl FnMut(&Record)) {
        let cell = *self.cell(word);
        let mut list = match cell.more {
            0 => Vec::new(),
            n => {
                self.free.push(n - 1);
                std::mem::take(&mut self.lists[n as usize - 1])
            }
        };
        list.push(cell.first);
        let mut is_needed = true;
        let mut merge = None;
        let mut i = 0;
        while i < list.len() {
            let r = list[i];
            match fate(&r, x, order, &mut race) {
                Fate::Goes => {
                    list.swap_remove(i);
                    continue;
                }
                Fate::Says => is_needed = false,
                Fate::Merges => merge = Some(i),
                Fate::Stays => {}
            }
            i += 1;
        }
        match merge {
            Some(i) => list[i].lanes |= x.lanes,
            None if is_needed => {
                let foreign = list.iter().filter(|r| r.cta != x.cta && !is_last_write(r)).count();
                if foreign >= FOREIGN
                    && let Some(i) = list.iter().rposition(|r| r.cta != x.cta && !is_last_write(r))
                {
                    list.swap_remove(i);
                }
                list.push(*x);
            }
            None => {}
        }
        let first = list.pop().unwrap_or_default();
        let more = if list.is_empty() { 0 } else { self.keep(list) };
        *self.cell(word) = Cell { first, more };
    }

    fn keep(&mut self, list: Vec<Record>) -> u32 {
        match self.free.pop() {
            Some(i) => {
                self.lists[i as usize] = list;
                i + 1
            }
            None => {
                self.lists.push(list);
                self.lists.len() as u32
            }
        }
    }
}

/// A plain write is never dropped for want of room.
fn is_last_write(r: &Record) -> bool {
    r.flags.has(Flags::WRITE) && !r.flags.has(Flags::STRONG)
}

/// Would an access that races with `r` also race with the younger, ordered `x`, as far as kinds go?
fn covers_kind(x: Flags, r: Flags) -> bool {
    let kind = x.has(Flags::WRITE) || r.is_read_only();
    let strength = !x.has(Flags::STRONG) || r.has(Flags::STRONG) && r.scope() >= x.scope();
    let poll = !x.has(Flags::POLL) || r.has(Flags::POLL);
    kind && strength && poll && x.has(Flags::INIT) >= r.has(Flags::INIT)
}

/// What becomes of a record when another access comes.
enum Fate {
    Stays,
    Goes,
    /// It says all that the new one says.
    Says,
    /// It takes in the new one's lane.
    Merges,
}

fn fate(r: &Record, x: &Record, order: &impl Order, race: &mut impl FnMut(&Record)) -> Fate {
    if order.is_dead(r) {
        return Fate::Goes;
    }
    if r.flags.bytes() & x.flags.bytes() == 0 {
        return Fate::Stays;
    }
    let is_after = order.is_after(r);
    let conflict = r.flags.has(Flags::WRITE) || x.flags.has(Flags::WRITE);
    let mut raced = false;
    if !is_after && conflict && !order.are_strong(r, x) {
        race(r);
        raced = true;
    }
    let same_time = r.row == x.row && r.clock == x.clock && r.cta == x.cta;
    if same_time && r.flags == x.flags && !raced {
        if r.lanes & x.lanes != 0 {
            return Fate::Says;
        }
        if x.flags.is_read_only() || x.flags.has(Flags::STRONG) {
            return Fate::Merges;
        }
    }
    let covers = x.flags.bytes() | !r.flags.bytes() == !0;
    if covers && covers_kind(x.flags, r.flags) && (is_after || raced) {
        return Fate::Goes;
    }
    let is_covered = r.flags.bytes() | !x.flags.bytes() == !0;
    if same_time && r.lanes == x.lanes && is_after && is_covered && covers_kind(r.flags, x.flags) {
        return Fate::Says;
    }
    Fate::Stays
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders nothing but a lane's own accesses.
    struct Alone(u32);

    impl Order for Alone {
        fn is_after(&self, r: &Record) -> bool {
            r.lanes == self.0
        }
        fn is_dead(&self, _: &Record) -> bool {
            false
        }
        fn are_strong(&self, r: &Record, x: &Record) -> bool {
            r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG)
        }
    }

    fn record(lane: u32, flags: Flags) -> Record {
        Record { cta: 0, clock: 1, lanes: 1 << lane, pc: lane, row: 0, flags: flags.on(15) }
    }

    fn races(list: &[Record]) -> usize {
        let mut shadow = Shadow::new(0);
        let mut found = 0;
        for x in list {
            shadow.add(64, x, &Alone(x.lanes), |_| found += 1);
        }
        found
    }

    #[test]
    fn many_readers_and_a_writer() {
        let mut list: Vec<Record> = (1..9).map(|l| record(l, Flags::READ)).collect();
        list.push(record(0, Flags::WRITE));
        assert_eq!(races(&list), 1, "readers of one warp are one record");
    }

    #[test]
    fn bytes_do_not_meet() {
        let mut low = record(1, Flags::WRITE);
        low.flags = low.flags.on(3);
        let mut high = record(2, Flags::WRITE);
        high.flags = high.flags.on(12);
        assert_eq!(races(&[low, high]), 0);
        high.flags = high.flags.on(14);
        assert_eq!(races(&[low, high]), 1);
    }

    #[test]
    fn a_plain_write_stays_under_atomics() {
        let atomic = Flags::READ.with(Flags::WRITE).with(Flags::STRONG);
        assert_eq!(races(&[record(0, Flags::WRITE), record(0, atomic), record(3, atomic)]), 1);
    }
}
