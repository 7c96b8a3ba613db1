//! Races by happens-before.
//!
//! Two accesses to the same bytes, one of them a write, race where nothing orders them and they are not morally strong
//! towards each other (PTX ISA, chapter 8). Order comes from:
//! - the program order of a lane;
//! - block barriers, from everybody who arrived to everybody who waits; exited threads count as arrived;
//! - `bar.warp.sync`, among the lanes that meet in it; other collectives order no memory;
//! - the cluster barrier, unless `.relaxed`;
//! - release and acquire through strong accesses, by their own semantics or by fences, within their scopes. Two forms
//!   that are common and work on every chip are taken as order although the manual does not promise it: the fence of a
//!   reader may be a block barrier where the read was an atomic one, and what each thread has fenced before a barrier
//!   is released by the strong write of a leader after it;
//! - mbarriers: an arrival releases, a test that passes acquires;
//! - asynchronous copies are made by agents of their own (`clock::Agent`), whose accesses are known to the lane that
//!   waits for the group, or to everybody who sees the mbarrier's phase complete.
//!
//! The run is one interleaving, and a read sees the last write before it, so what a strong read observes is what stands
//! in the word. `fence.sc` orders as `fence.acq_rel` does: the order of two such fences is an accident of the run.
//!
//! Design: `clock` has the layered vector clocks, `shadow` the records of a word, `threads` the clocks of a CTA, `sync`
//! the words and objects that lanes synchronise through, `polls` tells flags from data, `report` makes findings.

mod clock;
mod polls;
mod report;
mod shadow;
mod sync;
mod threads;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use warpvm_machine::exec::MbarrierObject;
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::{CLUSTER_STRIDE, GLOBAL_BASE, SHARED_BASE, SHARED_START, Space, resolve_generic};
use warpvm_machine::observe::{Access, Event, MbarrierEvent};
use warpvm_machine::program::{
    Address, AddressSpace, AsyncCopy, AsyncGroup, BarrierOp, CollectiveOp, Completion, Kind, Load, MbarrierOp,
    Ordering, Pc, Scope,
};
use warpvm_machine::slots::{Class, LaneMask, lanes};

use self::clock::{Agent, Know, Known};
use self::report::{Reported, Spot, is_same_value, verdict};
use self::shadow::{Flags, Order, Record, Shadow};
use self::sync::{Mbarrier, Pending, Release, Stamp, Words};
use self::threads::Threads;
use crate::{Context, Part, Rule, Scene, Severity};

/// See the module.
pub(crate) struct Races {
    threads: u32,
    /// Is the whole grid one CTA?
    is_single: bool,
    global: Shadow,
    words: Words,
    mbarriers: HashMap<(u32, u64), Mbarrier>,
    /// CTAs that run.
    ctas: HashMap<u32, Box<Cta>>,
    /// What was released at each phase of a cluster's barrier, by first CTA and phase.
    clusters: HashMap<(u32, u32), Know>,
    /// Releases that did not reach a CTA because of their scope.
    narrow: Vec<(u32, Release)>,
    polls: HashSet<Pc>,
    reported: Reported,
}

/// What is kept of a CTA while it runs.
struct Cta {
    threads: Threads,
    shadow: Shadow,
    /// Phases of the cluster barrier that each lane has arrived at, by warp.
    phases: Vec<[u32; 32]>,
}

/// A lane's view, to order its access after others.
struct View<'a> {
    cta: u32,
    warps: u32,
    row: u16,
    lane: LaneMask,
    know: &'a Know,
    dead: Option<&'a Known>,
    cluster: &'a [u32],
    is_shared: bool,
}

