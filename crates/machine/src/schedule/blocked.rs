//! Where every lane is when nothing goes on any more, and the faults made of it.

use crate::exec::{Cta, Group, Split, Wait, WaitFor, Warp, calls};
use crate::fault::{Fault, FaultKind, WaitReason, Waiting};
use crate::slots::LaneMask;

/// Nothing can run and lanes remain.
pub fn deadlock(group: &Group) -> Box<Fault> {
    let list = whereabouts(group);
    fault_at(group, first_waiting(&list), FaultKind::Deadlock(list))
}

/// The limit of steps was reached.
pub fn step_limit(group: &Group, limit: u64) -> Box<Fault> {
    let list = whereabouts(group);
    let running = list.iter().find(|w| w.reason == WaitReason::Running).cloned();
    let at = running.or_else(|| first_waiting(&list));
    fault_at(group, at, FaultKind::StepLimit { limit, spinning: list })
}

/// Lanes go round for ever; `spinning` says where.
pub fn livelock<'a>(groups: impl Iterator<Item = &'a Group>, spinning: Vec<Waiting>) -> Option<Box<Fault>> {
    let first = spinning.first()?.clone();
    let mut list = spinning;
    for group in groups {
        list.extend(whereabouts(group).into_iter().filter(|w| w.reason != WaitReason::Running));
    }
    let Waiting { cta, warp, lanes, pc, .. } = first;
    Some(Box::new(Fault { kind: FaultKind::Livelock(list), pc, cta, warp, lanes }))
}

fn first_waiting(list: &[Waiting]) -> Option<Waiting> {
    let waits = |w: &&Waiting| !matches!(w.reason, WaitReason::Reconvergence | WaitReason::Running);
    list.iter().find(waits).or(list.first()).cloned()
}

fn fault_at(group: &Group, at: Option<Waiting>, kind: FaultKind) -> Box<Fault> {
    let (pc, cta, warp, lanes) = match at {
        Some(w) => (w.pc, w.cta, w.warp, w.lanes),
        None => (0, group.ctas[0].id, 0, 0),
    };
    Box::new(Fault { kind, pc, cta, warp, lanes })
}

/// Where every lane is that has not exited.
fn whereabouts(group: &Group) -> Vec<Waiting> {
    let mut list = Vec::new();
    for warp in &group.warps {
        let cta = &group.ctas[warp.cta];
        for split in &warp.ready {
            list.push(place(cta, warp, split, WaitReason::Running));
        }
        for join in warp.parked() {
            let split = Split { pc: join.pc, mask: join.arrived, join: join.parent, frames: join.frames.clone() };
            list.push(place(cta, warp, &split, WaitReason::Reconvergence));
        }
        for wait in &warp.waits {
            list.push(place(cta, warp, &wait.split, reason(group, cta, warp, wait)));
        }
    }
    list
}

/// Lanes of one split.
pub fn place(cta: &Cta, warp: &Warp, split: &Split, reason: WaitReason) -> Waiting {
    let callers = calls(&split.frames).collect();
    Waiting { cta: cta.id, warp: warp.number, lanes: split.mask, pc: split.pc, callers, reason }
}

fn reason(group: &Group, cta: &Cta, warp: &Warp, wait: &Wait) -> WaitReason {
    match wait.what {
        WaitFor::Collective { mask, .. } => {
            let here = warp.waits.iter().filter(|x| x.what == wait.what).fold(0, |m, x| m | x.split.mask);
            WaitReason::Collective { mask, missing: mask & warp.live & !here }
        }
        WaitFor::Barrier { id } => {
            let live: Vec<LaneMask> = group.warps[cta.warps.clone()].iter().map(|w| w.live).collect();
            let b = &cta.barriers[id as usize];
            if b.count == 0 {
                let needed = live.iter().map(|m| m.count_ones()).sum();
                let arrived = b.arrivals.iter().map(|a| a.lanes.count_ones()).sum();
                WaitReason::Barrier { id, needed, arrived }
            } else {
                WaitReason::Barrier { id, needed: b.count, arrived: b.threads(&live) }
            }
        }
        WaitFor::Cluster { .. } => WaitReason::ClusterBarrier,
    }
}
