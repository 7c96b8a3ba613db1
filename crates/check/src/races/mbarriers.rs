//! mbarriers: an arrival releases, a test that passes acquires.

use warpvm_machine::exec::MbarrierObject;
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, MbarrierEvent};
use warpvm_machine::program::{Kind, MbarrierOp, Ordering, Pc, Scope};

use super::Races;
use super::clock::Agent;
use super::events::Flags;
use super::sync::{Mbarrier, Pending, Stamp};
use crate::Scene;

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
        let barrier = self.mbarriers.entry(key).or_default();
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
}

/// The parity of the phase that an mbarrier is in.
fn phase_of(s: &Scene<'_>, home: u32, address: u64) -> Option<bool> {
    let cta = s.warp.ctas.iter().find(|c| c.index == home)?;
    let bytes = cta.shared.get(address as usize..address as usize + 8)?;
    Some(MbarrierObject::unpack(u64::from_le_bytes(bytes.try_into().ok()?)).phase)
}
