//! Asynchronous copies: accesses of a lane's agents, and when the lane knows that they are done.

use warpvm_machine::fault::AccessKind;
use warpvm_machine::observe::Access;
use warpvm_machine::program::{AsyncCopy, AsyncGroup, Completion, Scope};
use warpvm_machine::slots::{LaneMask, lanes};

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
                self.mbarriers.entry((home, at)).or_insert_with(|| Mbarrier::new(None)).raise(home, &stamp);
            }
        }
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
    }
}
