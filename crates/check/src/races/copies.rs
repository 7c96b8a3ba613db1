//! Asynchronous copies: accesses of a lane's agents, and when the lane knows that they are done.

use warpvm_machine::fault::AccessKind;
use warpvm_machine::observe::Access;
use warpvm_machine::program::{AsyncCopy, AsyncGroup, Completion, Kind, Pc, RemoteStore, Scope};
use warpvm_machine::slots::{LaneMask, Slot, lanes};

use super::Races;
use super::clock::Agent;
use super::events::Flags;
use super::sync::{Mbarrier, Stamp};
use crate::Scene;
use crate::place::resolve;

impl Races {
    /// An access of an asynchronous copy of one lane.
    pub(super) fn copy_access(&mut self, s: &mut Scene<'_>, access: &Access<'_>, copy: &AsyncCopy) {
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
    }

    /// An access of `st.async` or `red.async`.
    pub(super) fn remote_access(&mut self, s: &mut Scene<'_>, access: &Access<'_>, store: &RemoteStore) {
        let flags = match store.reduce {
            None => Flags::WRITE,
            Some(_) => Flags::READ.with(Flags::WRITE).with(Flags::STRONG).scoped(Scope::Cluster),
        };
        self.record(s, access, Agent::BulkMbarrier, flags);
    }

    /// A copy or store is counted at its mbarrier: who sees the phase complete knows of it.
    pub(super) fn count_copy(&mut self, s: &Scene<'_>, pc: Pc, lane: usize) {
        let cx = s.cx;
        let (address, multicast) = match &cx.program.code[pc as usize].kind {
            Kind::AsyncCopy(AsyncCopy { mbarrier: Some(address), multicast, .. }) => (address, *multicast),
            Kind::RemoteStore(store) => (&store.mbarrier, Slot::NONE),
            _ => return,
        };
        let warp = s.who.warp;
        let (_, home, at) = resolve(s, address, lane);
        let threads = self.threads(s);
        let (warps, row) = (threads.warps, Agent::BulkMbarrier.row(threads.warps, warp));
        let clock = threads.agent_tick(warp, lane, Agent::BulkMbarrier);
        let know = threads.lanes[warp as usize].know(lane).clone();
        let stamp = Stamp { scope: Scope::Cluster, cta: s.who.cta, warps, row, lane, clock, know: &know, pc };
        let homes = if multicast.is_some() {
            let mask = s.warp.regs.row32(multicast)[lane];
            lanes(mask).filter_map(|i| s.warp.ctas.get(i).map(|c| c.index)).collect()
        } else {
            vec![home]
        };
        for home in homes {
            self.mbarriers.entry((home, at)).or_insert_with(|| Mbarrier::new(None)).raise(home, &stamp);
        }
    }

    /// Shared memory that `wgmma.mma_async` reads: done when its group was waited for.
    pub(super) fn matrix_access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        self.record(s, access, Agent::Wgmma, Flags::READ);
    }

    pub(super) fn async_group(&mut self, s: &Scene<'_>, mask: LaneMask, what: AsyncGroup) {
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
        // The first lane of a warp stands for all in `wgmma`.
        let first = mask.trailing_zeros() as usize & 31;
        match what {
            AsyncGroup::WgmmaCommit => {
                threads.agent_tick(warp, first, Agent::Wgmma);
            }
            AsyncGroup::WgmmaWait(left) => {
                let open = threads.agent_time(warp, first, Agent::Wgmma);
                threads.learn_of_agent(warp, mask, Agent::Wgmma, first, open.saturating_sub(1 + left));
            }
            _ => {}
        }
    }
}
