//! Shadow memory: for each touched word, the accesses that a later one may still race with.
//!
//! A word of four bytes has a [`Cell`] of eight: an event and its lanes, or a chain of several; words that were touched by
//! rows of lanes have records in common ([`Line`]). A record goes away as soon
//! as no later access can race with it without racing with a younger one as well:
//! - where every thread that can reach the memory is ordered after it (`dead`: after a barrier of the whole CTA);
//! - where a younger access covers it: ordered after it, of at least its bytes, a write or at least a read, and not
//!   stronger in the memory model.
//!
//! An access of a warp mostly comes as runs of words ([`Run`]), and the words of a run mostly hold the same event: it is
//! decided about once and done with as a row ([`Shadow::add_run`]). `visit` has the decisions, `fate` the rules for a record.
//!
//! Of global memory a few readers and atomics a word are remembered: more would cost memory and show nothing new.

use std::ops::Range;

use warpvm_machine::slots::{LaneMask, lanes};

use super::events::{Event, EventId, Record};
use super::fate::{Fate, fate, may_go};
use super::lines::{Cell, LINE, Line, ROWS, Row};
use super::rows::{Added, CHAIN, add_row, add_to_equals, equals};
use super::runs::Run;
use super::visit::{Act, Order, Visit};

/// Words of a page.
const WORDS: usize = 1024;
/// Lines of a page.
const LINES: usize = WORDS / LINE;
/// Records of a block of a chain.
const BLOCK: usize = 3;
/// In the length of a chain: all of its records are reads.
const READS: u32 = 1 << 31;

/// Part of a chain.
#[derive(Clone, Copy, Default)]
struct Block {
    cells: [Cell; BLOCK],
    next: u32,
}

/// Shadow of neighbouring words.
struct Page {
    lines: [Line; LINES],
    /// Cells of lines that are split; none where no line ever was.
    cells: Option<Box<[Cells; LINES]>>,
}

/// The cells of a line.
type Cells = [Cell; LINE];

#[inline(never)]
fn new_cells() -> Box<[Cells; LINES]> {
    Box::new([Cells::default(); LINES])
}

impl Page {
    #[inline(never)]
    fn new() -> Box<Page> {
        Box::new(Page { lines: [Line::default(); LINES], cells: None })
    }
}

/// Shadow of one memory.
pub(super) struct Shadow {
    base: u64,
    /// Most records of a word.
    most: usize,
    /// None where it was never touched.
    pages: Vec<Option<Box<Page>>>,
    blocks: Vec<Block>,
    free: Vec<u32>,
}

impl Shadow {
    /// An empty one for addresses from `base` on, with at most `most` records a word.
    pub fn new(base: u64, most: usize) -> Self {
        Shadow { base, most, pages: Vec::new(), blocks: Vec::new(), free: Vec::new() }
    }

    #[inline]
    fn place(&self, word: u64) -> usize {
        (word.wrapping_sub(self.base) / 4) as usize
    }

