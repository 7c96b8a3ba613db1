//! Lanes that cannot go on: who is the cause, and which rule does it break?
//!
//! Groups of lanes that wait for each other are the nodes of a graph. Lanes that wait for nobody but each other are the
//! cause; all others wait for them. Among those, the lanes that are behind (the others are at a place that they have
//! yet to come to) are at a collective or barrier that the others have missed: the finding is put there.

use warpvm_machine::fault::{Fault, MbarrierState, WaitReason, Waiting};
use warpvm_machine::program::{Inst, Kind, Pc, Program};
use warpvm_machine::slots::LaneMask;

use crate::barriers::WHY_WARP;
use crate::collectives::{History, WHY_MASK};
use crate::finding::{Finding, Related, Rule};
use crate::flow::Flow;
use crate::words::{spelled, verb, who};

/// Groups of lanes that are looked at, at most.
const MOST: usize = 256;
/// Groups of lanes that are shown, at most.
const SHOWN: usize = 8;

const WHY_COUNT: &str = "a barrier with a thread count completes when that many threads have arrived, and not before; \
PTX ISA, bar and barrier";
const WHY_WAIT: &str = "a collective or barrier waits for every thread that it names and that has not exited; PTX ISA, \
parallel synchronization and communication instructions";
const WHY_SPIN: &str = "no lane that could change what these lanes look at can run, and none of them changes it";
const WHY_MBARRIER: &str =
    "a phase of an mbarrier completes when all its arrivals and bytes have come; PTX ISA, mbarrier";

/// What is known of the run up to the end.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    /// Who came by which collective.
    pub history: &'a History,
    /// Phases of an mbarrier that have completed, by its place.
    pub phases: &'a dyn Fn((u32, u64)) -> u32,
}

/// The finding for lanes that wait for ever.
pub(crate) fn finding(program: &Program, past: Past<'_>, fault: &Fault, list: &[Waiting]) -> Finding {
    let groups = merged(list);
    let cause = cause(&groups);
    let chosen: Vec<&Waiting> = cause.iter().map(|&i| &groups[i]).collect();
    let others = groups.iter().enumerate().filter(|(i, _)| !cause.contains(i)).map(|(_, w)| w);
    let case = Case { program, past, cause: chosen.clone(), all: &groups };
    let mut f = case.judge().unwrap_or_else(|| case.fallback(fault));
    let left = SHOWN.saturating_sub(f.related.len());
    let in_warp = |w: &&Waiting| (w.cta, w.warp) == (f.cta, f.warp);
    let also = others.filter(in_warp).take(left).map(related);
    let also: Vec<Related> = also.collect();
    f.related.extend(also);
    let mut said = Vec::new();
    f.related.retain(|r| {
        let is_new = !said.contains(&(r.pc, r.message.clone()));
        said.push((r.pc, r.message.clone()));
        is_new
    });
    f
}

/// The calls that led the lanes of a finding to where they wait.
pub(crate) fn callers(list: &[Waiting], f: &Finding) -> Vec<Pc> {
    let is_it = |w: &&Waiting| (w.cta, w.warp, w.pc) == (f.cta, f.warp, f.pc) && w.lanes & f.lanes != 0;
    list.iter().find(is_it).map(|w| w.callers.clone()).unwrap_or_default()
}

/// Groups of one warp at one place for one reason are one.
fn merged(list: &[Waiting]) -> Vec<Waiting> {
    let mut out: Vec<Waiting> = Vec::new();
    for w in list {
        let same = |x: &&mut Waiting| {
            (x.cta, x.warp, x.pc, &x.callers, &x.reason) == (w.cta, w.warp, w.pc, &w.callers, &w.reason)
        };
        match out.iter_mut().find(same) {
            Some(x) => x.lanes |= w.lanes,
            None => out.push(w.clone()),
        }
    }
    out.truncate(MOST);
    out
}

fn waits_for(a: &Waiting, b: &Waiting) -> bool {
    let same_warp = (a.cta, a.warp) == (b.cta, b.warp);
    match &a.reason {
        WaitReason::Collective { missing, .. } => same_warp && b.lanes & missing != 0,
        WaitReason::Barrier { id, .. } => {
            a.cta == b.cta && !matches!(&b.reason, WaitReason::Barrier { id: other, .. } if other == id)
        }
        WaitReason::ClusterBarrier => b.reason != WaitReason::ClusterBarrier,
        WaitReason::Reconvergence => same_warp && b.reason != WaitReason::Reconvergence,
        WaitReason::Running | WaitReason::Spinning { .. } => false,
    }
}

