//! Block barriers (PTX ISA, section 9.7.13.1): who arrives together with whom, from where.
//!
//! What the machine refuses (counts, reductions mixed with others) and barriers that never complete are findings of
//! [`crate::faults`]. Here is what goes through: a warp split by an `.aligned` barrier, warps at different
//! instructions, a second arrival before the first phase has ended, threads that have exited.

use warpvm_machine::exec::BARRIERS;
use warpvm_machine::observe::{Event, Who};
use warpvm_machine::program::{Kind, Pc, Program};
use warpvm_machine::slots::LaneMask;

use crate::finding::{Finding, Related, Rule};
use crate::states::States;
use crate::words::{spelled, verb, who};
use crate::{Context, Part, Scene};

pub(crate) const WHY_WARP: &str = "with `.aligned`, which `bar` implies, all threads of a warp execute the same barrier instruction; \
PTX ISA, bar and barrier";
const WHY_BLOCK: &str = "with `.aligned`, which `bar` implies, all threads of the block execute the same barrier \
instruction; the hardware counts and lets it pass; PTX ISA, bar and barrier";
const WHY_ARRIVE: &str = "a warp that arrives twice in one phase is counted for another that has not come; PTX ISA, bar \
and barrier";
const WHY_EXITED: &str = "a barrier waits for the threads that have not exited";

/// Lanes that have arrived in the present phase of a barrier.
#[derive(Clone, Copy)]
struct Arrival {
    warp: u32,
    lanes: LaneMask,
    pc: Pc,
}

/// See the module.
pub(crate) struct Barriers {
    /// Threads of a CTA.
    threads: u32,
    ctas: States<Cta>,
}

/// A phase of a barrier.
#[derive(Default)]
struct Phase {
    /// Who has arrived.
    arrivals: Vec<Arrival>,
    /// Lanes of these, by warp.
    lanes: Vec<LaneMask>,
    /// Are they at different places?
    is_apart: bool,
}

impl Phase {
    /// One more arrival. Gives an earlier one of lanes among them, and one of other lanes of the warp at another place.
    fn add(&mut self, now: Arrival) -> (Option<Arrival>, Option<Arrival>) {
        let warp = now.warp as usize;
        if self.lanes.len() <= warp {
            self.lanes.resize(warp + 1, 0);
        }
        let is_again = self.lanes[warp] & now.lanes != 0;
        self.lanes[warp] |= now.lanes;
        self.is_apart |= self.arrivals.first().is_some_and(|a| a.pc != now.pc);
        let own = || self.arrivals.iter().filter(|a| a.warp == now.warp);
        let twice = if is_again { own().find(|a| a.lanes & now.lanes != 0).copied() } else { None };
        let is_elsewhere = |a: &&Arrival| a.lanes & now.lanes == 0 && a.pc != now.pc;
        let elsewhere = if self.is_apart { own().find(is_elsewhere).copied() } else { None };
        self.arrivals.push(now);
        (twice, elsewhere)
    }

    fn clear(&mut self) {
        self.arrivals.clear();
        self.lanes.fill(0);
        self.is_apart = false;
    }
}

/// What is kept of a CTA.
#[derive(Default)]
struct Cta {
    /// The present phase of each barrier.
    phases: [Phase; BARRIERS],
    /// Threads that have exited.
    exited: u32,
}

impl Barriers {
    pub fn new(cx: &Context) -> Self {
        Barriers { threads: cx.threads, ctas: States::new() }
    }

    fn cta(&mut self, index: u32) -> &mut Cta {
        self.ctas.get_or(u64::from(index), Cta::default)
    }

    fn exit(&mut self, s: &Scene<'_>, lanes: LaneMask) {
        let threads = self.threads;
        let cta = self.cta(s.who.cta);
        cta.exited += lanes.count_ones();
        if cta.exited == threads {
            self.ctas.remove(u64::from(s.who.cta));
        }
    }

    fn arrive(&mut self, s: &mut Scene<'_>, pc: Pc, here: LaneMask, id: u32) {
        let Who { cta, warp } = s.who;
        let phase = &mut self.cta(cta).phases[id as usize % BARRIERS];
        let (twice, elsewhere) = phase.add(Arrival { warp, lanes: here, pc });
        if let Some(first) = twice {
            arrives_twice(s, pc, here, id, first);
        } else if let Some(other) = elsewhere
            && (is_aligned(&s.cx.program, pc) || is_aligned(&s.cx.program, other.pc))
        {
            // The earlier place first, whoever came there first: one cause is one finding.
            let now = Arrival { warp, lanes: here, pc };
            let (first, second) = if pc < other.pc { (now, other) } else { (other, now) };
            let message = format!("{} {} here in the same phase", who(second.lanes), verb(second.lanes, "is", "are"));
            divergence(s, first.pc, first.lanes, id, Related::new(second.pc, message));
        }
    }

