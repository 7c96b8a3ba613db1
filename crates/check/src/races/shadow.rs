//! Shadow memory: for each touched word, the accesses that a later one may still race with.
//!
//! A word of four bytes has a [`Cell`] of eight: an event and its lanes, or a chain of several. A record goes away as soon
//! as no later access can race with it without racing with a younger one as well:
//! - where every thread that can reach the memory is ordered after it (`dead`: after a barrier of the whole CTA);
//! - where a younger access covers it: ordered after it, of at least its bytes, a write or at least a read, and not
//!   stronger in the memory model.
//!
//! Most accesses need no more than a look at the event that is there, and what is to be done about an event is the same
//! for most lanes of a warp: it is decided once ([`Decision`]).
//!
//! Of global memory a few readers and atomics a word are remembered: more would cost memory and show nothing new.

use super::events::{Event, EventId, Events, Flags, Record};

/// Words of a page.
const WORDS: usize = 1024;
/// Records of a block of a chain.
const BLOCK: usize = 3;
/// Marks a cell that names a chain.
const CHAIN: u32 = 1 << 31;
/// In the length of a chain: all of its records are reads.
const READS: u32 = 1 << 31;

/// A word: an event with its lanes; or a chain's first block and its length.
#[derive(Clone, Copy, Default)]
struct Cell {
    event: EventId,
    lanes: u32,
}

/// Part of a chain.
#[derive(Clone, Copy, Default)]
struct Block {
    cells: [Cell; BLOCK],
    next: u32,
}

/// Shadow of one memory.
pub(super) struct Shadow {
    base: u64,
    /// Most records of a word.
    most: usize,
    /// Index + 1 of each page; 0 where it was never touched.
    index: Vec<u32>,
    pages: Vec<Box<[Cell]>>,
    blocks: Vec<Block>,
    free: Vec<u32>,
}

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
}

/// What to do with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
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
struct Decision {
    about: EventId,
    /// Where only the present lane touched it.
    own: Act,
    /// Otherwise.
    others: Act,
}