    #[inline]
    fn page(&mut self, page: usize) -> &mut Page {
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page].get_or_insert_with(Page::new)
    }

    #[inline]
    fn line(&mut self, at: usize) -> &mut Line {
        &mut self.page(at / WORDS).lines[at / LINE % LINES]
    }

    /// A line with its cells.
    #[inline]
    fn line_and_cells(&mut self, at: usize) -> (&mut Line, &mut Cells) {
        let Page { lines, cells } = self.page(at / WORDS);
        let cells = cells.get_or_insert_with(new_cells);
        (&mut lines[at / LINE % LINES], &mut cells[at / LINE % LINES])
    }

    /// The line of a word, empty where all that it holds is ordered before everything to come.
    #[inline]
    fn fresh_line<O: Order>(&mut self, at: usize, visit: &Visit<'_, O>) -> &mut Line {
        let line = self.line(at);
        if line.newest > visit.order.dead() || line.newest == 0 {
            // Once more for the borrow checker.
            return self.line(at);
        }
        if line.has_chains {
            self.drop_chains(at);
        }
        let line = self.line(at);
        line.clear();
        line
    }

    #[cold]
    fn drop_chains(&mut self, at: usize) {
        for word in at / LINE * LINE..(at / LINE + 1) * LINE {
            self.take(self.base + 4 * word as u64);
        }
    }

    /// The cell of a word of a line that is split.
    #[inline]
    fn cell(&mut self, word: u64) -> &mut Cell {
        let at = self.place(word);
        &mut self.line_and_cells(at).1[at % LINE]
    }

    /// Does every word of some bytes name one event, about which `is_it` says yes? Of many bytes it is not asked.
    #[inline]
    pub fn is_all(&self, start: u64, end: u64, mut is_it: impl FnMut(EventId) -> bool) -> bool {
        let (mut at, end) = (self.place(start), self.place(end + 3));
        if end - at > 4 * LINE {
            return false;
        }
        while at < end {
            let Some(Some(page)) = self.pages.get(at / WORDS) else { return false };
            let line = &page.lines[at / LINE % LINES];
            let next = ((at / LINE + 1) * LINE).min(end);
            let is_said = match (line.only(), &page.cells) {
                (Some(event), _) => is_it(event),
                (None, Some(cells)) if line.is_split => {
                    let cells = &cells[at / LINE % LINES][at % LINE..][..next - at];
                    cells.iter().all(|c| c.event & CHAIN == 0 && is_it(c.event))
                }
                _ => false,
            };
            if !is_said {
                return false;
            }
            at = next;
        }
        true
    }

    /// Gives each word of a line its cell.
    fn split(&mut self, at: usize) {
        let (line, cells) = self.line_and_cells(at);
        if line.is_split {
            return;
        }
        let is_read = line.is_read;
        let mut rows = [Row::default(); ROWS];
        let count = line.rows().len();
        rows[..count].copy_from_slice(line.rows());
        line.is_split = true;
        line.has_chains = count > 1;
        if count == 0 {
            cells.fill(Cell::default());
            return;
        }
        if count == 1 {
            *cells = std::array::from_fn(|word| rows[0].cell(word));
            return;
        }
        let reads = if is_read { READS } else { 0 };
        for word in 0..LINE {
            let cells = rows.map(|row| row.cell(word));
            let block = self.new_block(Block { cells, next: 0 });
            self.line_and_cells(at).1[word] = Cell { event: CHAIN | block, lanes: count as u32 | reads };
        }
    }

    /// Adds a lane's access to the word at `word` (a multiple of 4). Calls `race` for each record that it races with.
    #[inline]
    pub fn add<O: Order>(&mut self, word: u64, lane: u32, visit: &mut Visit<'_, O>, race: impl FnMut(&Record)) {
        if !self.add_quickly(word, lane, visit) {
            self.look(word, lane, visit, race);
        }
    }

    /// Adds an access of lanes where the word's records need no closer look. Otherwise false, and nothing has changed.
    #[inline]
    pub fn add_quickly<O: Order>(&mut self, word: u64, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        self.is_known_said(word, visit) || self.add_to_word(word, lanes, visit)
    }

    /// Is a word known to hold an event that says all that there is to say?
    #[inline]
    fn is_known_said<O: Order>(&self, word: u64, visit: &Visit<'_, O>) -> bool {
        let at = self.place(word);
        let Some(Some(page)) = self.pages.get(at / WORDS) else { return false };
        let Some(cells) = &page.cells else { return false };
        let line = &page.lines[at / LINE % LINES];
        let event = cells[at / LINE % LINES][at % LINE].event;
        line.is_split && visit.is_known_said(event) && line.newest > visit.order.dead()
    }

    #[inline(never)]
    fn add_to_word<O: Order>(&mut self, word: u64, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        let at = self.place(word);
        !self.open_line(at, visit) || self.add_to_cell(at, lanes, visit)
    }

    /// Adds an access of lanes to words, each with the lanes that touch it. Calls `look` for each word, with its lanes,
    /// whose records need a closer look: nothing has been added there.
    #[inline]
    pub fn add_words<O: Order>(
        &mut self,
        words: impl Iterator<Item = (u64, LaneMask)>,
        visit: &mut Visit<'_, O>,
        mut look: impl FnMut(&mut Self, &mut Visit<'_, O>, u64, LaneMask),
    ) {
        // Words that follow each other are mostly of one line: it is opened once.
        let mut open = usize::MAX;
        for (word, lanes) in words {
            let at = self.place(word);
            if at / LINE != open {
                if self.is_known_said(word, visit) || !self.open_line(at, visit) {
                    continue;
                }
                open = at / LINE;
            }
            if !self.add_to_cell(at, lanes, visit) {
                look(self, visit, word, lanes);
            }
        }
    }

    /// Makes a line go by its cells, for an access to some of its words. False where the line says all of it already.
    #[inline(never)]
    fn open_line<O: Order>(&mut self, at: usize, visit: &mut Visit<'_, O>) -> bool {
        let line = self.fresh_line(at, visit);
        if !line.is_split {
            if let [row] = line.rows()
                && visit.is_said(row.event)
            {
                return false;
            }
            self.split(at);
        }
        self.line(at).touch(visit.age());
        true
    }

    /// The cell of a word, where its page has cells.
    #[inline(always)]
    fn known_cell(&mut self, at: usize) -> Option<&mut Cell> {
        let cells = self.pages.get_mut(at / WORDS)?.as_mut()?.cells.as_mut()?;
        Some(&mut cells[at / LINE % LINES][at % LINE])
    }

    /// Adds to a word of a line that is open.
    #[inline(always)]
    fn add_to_cell<O: Order>(&mut self, at: usize, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        let is_said = self.known_cell(at).is_some_and(|cell| visit.is_known_said(cell.event));
        is_said || self.add_to_cell_anew(at, lanes, visit)
    }

    #[inline(never)]
    fn add_to_cell_anew<O: Order>(&mut self, at: usize, lanes: u32, visit: &mut Visit<'_, O>) -> bool {
        let Some(cell) = self.known_cell(at) else { return false };
        if cell.event == 0 {
            *cell = Cell { event: visit.id(), lanes };
            return true;
        }
        if cell.event & CHAIN != 0 {
            return self.add_to_chain(self.base + 4 * at as u64, lanes, visit);
        }
        match visit.decide(cell.event).act(cell.lanes, lanes) {
            Act::Replace => *cell = Cell { event: visit.id(), lanes },
            Act::Merge => cell.lanes |= lanes,
            Act::Skip => {}
            Act::Unite => cell.unite(visit.united(cell.event), lanes),
            Act::Append => {
                let first = *cell;
                let id = visit.id();
                let cells = [first, Cell { event: id, lanes }, Cell::default()];
                let block = self.new_block(Block { cells, next: 0 });
                let reads = reads(visit, first.event) & reads(visit, id);
                let (line, cells) = self.line_and_cells(at);
                cells[at % LINE] = Cell { event: CHAIN | block, lanes: 2 | reads };
                line.has_chains = true;
            }
            Act::Look => return false,
        }
        true
    }

    /// Adds an access of lanes to neighbouring words. Calls `look` for each word, with its lanes, whose records need a
    /// closer look: nothing has been added there.
    #[inline]
    pub fn add_run<O: Order>(
        &mut self,
        run: &Run,
        visit: &mut Visit<'_, O>,
        mut look: impl FnMut(&mut Self, &mut Visit<'_, O>, u64, LaneMask),
    ) {
        let mut done = 0;
        while done < run.words {
            let word = run.start + 4 * done as u64;
            let at = self.place(word);
            let count = (LINE - at % LINE).min(run.words - done);
            let most = self.most;
            let line = self.fresh_line(at, visit);
            if count < LINE || line.is_split || !add_row(line, run, done, most, visit) {
                self.split(at);
                self.add_to_cells(run, done..done + count, visit, &mut look);
            }
            done += count;
        }
    }

    /// Adds to words of a line that is split.
    fn add_to_cells<O: Order>(
        &mut self,
        run: &Run,
        range: Range<usize>,
        visit: &mut Visit<'_, O>,
        look: &mut impl FnMut(&mut Self, &mut Visit<'_, O>, u64, LaneMask),
    ) {
        let mut done = range.start;
        while done < range.end {
            let word = run.start + 4 * done as u64;
            let at = self.place(word);
            let (line, cells) = self.line_and_cells(at);
            let cells = &mut cells[at % LINE..][..range.end - done];
            let same = equals(cells);
            match add_to_equals(&mut cells[..same], run, done, visit) {
                Added::Nothing => {
                    for i in 0..same {
                        let (word, lanes) = (word + 4 * i as u64, run.lanes_at(done + i));
                        if !self.add_quickly(word, lanes, visit) {
                            look(self, visit, word, lanes);
                        }
                    }
                }
                Added::Said => {}
                Added::Instead if same == LINE => match Row::of(run, done, visit.id()) {
                    Some(row) => line.set(row, visit.age(), visit.event.flags.is_read_only()),
                    None => line.touch(visit.age()),
                },
                Added::Instead | Added::More => line.touch(visit.age()),
            }
            done += same;
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
        let id = visit.id();
        let new = Cell { event: id, lanes };
        let reads = if visit.event.flags.is_read_only() { cell.lanes & READS } else { 0 };
        let len = (cell.lanes & !READS) as usize;
        let mut block = (cell.event & !CHAIN) as usize;
        let mut left = len;
        // Nothing is to be said about reads, but that they are there.
        let is_noted = reads != 0 && !visit.order.unites();
        // The record that takes it in, if none of the others needs a closer look.
        let mut taker = None;
        loop {
            let cells = &mut self.blocks[block].cells[..left.min(BLOCK)];
            for (i, r) in cells.iter_mut().enumerate() {
                if is_noted || reads != 0 && !visit.order.are_alike(visit.events.at(r.event), &visit.event) {
                    if r.event == id {
                        r.lanes |= lanes;
                        return true;
                    }
                    continue;
                }
                match visit.decide(r.event).act(r.lanes, lanes) {
                    Act::Look | Act::Replace => return false,
                    Act::Append => {}
                    act => taker = taker.or(Some((block, i, act))),
                }
            }
            if left > BLOCK {
                left -= BLOCK;
                block = self.blocks[block].next as usize;
                continue;
            }
            if let Some((block, i, act)) = taker {
                let r = &mut self.blocks[block].cells[i];
                match act {
                    Act::Merge => r.lanes |= lanes,
                    Act::Unite => r.unite(visit.united(r.event), lanes),
                    _ => {}
                }
                return true;
            }
            if len < self.most {
                break;
            }
            if reads != 0 && self.most > BLOCK {
                return false;
            }
            let last = &mut cells[left - 1];
            let can_go = reads != 0 || may_go(visit.events.at(last.event).flags);
            if can_go {
                *last = new;
                self.cell(word).lanes = len as u32 | reads;
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
        let at = self.place(word);
        let (line, cells) = self.line_and_cells(at);
        line.has_chains |= cell.event & CHAIN != 0;
        cells[at % LINE] = cell;
    }

    /// Looks at every record of a word.
    #[inline(never)]
    fn look<O: Order>(&mut self, word: u64, lane: u32, visit: &mut Visit<'_, O>, mut race: impl FnMut(&Record)) {
        let mut list = self.take(word);
        if list.iter().any(|c| visit.events.at(c.event).flags.parts().is_some()) {
            list = in_parts(&list, visit);
        }
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
                list.push(Cell { event: visit.id(), lanes: lane });
            }
            None => {}
        }
        let reads = list.iter().fold(READS, |all, c| all & reads(visit, c.event));
        self.put(word, &list, reads);
    }

    /// Number of lines that were touched or are near such.
    pub fn lines(&self) -> usize {
        LINES * self.pages.iter().flatten().count()
    }

    /// Shows every event that a word names.
    pub fn visit_events(&mut self, f: &mut dyn FnMut(&mut EventId)) {
        for page in self.pages.iter_mut().flatten() {
            let split = page.lines.map(|line| line.is_split);
            let whole = page.lines.iter_mut().filter(|line| !line.is_split);
            whole.for_each(|line| line.rows().iter_mut().for_each(|row| f(&mut row.event)));
            let Some(cells) = &mut page.cells else { continue };
            let cells = cells.iter_mut().zip(split).filter(|(_, is_split)| *is_split);
            for cell in cells.flat_map(|(cells, _)| cells) {
                if cell.event & CHAIN == 0 {
                    f(&mut cell.event);
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

/// [`READS`] where the event is a read.
fn reads<O: Order>(visit: &Visit<'_, O>, id: EventId) -> u32 {
    if visit.events.at(id).flags.is_read_only() { READS } else { 0 }
}

/// The same records, with each lane that touched a part of the word by itself.
#[cold]
fn in_parts<O: Order>(list: &[Cell], visit: &mut Visit<'_, O>) -> Vec<Cell> {
    let mut all = Vec::new();
    for cell in list {
        let event = *visit.events.at(cell.event);
        if event.flags.parts().is_none() {
            all.push(*cell);
            continue;
        }
        for lane in lanes(cell.lanes) {
            let part = Event { flags: event.flags.part(lane), ..event };
            all.push(Cell { event: visit.events.id(&part), lanes: 1 << lane });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::races::clock::Clock;
    use crate::races::events::{Events, Flags};

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
        fn unites(&self) -> bool {
            false
        }
        fn dead(&self) -> Clock {
            0
        }
        fn age(&self, _: &Event) -> Clock {
            Clock::MAX
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
            let mut visit = Visit::new(Alone(1 << lane), &mut events, event);
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
