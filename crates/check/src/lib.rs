//! The rules: observers of the machine that report findings.
//!
//! [`Checker`] is one observer made of parts that do not know each other: collectives, barriers, values (definedness),
//! races, asynchronous operations. Each is told what happens and adds to the [`Findings`].

mod asynchronous;
mod barriers;
mod collectives;
mod finding;
mod place;
mod races;
mod states;
mod values;

pub use finding::{Finding, Findings, Related, Rule, Severity};

use std::sync::Arc;

use warpvm_machine::exec::WarpView;
use warpvm_machine::memory::Allocation;
use warpvm_machine::observe::{Access, Event, Observer, Who};
use warpvm_machine::program::{Inst, Pc, Program};
use warpvm_machine::slots::LaneMask;

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
            found: Findings::default(),
            collectives: collectives::Collectives::new(&cx),
            barriers: barriers::Barriers::new(&cx),
            values: values::Values::new(&cx),
            races: races::Races::new(&cx),
            asynchronous: asynchronous::Asynchronous::new(&cx),
            cx,
        }
    }

    fn each(&mut self, warp: &WarpView<'_>, who: Who, mut f: impl FnMut(&mut dyn Part, &mut Scene<'_>)) {
        let mut scene = Scene { cx: &self.cx, warp, who, found: &mut self.found };
        f(&mut self.collectives, &mut scene);
        f(&mut self.barriers, &mut scene);
        f(&mut self.values, &mut scene);
        f(&mut self.races, &mut scene);
        f(&mut self.asynchronous, &mut scene);
    }
}

impl Observer for Checker {
    const ACTIVE: bool = true;

    fn step(&mut self, warp: &WarpView<'_>, who: Who, pc: Pc, inst: &Inst, split: LaneMask, lanes: LaneMask) {
        self.each(warp, who, |part, scene| part.step(scene, pc, inst, split, lanes));
    }

    fn access(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>) {
        self.each(warp, who, |part, scene| part.access(scene, access));
    }

    fn event(&mut self, warp: &WarpView<'_>, who: Who, event: &Event<'_>) {
        self.each(warp, who, |part, scene| part.event(scene, event));
    }
}
