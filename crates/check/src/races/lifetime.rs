//! Shared memory of another CTA of the cluster: it is there from the start of that CTA to its end.
//!
//! A cluster's CTAs are resident together, but one that has not begun may still be about to fill its memory, and one that
//! has exited has none (CUDA C++ Programming Guide, distributed shared memory). So whoever comes for a visit must have
//! heard of its host before, and the host must hear of the visit before it exits: by a cluster barrier, `.relaxed` or
//! not, or by a release and an acquire.

use std::collections::BTreeMap;

use warpvm_machine::program::Pc;
use warpvm_machine::slots::{LaneMask, lanes};

use super::clock::{Agent, Clock};
use super::events::Flags;
use super::{Cta, Races};
use crate::place::{coordinates, cta_text};
use crate::{Finding, Related, Rule, Scene};

const WHY_EXIT: &str = "shared memory of a CTA ends when it exits: `barrier.cluster` (`cluster.sync()`) behind the last access \
keeps it alive; CUDA C++ Programming Guide, distributed shared memory";
const WHY_START: &str = "the CTAs of a cluster need not start together: `barrier.cluster` (`cluster.sync()`) before the first \
access lets them begin; CUDA C++ Programming Guide, distributed shared memory";

/// A lane's last access to another CTA's memory.
#[derive(Clone, Copy)]
struct Visit {
    pc: Pc,
    clock: Clock,
    /// Cluster barriers that the lane had arrived at.
    phase: u32,
}

/// Who was in the shared memory of a CTA.
#[derive(Default)]
pub(super) struct Visits {
    /// By CTA and warp.
    last: BTreeMap<(u32, u32), [Option<Visit>; 32]>,
    /// Places of lanes that came before they had heard of the CTA, with one of those lanes.
    early: Vec<(Pc, u32, u32, usize)>,
}

impl Races {
    /// Lanes of the scene's warp access the memory of `home`, which is taken out of the list of CTAs.
    pub(super) fn visit(&mut self, s: &mut Scene<'_>, home: &mut Cta, pc: Pc, mask: LaneMask, flags: Flags) {
        let (own, warp) = (s.who.cta, s.who.warp);
        let host = home.threads.cta;
        if home.threads.left == 0 {
            let visit = (pc, own, warp, mask.trailing_zeros() as usize & 31);
            return exited(s, host, visit, None);
        }
        let me = self.cta(own);
        let visits = home.visits.last.entry((own, warp)).or_default();
        for lane in lanes(mask) {
            let w = &me.threads.lanes[warp as usize];
            let phase = me.phases[warp as usize][lane];
            visits[lane] = Some(Visit { pc, clock: w.now[lane], phase });
            let is_strange = phase == 0 && w.know(lane).of(own, host).is_none();
            if is_strange && !flags.has(Flags::MBARRIER) && home.visits.early.iter().all(|e| e.0 != pc) {
                home.visits.early.push((pc, own, warp, lane));
            }
        }
    }

    /// The last threads of the scene's CTA exit.
    pub(super) fn close(&mut self, s: &mut Scene<'_>, pc: Pc) {
        let host = s.who.cta;
        let own = self.cta(host);
        let visits = std::mem::take(&mut own.visits);
        let phases = own.phases.iter().flatten().max().copied().unwrap_or(0);
        for ((cta, warp), list) in visits.last {
            let row = Agent::Thread.row(own.threads.warps, warp);
            let is_open =
                |&(lane, v): &(usize, Visit)| phases <= v.phase && !own.threads.exited_know(cta, row, lane, v.clock);
            let visits = list.iter().enumerate().filter_map(|(lane, v)| Some((lane, (*v)?)));
            if let Some((lane, visit)) = visits.into_iter().find(is_open) {
                exited(s, host, (visit.pc, cta, warp, lane), Some(pc));
            }
        }
        for visit in visits.early {
            unstarted(s, host, visit);
        }
    }
}

type Who = (Pc, u32, u32, usize);

fn finding(s: &mut Scene<'_>, host: u32, (pc, cta, warp, lane): Who, why: &'static str, what: &str) -> Option<Finding> {
    // Where the accesses themselves race, that says enough.
    if s.found.is_about(pc, |rule| matches!(rule, Rule::RaceGlobal | Rule::RaceScope | Rule::MbarrierInit)) {
        return None;
    }
    let grid = s.cx.grid;
    let mut f = Finding::new(Rule::RaceGlobal, pc, coordinates(grid, cta), warp, 1 << lane, why);
    f.message = format!("access to shared memory of a CTA that {what}");
    f.here = format!(
        "lane {lane} of warp {warp} in CTA {} accesses shared memory of CTA {}",
        cta_text(grid, cta),
        cta_text(grid, host)
    );
    Some(f)
}

fn exited(s: &mut Scene<'_>, host: u32, visit: Who, exit: Option<Pc>) {
    let what = if exit.is_some() { "may have exited" } else { "has exited" };
    let Some(mut f) = finding(s, host, visit, WHY_EXIT, what) else { return };
    let text = format!("CTA {} exits and has not waited for it", cta_text(s.cx.grid, host));
    f.related.extend(exit.map(|pc| Related::new(pc, text)));
    s.found.add(f);
}

fn unstarted(s: &mut Scene<'_>, host: u32, visit: Who) {
    if let Some(f) = finding(s, host, visit, WHY_START, "may not have started") {
        s.found.add(f);
    }
}
