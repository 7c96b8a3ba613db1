//! The rules: observers of the machine that report findings.
//!
//! [`Checker`] is one observer made of parts that do not know each other: collectives, barriers, values (definedness),
//! races, asynchronous operations. Each is told what happens and adds to the [`Findings`].

mod activemask;
mod asynchronous;
mod barriers;
mod blocked;
mod bounds;
mod calls;
mod collectives;
pub mod explore;
pub mod faults;
mod finding;
mod flow;
mod lanes;
mod levels;
mod place;
mod proxies;
mod races;
mod states;
mod tensormaps;
mod values;
mod wants;
mod wgmma;
mod words;

pub use finding::{Finding, Findings, Related, Rule, Severity, Sites, located};
pub use lanes::Lanes;
pub use levels::Levels;

use std::sync::{Arc, OnceLock};

use warpvm_machine::exec::WarpView;
use warpvm_machine::fault::{Fault, FaultKind};
use warpvm_machine::memory::{Allocation, GlobalMemory, SHARED_START, Space};
use warpvm_machine::observe::{Access, Event, Observer, Spread, Who};
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
    /// What the user says about rules. What watches for nothing but rules that are allowed is not made.
    pub levels: Levels,
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

/// A part that may be left out.
impl<P: Part> Part for Option<P> {
    #[inline]
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, split: LaneMask, lanes: LaneMask) {
        if let Some(part) = self {
            part.step(s, pc, inst, split, lanes);
        }
    }

    #[inline]
    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if let Some(part) = self {
            part.access(s, access);
        }
    }

    #[inline]
    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        if let Some(part) = self {
            part.event(s, event);
        }
    }
}

/// Where something happens, and where findings go.
pub(crate) struct Scene<'a> {
    pub cx: &'a Context,
    pub warp: &'a WarpView<'a>,
    pub who: Who,
    pub calls: &'a calls::Calls,
    pub found: &'a mut Findings,
}

/// All rules as one observer.
pub struct Checker {
    cx: Context,
    /// What was found so far.
    pub found: Findings,
    calls: calls::Calls,
    bounds: Arc<bounds::Bounds>,
    activemask: activemask::Activemask,
    collectives: collectives::Collectives,
    barriers: barriers::Barriers,
    values: Option<values::Values>,
    races: Option<races::Races>,
    asynchronous: asynchronous::Asynchronous,
    proxies: proxies::Proxies,
    wgmma: wgmma::Wgmma,
    tensor_maps: tensormaps::TensorMaps,
    wants: wants::Wants,
}

/// What is known of a program before it runs, for all launches.
#[derive(Clone)]
pub struct Prepared {
    bounds: Arc<bounds::Bounds>,
    plans: Option<Arc<values::Plans>>,
    wants: Arc<OnceLock<Arc<[u8]>>>,
}

impl Prepared {
    /// Looks at the program of a launch.
    pub fn new(cx: &Context) -> Self {
        let is_wanted = !cx.levels.drop_all(values::RULES);
        let bounds = Arc::new(bounds::Bounds::new(cx));
        Prepared { bounds, plans: is_wanted.then(|| Arc::new(values::Plans::new(&cx.program))), wants: Arc::default() }
    }
}

impl Checker {
    /// A checker for one launch.
    pub fn new(cx: Context) -> Self {
        let prepared = Prepared::new(&cx);
        Checker::with(cx, &prepared)
    }

    /// A checker for one of several launches of a program.
    pub fn with(cx: Context, prepared: &Prepared) -> Self {
        let wanted = |rules| !cx.levels.drop_all(rules);
        let mut checker = Checker {
            found: Findings::new(cx.sites.clone()),
            calls: calls::Calls::new(&cx),
            bounds: prepared.bounds.clone(),
            activemask: activemask::Activemask::new(&cx),
            collectives: collectives::Collectives::new(&cx),
            barriers: barriers::Barriers::new(&cx),
            values: prepared.plans.clone().map(|plans| values::Values::new(&cx, plans)),
            races: wanted(races::RULES).then(|| races::Races::new(&cx)),
            asynchronous: asynchronous::Asynchronous::default(),
            proxies: proxies::Proxies::new(&cx),
            wgmma: wgmma::Wgmma::new(&cx),
            tensor_maps: tensormaps::TensorMaps::new(&cx),
            wants: wants::Wants::new(Arc::default()),
            cx,
        };
        checker.wants = wants::Wants::new(prepared.wants.get_or_init(|| checker.wanted()).clone());
        checker
    }

