//! Undefined bits in warp collectives.

use warpvm_machine::exec::shuffle_source;
use warpvm_machine::program::{Collective, CollectiveOp, Kind, Pc, Program, Role, ShflMode, WarpOp};
use warpvm_machine::slots::{Class, FULL, LaneMask, Slot, lanes};

use super::Values;
use super::report::Use;
use super::rows::Shade;
use crate::{Rule, Scene};

fn collective_at(program: &Program, pc: Pc) -> Option<&Collective> {
    match &program.code[pc as usize].kind {
        Kind::Collective(c) => Some(c),
        _ => None,
    }
}

impl Values {
    /// A collective completes: sources are still in the registers.
    pub(super) fn collective(&mut self, s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], here: LaneMask) {
        let cx = s.cx;
        let program = &*cx.program;
        let Some(first) = pcs.first().and_then(|(pc, _)| collective_at(program, *pc)) else { return };
        match &first.op {
            CollectiveOp::Shfl(mode) => self.shuffle(s, pcs, here, *mode),
            CollectiveOp::VoteAll { negated } => self.vote(s, pcs, here, Some(*negated)),
            CollectiveOp::VoteAny { negated } => self.vote(s, pcs, here, Some(!negated)),
            CollectiveOp::VoteUni { .. } | CollectiveOp::VoteBallot { .. } => self.vote(s, pcs, here, None),
            CollectiveOp::MatchAny(class) | CollectiveOp::MatchAll(class) => self.reduce(s, pcs, *class),
            CollectiveOp::Redux(_) => self.reduce(s, pcs, Class::R32),
            CollectiveOp::Matrix(_) => self.matrix_lanes = here,
            CollectiveOp::Other(op) if self.has_undefined_source(s, pcs[0].0) => {
                return self.warp_operation(s, pcs[0].0, &**op, here);
            }
            CollectiveOp::Fragment(m) => self.begin_fragment(s, m, here),
            CollectiveOp::Elect | CollectiveOp::BarWarp | CollectiveOp::TensorMap(_) | CollectiveOp::Other(_) => {}
        }
        if matches!(first.op, CollectiveOp::Shfl(_) | CollectiveOp::Matrix(_)) {
            return;
        }
        for &(pc, mask) in pcs {
            for &(role, _, slot) in &program.meta[pc as usize].operands {
                if role == Role::Write {
                    self.define(s, slot, mask);
                }
            }
        }
    }

    fn has_undefined_source(&mut self, s: &Scene<'_>, pc: Pc) -> bool {
        let operands = &s.cx.program.meta[pc as usize].operands;
        let read: Vec<_> = operands.iter().filter(|o| o.0 == Role::Read).map(|o| self.plans.row(o.2)).collect();
        self.warp(s).rows.any(&read) != 0
    }

    /// A matrix operation with undefined bits in its sources: elements that they go into are undefined.
    fn warp_operation(&mut self, s: &Scene<'_>, pc: Pc, op: &dyn WarpOp, here: LaneMask) {
        let mut first = 0;
        let results = op.undefined(s.warp.regs, &mut |class, slot| {
            if !slot.is_some() {
                return [0; 32];
            }
            let shade = self.read(s, pc, class, slot, here);
            let bad = shade.lanes() & here;
            if bad != 0 && first == 0 {
                first = shade.origin[bad.trailing_zeros() as usize];
            }
            shade.bits
        });
        match results {
            Some(results) => {
                for (class, slot, bits) in results.into_iter().filter(|r| r.1.is_some()) {
                    let mut shade = Shade::NONE;
                    (0..32).for_each(|lane| shade.add(lane, bits[lane], first));
                    self.write(s, class, slot, here, &shade);
                }
            }
            None => {
                for &(role, _, slot) in &s.cx.program.meta[pc as usize].operands {
                    if role == Role::Write {
                        self.define(s, slot, here);
                    }
                }
            }
        }
    }

    /// `decides` is the predicate that settles the vote whatever the others say.
    fn vote(&mut self, s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], here: LaneMask, decides: Option<bool>) {
        let cx = s.cx;
        let program = &*cx.program;
        let mut open: Vec<(Pc, LaneMask, Shade)> = Vec::new();
        let mut is_settled = false;
        for &(pc, mask) in pcs {
            let Some(c) = collective_at(program, pc) else { continue };
            let shade = self.read(s, pc, Class::Pred, c.sources[0], mask);
            let known = mask & here & !shade.lanes();
            let bits = s.warp.regs.pred(c.sources[0]);
            is_settled |= decides.is_some_and(|d| known & if d { bits } else { !bits } != 0);
            open.push((pc, mask, shade));
        }
        if !is_settled {
            open.into_iter().for_each(|(pc, mask, shade)| self.demand(s, pc, &shade, mask, Use::Collective));
        }
    }

    fn reduce(&mut self, s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], class: Class) {
        let cx = s.cx;
        let program = &*cx.program;
        for &(pc, mask) in pcs {
            if let Some(c) = collective_at(program, pc) {
                self.must(s, pc, class, c.sources[0], mask, Use::Collective);
            }
        }
    }

    fn shuffle(&mut self, s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], here: LaneMask, mode: ShflMode) {
        let cx = s.cx;
        let program = &*cx.program;
        if here == FULL && self.are_plain_shuffles(s, pcs) {
            return;
        }
        // What each lane gives.
        let mut given = Shade::NONE;
        for &(pc, mask) in pcs {
            let Some(c) = collective_at(program, pc) else { continue };
            let shade = self.read(s, pc, Class::R32, c.sources[0], mask);
            lanes(mask).for_each(|l| given.add(l, shade.bits[l], shade.origin[l]));
        }
        for &(pc, mask) in pcs {
            let Some(c) = collective_at(program, pc) else { continue };
            let number = |slot: Slot, lane: usize| if slot.is_some() { s.warp.regs.row32(slot)[lane] } else { 0 };
            let choice: Vec<(u32, u32)> = (0..32).map(|l| (number(c.sources[1], l), number(c.sources[2], l))).collect();
            let mut result = Shade::NONE;
            let which = [c.sources[1], c.sources[2]].map(|slot| self.read(s, pc, Class::R32, slot, mask));
            let mut open = Shade::NONE;
            for lane in lanes(mask) {
                which.iter().for_each(|w| open.add(lane, w.bits[lane], w.origin[lane]));
                if open.bits[lane] != 0 {
                    result.add(lane, 0xffff_ffff, open.origin[lane]);
                    continue;
                }
                let (from, _) = shuffle_source(mode, lane as u32, choice[lane].0, choice[lane].1);
                if here >> from & 1 != 0 {
                    result.add(lane, given.bits[from as usize], given.origin[from as usize]);
                    continue;
                }
                let origin = self.origins.at(s, Rule::SourceLane, pc, lane, || {
                    format!("takes the value of lane {from}, which does not take part")
                });
                self.origins.note_source(s, pc, lane, from);
                result.add(lane, 0xffff_ffff, origin);
            }
            self.write(s, Class::R32, c.result, mask, &result);
            (0..32).for_each(|l| open.bits[l] = u64::from(open.bits[l] != 0));
            self.write(s, Class::Pred, c.predicate, mask, &open);
        }
    }

    /// A shuffle of all lanes with nothing undefined in it.
    fn are_plain_shuffles(&mut self, s: &Scene<'_>, pcs: &[(Pc, LaneMask)]) -> bool {
        for (pc, _) in pcs {
            let Some(c) = collective_at(&s.cx.program, *pc) else { return false };
            let read = c.sources.map(|slot| self.plans.row(slot));
            if self.warp(s).rows.any(&read) != 0 {
                return false;
            }
        }
        for &(pc, mask) in pcs {
            let Some(c) = collective_at(&s.cx.program, pc) else { continue };
            [c.result, c.predicate].into_iter().for_each(|slot| self.define(s, slot, mask));
        }
        true
    }
}
