//! Accesses into the shadow, and what they race with.

use warpvm_machine::exec::Cta as MachineCta;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::Scope;
use warpvm_machine::slots::{LaneMask, lanes};

use super::clock::{Agent, Clock, Know, Known};
use super::events::{Event, Events, Flags, Record};
use super::report::{Spot, is_same_value, verdict};
use super::shadow::{Order, Shadow, Visit};
use super::threads::Threads;
use super::{Cta, Races};
use crate::{Rule, Scene, Severity};

/// A lane's view, to order its access after others.
struct View<'a> {
    cta: u32,
    warps: u32,
    row: u16,
    lane: LaneMask,
    know: &'a Know,
    /// What all lanes of the access know of all threads of their CTA.
    floor: Clock,
    dead: Option<&'a Known>,
    group: &'a [MachineCta],
    is_shared: bool,
    only_phases: bool,
}

impl View<'_> {
    /// Do the floors say something of this event?
    fn is_of_threads(&self, e: &Event) -> bool {
        e.cta == self.cta && (u32::from(e.row) < self.warps || e.flags.has(Flags::MANY))
    }
}

impl Order for View<'_> {
    fn is_after(&self, r: &Record) -> bool {
        let others = if self.is_own_warp(&r.event) { r.lanes & !self.lane } else { r.lanes };
        if others == 0 {
            return true;
        }
        if r.event.flags.has(Flags::MANY) {
            return self.is_settled(&r.event);
        }
        let known = self.know.of(self.cta, r.event.cta);
        known.is_some_and(|k| k.covers(self.warps, r.event.row, others, r.event.clock))
    }

    fn is_settled(&self, e: &Event) -> bool {
        self.is_of_threads(e) && e.clock <= self.floor
    }

    fn is_dead(&self, r: &Record) -> bool {
        let e = &r.event;
        if e.flags.has(Flags::MANY) {
            return self.is_all_dead(e);
        }
        self.dead.is_some_and(|d| e.cta == self.cta && d.covers(self.warps, e.row, r.lanes, e.clock))
    }

    fn is_all_dead(&self, e: &Event) -> bool {
        self.dead.is_some_and(|d| self.is_of_threads(e) && e.clock <= d.floor)
    }

    fn are_strong(&self, r: &Event, x: &Event) -> bool {
        if !(r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG)) {
            return false;
        }
        let needed = if r.cta == x.cta {
            Scope::Cta
        } else if self.group.iter().any(|c| c.index == r.cta) {
            Scope::Cluster
        } else {
            Scope::Gpu
        };
        if r.flags.scope() < needed || x.flags.scope() < needed {
            return false;
        }
        // Data that lanes of a warp hand over in lock-step.
        let volatile = r.flags.has(Flags::VOLATILE) && x.flags.has(Flags::VOLATILE);
        let in_warp = r.cta == x.cta && r.row == x.row && self.is_shared;
        let reader = if x.flags.has(Flags::WRITE) { r.flags } else { x.flags };
        let is_plain_read = !reader.has(Flags::WRITE) && !reader.has(Flags::POLL);
        let in_lock_step = volatile && in_warp && is_plain_read;
        !in_lock_step
    }

    fn is_own_warp(&self, e: &Event) -> bool {
        e.cta == self.cta && e.row == self.row
    }

    fn are_alike(&self, r: &Event, x: &Event) -> bool {
        self.only_phases && r.cta == x.cta && r.flags.without(Flags::MANY) == x.flags
    }
}

/// A race: the lane, the word, both accesses.
type Race = (usize, u64, Record, Record);