/// Groups that wait for nobody but each other, by index. Those that wait at a barrier or collective are preferred over
/// those that go round: the latter may only wait for what the former would have done.
fn cause(groups: &[Waiting]) -> Vec<usize> {
    let reach: Vec<Vec<bool>> = (0..groups.len()).map(|i| reachable(groups, i)).collect();
    let component = |i: usize| (0..groups.len()).filter(|&j| j == i || reach[i][j]).collect::<Vec<_>>();
    let is_bottom = |i: &usize| component(*i).iter().all(|&j| j == *i || reach[j][*i]);
    let bottoms: Vec<usize> = (0..groups.len()).filter(is_bottom).collect();
    let goes_round = |i: &usize| matches!(groups[*i].reason, WaitReason::Spinning { .. } | WaitReason::Running);
    let first = bottoms.iter().find(|i| !goes_round(i));
    match first {
        Some(&i) => component(i),
        None => bottoms,
    }
}

fn reachable(groups: &[Waiting], from: usize) -> Vec<bool> {
    let mut seen = vec![false; groups.len()];
    let mut open = vec![from];
    while let Some(i) = open.pop() {
        for j in 0..groups.len() {
            if !seen[j] && waits_for(&groups[i], &groups[j]) {
                seen[j] = true;
                open.push(j);
            }
        }
    }
    seen
}

/// The calls that led to a place and the place, outermost first.
fn path(w: &Waiting) -> Vec<Pc> {
    w.callers.iter().rev().copied().chain([w.pc]).collect()
}

struct Case<'a> {
    program: &'a Program,
    past: Past<'a>,
    /// Groups that are the cause.
    cause: Vec<&'a Waiting>,
    /// All groups.
    all: &'a [Waiting],
}

