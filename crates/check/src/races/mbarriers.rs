//! mbarriers: an arrival releases, a test that passes acquires.
//!
//! An object that is initialised again must have been invalidated. Two misuses show by order as well. An arrival that counts for a phase although its thread does not know that the phase
//! before is complete was meant for that one: the count is too low. A test that passes at once, because the phase that
//! it names is long complete or is the one before the first, is legal (a producer's first round); but where the lane
//! then reads what somebody still writes, it waited for the wrong phase.

use warpvm_machine::exec::MbarrierObject;
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Addresses, MbarrierEvent, Spread};
use warpvm_machine::program::{Kind, MbarrierOp, Ordering, Pc, Scope};

use super::Races;
use super::clock::Agent;
use super::events::Flags;
use super::sync::{Mbarrier, Pending, Stamp};
use crate::place::describe;
use crate::{Finding, Related, Rule, Scene, Severity};

/// A wait that passed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EarlyWait {
    pub pc: Pc,
    /// Was no phase complete yet?
    pub is_first: bool,
}

impl Races {
    pub(super) fn mbarrier(
        &mut self,
        s: &mut Scene<'_>,
        pc: Pc,
        lane: u32,
        home: u32,
        address: u64,
        what: MbarrierEvent,
    ) {
        let cx = s.cx;
        let Kind::Mbarrier(m) = &cx.program.code[pc as usize].kind else { return };
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
            addresses: Addresses::new(&addresses),
            spread: &Spread::of(&addresses, 1 << lane),
            shared_cta: home,
            size: 8,
            kind: AccessKind::Atomic,
            ordering: m.ordering,
            scope: m.scope,
            asynchronous: false,
        };
        // Whoever is the last to use an object invalidates it; that others used it before is no fault, and a use after
        // it is one of its own.
        if what != MbarrierEvent::Inval {
            self.record(s, &access, Agent::Thread, flags);
        }
        let key = (home, address);
        if is_init {
            let old = self.mbarriers.remove(&key).and_then(|old| old.init);
            if what != MbarrierEvent::Inval {
                if let Some(first) = old {
                    self.initialised_twice(s, pc, lane, key, first);
                }
                self.mbarriers.insert(key, Mbarrier::new(Some(pc)));
            }
            return;
        }
        let phase = phase_of(s, home, address);
        let (warp, lane) = (s.who.warp, lane as usize);
        let barrier = self.mbarriers.entry(key).or_insert_with(|| Mbarrier::new(None));
        let completed =
            matches!(what, MbarrierEvent::Arrive { completed: true } | MbarrierEvent::Transactions { completed: true });
        if let (Some(phase), false) = (phase, completed) {
            barrier.see_phase(phase, false);
        }
        if what == (MbarrierEvent::Test { passed: true }) {
            let old = barrier.seen.insert((s.who.cta, warp, lane), barrier.phases);
            let is_early = barrier.phases == 0 || old == Some(barrier.phases);
            let wait = is_early.then_some(EarlyWait { pc, is_first: barrier.phases == 0 });
            self.threads(s).set_early_wait(warp, lane, wait);
        }
        if matches!(m.op, MbarrierOp::Arrive { .. } | MbarrierOp::CpAsyncArrive { noinc: true }) {
            self.check_phase(s, pc, lane, key);
        }
        let Some(barrier) = self.mbarriers.get_mut(&key) else { return };
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
            barrier.see_phase(phase, true);
        }
    }

    /// An object is initialised that still is one, from `first` on.
    fn initialised_twice(&mut self, s: &mut Scene<'_>, pc: Pc, lane: u32, key: (u32, u64), first: Pc) {
        if self.is_accused(s, key) {
            return;
        }
        let why = "`mbarrier.init` of a valid object is undefined: `mbarrier.inval` comes before it; PTX ISA, section 9.7.13.15";
        let mut f = Finding::new(Rule::MbarrierInit, pc, s.warp.cta, s.who.warp, 1 << lane, why);
        let place = describe(s.cx, s.warp, Space::Shared, key.1);
        f.message = "an mbarrier is initialised a second time".into();
        f.here = format!("lane {lane} of warp {} initialises {place}, which is an mbarrier already", s.who.warp);
        f.related.push(Related::new(first, "it was initialised here"));
        self.accused.insert(key, (pc, first));
        s.found.add(f);
    }

    /// Is it known that an mbarrier is not initialised as it should be? Then that is one finding, and this counts for it.
    pub(super) fn is_accused(&self, s: &mut Scene<'_>, key: (u32, u64)) -> bool {
        self.accused.get(&key).is_some_and(|&(pc, other)| s.found.again(Rule::MbarrierInit, pc, Some(other)))
    }

    /// An arrival must know that the phase before its own is complete.
    fn check_phase(&mut self, s: &mut Scene<'_>, pc: Pc, lane: usize, key: (u32, u64)) {
        let Some(barrier) = self.mbarriers.get(&key) else { return };
        let (Some(by), init) = (barrier.completer, barrier.init) else { return };
        let (cta, warp, phase) = (s.who.cta, s.who.warp, barrier.phases);
        let threads = self.threads(s);
        let me = Agent::Thread.row(threads.warps, warp);
        let know = threads.lanes[warp as usize].know(lane).of(cta, by.cta);
        let is_known = know.is_some_and(|k| k.covers(threads.warps, by.row, 1 << by.lane, by.clock));
        if is_known || (by.cta, by.row, by.lane) == (cta, me, lane) {
            return;
        }
        // Who has not waited where he should comes too early for that.
        if let Some(wait) = threads.early_wait(me, lane).filter(|w| !w.is_first) {
            return self.blame_wait(s, pc, (warp, lane), wait);
        }
        if s.found.again(Rule::MbarrierCount, pc, init) {
            return;
        }
        let place = describe(s.cx, s.warp, Space::Shared, key.1);
        s.found.add(Finding {
            rule: Rule::MbarrierCount,
            severity: Severity::Error,
            message: "a phase of an mbarrier completes before all have arrived for it".to_owned(),
            pc,
            here: format!("lane {lane} of warp {warp} arrives at {place} when phase {phase} has begun, unaware of it"),
            cta: s.warp.cta,
            warp,
            lanes: 1 << lane,
            related: init.map(|pc| Related::new(pc, "its count is set here".to_owned())).into_iter().collect(),
            why: "a phase completes when the count of arrivals is reached; those that come later count for the next phase; \
                  PTX ISA, section 9.7.13.15",
            callers: Vec::new(),
            count: 1,
        });
    }

    /// A lane that waited for the wrong phase races: says so.
    pub(super) fn blame_wait(&self, s: &mut Scene<'_>, pc: Pc, reader: (u32, usize), wait: EarlyWait) {
        if s.found.again(Rule::MbarrierPhase, wait.pc, Some(pc)) {
            return;
        }
        let what = if wait.is_first { "before any phase was complete" } else { "for a phase that it has seen before" };
        s.found.add(Finding {
            rule: Rule::MbarrierPhase,
            severity: Severity::Error,
            message: "a wait for the wrong phase of an mbarrier".to_owned(),
            pc: wait.pc,
            here: format!("the wait of lane {} of warp {} passes at once, {what}", reader.1, reader.0),
            cta: s.warp.cta,
            warp: reader.0,
            lanes: 1 << reader.1,
            related: vec![Related::new(pc, "then it races here".to_owned())],
            why: "a test by parity passes where the phase of that parity is the one before the present; PTX ISA, section \
                  9.7.13.15.16 (`mbarrier.test_wait`)",
            callers: Vec::new(),
            count: 1,
        });
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
}

/// The parity of the phase that an mbarrier is in.
fn phase_of(s: &Scene<'_>, home: u32, address: u64) -> Option<bool> {
    let cta = s.warp.ctas.iter().find(|c| c.index == home)?;
    let bytes = cta.shared.get(address as usize..address as usize + 8)?;
    Some(MbarrierObject::unpack(u64::from_le_bytes(bytes.try_into().ok()?)).phase)
}