impl Order for View<'_> {
    fn is_after(&self, r: &Record) -> bool {
        let own = r.cta == self.cta && r.row == self.row;
        let others = if own { r.lanes & !self.lane } else { r.lanes };
        let known = self.know.of(self.cta, r.cta);
        others == 0 || known.is_some_and(|k| k.covers(self.warps, r.row, others, r.clock))
    }

    fn is_dead(&self, r: &Record) -> bool {
        self.dead.is_some_and(|d| r.cta == self.cta && d.covers(self.warps, r.row, r.lanes, r.clock))
    }

    fn are_strong(&self, r: &Record, x: &Record) -> bool {
        if !(r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG)) {
            return false;
        }
        let together = r.cta == x.cta || self.cluster.contains(&r.cta);
        let needed = match (r.cta == x.cta, together) {
            (true, _) => Scope::Cta,
            (false, true) => Scope::Cluster,
            _ => Scope::Gpu,
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

/// Where a lane's address leads: memory, CTA for shared memory, address or offset.
pub(crate) fn resolve(s: &Scene<'_>, a: &Address, lane: usize) -> (Space, u32, u64) {
    let base = if a.base.is_some() { s.warp.regs.get(a.class, a.base, lane) } else { 0 };
    let address = base.wrapping_add(a.offset as u64);
    let address = if a.base.is_some() && a.class == Class::R32 { address & 0xffff_ffff } else { address };
    let owner = |offset: u64| match offset / u64::from(CLUSTER_STRIDE) {
        0 => s.who.cta,
        n => s.warp.ctas.get(n as usize - 1).map_or(s.who.cta, |c| c.index),
    };
    let (space, address) = match a.space {
        AddressSpace::Global | AddressSpace::Const => return (Space::Global, s.who.cta, address),
        AddressSpace::Shared => {
            let offset = if address >> 32 == SHARED_BASE >> 32 { address - SHARED_BASE } else { address };
            return (Space::Shared, s.who.cta, offset);
        }
        AddressSpace::SharedCluster if address >> 32 == 0 => (Space::Shared, address),
        AddressSpace::Local | AddressSpace::Frame => return (Space::Local, s.who.cta, address),
        AddressSpace::Param => return (Space::Param, s.who.cta, address),
        AddressSpace::Generic | AddressSpace::SharedCluster => resolve_generic(address),
    };
    match space {
        Space::Shared => (space, owner(address), address % u64::from(CLUSTER_STRIDE)),
        space => (space, s.who.cta, address),
    }
}

impl Races {
    pub fn new(cx: &Context) -> Self {
        let ctas = cx.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        Races {
            threads: cx.threads,
            is_single: ctas == 1,
            global: Shadow::new(GLOBAL_BASE),
            words: Words::default(),
            mbarriers: HashMap::new(),
            ctas: HashMap::new(),
            clusters: HashMap::new(),
            narrow: Vec::new(),
            polls: polls::polls(&cx.program),
            reported: Reported::default(),
        }
    }

    fn cta(&mut self, index: u32) -> &mut Cta {
        let threads = self.threads;
        self.ctas.entry(index).or_insert_with(|| {
            let threads = Threads::new(index, threads);
            let phases = vec![[0; 32]; threads.warps as usize];
            Box::new(Cta { threads, shadow: Shadow::new(u64::from(SHARED_START)), phases })
        })
    }

    fn threads(&mut self, s: &Scene<'_>) -> &mut Threads {
        &mut self.cta(s.who.cta).threads
    }

    /// Adds lanes' accesses to the shadow and reports what they race with.
    fn record(&mut self, s: &mut Scene<'_>, access: &Access<'_>, agent: Agent, flags: Flags) {
        self.cta(s.who.cta);
        let cluster: Vec<u32> = s.warp.ctas.iter().map(|c| c.index).collect();
        let is_shared = access.space == Space::Shared;
        // The memory's shadow and its CTA's threads are taken out while they are both used.
        let Some(mut own) = self.ctas.remove(&s.who.cta) else { return };
        let mut remote =
            if is_shared && access.shared_cta != s.who.cta { self.ctas.remove(&access.shared_cta) } else { None };
        if is_shared && access.shared_cta != s.who.cta && remote.is_none() {
            self.ctas.insert(s.who.cta, own);
            return;
        }
        let warp = s.who.warp;
        let mut races: Vec<(usize, u64, Record, Record)> = Vec::new();
        {
            let Cta { threads, shadow: own_shadow, .. } = &mut *own;
            let times: Vec<u32> = match agent {
                Agent::Thread => Vec::new(),
                agent => (0..32).map(|l| threads.agent_time(warp, l, agent)).collect(),
            };
            let can_die = if is_shared { cluster.len() == 1 } else { self.is_single };
            let warps = threads.warps;
            let shadow = match (&mut remote, is_shared) {
                (Some(remote), _) => &mut remote.shadow,
                (None, true) => own_shadow,
                (None, false) => &mut self.global,
            };
            let mine = &threads.lanes[warp as usize];
            let mut view = View {
                cta: s.who.cta,
                warps,
                row: Agent::Thread.row(warps, warp),
                lane: 0,
                know: mine.know(0),
                dead: can_die.then_some(&threads.dead),
                cluster: &cluster,
                is_shared,
            };
            let row = agent.row(warps, warp);
            for lane in lanes(access.lanes) {
                view.lane = 1 << lane;
                view.know = mine.know(lane);
                let clock = times.get(lane).copied().unwrap_or(mine.now[lane]);
                let start = access.addresses[lane];
                let end = start.saturating_add(u64::from(access.size));
                let mut x = Record { cta: s.who.cta, clock, lanes: 1 << lane, pc: access.pc, row, flags };
                let mut word = start & !3;
                while word < end {
                    let low = start.saturating_sub(word).min(4);
                    let high = (end - word).min(4);
                    x.flags = flags.on((15 << low & 15) & (15 >> (4 - high)));
                    shadow.add(word, &x, &view, |r| races.push((lane, word, *r, x)));
                    word += 4;
                }
            }
        }
        for (lane, word, r, x) in races {
            self.report(s, access, &own.threads, lane, word, &r, &x);
        }
        self.ctas.insert(s.who.cta, own);
        if let Some(remote) = remote {
            self.ctas.insert(access.shared_cta, remote);
        }
    }

    fn report(
        &mut self,
        s: &mut Scene<'_>,
        access: &Access<'_>,
        own: &Threads,
        lane: usize,
        word: u64,
        r: &Record,
        x: &Record,
    ) {
        let warps = own.warps;
        let is_narrow = r.cta != x.cta && {
            let by_scope = r.flags.has(Flags::STRONG) && x.flags.has(Flags::STRONG);
            by_scope
                || self.narrow.iter().any(|(cta, release)| {
                    let known = release.know.of(release.cta, r.cta);
                    *cta == x.cta && known.is_some_and(|k| k.covers(warps, r.row, r.lanes, r.clock))
                })
        };
        // Does the lane that issued the copy know that it is done?
        let is_copy_open = u32::from(x.row) >= warps || {
            let known = |l: usize| {
                let issuer = if r.cta == own.cta { Some(own) } else { self.ctas.get(&r.cta).map(|c| &c.threads) };
                issuer.is_none_or(|t| {
                    let know = t.lanes[(u32::from(r.row) % warps) as usize].know(l);
                    know.own.covers(warps, r.row, 1 << l, r.clock)
                })
            };
            !lanes(r.lanes).all(known)
        };
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

    /// Strong accesses: what they observe and what they let out.
    fn synchronise(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        let is_strong = access.ordering != Ordering::Weak || access.kind == AccessKind::Atomic;
        let base = match access.space {
            Space::Global => 0,
            Space::Shared => 1 << 63 | u64::from(access.shared_cta) << 32,
            Space::Local | Space::Param => return,
        };
        for lane in lanes(access.lanes) {
            let key = base | access.addresses[lane];
            if !is_strong {
                if access.kind == AccessKind::Write {
                    self.words.clear(key & !3);
                }
                continue;
            }
            let key = key & !3;
            if access.kind != AccessKind::Write && self.words.may_hold(key) {
                self.observe(s, access, lane, key);
            }
            if access.kind != AccessKind::Read {
                self.let_out(s, access, lane, key);
            }
        }
    }

    /// A strong read of a word that may hold releases.
    fn observe(&mut self, s: &Scene<'_>, access: &Access<'_>, lane: usize, key: u64) {
        let releases: Vec<Release> = self.words.at(key).to_vec();
        let is_acquire = matches!(access.ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst);
        for release in releases {
            let pending = Pending { release, scope: access.scope, by_atomic: access.kind == AccessKind::Atomic };
            if is_acquire {
                self.acquire(s, lane, &pending);
            } else {
                self.threads(s).await_fence(s.who.warp, lane, pending);
            }
        }
    }

    /// Lanes acquire where the scopes allow.
    fn acquire(&mut self, s: &Scene<'_>, lane: usize, pending: &Pending) {
        if reaches(s, pending, pending.scope) {
            self.threads(s).acquire(s.who.warp, lane, &pending.release);
        } else {
            self.refuse(s.who.cta, pending.release.clone());
        }
    }

    fn refuse(&mut self, cta: u32, release: Release) {
        let same = |(c, r): &(u32, Release)| *c == cta && Arc::ptr_eq(&r.know, &release.know);
        if self.narrow.len() < 256 && !self.narrow.iter().any(same) {
            self.narrow.push((cta, release));
        }
    }

    /// A strong write: what the lane releases with it.
    fn let_out(&mut self, s: &Scene<'_>, access: &Access<'_>, lane: usize, key: u64) {
        let warp = s.who.warp;
        let is_release = matches!(access.ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst);
        let is_update = access.kind == AccessKind::Atomic;
        let threads = self.threads(s);
        if !is_release && !threads.has_fences(warp) {
            if !is_update {
                self.words.clear(key);
            }
            return;
        }
        let (warps, row) = (threads.warps, Agent::Thread.row(threads.warps, warp));
        let mut list = threads.released(warp, lane);
        if is_release {
            let w = &threads.lanes[warp as usize];
            list.push((access.scope, w.know(lane).clone(), w.now[lane]));
            threads.tick(warp, 1 << lane);
        }
        if !is_update {
            self.words.clear(key);
        }
        let mut set = Vec::new();
        for (scope, know, clock) in &list {
            let scope = (*scope).min(access.scope);
            let stamp = Stamp { scope, cta: s.who.cta, warps, row, lane, clock: *clock, know, pc: access.pc };
            if is_update {
                self.words.add(key, &stamp);
            } else {
                set.push(stamp.release());
            }
        }
        if !is_update {
            self.words.set(key, set);
        }
    }

    fn fence(&mut self, s: &Scene<'_>, mask: LaneMask, ordering: Ordering, scope: Scope) {
        let warp = s.who.warp;
        let acquires = !matches!(ordering, Ordering::Release);
        let releases = !matches!(ordering, Ordering::Acquire);
        if acquires {
            let cta = s.who.cta;
            let refused = self.threads(s).acquire_pending(warp, mask, |p| reaches(s, p, scope.min(p.scope)));
            refused.into_iter().for_each(|r| self.refuse(cta, r));
        }
        if releases {
            self.threads(s).fence(warp, mask, scope);
        }
    }

    /// A block barrier stands in for the fence after an atomic read, as in the sample code of CUDA: what such a reader
    /// hands on to its CTA it has not cached before.
    fn acquire_atomics(&mut self, s: &Scene<'_>, mask: LaneMask) {
        let (cta, warp) = (s.who.cta, s.who.warp);
        let mut narrow = Vec::new();
        self.threads(s).acquire_pending(warp, mask, |p| {
            let reached = reaches(s, p, p.scope);
            if p.by_atomic && !reached {
                narrow.push(p.release.clone());
            }
            p.by_atomic && reached
        });
        narrow.into_iter().for_each(|r| self.refuse(cta, r));
    }

    /// A plain or strong access of lanes themselves.
    fn own_access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        let is_atomic = access.kind == AccessKind::Atomic;
        let mut flags = match access.kind {
            AccessKind::Read => Flags::READ,
            AccessKind::Write => Flags::WRITE,
            AccessKind::Atomic => Flags::READ.with(Flags::WRITE),
        };
        if is_atomic || access.ordering != Ordering::Weak {
            flags = flags.with(Flags::STRONG).scoped(access.scope);
            if access.ordering == Ordering::Volatile {
                flags = flags.with(Flags::VOLATILE);
                if self.polls.contains(&access.pc) {
                    flags = flags.with(Flags::POLL);
                }
            }
        }
        self.record(s, access, Agent::Thread, flags);
        self.synchronise(s, access);
    }

    /// An access of an asynchronous copy of one lane.
    fn copy_access(&mut self, s: &mut Scene<'_>, access: &Access<'_>, copy: &AsyncCopy) {
        let is_read = access.kind == AccessKind::Read;
        let agent = match copy.completion {
            Completion::Group => Agent::CopyGroup,
            Completion::BulkGroup if is_read => Agent::BulkRead,
            Completion::BulkGroup => Agent::BulkWrite,
            Completion::Mbarrier => Agent::BulkMbarrier,
        };
        let flags = match (is_read, copy.reduce.is_some()) {
            (true, _) => Flags::READ,
            (false, false) => Flags::WRITE,
            // Reductions are relaxed atomics at device scope.
            (false, true) => Flags::READ.with(Flags::WRITE).with(Flags::STRONG).scoped(Scope::Gpu),
        };
        self.record(s, access, agent, flags);
        if !is_read && agent == Agent::BulkMbarrier {
            self.count_copy(s, access, copy);
        }
    }

    /// A bulk copy that completes on an mbarrier: who sees the phase complete knows of it.
    fn count_copy(&mut self, s: &Scene<'_>, access: &Access<'_>, copy: &AsyncCopy) {
        let Some(address) = &copy.mbarrier else { return };
        let warp = s.who.warp;
        for lane in lanes(access.lanes) {
            let (_, home, at) = resolve(s, address, lane);
            let threads = self.threads(s);
            let (warps, row) = (threads.warps, Agent::BulkMbarrier.row(threads.warps, warp));
            let clock = threads.agent_tick(warp, lane, Agent::BulkMbarrier);
            let know = threads.lanes[warp as usize].know(lane).clone();
            let (cta, pc) = (s.who.cta, access.pc);
            let stamp = Stamp { scope: Scope::Cluster, cta, warps, row, lane, clock, know: &know, pc };
            let homes = if copy.multicast.is_some() {
                let mask = s.warp.regs.row32(copy.multicast)[lane];
                lanes(mask).filter_map(|i| s.warp.ctas.get(i).map(|c| c.index)).collect()
            } else {
                vec![home]
            };
            for home in homes {
                self.mbarriers.entry((home, at)).or_insert_with(Mbarrier::new).raise(home, &stamp);
            }
        }
    }

    fn async_group(&mut self, s: &Scene<'_>, mask: LaneMask, what: AsyncGroup) {
        let warp = s.who.warp;
        let threads = self.threads(s);
        for lane in lanes(mask) {
            let mut done = |agent: Agent, left: u32| {
                let open = threads.agent_time(warp, lane, agent);
                threads.learn_agent(warp, lane, agent, open.saturating_sub(1 + left));
            };
            match what {
                AsyncGroup::CommitCp => {
                    threads.agent_tick(warp, lane, Agent::CopyGroup);
                }
                AsyncGroup::CommitBulk => {
                    threads.agent_tick(warp, lane, Agent::BulkRead);
                    threads.agent_tick(warp, lane, Agent::BulkWrite);
                }
                AsyncGroup::WaitCp(left) => done(Agent::CopyGroup, left),
                AsyncGroup::WaitAllCp => {
                    threads.agent_tick(warp, lane, Agent::CopyGroup);
                    let open = threads.agent_time(warp, lane, Agent::CopyGroup);
                    threads.learn_agent(warp, lane, Agent::CopyGroup, open - 1);
                }
                AsyncGroup::WaitBulk { left, read } => {
                    done(Agent::BulkRead, left);
                    if !read {
                        done(Agent::BulkWrite, left);
                    }
                }
                AsyncGroup::WgmmaFence | AsyncGroup::WgmmaCommit | AsyncGroup::WgmmaWait(_) => {}
            }
        }
    }

    fn mbarrier(&mut self, s: &mut Scene<'_>, pc: Pc, lane: u32, home: u32, address: u64, what: MbarrierEvent) {
        let Kind::Mbarrier(m) = &s.cx.program.clone().code[pc as usize].kind else { return };
        let is_init = matches!(what, MbarrierEvent::Init(_) | MbarrierEvent::Inval);
        let flags = if is_init {
            Flags::WRITE.with(Flags::INIT)
        } else {
            Flags::READ.with(Flags::WRITE).with(Flags::MBARRIER).with(Flags::STRONG).scoped(Scope::Cluster)
        };
        let mut addresses = [0; 32];
        addresses[lane as usize] = address;
        let access = Access {
            pc,
            lanes: 1 << lane,
            space: Space::Shared,
            addresses: &addresses,
            shared_cta: home,
            size: 8,
            kind: AccessKind::Atomic,
            ordering: m.ordering,
            scope: m.scope,
            asynchronous: false,
        };
        self.record(s, &access, Agent::Thread, flags);
        let key = (home, address);
        if is_init {
            self.mbarriers.insert(key, Mbarrier::new());
            return;
        }
        let phase = phase_of(s, home, address);
        let (warp, lane) = (s.who.warp, lane as usize);
        let barrier = self.mbarriers.entry(key).or_insert_with(Mbarrier::new);
        let completed =
            matches!(what, MbarrierEvent::Arrive { completed: true } | MbarrierEvent::Transactions { completed: true });
        if let (Some(phase), false) = (phase, completed) {
            barrier.see_phase(phase);
        }
        match (what, m.op) {
            (MbarrierEvent::Test { passed: true }, _) if m.ordering != Ordering::Relaxed => {
                let release = barrier.done(home, pc);
                self.acquire(s, lane, &Pending { release, scope: m.scope, by_atomic: false });
            }
            (_, MbarrierOp::Arrive { .. } | MbarrierOp::CpAsyncArrive { .. } | MbarrierOp::CompleteTx) => {
                self.arrive(s, pc, lane, key, m.op, m.scope, m.ordering != Ordering::Relaxed);
                self.threads(s).tick(warp, 1 << lane);
            }
            _ => {}
        }
        if let (Some(phase), true) = (phase, completed)
            && let Some(barrier) = self.mbarriers.get_mut(&key)
        {
            barrier.see_phase(phase);
        }
    }

    /// A lane arrives at an mbarrier: releases what it did, or what its copies did.
    fn arrive(
        &mut self,
        s: &Scene<'_>,
        pc: Pc,
        lane: usize,
        key: (u32, u64),
        op: MbarrierOp,
        scope: Scope,
        release: bool,
    ) {
        let (cta, warp) = (s.who.cta, s.who.warp);
        let threads = self.threads(s);
        let warps = threads.warps;
        let copies =
            matches!(op, MbarrierOp::CpAsyncArrive { .. }).then(|| threads.agent_tick(warp, lane, Agent::CopyGroup));
        let w = &threads.lanes[warp as usize];
        let (know, now) = (w.know(lane).clone(), w.now[lane]);
        let Some(barrier) = self.mbarriers.get_mut(&key) else { return };
        let mut stamp =
            Stamp { scope, cta, warps, row: Agent::Thread.row(warps, warp), lane, clock: now, know: &know, pc };
        if release {
            barrier.arrive(key.0, &stamp);
        }
        if let Some(clock) = copies {
            (stamp.row, stamp.clock) = (Agent::CopyGroup.row(warps, warp), clock);
            barrier.raise(key.0, &stamp);
        }
    }

    fn cluster_arrive(&mut self, s: &Scene<'_>, pc: Pc, mask: LaneMask) {
        let is_release = !matches!(&s.cx.program.code[pc as usize].kind,
            Kind::Barrier(b) if b.op == BarrierOp::ClusterArrive { release: false });
        let first = s.warp.ctas.first().map_or(s.who.cta, |c| c.index);
        let (cta, warp) = (s.who.cta, s.who.warp);
        for lane in lanes(mask) {
            let own = self.cta(cta);
            let phase = own.phases[warp as usize][lane];
            own.phases[warp as usize][lane] += 1;
            let w = &own.threads.lanes[warp as usize];
            let (know, now) = (w.know(lane).clone(), w.now[lane]);
            if is_release {
                let sum = self.clusters.entry((first, phase)).or_default();
                sum.join(first, &know, cta);
                let mut only = Know::default();
                only.own.raise(warp as u16, lane, now);
                sum.join(first, &only, cta);
            }
        }
        self.threads(s).tick(warp, mask);
    }

    fn cluster_wait(&mut self, s: &Scene<'_>, pc: Pc, mask: LaneMask) {
        let relaxed = matches!(&s.cx.program.code[pc as usize].kind,
            Kind::Barrier(b) if b.op == BarrierOp::ClusterWait { acquire: false });
        if relaxed {
            return;
        }
        let first = s.warp.ctas.first().map_or(s.who.cta, |c| c.index);
        for lane in lanes(mask) {
            let arrived = self.cta(s.who.cta).phases[s.who.warp as usize][lane];
            let Some(phase) = arrived.checked_sub(1) else { continue };
            let Some(know) = self.clusters.get(&(first, phase)) else { continue };
            let release = Release { scope: Scope::Cluster, cta: first, know: Arc::new(know.clone()), pc };
            self.threads(s).acquire(s.who.warp, lane, &release);
        }
    }

    fn exit(&mut self, s: &Scene<'_>, mask: LaneMask) {
        let own = self.cta(s.who.cta);
        own.threads.exit(s.who.warp, mask);
        if own.threads.left == 0 && s.warp.ctas.len() == 1 {
            self.ctas.remove(&s.who.cta);
            self.mbarriers.retain(|(home, _), _| *home != s.who.cta);
        }
    }
}

/// Does a release reach the lane of the scene, where the acquiring side has this scope?
fn reaches(s: &Scene<'_>, p: &Pending, scope: Scope) -> bool {
    let scope = scope.min(p.release.scope);
    if scope >= Scope::Gpu || p.release.cta == s.who.cta {
        return true;
    }
    scope == Scope::Cluster && s.warp.ctas.iter().any(|c| c.index == p.release.cta)
}

/// The parity of the phase that an mbarrier is in.
fn phase_of(s: &Scene<'_>, home: u32, address: u64) -> Option<bool> {
    let cta = s.warp.ctas.iter().find(|c| c.index == home)?;
    let bytes = cta.shared.get(address as usize..address as usize + 8)?;
    Some(MbarrierObject::unpack(u64::from_le_bytes(bytes.try_into().ok()?)).phase)
}

impl Part for Races {
    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if matches!(access.space, Space::Local | Space::Param) {
            return;
        }
        let program = s.cx.program.clone();
        match &program.code[access.pc as usize].kind {
            Kind::Load(Load { address: Address { space: AddressSpace::Const, .. }, .. }) => {}
            Kind::AsyncCopy(copy) => self.copy_access(s, access, copy),
            _ => self.own_access(s, access),
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        let warp = s.who.warp;
        match *event {
            Event::Collective { pcs, mask, lanes } => {
                let is_barrier = pcs.first().is_some_and(|(pc, _)| {
                    matches!(&s.cx.program.code[*pc as usize].kind,
                        Kind::Collective(c) if matches!(c.op, CollectiveOp::BarWarp))
                });
                if is_barrier {
                    self.threads(s).warp_barrier(warp, lanes, mask);
                }
            }
            Event::BarrierArrive { pc, lanes, id, .. } => {
                self.acquire_atomics(s, lanes);
                let threads = self.threads(s);
                if matches!(&s.cx.program.code[pc as usize].kind, Kind::Barrier(b) if b.op == BarrierOp::Arrive) {
                    threads.arrive(id, warp, lanes);
                }
            }
            Event::BarrierComplete { id, arrivals } => {
                let waiting: Vec<(u32, LaneMask)> =
                    arrivals.iter().filter(|a| a.3).map(|&(warp, lanes, ..)| (warp, lanes)).collect();
                self.threads(s).barrier(id, &waiting);
            }
            Event::ClusterArrive { pc, lanes } => self.cluster_arrive(s, pc, lanes),
            Event::ClusterWait { pc, lanes } => self.cluster_wait(s, pc, lanes),
            Event::Fence { lanes, ordering, scope, .. } => self.fence(s, lanes, ordering, scope),
            Event::Mbarrier { pc, lane, shared_cta, address, what } => {
                self.mbarrier(s, pc, lane, shared_cta, address, what);
            }
            Event::AsyncGroup { lanes, what, .. } => self.async_group(s, lanes, what),
            Event::Exit { lanes, .. } => self.exit(s, lanes),
            _ => {}
        }
    }
}
