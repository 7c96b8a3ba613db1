//! Block barriers (PTX ISA, section 9.7.13.1) and the cluster barrier (9.7.13.3).
//!
//! Arrivals are collected by lanes; completion is looked for after each. A warp counts whole when all its live lanes
//! are there. Exited threads hold up nobody.

use super::{Arrival, BARRIERS, Engine, Group, Split, Wait, WaitFor};
use crate::fault::{Arrived, BarrierFault, Fault, FaultKind};
use crate::observe::{Event, Observer};
use crate::program::{Barrier, BarrierOp, Kind};
use crate::slots::lanes;

impl<O: Observer> Engine<'_, O> {
    pub(super) fn barrier(
        &mut self,
        group: &mut Group,
        w: usize,
        split: Split,
        b: &Barrier,
    ) -> Result<Option<Split>, Box<Fault>> {
        match b.op {
            BarrierOp::ClusterArrive { .. } => {
                if O::ACTIVE {
                    self.tell(group, w, &Event::ClusterArrive { pc: split.pc, lanes: split.mask });
                }
                let arrived = group.cluster.arrived[w];
                if arrived & split.mask != 0 {
                    let kind = FaultKind::Barrier(BarrierFault::ClusterTwice);
                    return Err(Self::fault(group, w, split.pc, arrived & split.mask, kind));
                }
                group.cluster.arrived[w] |= split.mask;
                self.changes += 1;
                self.settle = true;
                Ok(Some(Split { pc: split.pc + 1, ..split }))
            }
            BarrierOp::ClusterWait { .. } => {
                // A lane that has arrived in the present phase waits for its end; others have nothing to wait for.
                let phase = group.cluster.phase;
                let pending = group.cluster.arrived[w] & split.mask;
                if pending == 0 {
                    if O::ACTIVE {
                        self.tell(group, w, &Event::ClusterWait { pc: split.pc, lanes: split.mask });
                    }
                    return Ok(Some(Split { pc: split.pc + 1, ..split }));
                }
                group.warps[w].waits.push(Wait { split, what: WaitFor::Cluster { phase } });
                self.settle = true;
                Ok(None)
            }
            _ => self.block_barrier(group, w, split, b),
        }
    }

    fn block_barrier(
        &mut self,
        group: &mut Group,
        w: usize,
        split: Split,
        b: &Barrier,
    ) -> Result<Option<Split>, Box<Fault>> {
        let pc = split.pc;
        let warp = &group.warps[w];
        let first = split.mask.trailing_zeros() as usize;
        let ids = warp.regs.row32(b.id);
        let id = ids[first];
        let count = if b.count.is_some() { warp.regs.row32(b.count)[first] } else { 0 };
        // Lanes that name different barriers arrive at each of them.
        let is_one = |row: &[u32; 32]| row.iter().all(|x| *x == row[0]);
        let all_same = is_one(ids) && (!b.count.is_some() || is_one(warp.regs.row32(b.count)));
        let some = if all_same { 0 } else { split.mask };
        let same = lanes(some)
            .filter(|&i| ids[i] == id && (!b.count.is_some() || warp.regs.row32(b.count)[i] == count))
            .fold(0, |m, i| m | 1 << i);
        if same != some {
            let mut rest = split.clone();
            group.warps[w].part(&mut rest, same, pc, None);
            return self.block_barrier(group, w, rest, b);
        }
        let bad = |what| Err(Self::fault(group, w, pc, split.mask, FaultKind::Barrier(what)));
        if id as usize >= BARRIERS {
            return bad(BarrierFault::Number(id));
        }
        if b.count.is_some() && (count % 32 != 0 || count == 0) {
            return bad(BarrierFault::Count(count));
        }
        if O::ACTIVE {
            let live = warp.live;
            let event = Event::BarrierArrive { pc, lanes: split.mask, id, count, live };
            self.tell(group, w, &event);
        }
        let predicate = if b.predicate.is_some() { warp.regs.pred(b.predicate) } else { 0 };
        let predicate = if b.negated { !predicate } else { predicate };
        let (number, cta) = (warp.number, warp.cta);
        self.changes += 1;
        let waits = b.op != BarrierOp::Arrive;
        let state = &mut group.ctas[cta].barriers[id as usize];
        if state.arrivals.is_empty() {
            state.count = count;
            state.op = Some(b.op);
            state.popc = 0;
            state.voters = 0;
            state.lanes = 0;
        } else if let Some(what) = mismatch(state, b.op, count, id) {
            return Err(Self::fault(group, w, pc, split.mask, FaultKind::Barrier(what)));
        }
        if waits && b.op != BarrierOp::Sync {
            state.op = Some(b.op);
        }
        state.arrivals.push(Arrival { warp: number, lanes: split.mask, pc, waits });
        state.lanes += split.mask.count_ones();
        if b.predicate.is_some() {
            state.popc += (predicate & split.mask).count_ones();
            state.voters += split.mask.count_ones();
        }
        // Not worth a look before so many lanes have arrived as there are.
        let so_far = state.lanes;
        let warps = &group.warps[group.ctas[cta].warps.clone()];
        self.settle |= count != 0 || so_far >= warps.iter().map(|w| w.live.count_ones()).sum();
        if !waits {
            return Ok(Some(Split { pc: pc + 1, ..split }));
        }
        group.warps[w].waits.push(Wait { split, what: WaitFor::Barrier { id } });
        Ok(None)
    }

    /// Completes every barrier of the group that is complete. Gives true where one was.
    pub fn settle_barriers(&mut self, group: &mut Group) -> bool {
        let mut any = false;
        for cta in 0..group.ctas.len() {
            if group.ctas[cta].barriers.iter().all(|b| b.arrivals.is_empty()) {
                continue;
            }
            let range = group.ctas[cta].warps.clone();
            let mut live = std::mem::take(&mut self.live);
            live.clear();
            live.extend(group.warps[range].iter().map(|w| w.live));
            for id in 0..BARRIERS {
                if group.ctas[cta].barriers[id].is_complete(&live) {
                    any = true;
                    self.complete_barrier(group, cta, id);
                }
            }
            self.live = live;
        }
        any | self.settle_cluster(group)
    }

    fn complete_barrier(&mut self, group: &mut Group, cta: usize, id: usize) {
        let state = &mut group.ctas[cta].barriers[id];
        let mut arrivals = std::mem::take(&mut state.arrivals);
        let (popc, voters) = (state.popc, state.voters);
        state.op = None;
        let first = group.ctas[cta].warps.start;
        if O::ACTIVE {
            self.tell_passed(group, cta, id as u32);
            let list: Vec<_> = arrivals.iter().map(|a| (a.warp, a.lanes, a.pc, a.waits)).collect();
            self.tell(group, first, &Event::BarrierComplete { id: id as u32, arrivals: &list });
        }
        // What is empty now is kept for the next arrivals.
        arrivals.clear();
        group.ctas[cta].barriers[id].arrivals = arrivals;
        let mut waits = std::mem::take(&mut self.waits);
        for w in group.ctas[cta].warps.clone() {
            let warp = &mut group.warps[w];
            let wanted = WaitFor::Barrier { id: id as u32 };
            // A warp that waits whole and wants nothing of the barrier.
            if let [wait] = &warp.waits[..]
                && wait.what == wanted
                && warp.ready.is_empty()
                && let Kind::Barrier(b) = &self.cx.program.code[wait.split.pc as usize].kind
                && !b.result.is_some()
                && let Some(wait) = warp.waits.pop()
            {
                warp.ready.push(wait.split);
                // After the copy: one of a split just written in pieces would wait for the pieces to leave the core.
                warp.ready[0].pc += 1;
                continue;
            }
            std::mem::swap(&mut warp.waits, &mut waits);
            for wait in waits.drain(..) {
                if wait.what != wanted {
                    warp.waits.push(wait);
                    continue;
                }
                let Kind::Barrier(b) = &self.cx.program.code[wait.split.pc as usize].kind else { continue };
                if b.result.is_some() {
                    match b.op {
                        BarrierOp::RedPopc => {
                            let row = warp.regs.row32_mut(b.result);
                            lanes(wait.split.mask).for_each(|i| row[i] = popc);
                        }
                        BarrierOp::RedAnd => {
                            warp.regs.set_pred(b.result, wait.split.mask, if popc == voters { !0 } else { 0 });
                        }
                        _ => warp.regs.set_pred(b.result, wait.split.mask, if popc != 0 { !0 } else { 0 }),
                    }
                }
                let next = Split { pc: wait.split.pc + 1, ..wait.split };
                let twin = warp.ready.iter_mut().find(|r| {
                    r.pc == next.pc && r.join == next.join && super::warp::same_frame(&r.frames, &next.frames)
                });
                match twin {
                    Some(twin) => twin.mask |= next.mask,
                    None => warp.ready.push(next),
                }
            }
        }
        self.waits = waits;
    }

    /// Tells the observer of lanes that wait here while others of their branch have gone on from its end.
    fn tell_passed(&mut self, group: &Group, cta: usize, id: u32) {
        for w in group.ctas[cta].warps.clone() {
            let warp = &group.warps[w];
            for wait in warp.waits.iter().filter(|x| x.what == WaitFor::Barrier { id }) {
                for join in warp.joins_of(&wait.split).filter(|j| j.passed != 0) {
                    let (pc, lanes) = (wait.split.pc, wait.split.mask);
                    let event = Event::BarrierPassed { pc, lanes, id, end: join.pc, passed: join.passed };
                    self.tell(group, w, &event);
                }
            }
        }
    }

    fn settle_cluster(&mut self, group: &mut Group) -> bool {
        let any = group.cluster.arrived.iter().any(|m| *m != 0);
        let all = group.warps.iter().zip(&group.cluster.arrived).all(|(w, m)| w.live & !m == 0);
        if !any || !all {
            return false;
        }
        group.cluster.phase += 1;
        group.cluster.arrived.fill(0);
        for w in 0..group.warps.len() {
            let waits = std::mem::take(&mut group.warps[w].waits);
            for wait in waits {
                if matches!(wait.what, WaitFor::Cluster { .. }) {
                    if O::ACTIVE {
                        let event = Event::ClusterWait { pc: wait.split.pc, lanes: wait.split.mask };
                        self.tell(group, w, &event);
                    }
                    group.warps[w].ready.push(Split { pc: wait.split.pc + 1, ..wait.split });
                } else {
                    group.warps[w].waits.push(wait);
                }
            }
        }
        true
    }
}

/// What the hardware refuses: another count, or a reduction mixed with something else.
fn mismatch(state: &super::BlockBarrier, op: BarrierOp, count: u32, id: u32) -> Option<BarrierFault> {
    let arrived = || state.arrivals.iter().map(|a| Arrived { warp: a.warp, lanes: a.lanes, pc: a.pc }).collect();
    if state.count != count {
        return Some(BarrierFault::Counts { id, first: state.count, now: count, arrived: arrived() });
    }
    let is_red = |op| matches!(op, BarrierOp::RedPopc | BarrierOp::RedAnd | BarrierOp::RedOr);
    match state.op {
        Some(first) if is_red(first) != is_red(op) || is_red(op) && first != op => {
            Some(BarrierFault::Mixed { id, first, now: op, arrived: arrived() })
        }
        _ => None,
    }
}
