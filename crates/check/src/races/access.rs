//! Accesses into the shadow, and what they race with.

use warpvm_machine::exec::Cta as MachineCta;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::Scope;
use warpvm_machine::slots::{LaneMask, lanes};

use super::clock::{Agent, Clock, Know, Known};
use super::events::{Event, Events, Flags, Record};
use super::report::{Spot, is_same_value, verdict};
use super::runs::{Run, Runs, Sharing, by_word};
use super::shadow::Shadow;
use super::threads::{Lanes, Threads};
use super::turns::is_plain_write;
use super::visit::{Order, Visit};
use super::{Cta, Races};
use crate::{Rule, Scene, Severity};

/// A lane's view, to order its access after others.
#[derive(Clone, Copy)]
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

    fn unites(&self) -> bool {
        self.only_phases
    }

    fn dead(&self) -> Clock {
        self.dead.map_or(0, |d| d.floor)
    }

    fn age(&self, e: &Event) -> Clock {
        if self.dead.is_some() && self.is_of_threads(e) { e.clock } else { Clock::MAX }
    }
}

/// How often words are looked at in vain before that is done once in so many times.
const PATIENCE: u8 = 8;

/// A race: the lane, the word, both accesses.
pub(super) type Race = (usize, u64, Record, Record);

impl Races {
    /// Is a plain read one of many alike, in a phase of its CTA, that every word says all of already? Of tiles most are.
    #[inline]
    pub(super) fn is_said(&mut self, s: &Scene<'_>, access: &Access<'_>) -> bool {
        let own = s.who.cta;
        if !self.only_phases || access.space != Space::Shared || access.shared_cta != own || !self.words.is_empty() {
            return false;
        }
        let Some(cta) = self.ctas.get_mut(u64::from(own)) else { return false };
        let mine = &cta.threads.lanes[s.who.warp as usize];
        if !mine.is_level() {
            return false;
        }
        let clock = mine.now[access.lanes.trailing_zeros() as usize & 31];
        let (low, end) = (access.spread.low, access.spread.high + u64::from(access.size));
        if cta.said.covers(clock, low, end) {
            return true;
        }
        // An instruction that has found nothing said mostly finds nothing said again.
        let unsaid = &mut self.unsaid[access.pc as usize];
        *unsaid = unsaid.wrapping_add(1);
        if *unsaid > PATIENCE && !unsaid.is_multiple_of(PATIENCE) {
            return false;
        }
        let flags = Flags::READ.on(15).with(Flags::MANY);
        let is_alike = |e: &Event| e.clock == clock && e.flags == flags && e.cta == own;
        // Mostly all words name the same event: it is looked at once.
        let mut known = 0;
        let events = &self.events;
        let is_said = cta.shadow.is_all(low, end, |id| {
            let is_it = id == known && id != 0 || is_alike(events.at(id));
            known = if is_it { id } else { known };
            is_it
        });
        if is_said {
            *unsaid = 0;
            // Whole words were looked at.
            cta.said.add(clock, low & !3, (end + 3) & !3);
        }
        is_said
    }

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
            if flags != Flags::READ || access.size < 4 {
                cta.said.clear();
            }
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: group.len() == 1, only_phases };
            job.run(&mut cta.threads, &mut cta.shadow, &mut self.events, &mut races);
        } else {
            // Another CTA's memory is taken out while both are used.
            self.cta(access.shared_cta);
            let Some(mut home) = self.ctas.remove(u64::from(access.shared_cta)) else { return };
            home.said.clear();
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: false, only_phases: false };
            let threads = self.threads;
            let cta = self.ctas.get_or(u64::from(own), || Cta::new(own, threads));
            job.run(&mut cta.threads, &mut home.shadow, &mut self.events, &mut races);
            if agent == Agent::Thread {
                self.visit(s, &mut home, access.pc, access.lanes, flags);
            }
            self.ctas.insert(u64::from(access.shared_cta), home);
        }
        for (lane, word, r, x) in races {
            self.report(s, access, lane, word, &r.of_another(&x), &x);
        }
        if self.events.are_many() {
            self.sweep();
        }
    }

    /// Forgets the events that no word names.
    fn sweep(&mut self) {
        let (global, ctas) = (&mut self.global, &mut self.ctas);
        let mut lines = global.lines();
        ctas.each(|cta| lines += cta.shadow.lines());
        self.events.sweep(lines, |f| {
            global.visit_events(f);
            ctas.each(|cta| cta.shadow.visit_events(f));
        });
    }

    #[cold]
    fn report(&mut self, s: &mut Scene<'_>, access: &Access<'_>, lane: usize, word: u64, r: &Record, x: &Record) {
        let warps = self.threads(s).warps;
        let is_own_store = is_plain_write(x.event.flags) && u32::from(x.event.row) < warps;
        if is_own_store
            && (self.turns.has_seen(access.space, access.shared_cta, word, r, x) || self.has_heard(s, lane, r))
        {
            return;
        }
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
        if verdict.rule == Rule::MbarrierInit {
            let object = (access.shared_cta, access.addresses.at(lane));
            if self.is_accused(s, object) {
                return;
            }
            self.accused.insert(object, (x.event.pc, r.event.pc));
        }
        let spot = Spot { space: access.space, address: access.addresses.at(lane) };
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
pub(super) struct Job<'a> {
    pub(super) access: &'a Access<'a>,
    pub(super) agent: Agent,
    pub(super) flags: Flags,
    pub(super) group: &'a [MachineCta],
    pub(super) warp: u32,
    /// Is all that a barrier of the CTA orders dead?
    pub(super) can_die: bool,
    /// Does nothing order warps but barriers of the whole CTA?
    pub(super) only_phases: bool,
}

