//! The rules: observers of the machine that report findings.
//!
//! [`Checker`] is one observer made of parts that do not know each other: collectives, barriers, values (definedness),
//! races, asynchronous operations. Each is told what happens and adds to the [`Findings`].

mod activemask;
mod asynchronous;
mod barriers;
mod blocked;
mod collectives;
pub mod explore;
pub mod faults;
mod finding;
mod flow;
mod lanes;
mod levels;
mod place;
mod races;
mod states;
mod values;
mod words;

pub use finding::{Finding, Findings, Related, Rule, Severity, Sites};
pub use lanes::Lanes;
pub use levels::Levels;

use std::sync::Arc;

use warpvm_machine::exec::WarpView;
use warpvm_machine::fault::Fault;
use warpvm_machine::memory::{Allocation, GlobalMemory, Space};
use warpvm_machine::observe::{Access, Event, Observer, Who};
use warpvm_machine::program::{Inst, Pc, Program};
use warpvm_machine::slots::{self, LaneMask};

/// What every part knows of the launch.
#[derive(Clone)]
pub struct Context {
    /// The kernel.
    pub program: Arc<Program>,
    /// Threads of a CTA.
    pub threads: u32,
    /// Coordinates of the grid.
    pub grid: [u32; 3],
    /// Allocations of global memory at the start, by base.
    pub allocations: Arc<[Allocation]>,
    /// Which instructions stand for one place of the source.
    pub sites: Arc<Sites>,
}

/// A part of the checker.
pub(crate) trait Part {
    /// An instruction is about to run.
    fn step(&mut self, _s: &mut Scene<'_>, _pc: Pc, _inst: &Inst, _split: LaneMask, _lanes: LaneMask) {}
    /// Memory is about to be accessed.
    fn access(&mut self, _s: &mut Scene<'_>, _access: &Access<'_>) {}
    /// Something else happens.
    fn event(&mut self, _s: &mut Scene<'_>, _event: &Event<'_>) {}
}

/// Where something happens, and where findings go.
pub(crate) struct Scene<'a> {
    pub cx: &'a Context,
    pub warp: &'a WarpView<'a>,
    pub who: Who,
    pub found: &'a mut Findings,
}

/// All rules as one observer.
pub struct Checker {
    cx: Context,
    /// What was found so far.
    pub found: Findings,
    activemask: activemask::Activemask,
    collectives: collectives::Collectives,
    barriers: barriers::Barriers,
    values: values::Values,
    races: races::Races,
    asynchronous: asynchronous::Asynchronous,
}

impl Checker {
    /// A checker for one launch.
    pub fn new(cx: Context) -> Self {
        Checker {
            found: Findings::new(cx.sites.clone()),
            activemask: activemask::Activemask::new(&cx),
            collectives: collectives::Collectives::new(&cx),
            barriers: barriers::Barriers::new(&cx),
            values: values::Values::new(&cx),
            races: races::Races::new(&cx),
            asynchronous: asynchronous::Asynchronous::new(&cx),
            cx,
        }
    }

    /// The launch has ended: a fault that breaks a rule becomes a finding, any other is given back.
    pub fn finish<'f>(&mut self, global: &GlobalMemory, fault: Option<&'f Fault>) -> Option<&'f Fault> {
        let fault = fault?;
        let phases = |place: (u32, u64)| self.races.phases(place);
        let past = blocked::Past { history: &self.collectives.history, phases: &phases };
        match faults::with_past(&self.cx.program, global, fault, past) {
            Some(finding) => {
                if !is_consequence(&finding, &self.found) {
                    self.found.add(finding);
                }
                None
            }
            None => Some(fault),
        }
    }
}

/// Lanes that wait for an mbarrier which is known to have been used wrongly are no finding of their own.
fn is_consequence(finding: &Finding, found: &Findings) -> bool {
    use Rule::{MbarrierCount, MbarrierInit, MbarrierPhase};
    matches!(finding.rule, MbarrierCount | MbarrierPhase | MbarrierInit)
        && found.list().iter().any(|f| f.severity == Severity::Error && matches!(f.rule, MbarrierInit | MbarrierPhase))
}

/// Local memory that a thread may have at most, for [`near`].
const MOST_LOCAL: u64 = 1 << 24;

/// The lanes whose addresses are not wild: what is kept by address is kept in tables. The others end the launch.
fn near(warp: &WarpView<'_>, access: &Access<'_>) -> LaneMask {
    let size = u64::from(access.size);
    let shared_end = match access.space {
        Space::Shared => warp.ctas.iter().find(|c| c.index == access.shared_cta).map_or(0, |c| c.shared.len() as u64),
        _ => 0,
    };
    let is_near = |at: u64| match access.space {
        Space::Global => warp.global.is_near(at, size),
        Space::Shared => at.saturating_add(size) <= shared_end,
        Space::Local => at < MOST_LOCAL,
        Space::Param => true,
    };
    let (mut last, mut is_last_near) = (u64::MAX, false);
    slots::lanes(access.lanes).fold(0, |mask, lane| {
        let at = access.addresses[lane];
        if at != last {
            (last, is_last_near) = (at, is_near(at));
        }
        mask | LaneMask::from(is_last_near) << lane
    })
}

/// Tells every part, without a call through a table: most parts want to know little of each instruction.
macro_rules! each {
    ($checker:expr, $warp:expr, $who:expr, $method:ident, $($argument:expr),+) => {{
        let mut scene = Scene { cx: &$checker.cx, warp: $warp, who: $who, found: &mut $checker.found };
        $checker.activemask.$method(&mut scene, $($argument),+);
        $checker.collectives.$method(&mut scene, $($argument),+);
        $checker.barriers.$method(&mut scene, $($argument),+);
        $checker.values.$method(&mut scene, $($argument),+);
        $checker.races.$method(&mut scene, $($argument),+);
        $checker.asynchronous.$method(&mut scene, $($argument),+);
    }};
}

impl Observer for Checker {
    const ACTIVE: bool = true;

    fn step(&mut self, warp: &WarpView<'_>, who: Who, pc: Pc, inst: &Inst, split: LaneMask, lanes: LaneMask) {
        each!(self, warp, who, step, pc, inst, split, lanes);
    }

    fn access(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>) {
        let lanes = near(warp, access);
        if lanes == access.lanes {
            each!(self, warp, who, access, access);
        } else if lanes != 0 {
            let near = Access { lanes, ..*access };
            each!(self, warp, who, access, &near);
        }
    }

    fn event(&mut self, warp: &WarpView<'_>, who: Who, event: &Event<'_>) {
        each!(self, warp, who, event, event);
    }
}