impl Decision {
    /// For an access by `lanes` to a word that those of `touched` touched.
    #[inline]
    fn act(self, touched: u32, lanes: u32) -> Act {
        if touched == lanes && lanes.is_power_of_two() {
            self.own
        } else if touched & lanes == touched && touched.is_power_of_two() && self.own != self.others {
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
    pub id: EventId,
    decisions: [Decision; 16],
}

impl<'a, O: Order> Visit<'a, O> {
    pub fn new(order: O, events: &'a mut Events, event: Event, id: EventId) -> Self {
        let none = Decision { about: 0, own: Act::Replace, others: Act::Replace };
        Visit { order, events, event, id, decisions: [none; 16] }
    }

    /// [`READS`] where the event is a read.
    fn reads(&self, id: EventId) -> u32 {
        if self.events.at(id).flags.is_read_only() { READS } else { 0 }
    }

    #[inline]
    fn decide(&mut self, id: EventId) -> Decision {
        let slot = id as usize & 15;
        if self.decisions[slot].about != id {
            self.decisions[slot] = self.decide_anew(id);
        }
        self.decisions[slot]
    }

    /// Does an event stand for many accesses of the same time and kind? Then there is nothing to add.
    #[inline]
    fn is_one_of(&self, id: EventId) -> bool {
        let r = self.events.at(id);
        let is_many = r.flags == self.event.flags.with(Flags::MANY);
        is_many && r.clock == self.event.clock && r.cta == self.event.cta
    }

    /// The cell of an access that now stands for two warps'.
    fn united(&mut self, cell: Cell, lanes: u32) -> Cell {
        let both = Event::of_two(self.events.at(cell.event), cell.lanes, &self.event);
        Cell { event: self.events.id(&both), lanes }
    }

    fn decide_anew(&self, id: EventId) -> Decision {
        let (r, x) = (self.events.at(id), &self.event);
        let covers = x.flags.covers_bytes(r.flags) && covers_kind(x.flags, r.flags);
        let is_settled = self.order.is_settled(r);
        let is_pair = r.flags.is_read_only() && x.flags.is_read_only() || self.order.are_strong(r, x);
        let is_apart = r.flags.bytes() & x.flags.bytes() == 0;
        let is_harmless = is_settled || is_pair || is_apart;
        let is_alike = is_pair && !is_apart && !x.flags.has(Flags::VOLATILE) && self.order.are_alike(r, x);
        let others = if self.order.is_all_dead(r) || is_settled && covers {
            Act::Replace
        } else if id == self.id && (x.flags.is_read_only() || x.flags.has(Flags::STRONG) && is_pair) {
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
        Decision { about: id, own, others }
    }
}

impl Shadow {
    /// An empty one for addresses from `base` on, with at most `most` records a word.
    pub fn new(base: u64, most: usize) -> Self {
        Shadow { base, most, index: Vec::new(), pages: Vec::new(), blocks: Vec::new(), free: Vec::new() }
    }

    #[inline]
    fn cell(&mut self, word: u64) -> &mut Cell {
        let at = (word.wrapping_sub(self.base) / 4) as usize;
        let page = match self.index.get(at / WORDS) {
            Some(&page) if page != 0 => page,
            _ => self.new_page(at / WORDS),
        };
        &mut self.pages[page as usize - 1][at % WORDS]
    }

    #[cold]
    fn new_page(&mut self, page: usize) -> u32 {
        if page >= self.index.len() {
            self.index.resize(page + 1, 0);
        }
        self.pages.push(vec![Cell::default(); WORDS].into());
        self.index[page] = self.pages.len() as u32;
        self.index[page]
    }

    /// Adds a lane's access to the word at `word` (a multiple of 4). Calls `race` for each record that it races with.
    #[inline]
    pub fn add<O: Order>(&mut self, word: u64, lane: u32, visit: &mut Visit<'_, O>, race: impl FnMut(&Record)) {
        if !self.add_quickly(word, lane, visit) {
            self.look(word, lane, visit, race);
        }
    }

    /// Adds a read of a word by several lanes of a warp that know the same of other threads, as `add` would for each.
    #[inline]
    pub fn add_read<O: Order>(
        &mut self,
        word: u64,
        readers: u32,
        visit: &mut Visit<'_, O>,
        mut lane_is: impl FnMut(&mut O, usize),
        mut race: impl FnMut(usize, &Record),
    ) {
        if self.add_quickly(word, readers, visit) {
            return;
        }
        for lane in warpvm_machine::slots::lanes(readers) {
            lane_is(&mut visit.order, lane);
            self.add(word, 1 << lane, visit, |r| race(lane, r));
        }
    }

    /// Adds an access of lanes where the word's records need no closer look. Otherwise false, and nothing has changed.
    #[inline]
    fn add_quickly<O: Order>(&mut self, word: u64, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        let id = visit.id;
        let cell = self.cell(word);
        if cell.event == 0 {
            *cell = Cell { event: id, lanes };
            return true;
        }
        if cell.event & CHAIN != 0 {
            return self.add_to_chain(word, lanes, visit);
        }
        if visit.is_one_of(cell.event) {
            return true;
        }
        match visit.decide(cell.event).act(cell.lanes, lanes) {
            Act::Replace => *cell = Cell { event: id, lanes },
            Act::Merge => cell.lanes |= lanes,
            Act::Skip => {}
            Act::Unite => {
                let united = visit.united(*cell, lanes);
                *self.cell(word) = united;
            }
            Act::Append => {
                let first = *cell;
                let cells = [first, Cell { event: id, lanes }, Cell::default()];
                let block = self.new_block(Block { cells, next: 0 });
                let reads = visit.reads(first.event) & visit.reads(id);
                *self.cell(word) = Cell { event: CHAIN | block, lanes: 2 | reads };
            }
            Act::Look => return false,
        }
        true
    }

    /// Adds an access of all 32 lanes to neighbouring words, `each` a lane, as `add` would.
    pub fn add_row<O: Order>(
        &mut self,
        start: u64,
        each: usize,
        visit: &mut Visit<'_, O>,
        mut lane_is: impl FnMut(&mut O, usize),
        mut race: impl FnMut(usize, u64, &Record),
    ) {
        let mut done = 0;
        while done < 32 * each {
            let word = start + 4 * done as u64;
            let at = (word.wrapping_sub(self.base) / 4) as usize % WORDS;
            let count = (WORDS - at).min(32 * each - done);
            self.cell(word);
            let page = self.index[(word.wrapping_sub(self.base) / 4) as usize / WORDS] as usize - 1;
            let mut slow = 0;
            // Most rows were touched by one access before, or by none.
            let first = self.pages[page][at].event;
            let is_replaced = first & CHAIN == 0 && first != 0 && visit.decide(first).others == Act::Replace;
            let known = if is_replaced { first } else { 0 };
            let is_said = first & CHAIN == 0 && visit.is_one_of(first);
            let id = visit.id;
            for (i, cell) in self.pages[page][at..at + count].iter_mut().enumerate() {
                if cell.event == 0 || cell.event == known {
                    *cell = Cell { event: id, lanes: 1 << ((done + i) / each) };
                } else if !is_said || cell.event != first {
                    slow += 1;
                }
            }
            for i in 0..if slow == 0 { 0 } else { count } {
                let lane = (done + i) / each;
                let word = start + 4 * (done + i) as u64;
                let cell = *self.cell(word);
                if cell.event != id || cell.lanes != 1 << lane {
                    lane_is(&mut visit.order, lane);
                    self.add(word, 1 << lane, visit, |r| race(lane, word, r));
                }
            }
            done += count;
        }
    }

    fn new_block(&mut self, block: Block) -> u32 {
        if let Some(i) = self.free.pop() {
            self.blocks[i as usize] = block;
            i
        } else {
            self.blocks.push(block);
            self.blocks.len() as u32 - 1
        }
    }

    /// Adds to a chain where nothing in it matters to the access.
    fn add_to_chain<O: Order>(&mut self, word: u64, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        let cell = *self.cell(word);
        let len = (cell.lanes & !READS) as usize;
        let mut block = (cell.event & !CHAIN) as usize;
        let mut left = len;
        let reads = cell.lanes & visit.reads(visit.id);
        loop {
            for i in 0..left.min(BLOCK) {
                let r = self.blocks[block].cells[i];
                if reads != 0 && !visit.order.are_alike(visit.events.at(r.event), &visit.event) {
                    // Nothing to be said about reads, but that it is there.
                    if r.event == visit.id {
                        self.blocks[block].cells[i].lanes |= lanes;
                        return true;
                    }
                    continue;
                }
                match visit.decide(r.event).act(r.lanes, lanes) {
                    Act::Look | Act::Replace => return false,
                    Act::Skip => return true,
                    Act::Merge => {
                        self.blocks[block].cells[i].lanes |= lanes;
                        return true;
                    }
                    Act::Unite => {
                        self.blocks[block].cells[i] = visit.united(r, lanes);
                        return true;
                    }
                    Act::Append => {}
                }
            }
            if left <= BLOCK {
                break;
            }
            left -= BLOCK;
            block = self.blocks[block].next as usize;
        }
        let new = Cell { event: visit.id, lanes };
        if len >= self.most {
            if reads != 0 && self.most > BLOCK {
                return false;
            }
            let last = &mut self.blocks[block].cells[left - 1];
            let can_go = may_go(visit.events.at(last.event).flags);
            if can_go {
                *last = new;
            }
            return can_go;
        }
        if left < BLOCK {
            self.blocks[block].cells[left] = new;
        } else {
            let next = self.new_block(Block { cells: [new, Cell::default(), Cell::default()], next: 0 });
            self.blocks[block].next = next;
        }
        self.cell(word).lanes = (len as u32 + 1) | reads;
        true
    }

    /// The records of a word; its chain, if it has one, is given back.
    fn take(&mut self, word: u64) -> Vec<Cell> {
        let cell = std::mem::take(self.cell(word));
        if cell.event & CHAIN == 0 {
            return vec![cell];
        }
        let (mut block, mut left) = (cell.event & !CHAIN, (cell.lanes & !READS) as usize);
        let mut list = Vec::with_capacity(left + 1);
        loop {
            let b = self.blocks[block as usize];
            self.free.push(block);
            list.extend_from_slice(&b.cells[..left.min(BLOCK)]);
            if left <= BLOCK {
                return list;
            }
            left -= BLOCK;
            block = b.next;
        }
    }

    fn put(&mut self, word: u64, list: &[Cell], reads: u32) {
        let cell = match list {
            [] => Cell::default(),
            [one] => *one,
            _ => {
                let mut next = 0;
                for part in list.chunks(BLOCK).rev() {
                    let mut cells = [Cell::default(); BLOCK];
                    cells[..part.len()].copy_from_slice(part);
                    next = self.new_block(Block { cells, next });
                }
                Cell { event: CHAIN | next, lanes: list.len() as u32 | reads }
            }
        };
        *self.cell(word) = cell;
    }

    /// Looks at every record of a word.
    #[inline(never)]
    fn look<O: Order>(&mut self, word: u64, lane: u32, visit: &mut Visit<'_, O>, mut race: impl FnMut(&Record)) {
        let mut list = self.take(word);
        let x = Record { event: visit.event, lanes: lane };
        let mut is_needed = true;
        let mut merge = None;
        let mut i = 0;
        while i < list.len() {
            let r = Record { event: *visit.events.at(list[i].event), lanes: list[i].lanes };
            match fate(&r, &x, &visit.order, &mut race) {
                Fate::Goes => {
                    list.remove(i);
                    continue;
                }
                Fate::Says => is_needed = false,
                Fate::Merges => merge = Some(i),
                Fate::Stays => {}
            }
            i += 1;
        }
        match merge {
            Some(i) => list[i].lanes |= lane,
            None if is_needed => {
                let can_go = |c: &Cell| may_go(visit.events.at(c.event).flags);
                if list.len() >= self.most
                    && let Some(i) = list.iter().rposition(can_go)
                {
                    list.remove(i);
                }
                list.push(Cell { event: visit.id, lanes: lane });
            }
            None => {}
        }
        let reads = list.iter().fold(READS, |all, c| all & visit.reads(c.event));
        self.put(word, &list, reads);
    }

    /// Shows every event that a word names.
    pub fn visit_events(&mut self, f: &mut dyn FnMut(&mut EventId)) {
        for page in 0..self.pages.len() {
            for i in 0..WORDS {
                let cell = self.pages[page][i];
                if cell.event & CHAIN == 0 {
                    f(&mut self.pages[page][i].event);
                    continue;
                }
                let (mut block, mut left) = ((cell.event & !CHAIN) as usize, (cell.lanes & !READS) as usize);
                loop {
                    self.blocks[block].cells[..left.min(BLOCK)].iter_mut().for_each(|c| f(&mut c.event));
                    if left <= BLOCK {
                        break;
                    }
                    left -= BLOCK;
                    block = self.blocks[block].next as usize;
                }
            }
        }
    }
}

/// What goes for want of room is not the last plain write.
fn may_go(flags: Flags) -> bool {
    flags.is_read_only() || flags.has(Flags::STRONG)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders nothing but a lane's own accesses.
    struct Alone(u32);

    impl Order for Alone {
        fn is_after(&self, r: &Record) -> bool {
            r.lanes == self.0
        }
        fn is_settled(&self, _: &Event) -> bool {
            false
        }
        fn is_dead(&self, _: &Record) -> bool {
            false
        }
        fn is_all_dead(&self, _: &Event) -> bool {
            false
        }
        fn are_strong(&self, r: &Event, x: &Event) -> bool {
            r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG)
        }
        fn is_own_warp(&self, _: &Event) -> bool {
            true
        }
        fn are_alike(&self, _: &Event, _: &Event) -> bool {
            false
        }
    }

    /// A lane, a place in the code, and how.
    type Step = (u32, u32, Flags);

    fn races(list: &[Step]) -> usize {
        let mut shadow = Shadow::new(0, 8);
        let mut events = Events::new();
        let mut found = 0;
        for &(lane, pc, flags) in list {
            let flags = if flags.bytes() == 0 { flags.on(15) } else { flags };
            let event = Event { cta: 0, clock: 1, pc, flags, ..Event::default() };
            let id = events.id(&event);
            let mut visit = Visit::new(Alone(1 << lane), &mut events, event, id);
            shadow.add(64, 1 << lane, &mut visit, |_| found += 1);
        }
        found
    }

    #[test]
    fn many_readers_and_a_writer() {
        let mut list: Vec<Step> = (1..9).map(|l| (l, 7, Flags::READ)).collect();
        list.push((0, 8, Flags::WRITE));
        assert_eq!(races(&list), 1, "readers by one instruction are one record");
        let mut list: Vec<Step> = (1..7).map(|l| (l, l, Flags::READ)).collect();
        list.push((0, 8, Flags::WRITE));
        assert_eq!(races(&list), 6);
    }

    #[test]
    fn bytes_do_not_meet() {
        let (low, high) = (Flags::WRITE.on(3), Flags::WRITE.on(12));
        assert_eq!(races(&[(1, 1, low), (2, 2, high)]), 0);
        assert_eq!(races(&[(1, 1, low), (2, 2, Flags::WRITE.on(14))]), 1);
        assert_eq!(races(&[(1, 1, low), (2, 2, high), (2, 3, Flags::READ)]), 1);
    }

    #[test]
    fn a_plain_write_stays_under_atomics() {
        let atomic = Flags::READ.with(Flags::WRITE).with(Flags::STRONG);
        assert_eq!(races(&[(0, 1, Flags::WRITE), (0, 2, atomic), (3, 2, atomic)]), 1);
    }

    #[test]
    fn a_lane_alone_does_not_race() {
        let list = [(4, 1, Flags::WRITE), (4, 2, Flags::READ), (4, 3, Flags::READ.on(1)), (4, 4, Flags::WRITE.on(2))];
        assert_eq!(races(&list), 0);
    }
}