impl Case<'_> {
    fn judge(&self) -> Option<Finding> {
        if let Some(f) = self.disagreement() {
            return Some(f);
        }
        let guilty = self.furthest_behind()?;
        match &guilty.reason {
            WaitReason::Collective { mask, missing } => {
                Some(self.other_mask(guilty, *missing).unwrap_or_else(|| self.absent(guilty, *mask, *missing)))
            }
            WaitReason::Barrier { id, needed, arrived } => Some(self.barrier(guilty, *id, *needed, *arrived)),
            WaitReason::Spinning { mbarrier } => Some(self.spinning(guilty, *mbarrier)),
            _ => None,
        }
    }

    /// The group that all others have left behind.
    fn furthest_behind(&self) -> Option<&Waiting> {
        let mut flow = Flow::new(self.program);
        let mut is_ahead = |w: &Waiting| {
            let here = path(w);
            self.cause.iter().any(|o| flow.is_behind(&path(o), &here) && !flow.is_behind(&here, &path(o)))
        };
        let candidates: Vec<&&Waiting> = self.cause.iter().filter(|w| !is_ahead(w)).collect();
        let list = if candidates.is_empty() { self.cause.iter().collect() } else { candidates };
        list.into_iter().min_by_key(|w| (w.cta, w.warp, w.pc, w.lanes.trailing_zeros())).copied()
    }

    /// Two groups at the same operation that name each other with different masks.
    fn disagreement(&self) -> Option<Finding> {
        for (i, a) in self.cause.iter().enumerate() {
            let WaitReason::Collective { mask: mine, .. } = a.reason else { continue };
            for b in &self.cause[i + 1..] {
                let WaitReason::Collective { mask: theirs, .. } = b.reason else { continue };
                let same_warp = (a.cta, a.warp) == (b.cta, b.warp);
                let mutual = mine & b.lanes != 0 && theirs & a.lanes != 0 && mine != theirs;
                if same_warp && mutual && is_same_operation(self.program, a.pc, b.pc) {
                    return Some(self.mismatch(
                        a,
                        mine,
                        b.pc,
                        b.lanes & mine,
                        theirs,
                        verb(b.lanes & mine, "passes", "pass"),
                    ));
                }
            }
        }
        None
    }

    /// Lanes that are waited for came by the same instruction, with another mask.
    fn other_mask(&self, guilty: &Waiting, missing: LaneMask) -> Option<Finding> {
        let WaitReason::Collective { mask, .. } = guilty.reason else { return None };
        let first = guilty.lanes.trailing_zeros() as usize;
        let (with_it, passed) = self.past.history.passed(guilty.cta, guilty.warp, guilty.pc, first, mask, missing)?;
        Some(self.mismatch(guilty, mask, guilty.pc, with_it, passed, "passed"))
    }

    fn mismatch(&self, a: &Waiting, mine: LaneMask, pc: Pc, other: LaneMask, theirs: LaneMask, word: &str) -> Finding {
        let mut f = start(Rule::MaskMismatch, a, WHY_MASK);
        f.message = match theirs & a.lanes {
            0 => format!("{} waits for lanes that pass another mask", spelled(self.program, a.pc)),
            _ => "lanes that name each other pass different masks".to_owned(),
        };
        f.here =
            format!("{} {} for {} with mask {mine:#010x}", who(a.lanes), verb(a.lanes, "waits", "wait"), who(other));
        f.related.push(Related::new(pc, format!("{} {word} mask {theirs:#010x}", who(other))));
        let in_warp = self.all.iter().filter(|w| (w.cta, w.warp) == (a.cta, a.warp) && w.lanes & other != 0);
        f.related.extend(in_warp.filter(|w| w.pc != pc).map(related));
        f
    }

    fn absent(&self, w: &Waiting, mask: LaneMask, missing: LaneMask) -> Finding {
        let mut f = start(Rule::AbsentLane, w, WHY_MASK);
        f.message = format!("{} for {} that cannot arrive", waits_in(self.program, w), who(missing));
        f.here =
            format!("{} {} for {} of mask {mask:#010x}", who(w.lanes), verb(w.lanes, "waits", "wait"), who(missing));
        let elsewhere = |o: &&Waiting| (o.cta, o.warp) == (w.cta, w.warp) && o.lanes & missing != 0;
        f.related = self.all.iter().filter(elsewhere).take(SHOWN).map(|o| instead(self.program, o, missing)).collect();
        f
    }

    fn barrier(&self, w: &Waiting, id: u32, needed: u32, arrived: u32) -> Finding {
        let at_it = |o: &Waiting| matches!(&o.reason, WaitReason::Barrier { id: other, .. } if *other == id);
        let in_warp = |o: &Waiting| (o.cta, o.warp) == (w.cta, w.warp);
        // A warp that is split by the barrier, here or where else lanes wait at it.
        let split = self
            .cause
            .iter()
            .copied()
            .filter(|o| at_it(o) && is_aligned(self.program, o.pc))
            .find(|a| self.all.iter().any(|o| (o.cta, o.warp) == (a.cta, a.warp) && !at_it(o)));
        if let Some(w) = split {
            return self.divergence(w, id);
        }
        let is_counted = matches!(&code(self.program, w.pc).kind, Kind::Barrier(b) if b.count.is_some());
        let elsewhere: Vec<&Waiting> = self.all.iter().filter(|o| o.cta == w.cta && !at_it(o)).collect();
        let rule = if is_counted && elsewhere.is_empty() { Rule::BarrierCount } else { Rule::Deadlock };
        let why = if is_counted { WHY_COUNT } else { WHY_WAIT };
        let mut f = start(rule, w, why);
        f.message = format!("barrier {id} waits for {needed} threads of which {arrived} have arrived and no more can");
        f.here = format!("{} of warp {} {} at barrier {id}", who(w.lanes), w.warp, verb(w.lanes, "waits", "wait"));
        let same = self.all.iter().filter(|o| o.cta == w.cta && at_it(o) && !in_warp(o) && o.pc != w.pc);
        f.related = elsewhere.into_iter().chain(same).take(SHOWN).map(related).collect();
        f
    }

    fn divergence(&self, w: &Waiting, id: u32) -> Finding {
        let mut f = start(Rule::BarrierDivergence, w, WHY_WARP);
        f.message = format!("{} is reached by part of a warp", spelled(self.program, w.pc));
        f.here = format!("{} of warp {} {} at barrier {id}", who(w.lanes), w.warp, verb(w.lanes, "waits", "wait"));
        let rest = self.all.iter().filter(|o| (o.cta, o.warp) == (w.cta, w.warp) && o.pc != w.pc);
        f.related = rest.take(SHOWN).map(|o| instead(self.program, o, !0)).collect();
        f
    }

    fn spinning(&self, w: &Waiting, mbarrier: Option<MbarrierState>) -> Finding {
        // Everything that was to arrive has, in earlier phases: these wait for one that nobody makes.
        let is_left_over = |m: &MbarrierState| {
            let phases = (self.past.phases)(m.place);
            (phases > 0 || m.parity) && m.pending == m.expected && m.transactions == 0
        };
        let rule = match mbarrier {
            None => Rule::Deadlock,
            Some(m) if !m.is_valid => Rule::MbarrierInit,
            Some(m) if is_left_over(&m) => Rule::MbarrierPhase,
            Some(_) => Rule::MbarrierCount,
        };
        let mut f = start(rule, w, if mbarrier.is_some() { WHY_MBARRIER } else { WHY_SPIN });
        let who = format!("{} of warp {}", who(w.lanes), w.warp);
        f.here = format!("{who} {} round here", verb(w.lanes, "goes", "go"));
        f.message = match mbarrier {
            None => "lanes wait in a loop for memory that nobody changes any more".to_owned(),
            Some(m) if !m.is_valid => "lanes wait for an mbarrier that is not initialised".to_owned(),
            Some(m) if rule == Rule::MbarrierPhase => format!(
                "lanes wait for ever for a phase of an mbarrier, of parity {}, that nobody arrives at",
                u32::from(m.parity)
            ),
            Some(m) => {
                let bytes = if m.transactions == 0 { String::new() } else { format!(" and {} bytes", m.transactions) };
                format!(
                    "lanes wait for ever for phase {} of an mbarrier: {} of {} arrivals{bytes} are missing",
                    u32::from(m.parity),
                    m.pending,
                    m.expected
                )
            }
        };
        let rest = self.all.iter().filter(|o| **o != *w);
        f.related = rest.take(SHOWN).map(related).collect();
        f
    }

    fn fallback(&self, fault: &Fault) -> Finding {
        let at = self.all.first();
        let mut f = Finding::new(Rule::Deadlock, fault.pc, fault.cta, fault.warp, fault.lanes, WHY_WAIT);
        f.message = "nothing can run and lanes remain".into();
        f.here = at.map_or_else(String::new, doing);
        f.related = self.all.iter().skip(1).take(SHOWN).map(related).collect();
        f
    }
}