impl Races {
    /// Adds lanes' accesses to the shadow and reports what they race with.
    pub(super) fn record(&mut self, s: &mut Scene<'_>, access: &Access<'_>, agent: Agent, flags: Flags) {
        let own = s.who.cta;
        let group = s.warp.ctas;
        let only_phases = self.only_phases;
        let mut races = Vec::new();
        if access.space == Space::Global {
            let threads = self.threads;
            let cta = self.ctas.get_or(u64::from(own), || Cta::new(own, threads));
            let job =
                Job { access, agent, flags, group, warp: s.who.warp, can_die: self.is_single, only_phases: false };
            job.run(&mut cta.threads, &mut self.global, &mut self.events, &mut races);
        } else if access.shared_cta == own {
            let threads = self.threads;
            let cta = self.ctas.get_or(u64::from(own), || Cta::new(own, threads));
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: group.len() == 1, only_phases };
            job.run(&mut cta.threads, &mut cta.shadow, &mut self.events, &mut races);
        } else {
            // Another CTA's memory is taken out while both are used.
            self.cta(access.shared_cta);
            let Some(mut home) = self.ctas.remove(u64::from(access.shared_cta)) else { return };
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: false, only_phases: false };
            let threads = self.threads;
            let cta = self.ctas.get_or(u64::from(own), || Cta::new(own, threads));
            job.run(&mut cta.threads, &mut home.shadow, &mut self.events, &mut races);
            self.ctas.insert(u64::from(access.shared_cta), home);
        }
        for (lane, word, r, x) in races {
            self.report(s, access, lane, word, &r.of_another(x.event.row), &x);
        }
        if self.events.are_many() {
            self.sweep();
        }
    }

    /// Forgets the events that no word names.
    fn sweep(&mut self) {
        let (global, ctas) = (&mut self.global, &mut self.ctas);
        self.events.sweep(|f| {
            global.visit_events(f);
            ctas.each(|cta| cta.shadow.visit_events(f));
        });
    }

    #[cold]
    fn report(&mut self, s: &mut Scene<'_>, access: &Access<'_>, lane: usize, word: u64, r: &Record, x: &Record) {
        let warps = self.threads(s).warps;
        let is_narrow = r.event.cta != x.event.cta && {
            let by_scope = r.event.flags.has(Flags::STRONG) && x.event.flags.has(Flags::STRONG);
            by_scope
                || self.narrow.iter().any(|(cta, release)| {
                    let known = release.know.of(release.cta, r.event.cta);
                    *cta == x.event.cta && known.is_some_and(|k| k.covers(warps, r.event.row, r.lanes, r.event.clock))
                })
        };
        // Does the lane that issued the copy know that it is done?
        let knows = |t: &Threads, lane: usize| {
            let know = t.lanes[(u32::from(r.event.row) % warps) as usize].know(lane);
            know.own.covers(warps, r.event.row, 1 << lane, r.event.clock)
        };
        let is_done = |lane| self.ctas.get(u64::from(r.event.cta)).is_none_or(|c| knows(&c.threads, lane));
        let is_copy_open = u32::from(x.event.row) >= warps || !lanes(r.lanes).all(is_done);
        let mut verdict = verdict(r, x, warps, is_narrow, is_copy_open);
        let both_write = r.event.flags.has(Flags::WRITE) && x.event.flags.has(Flags::WRITE);
        let is_plain = |f: Flags| !f.has(Flags::STRONG) && !f.has(Flags::READ) && !f.has(Flags::INIT);
        if both_write && is_plain(r.event.flags) && is_plain(x.event.flags) && is_same_value(s, access, lane, r, word) {
            verdict.rule = Rule::RaceSameValue;
            verdict.severity = Severity::Note;
        }
        self.blame_waits(s, r, x);
        let spot = Spot { space: access.space, address: access.addresses[lane] };
        self.reported.add(s, verdict, r, x, spot, access.size, warps);
    }
}

impl Races {
    /// Did one of the two pass a wait that could not hold it up? A writer's may be its first round.
    fn blame_waits(&self, s: &mut Scene<'_>, r: &Record, x: &Record) {
        for (record, other) in [(r, x), (x, r)] {
            let Some(cta) = self.ctas.get(u64::from(record.event.cta)) else { continue };
            let lane = record.lanes.trailing_zeros() as usize & 31;
            let wait = cta.threads.early_wait(record.event.row, lane);
            let is_reader = record.event.flags.is_read_only();
            let is_plain = !other.event.flags.has(Flags::MBARRIER) && !other.event.flags.has(Flags::INIT);
            if let Some(wait) = wait.filter(|w| is_plain && (is_reader || !w.is_first)) {
                self.blame_wait(s, record.event.pc, (u32::from(record.event.row), lane), wait);
            }
        }
    }
}

/// One access of a warp, on its way into the shadow.
struct Job<'a> {
    access: &'a Access<'a>,
    agent: Agent,
    flags: Flags,
    group: &'a [MachineCta],
    warp: u32,
    /// Is all that a barrier of the CTA orders dead?
    can_die: bool,
    /// Does nothing order warps but barriers of the whole CTA?
    only_phases: bool,
}