impl Job<'_> {
    pub(super) fn run(&self, threads: &mut Threads, shadow: &mut Shadow, events: &mut Events, races: &mut Vec<Race>) {
        // Lanes of one time at a time: mostly all of them.
        let mine = &threads.lanes[self.warp as usize];
        let mut rest = self.access.lanes;
        if self.agent == Agent::Thread && mine.is_level() {
            let clock = mine.now[rest.trailing_zeros() as usize & 31];
            self.run_at(threads, shadow, events, races, clock, rest);
            return;
        }
        let times = match self.agent {
            Agent::Thread => mine.now,
            agent => std::array::from_fn(|l| threads.agent_time(self.warp, l, agent)),
        };
        while rest != 0 {
            let clock = times[rest.trailing_zeros() as usize];
            let same = lanes(rest).filter(|&l| times[l] == clock).fold(0, |m, l| m | 1 << l);
            rest &= !same;
            self.run_at(threads, shadow, events, races, clock, same);
        }
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
        let view = View {
            cta: threads.cta,
            warps,
            row: Agent::Thread.row(warps, self.warp),
            lane: 0,
            know: mine.know(0),
            floor: mine.floor(mask),
            dead: self.can_die.then_some(&threads.dead),
            group: self.group,
            is_shared: self.access.space == Space::Shared,
            only_phases: self.only_phases,
        };
        let event = Event { cta: threads.cta, clock, pc: self.access.pc, row, flags: self.flags, first: 0 };
        let mut tour = Tour { job: self, mine, shadow, races };
        if self.access.size >= 4 {
            tour.words(&mut visit(view, events, event, self.flags.on(15)), mask);
            return;
        }
        let rest = if self.may_go_in_parts() { tour.parts(view, events, event, mask) } else { mask };
        // The others go by the bytes that they touch.
        let mut here = [0; 4];
        lanes(rest).for_each(|l| here[(self.access.addresses.at(l) & 3) as usize] |= 1 << l);
        let all_bytes: &[u16] = if self.access.size == 1 { &[1, 2, 4, 8] } else { &[3, 12] };
        for &bytes in all_bytes {
            let here = here[bytes.trailing_zeros() as usize & 3];
            if here != 0 {
                tour.scattered(&mut visit(view, events, event, self.flags.on(bytes)), here);
            }
        }
    }

    /// May neighbouring parts of words be told as one access of the word? Plain ones, where nothing else is made of them.
    fn may_go_in_parts(&self) -> bool {
        (self.flags == Flags::READ || self.flags == Flags::WRITE) && !self.only_phases
    }

    /// May lanes that touch the same word be taken as one?
    fn sharing(&self) -> Sharing {
        let is_atomic =
            self.flags.has(Flags::STRONG) && self.flags.has(Flags::READ) && !self.flags.has(Flags::VOLATILE);
        if self.flags.is_read_only() || is_atomic { Sharing::Together } else { Sharing::Apart }
    }
}

#[inline(always)]
fn visit<'v>(view: View<'v>, events: &'v mut Events, event: Event, flags: Flags) -> Visit<'v, View<'v>> {
    Visit::new(view, events, Event { flags, ..event })
}