fn start(rule: Rule, w: &Waiting, why: &'static str) -> Finding {
    Finding::new(rule, w.pc, w.cta, w.warp, w.lanes, why)
}

fn code(program: &Program, pc: Pc) -> &Inst {
    &program.code[pc as usize]
}

fn is_aligned(program: &Program, pc: Pc) -> bool {
    matches!(&code(program, pc).kind, Kind::Barrier(b) if b.aligned)
}

fn is_same_operation(program: &Program, a: Pc, b: Pc) -> bool {
    match (&code(program, a).kind, &code(program, b).kind) {
        (Kind::Collective(x), Kind::Collective(y)) => x.key == y.key,
        _ => false,
    }
}

fn waits_in(program: &Program, w: &Waiting) -> String {
    format!("{} waits", spelled(program, w.pc))
}

/// What lanes do that were needed elsewhere.
fn instead(program: &Program, w: &Waiting, of: LaneMask) -> Related {
    let lanes = w.lanes & of;
    let how = match &w.reason {
        WaitReason::Running => "still runs here".to_owned(),
        WaitReason::Spinning { .. } => format!("{} round here instead", verb(lanes, "goes", "go")),
        _ => format!("{} here instead, in {}", verb(lanes, "waits", "wait"), spelled(program, w.pc)),
    };
    Related { callers: w.callers.clone(), ..Related::new(w.pc, format!("{} {how}", who(lanes))) }
}

fn related(w: &Waiting) -> Related {
    Related { callers: w.callers.clone(), ..Related::new(w.pc, doing(w)) }
}

/// Who waits for whom, in a sentence.
pub fn doing(w: &Waiting) -> String {
    let [x, y, z] = w.cta;
    let who_ = format!("{} of warp {} in CTA ({x},{y},{z})", who(w.lanes), w.warp);
    let wait = verb(w.lanes, "waits", "wait");
    match &w.reason {
        WaitReason::Collective { mask, missing } => {
            format!("{who_} {wait} for {} of mask {mask:#010x}", who(*missing))
        }
        WaitReason::Barrier { id, needed, arrived } => {
            format!("{who_} {wait} at barrier {id}: {arrived} of {needed} threads have arrived")
        }
        WaitReason::ClusterBarrier => format!("{who_} {wait} at the cluster barrier"),
        WaitReason::Reconvergence => format!("{who_} {wait} for the other lanes of the branch"),
        WaitReason::Running => format!("{who_} {} here", verb(w.lanes, "runs", "run")),
        WaitReason::Spinning { .. } => format!("{who_} {} round here", verb(w.lanes, "goes", "go")),
    }
}
