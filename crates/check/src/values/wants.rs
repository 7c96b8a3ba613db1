//! What has to be looked at: little, as long as nothing is undefined.
//!
//! From defined sources lane-wise operations make defined results. So while all registers of a warp are defined its
//! lane-wise operations need no look, and its accesses only where memory may be undefined.

use warpvm_machine::observe::Who;
use warpvm_machine::program::{AddressSpace, Inst, Kind};

use super::plan::Plan;
use super::{Values, key};
use crate::wants::{ACCESS, ACCESS_GLOBAL, ACCESS_OPEN, ACCESS_OPENS, ACCESS_SHARED, STEP, STEP_OPEN, Target};

/// What is wanted of an instruction.
pub(super) fn of(inst: &Inst, plan: &Plan) -> u8 {
    let step = match &inst.kind {
        _ if plan.enters => STEP,
        Kind::Row(_) if plan.divides => STEP,
        // Its arguments may lie in memory; what was copied before is forgotten.
        Kind::Call(_) | Kind::AsyncCopy(_) => STEP,
        Kind::Nothing | Kind::PmEvent(_) | Kind::Converge => 0,
        Kind::Exit | Kind::Fence(_) | Kind::Yield | Kind::AsyncGroup(_) if inst.guard.is_none() => 0,
        _ => STEP_OPEN,
    };
    let access = match Target::of(inst) {
        Target::Nothing => 0,
        Target::One(AddressSpace::Param) => ACCESS_OPEN,
        Target::One(AddressSpace::Global | AddressSpace::Const) => ACCESS_OPEN | ACCESS_GLOBAL,
        Target::One(AddressSpace::Shared) => ACCESS_OPEN | ACCESS_SHARED,
        Target::One(_) | Target::Several => ACCESS_OPENS,
    };
    step | access
}

impl Values {
    /// What an instruction is wanted for.
    pub fn wants(&self, pc: usize) -> u8 {
        self.plans.wants[pc]
    }

    /// What holds for a warp now.
    #[inline]
    pub fn now(&self, who: Who) -> u8 {
        let is_clean = match self.warps.get(key(who.cta, who.warp)) {
            Some(warp) => warp.rows.is_clean(),
            None => self.plans.starts_clean,
        };
        let is_shared_clean = self.ctas.get(u64::from(who.cta)).is_some_and(|cta| cta.shared.is_all_clean());
        let mut now = STEP | ACCESS | ACCESS_OPENS;
        now |= if is_clean { 0 } else { STEP_OPEN | ACCESS_OPEN };
        now |= if self.global.is_trivial() { 0 } else { ACCESS_GLOBAL };
        now | if is_shared_clean { 0 } else { ACCESS_SHARED }
    }
}
