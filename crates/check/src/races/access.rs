//! Accesses into the shadow, and what they race with.

use warpvm_machine::exec::Cta as MachineCta;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::Scope;
use warpvm_machine::slots::{LaneMask, lanes};

use super::clock::{Agent, Know, Known};
use super::report::{Spot, is_same_value, verdict};
use super::shadow::{Flags, Order, Record, Shadow};
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
    dead: Option<&'a Known>,
    group: &'a [MachineCta],
    is_shared: bool,
}

impl Order for View<'_> {
    #[inline]
    fn is_after(&self, r: &Record) -> bool {
        let own = r.cta == self.cta && r.row == self.row;
        let others = if own { r.lanes & !self.lane } else { r.lanes };
        if others == 0 {
            return true;
        }
        self.know.of(self.cta, r.cta).is_some_and(|k| k.covers(self.warps, r.row, others, r.clock))
    }

    #[inline]
    fn is_dead(&self, r: &Record) -> bool {
        self.dead.is_some_and(|d| r.cta == self.cta && d.covers(self.warps, r.row, r.lanes, r.clock))
    }

    fn are_strong(&self, r: &Record, x: &Record) -> bool {
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
        !(volatile && in_warp && !reader.has(Flags::WRITE) && !reader.has(Flags::POLL))
    }
}

/// A race: the lane, the word, both accesses.
type Race = (usize, u64, Record, Record);

impl Races {
    /// Adds lanes' accesses to the shadow and reports what they race with.
    pub(super) fn record(&mut self, s: &mut Scene<'_>, access: &Access<'_>, agent: Agent, flags: Flags) {
        let own = s.who.cta;
        let group = s.warp.ctas;
        let mut races = Vec::new();
        if access.space == Space::Global {
            let threads = self.threads;
            let cta = self.ctas.get_or(own, || Cta::new(own, threads));
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: self.is_single };
            job.run(&mut cta.threads, &mut self.global, &mut races);
        } else if access.shared_cta == own {
            let cta = self.cta(own);
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: group.len() == 1 };
            job.run(&mut cta.threads, &mut cta.shadow, &mut races);
        } else {
            // Another CTA's memory is taken out while both are used.
            self.cta(access.shared_cta);
            let Some(mut home) = self.ctas.remove(access.shared_cta) else { return };
            let job = Job { access, agent, flags, group, warp: s.who.warp, can_die: false };
            job.run(&mut self.cta(own).threads, &mut home.shadow, &mut races);
            self.ctas.insert(access.shared_cta, home);
        }
        for (lane, word, r, x) in races {
            self.report(s, access, lane, word, &r, &x);
        }
    }

    #[cold]
    fn report(&mut self, s: &mut Scene<'_>, access: &Access<'_>, lane: usize, word: u64, r: &Record, x: &Record) {
        let warps = self.threads(s).warps;
        let is_narrow = r.cta != x.cta && {
            let by_scope = r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG);
            by_scope
                || self.narrow.iter().any(|(cta, release)| {
                    let known = release.know.of(release.cta, r.cta);
                    *cta == x.cta && known.is_some_and(|k| k.covers(warps, r.row, r.lanes, r.clock))
                })
        };
        // Does the lane that issued the copy know that it is done?
        let knows = |t: &Threads, lane: usize| {
            let know = t.lanes[(u32::from(r.row) % warps) as usize].know(lane);
            know.own.covers(warps, r.row, 1 << lane, r.clock)
        };
        let is_done = |lane| self.ctas.get(r.cta).is_none_or(|c| knows(&c.threads, lane));
        let is_copy_open = u32::from(x.row) >= warps || !lanes(r.lanes).all(is_done);
        let mut verdict = verdict(r, x, warps, is_narrow, is_copy_open);
        let both_write = r.flags.has(Flags::WRITE) && x.flags.has(Flags::WRITE);
        let is_plain = |f: Flags| !f.has(Flags::STRONG) && !f.has(Flags::READ) && !f.has(Flags::INIT);
        if both_write && is_plain(r.flags) && is_plain(x.flags) && is_same_value(s, access, lane, r, word) {
            verdict.rule = Rule::RaceSameValue;
            verdict.severity = Severity::Note;
        }
        let spot = Spot { space: access.space, address: access.addresses[lane] };
        self.reported.add(s, verdict, r, x, spot, access.size, warps);
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
}

impl Job<'_> {
    fn run(&self, threads: &mut Threads, shadow: &mut Shadow, races: &mut Vec<Race>) {
        let warps = threads.warps;
        let times: Option<[u32; 32]> = (self.agent != Agent::Thread)
            .then(|| std::array::from_fn(|l| threads.agent_time(self.warp, l, self.agent)));
        let mine = &threads.lanes[self.warp as usize];
        let mut view = View {
            cta: threads.cta,
            warps,
            row: Agent::Thread.row(warps, self.warp),
            lane: 0,
            know: mine.know(0),
            dead: self.can_die.then_some(&threads.dead),
            group: self.group,
            is_shared: self.access.space == Space::Shared,
        };
        let row = self.agent.row(warps, self.warp);
        let mut x = Record { cta: threads.cta, clock: 0, lanes: 0, pc: self.access.pc, row, flags: self.flags };
        for lane in lanes(self.access.lanes) {
            view.lane = 1 << lane;
            view.know = mine.know(lane);
            x.lanes = 1 << lane;
            x.clock = times.map_or(mine.now[lane], |t| t[lane]);
            let start = self.access.addresses[lane];
            let end = start.saturating_add(u64::from(self.access.size));
            let mut word = start & !3;
            while word < end {
                let low = start.saturating_sub(word).min(4);
                let high = (end - word).min(4);
                x.flags = self.flags.on((15 << low & 15) & (15 >> (4 - high)));
                shadow.add(word, &x, &view, |r| races.push((lane, word, *r, x)));
                word += 4;
            }
        }
    }
}