/// A job on its way through the words.
struct Tour<'a, 'j> {
    job: &'a Job<'j>,
    mine: &'a Lanes,
    shadow: &'a mut Shadow,
    races: &'a mut Vec<Race>,
}

impl<'a> Tour<'a, '_> {
    /// Accesses of whole words.
    fn words<'v>(&mut self, visit: &mut Visit<'v, View<'v>>, mask: LaneMask)
    where
        'a: 'v,
    {
        let access = self.job.access;
        let runs = if mask == !0 { Runs::of_words(access, self.job.sharing()) } else { None };
        match runs {
            Some(runs) => runs.list().iter().for_each(|run| match run.words {
                1 => self.word(visit, run.start, run.lanes),
                _ => self.run(visit, run),
            }),
            None => self.scattered(visit, mask),
        }
    }

    /// Accesses of neighbouring parts of words. Gives the lanes that have to be looked at by the bytes that they touch.
    fn parts<'v>(&mut self, view: View<'v>, events: &'v mut Events, event: Event, mask: LaneMask) -> LaneMask {
        let access = self.job.access;
        let parts = if access.size == 1 { Flags::QUARTERS } else { Flags::HALVES };
        // Of some lanes, an event that stands for all bytes of a word would say too much.
        let runs = if mask == !0 { Runs::of_parts(access) } else { None };
        let Some(runs) = runs else { return mask };
        let mut rest = 0;
        let mut visit = visit(view, events, event, event.flags.on(15).with(parts));
        for run in runs.list() {
            self.shadow.add_run(run, &mut visit, |_, _, _, lanes| rest |= lanes);
        }
        rest
    }

    fn run<'v>(&mut self, visit: &mut Visit<'v, View<'v>>, run: &Run)
    where
        'a: 'v,
    {
        let Tour { mine, shadow, races, .. } = self;
        shadow.add_run(run, visit, |shadow, visit, word, lanes| look(mine, shadow, races, visit, word, lanes));
    }

    /// Accesses of no known shape, or of a part of the lanes.
    fn scattered<'v>(&mut self, visit: &mut Visit<'v, View<'v>>, mask: LaneMask)
    where
        'a: 'v,
    {
        let access = self.job.access;
        let size = u64::from(access.size);
        if size <= 4 && self.job.flags.is_read_only() {
            self.some_words(visit, by_word(access.addresses, mask));
            return;
        }
        if size == 4 && lanes(mask).all(|lane| access.addresses.at(lane).is_multiple_of(4)) {
            self.some_words(visit, lanes(mask).map(|lane| (access.addresses.at(lane), 1 << lane)));
            return;
        }
        for lane in lanes(mask) {
            let at = access.addresses.at(lane);
            if size > 8 && (at | size).is_multiple_of(4) {
                let words = access.size as usize / 4;
                self.run(visit, &Run { start: at, words, lanes: 1 << lane, each: words, step: 0 });
                continue;
            }
            let (mut word, end) = (at & !3, at.saturating_add(size));
            while word < end {
                self.word(visit, word, 1 << lane);
                word += 4;
            }
        }
    }

    /// One word after the other, each with its lanes.
    #[inline]
    fn some_words<'v>(&mut self, visit: &mut Visit<'v, View<'v>>, words: impl Iterator<Item = (u64, LaneMask)>)
    where
        'a: 'v,
    {
        let Tour { mine, shadow, races, .. } = self;
        shadow.add_words(words, visit, |shadow, visit, word, lanes| look(mine, shadow, races, visit, word, lanes));
    }

    #[inline]
    fn word<'v>(&mut self, visit: &mut Visit<'v, View<'v>>, word: u64, lanes: LaneMask)
    where
        'a: 'v,
    {
        if !self.shadow.add_quickly(word, lanes, visit) {
            look(self.mine, self.shadow, self.races, visit, word, lanes);
        }
    }
}

/// Adds an access to a word whose records need a closer look, lane by lane.
#[cold]
fn look<'a>(
    mine: &'a Lanes,
    shadow: &mut Shadow,
    races: &mut Vec<Race>,
    visit: &mut Visit<'_, View<'a>>,
    word: u64,
    who: LaneMask,
) {
    for lane in lanes(who) {
        visit.order.lane = 1 << lane;
        visit.order.know = mine.know(lane);
        let x = Record { event: visit.event, lanes: 1 << lane };
        shadow.add(word, 1 << lane, visit, |r| races.push((lane, word, *r, x)));
    }
}