    /// What the parts want of each instruction.
    fn wanted(&self) -> Arc<[u8]> {
        let constants = collectives::Constants::new(&self.cx.program);
        let of = |(pc, inst): (usize, &Inst)| {
            let values = self.values.as_ref().map_or(0, |values| values.wants(pc));
            let races = self.races.as_ref().map_or(0, |races| races.wants(pc, inst));
            let plain = if collectives::is_plain(inst, &constants) { wants::PLAIN } else { 0 };
            let others = self.bounds.wants(&self.cx.program, pc) | self.wgmma.wants(pc) | self.tensor_maps.wants(inst);
            values
                | races
                | plain
                | others
                | self.activemask.wants(inst)
                | self.proxies.wants(inst)
                | self.calls.wants(inst)
        };
        self.cx.program.code.iter().enumerate().map(of).collect()
    }

    /// What is wanted may be another by now.
    #[inline]
    fn look(&mut self, warp: &WarpView<'_>, who: Who) {
        if let Some(values) = &self.values {
            self.wants.update(who, warp.ctas.len(), values.now(self.wants.turn));
        }
    }

    /// Lanes leave the variable that their address was made from: what they find there counts as defined.
    #[cold]
    fn stray(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>, stray: LaneMask) {
        let known = self.found.len();
        let mut scene = Scene { cx: &self.cx, warp, who, calls: &self.calls, found: &mut self.found };
        self.bounds.report(&mut scene, access, stray);
        if let Some(values) = &mut self.values {
            values.settle(&scene, access.pc, stray);
        }
        self.tell_callers(known, who);
        self.look(warp, who);
    }

    /// Findings after the first `known` get the calls that led to them.
    #[inline]
    fn tell_callers(&mut self, known: usize, who: Who) {
        if self.found.len() > known {
            let (calls, program) = (&self.calls, &self.cx.program);
            self.found.tell_callers(known, |f: &Finding| calls.of(program, who, f.lanes, f.pc));
        }
    }

    /// The launch has ended: a fault that breaks a rule becomes a finding, any other is given back.
    pub fn finish<'f>(&mut self, global: &GlobalMemory, fault: Option<&'f Fault>) -> Option<&'f Fault> {
        let Some(fault) = fault else {
            if let Some(values) = &mut self.values {
                values.finish(&self.cx, &mut self.found);
            }
            return None;
        };
        let phases = |place: (u32, u64)| self.races.as_ref().map_or(0, |r| r.phases(place));
        let past = blocked::Past { history: &self.collectives.history, phases: &phases };
        match faults::with_past(&self.cx.program, global, fault, past) {
            Some(mut finding) => {
                finding.callers = match &fault.kind {
                    FaultKind::Deadlock(list) | FaultKind::Livelock(list) => blocked::callers(list, &finding),
                    _ => self.calls.at(&self.cx, fault),
                };
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
        Space::Shared => at >= u64::from(SHARED_START) && at.saturating_add(size) <= shared_end,
        Space::Local => at < MOST_LOCAL,
        Space::Param => true,
    };
    // Near is an interval: mostly its ends tell of all.
    if is_near(access.spread.low) && is_near(access.spread.high) {
        return access.lanes;
    }
    let is_bad = |lane: &usize| !is_near(access.addresses.at(*lane));
    access.lanes & !slots::lanes(access.lanes).filter(is_bad).fold(0, |mask, lane| mask | 1 << lane)
}