    fn complete(&mut self, s: &mut Scene<'_>, id: u32, arrivals: &[(u32, LaneMask, Pc, bool)]) {
        let cta = self.cta(s.who.cta);
        cta.phases[id as usize % BARRIERS].clear();
        let is_one_place = arrivals.iter().all(|a| a.2 == arrivals[0].2);
        if !is_one_place && !arrivals.iter().any(|a| arrivals.iter().any(|b| a.0 == b.0 && a.2 != b.2)) {
            sites(s, id, arrivals);
        }
        let count = self.cta(s.who.cta).exited;
        if count != 0
            && let Some(&(warp, lanes, pc, _)) = arrivals.first()
            && matches!(&s.cx.program.code[pc as usize].kind, Kind::Barrier(b) if !b.count.is_some())
        {
            let mut f = Finding::new(Rule::ExitedBarrier, pc, s.warp.cta, warp, lanes, WHY_EXITED);
            f.message = format!("{count} threads of the block have exited before barrier {id}");
            f.here = "the others do not wait for them".into();
            s.found.add(f);
        }
    }

    fn passed(&self, s: &mut Scene<'_>, pc: Pc, here: LaneMask, id: u32, end: Pc, passed: LaneMask) {
        let program = &s.cx.program;
        let phase = self.ctas.get(u64::from(s.who.cta)).map(|cta| &cta.phases[id as usize % BARRIERS]);
        let is_known = phase.is_some_and(|phase| phase.arrivals.iter().any(|a| a.warp == s.who.warp && a.pc != pc));
        if !is_known && is_aligned(program, pc) && does_something(program, end) {
            // Those who stay come by the other barriers of a loop as well.
            if s.found.again_with(Rule::BarrierDivergence, end) {
                return;
            }
            let message = format!("{} went on here without them", who(passed));
            divergence(s, pc, here, id, Related::new(end, message));
        }
    }
}

impl Part for Barriers {
    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        match *event {
            Event::BarrierArrive { pc, lanes, id, .. } => self.arrive(s, pc, lanes, id),
            Event::BarrierComplete { id, arrivals } => self.complete(s, id, arrivals),
            Event::BarrierPassed { pc, lanes, id, end, passed } => self.passed(s, pc, lanes, id, end, passed),
            Event::Exit { lanes, .. } => self.exit(s, lanes),
            _ => {}
        }
    }
}

fn is_aligned(program: &Program, pc: Pc) -> bool {
    matches!(&program.code[pc as usize].kind, Kind::Barrier(b) if b.aligned)
}

/// Does the program do anything but end from here on?
fn does_something(program: &Program, from: Pc) -> bool {
    let mut pc = from as usize;
    for _ in 0..16 {
        match program.code.get(pc).map(|i| (&i.kind, i.guard)) {
            Some((Kind::Converge | Kind::Nothing, _)) => pc += 1,
            Some((Kind::Branch { target, .. }, None)) => pc = *target as usize,
            Some((Kind::Exit, None)) | None => return false,
            _ => return true,
        }
    }
    true
}

fn divergence(s: &mut Scene<'_>, pc: Pc, here: LaneMask, id: u32, other: Related) {
    let mut f = Finding::new(Rule::BarrierDivergence, pc, s.warp.cta, s.who.warp, here, WHY_WARP);
    f.message = format!("{} is reached by part of a warp", spelled(&s.cx.program, pc));
    f.here = format!("{} of warp {} {} at barrier {id}", who(here), s.who.warp, verb(here, "waits", "wait"));
    f.related.push(other);
    s.found.add(f);
}

fn arrives_twice(s: &mut Scene<'_>, pc: Pc, here: LaneMask, id: u32, first: Arrival) {
    let twice = here & first.lanes;
    let mut f = Finding::new(Rule::BarrierArrive, pc, s.warp.cta, s.who.warp, twice, WHY_ARRIVE);
    f.message = format!("warp {} arrives twice in one phase of barrier {id}", s.who.warp);
    f.here = format!("{} {} again before the others have come", who(twice), verb(twice, "arrives", "arrive"));
    f.related.push(Related::new(first.pc, "the first arrival".to_owned()));
    s.found.add(f);
}

/// Whole warps that wait at different instructions, one of them `.aligned`.
fn sites(s: &mut Scene<'_>, id: u32, arrivals: &[(u32, LaneMask, Pc, bool)]) {
    let waiting = |a: &&(u32, LaneMask, Pc, bool)| a.3;
    let Some(&(warp, here, pc, _)) = arrivals.iter().filter(waiting).min_by_key(|a| a.2) else { return };
    let home = s.found.site(pc);
    let mut others: Vec<(Pc, u32)> = Vec::new();
    for &(w, _, at, _) in arrivals.iter().filter(waiting) {
        if w != warp && s.found.site(at) != home && others.iter().all(|o| s.found.site(o.0) != s.found.site(at)) {
            others.push((at, w));
        }
    }
    others.sort_unstable();
    let program = &s.cx.program;
    if others.is_empty() || !is_aligned(program, pc) && !others.iter().any(|o| is_aligned(program, o.0)) {
        return;
    }
    let mut f = Finding::new(Rule::BarrierSites, pc, s.warp.cta, warp, here, WHY_BLOCK);
    f.message = format!("warps meet at barrier {id} from different instructions");
    f.here = format!("warp {warp} waits here");
    f.related = others.iter().map(|(at, w)| Related::new(*at, format!("warp {w} waits here"))).collect();
    s.found.add(f);
}