impl Job<'_> {
    fn run(&self, threads: &mut Threads, shadow: &mut Shadow, events: &mut Events, races: &mut Vec<Race>) {
        // Lanes of one time at a time: mostly all of them.
        let times = match self.agent {
            Agent::Thread => threads.lanes[self.warp as usize].now,
            agent => std::array::from_fn(|l| threads.agent_time(self.warp, l, agent)),
        };
        let mut rest = self.access.lanes;
        while rest != 0 {
            let clock = times[rest.trailing_zeros() as usize];
            let same = lanes(rest).filter(|&l| times[l] == clock).fold(0, |m, l| m | 1 << l);
            rest &= !same;
            self.run_at(threads, shadow, events, races, clock, same);
        }
    }

    /// The first address, where all 32 lanes touch neighbouring words.
    fn row(&self, mask: LaneMask) -> Option<u64> {
        let at = self.access.addresses;
        let size = u64::from(self.access.size);
        let apart = (0..32).fold(0, |x, i| x | (at[i] ^ at[0].wrapping_add(i as u64 * size)));
        (mask == !0 && apart == 0 && size >= 4 && at[0].is_multiple_of(4)).then_some(at[0])
    }

    fn run_at(
        &self,
        threads: &Threads,
        shadow: &mut Shadow,
        events: &mut Events,
        races: &mut Vec<Race>,
        clock: Clock,
        mask: LaneMask,
    ) {
        let warps = threads.warps;
        let mine = &threads.lanes[self.warp as usize];
        let row = self.agent.row(warps, self.warp);
        // Accesses of parts of words go by the bytes that they touch.
        let parts: &[u16] = match self.access.size {
            1 => &[1, 2, 4, 8],
            2 => &[3, 12],
            _ => &[15],
        };
        for &bytes in parts {
            let is_here = |l: &usize| {
                let at = self.access.addresses[*l] & 3;
                self.access.size >= 4 || bytes == (((1 << self.access.size) - 1) << at) as u16
            };
            let here = if bytes == 15 { mask } else { lanes(mask).filter(is_here).fold(0, |m, l| m | 1 << l) };
            if here == 0 {
                continue;
            }
            let (pc, flags) = (self.access.pc, self.flags.on(bytes));
            let event = Event { cta: threads.cta, clock, pc, row, flags, first: (0, 0) };
            let id = events.id(&event);
            let view = View {
                cta: threads.cta,
                warps,
                row: Agent::Thread.row(warps, self.warp),
                lane: 0,
                know: mine.know(0),
                floor: mine.floor(here),
                dead: self.can_die.then_some(&threads.dead),
                group: self.group,
                is_shared: self.access.space == Space::Shared,
                only_phases: self.only_phases,
            };
            let mut visit = Visit::new(view, events, event, id);
            let is_uniform = mine.is_uniform();
            let x = Record { event, lanes: 0 };
            if let Some(start) = self.row(here) {
                let each = self.access.size as usize / 4;
                let lane_is = |view: &mut View<'_>, lane: usize| view.lane = 1 << lane;
                if is_uniform {
                    shadow.add_row(start, each, &mut visit, lane_is, |lane, word, r| {
                        races.push((lane, word, *r, Record { lanes: 1 << lane, ..x }));
                    });
                    continue;
                }
            }
            if is_uniform && self.access.size == 4 && self.flags.is_read_only() {
                let lane_is = |view: &mut View<'_>, lane: usize| view.lane = 1 << lane;
                for (word, readers) in by_word(self.access.addresses, here) {
                    let race = |lane: usize, r: &Record| races.push((lane, word, *r, Record { lanes: 1 << lane, ..x }));
                    shadow.add_read(word, readers, &mut visit, lane_is, race);
                }
                continue;
            }
            for lane in lanes(here) {
                visit.order.lane = 1 << lane;
                if !is_uniform {
                    visit.order.know = mine.know(lane);
                }
                let start = self.access.addresses[lane] & !3;
                let end = (self.access.addresses[lane]).saturating_add(u64::from(self.access.size));
                let mut word = start;
                while word < end {
                    let x = Record { lanes: 1 << lane, ..x };
                    shadow.add(word, 1 << lane, &mut visit, |r| races.push((lane, word, *r, x)));
                    word += 4;
                }
            }
        }
    }
}

/// The words that lanes touch, with the lanes of each: as few as a short look shows. A word may come twice.
fn by_word(at: &[u64; 32], mask: LaneMask) -> impl Iterator<Item = (u64, LaneMask)> + '_ {
    // Tiles of matrices are mostly read alike by both halves of a warp.
    let halves = (0..16).fold(0, |x, i| x | (at[i] ^ at[i + 16])) == 0;
    let (mut rest, both) = if halves { ((mask | mask >> 16) & 0xffff, !0) } else { (mask, 0) };
    std::iter::from_fn(move || {
        let first = if rest == 0 { return None } else { rest.trailing_zeros() as usize };
        let mut readers = 0;
        while rest != 0 && at[rest.trailing_zeros() as usize] == at[first] {
            readers |= rest & rest.wrapping_neg();
            rest &= rest - 1;
        }
        Some((at[first] & !3, mask & (readers | readers << 16 & both)))
    })
}