/// Tells parts, without a call through a table: most parts want to know little of each instruction.
macro_rules! tell {
    ($checker:expr, [$($part:ident)+], $warp:expr, $who:expr, $method:ident, $arguments:tt) => {{
        let known = $checker.found.len();
        let (calls, found) = (&$checker.calls, &mut $checker.found);
        let mut scene = Scene { cx: &$checker.cx, warp: $warp, who: $who, calls, found };
        $(tell!(@ $checker.$part, $method, &mut scene, $arguments);)+
        $checker.tell_callers(known, $who);
    }};
    (@ $part:expr, $method:ident, $scene:expr, ($($argument:expr),+)) => { $part.$method($scene, $($argument),+) };
}

impl Checker {
    fn access_near(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>) {
        if self.values.as_ref().is_some_and(|values| self.wants.is_wanted(values.wants(access.pc as usize))) {
            tell!(self, [activemask values races proxies], warp, who, access, (access));
            self.look(warp, who);
        } else {
            tell!(self, [activemask races proxies], warp, who, access, (access));
        }
    }
}

impl Observer for Checker {
    const ACTIVE: bool = true;

    #[inline]
    fn turn(&mut self, who: Who) {
        let (wants, values) = (&mut self.wants, &self.values);
        let now = wants.now;
        wants.begin(who, || values.as_ref().map_or(now, |values| values.now(who)));
    }

    #[inline(always)]
    fn wants_step(&self, pc: Pc) -> bool {
        self.wants.step(pc)
    }

    #[inline]
    fn wants_steps_among(&self, pc: Pc, len: u32) -> bool {
        self.wants.steps_among(pc, len)
    }

    #[inline(always)]
    fn wants_access(&self, pc: Pc) -> bool {
        self.wants.access(pc)
    }

    #[inline(always)]
    fn wants_branches(&self) -> bool {
        false
    }

    #[inline]
    fn whole_collective(&mut self, who: Who, pc: Pc) -> bool {
        let is_plain = who == self.wants.turn && self.wants.is_plain(pc);
        if is_plain {
            self.collectives.history.whole(who, pc);
        }
        is_plain
    }

    fn step(&mut self, warp: &WarpView<'_>, who: Who, pc: Pc, inst: &Inst, split: LaneMask, lanes: LaneMask) {
        tell!(self, [activemask values races wgmma tensor_maps], warp, who, step, (pc, inst, split, lanes));
        self.calls.step(who, pc, inst, lanes);
        self.look(warp, who);
    }

    fn access(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>) {
        let mut lanes = near(warp, access);
        let stray = self.bounds.stray(access) & lanes;
        if stray != 0 {
            self.stray(warp, who, access, stray);
            lanes &= !stray;
        }
        if lanes == access.lanes {
            self.access_near(warp, who, access);
        } else if lanes != 0 {
            let spread = Spread::of(&access.addresses.all(), lanes);
            self.access_near(warp, who, &Access { lanes, spread: &spread, ..*access });
        }
    }

    fn access_row(&mut self, warp: &WarpView<'_>, who: Who, row: &Access<'_>, accesses: &[(Pc, i32)]) -> bool {
        // What others than the parts for races and bounds may want of loads is told one by one.
        let wanted = accesses.iter().fold(0, |all, &(pc, _)| all | self.wants.of(pc));
        if self.wants.is_opening(wanted) || !self.bounds.are_inside(row, accesses) {
            return false;
        }
        let Some(races) = self.races.as_mut().filter(|_| wanted & wants::ACCESS != 0) else { return true };
        let known = self.found.len();
        let mut scene = Scene { cx: &self.cx, warp, who, calls: &self.calls, found: &mut self.found };
        let is_done = races.access_row(&mut scene, row, accesses);
        self.tell_callers(known, who);
        is_done
    }

    fn event(&mut self, warp: &WarpView<'_>, who: Who, event: &Event<'_>) {
        match event {
            Event::CollectiveArrive { .. } => {
                tell!(self, [collectives], warp, who, event, (event));
            }
            Event::Collective { .. } => {
                tell!(self, [collectives values races wgmma tensor_maps], warp, who, event, (event));
            }
            _ => {
                tell!(
                    self,
                    [activemask collectives barriers values races asynchronous proxies wgmma tensor_maps],
                    warp,
                    who,
                    event,
                    (event)
                );
                self.calls.event(warp, who, event);
            }
        }
        self.look(warp, who);
    }
}
