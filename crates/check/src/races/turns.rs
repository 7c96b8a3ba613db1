//! Who came to a word by a strong access, in turn.
//!
//! A lane that finds by an atomic that it is the last of all, or by a look at a flag that it may go on, often writes plainly
//! then: it sets a counter back, or fills a box again. By the letter that wants a fence. But a store waits for the branch
//! that leads to it, accesses to one word are made in the order in which a thread has them, and what a releasing thread did
//! before its fence is done when its flag is seen: no chip can show such a store too early. (A load it can: that is a race.)

use std::collections::{HashMap, HashSet};

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::{AtomicOp, Kind, Pc, Program, Role};
use warpvm_machine::slots::{LaneMask, Slot, lanes};

use super::clock::Clock;
use super::events::{Flags, Record};

/// A lane of the grid: CTA, row and lane.
type Who = (u32, u16, u8);

/// See the module.
pub(super) struct Turns {
    /// Instructions whose accesses count, by number: not those that only add something up.
    counts: Vec<bool>,
    /// The last access of a lane to a word, and when it was.
    last: HashMap<(u64, Who), (Clock, u64)>,
    /// When a lane of a CTA read a word last.
    read: HashMap<(u64, u32), u64>,
    now: u64,
}

impl Turns {
    pub fn new(program: &Program, flags: &[Flags]) -> Self {
        let read_later: HashSet<Slot> =
            program.meta.iter().flat_map(|m| &m.operands).filter(|o| o.0 == Role::Read).map(|o| o.2).collect();
        let is_turn = |pc: usize| match &program.code[pc].kind {
            Kind::Atomic(a) => {
                let adds_up = !matches!(a.op, AtomicOp::Exch | AtomicOp::Cas | AtomicOp::Inc | AtomicOp::Dec);
                !adds_up || a.results.iter().any(|r| read_later.contains(&r.1))
            }
            _ => true,
        };
        let has_plain_stores = flags.iter().any(|f| is_plain_write(*f));
        let counts = |(pc, f): (usize, &Flags)| has_plain_stores && f.has(Flags::STRONG) && is_turn(pc);
        Turns {
            counts: flags.iter().enumerate().map(counts).collect(),
            last: HashMap::new(),
            read: HashMap::new(),
            now: 0,
        }
    }

    /// Do accesses of an instruction count?
    pub fn is_turn(&self, pc: Pc) -> bool {
        self.counts[pc as usize]
    }

    /// A strong access of lanes of a CTA's warp, at these times.
    pub fn add(&mut self, access: &Access<'_>, cta: u32, row: u16, times: &[Clock; 32]) {
        for lane in lanes(access.lanes) {
            let word = word(access.space, access.shared_cta, access.addresses.at(lane));
            self.now += 1;
            self.last.insert((word, (cta, row, lane as u8)), (times[lane], self.now));
            if access.kind != AccessKind::Write {
                self.read.insert((word, cta), self.now);
            }
        }
    }

    /// Has the CTA that makes the plain write `x` to a word seen there what the strong access `r` left?
    pub fn has_seen(&self, space: Space, home: u32, address: u64, r: &Record, x: &Record) -> bool {
        let word = word(space, home, address);
        let Some(read) = self.read.get(&(word, x.event.cta)).filter(|_| r.event.flags.has(Flags::STRONG)) else {
            return false;
        };
        let is_seen = |lane: usize| {
            let last = self.last.get(&(word, (r.event.cta, r.event.row, lane as u8)));
            last.is_some_and(|(clock, time)| *clock >= r.event.clock && time < read)
        };
        lanes(r.lanes as LaneMask).all(is_seen)
    }
}

fn word(space: Space, home: u32, address: u64) -> u64 {
    match space {
        Space::Shared => 1 << 63 | u64::from(home) << 32 | address & !3,
        _ => address & !3,
    }
}

/// Is it a plain write and nothing else?
pub(super) fn is_plain_write(f: Flags) -> bool {
    f.has(Flags::WRITE) && !f.has(Flags::READ) && !f.has(Flags::STRONG) && !f.has(Flags::INIT)
}
