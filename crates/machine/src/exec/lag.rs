//! Lane-wise instructions that are done later.
//!
//! A schedule that changes warps after every few instructions mostly stops in the midst of straight code. What lane-wise
//! instructions write are registers of their own lanes, and nobody sees those before the lanes come to something else: a turn
//! that ends among such instructions moves the program counter and no more. The lanes catch up when they run on, or before
//! somebody looks at registers of lanes that do not run.

use super::{Engine, Group, Warp};
use crate::fault::Fault;
use crate::observe::Observer;
use crate::program::{Inst, Kind, Pc};
use crate::slots::LaneMask;

/// For each instruction, how many lane-wise ones follow each other from there on.
pub(super) fn rows_ahead(code: &[Inst]) -> Vec<u32> {
    let mut ahead = vec![0; code.len() + 1];
    for (pc, inst) in code.iter().enumerate().rev() {
        ahead[pc] = if matches!(inst.kind, Kind::Row(_)) { ahead[pc + 1] + 1 } else { 0 };
    }
    ahead
}

impl Warp {
    /// How many instructions lanes that run together have not done that lie behind them.
    #[inline(always)]
    pub(crate) fn lag(&mut self, lanes: LaneMask) -> &mut u32 {
        &mut self.lags[lanes.trailing_zeros() as usize & 31]
    }
}

impl<O: Observer> Engine<'_, O> {
    /// From now on instructions may be done later than they are run.
    pub fn let_lag(&mut self) {
        self.ahead = rows_ahead(&self.cx.program.code);
        self.may_lag = true;
    }

    /// Lets a split that may run, at a place in the list of its warp, go past so many instructions without doing them, if that
    /// may be: then its turn is over.
    #[inline(always)]
    pub fn pass_by(&mut self, group: &mut Group, w: usize, at: usize, count: u64) -> bool {
        let (pc, mask) = (group.warps[w].ready[at].pc, group.warps[w].ready[at].mask);
        if !self.may_lag || count > u64::from(self.ahead[pc as usize]) {
            return false;
        }
        self.turn(group, w);
        if !self.may_come_later(pc, count) {
            return false;
        }
        let warp = &mut group.warps[w];
        *warp.lag(mask) += count as u32;
        // In this order: a split of which a part was just written is slow to move.
        warp.ready.to_back(at);
        let last = warp.ready.len() - 1;
        warp.ready[last].pc += count as Pc;
        group.steps += count;
        true
    }

    /// May so many instructions be done later?
    #[inline(always)]
    pub(super) fn may_come_later(&self, pc: Pc, count: u64) -> bool {
        self.may_lag
            && count <= u64::from(self.ahead[pc as usize])
            && !(O::ACTIVE && self.observer.wants_steps_among(pc, count as u32))
    }

    /// Does the instructions that lie right behind lanes, whose warp has its register block at `base`.
    pub(super) fn do_behind(&self, base: *mut u8, group: &Group, w: usize, (pc, mask): (Pc, LaneMask), lag: u32) {
        for inst in &self.cx.program.code[(pc - lag) as usize..pc as usize] {
            let lanes = match inst.guard {
                None => mask,
                Some(g) => mask & g.of(group.warps[w].regs.pred(g.slot)),
            };
            if let Kind::Row(op) = &inst.kind {
                // SAFETY: `base` is the register block of this warp, laid out for this program.
                unsafe { op.run(base, lanes) };
            }
        }
    }

    /// All lanes of a warp catch up: somebody is about to look at registers of lanes that do not run.
    pub(super) fn catch_up(&self, group: &mut Group, w: usize) {
        if !self.may_lag {
            return;
        }
        let base = group.warps[w].regs.base();
        for i in 0..group.warps[w].ready.len() {
            let (pc, mask) = (group.warps[w].ready[i].pc, group.warps[w].ready[i].mask);
            let lag = std::mem::take(group.warps[w].lag(mask));
            if lag != 0 {
                self.do_behind(base, group, w, (pc, mask), lag);
            }
        }
    }

    /// Calls `f` with everybody caught up and nothing done later meanwhile.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn without_lag<T>(
        &mut self,
        groups: &mut [Group],
        f: impl FnOnce(&mut Self, &mut [Group]) -> Result<T, Box<Fault>>,
    ) -> Result<T, Box<Fault>> {
        for group in groups.iter_mut() {
            (0..group.warps.len()).for_each(|w| self.catch_up(group, w));
        }
        let may_lag = std::mem::replace(&mut self.may_lag, false);
        let done = f(self, groups);
        self.may_lag = may_lag;
        done
    }
}
