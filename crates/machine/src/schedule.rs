//! Who runs next.
//!
//! [`fast`] gives CTAs to host threads and runs each warp to its next wait. [`seeded`] draws every decision from a
//! seed: which CTA, which warp, which lanes, how long; it splits lanes that would have stayed together and lets lanes
//! pass points where they would have met. Both give every runnable lane a turn in the end; the stack model does not.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::exec::{Context, Cta, Engine, Group, Split, Stop, WaitFor, Warp};
use crate::fault::{Fault, FaultKind, WaitReason, Waiting};
use crate::jit::Runner;
use crate::launch::{Config, Convergence, Outcome};
use crate::observe::Observer;
use crate::random::Random;
use crate::slots::{FULL, LaneMask, Registers};

/// Instructions that a split runs before others get a turn.
const TURN: u64 = 1 << 14;
/// Instructions that a group runs before another group gets its thread.
const SLICE: u64 = 1 << 21;
/// Groups that a host thread keeps going at the same time, at most.
const RESIDENT: usize = 64;
/// Stack of a thread beyond its static frame, where the program may recurse.
const RECURSION_BYTES: u32 = 1 << 16;

/// A group for the CTAs of a cluster, not yet reset.
fn new_group(cx: &Context<'_>) -> Group {
    let per_cta = cx.dimensions.warps() as usize;
    let ctas = cx.dimensions.cluster.iter().product::<u32>() as usize;
    let shared = cx.program.dynamic_shared_start - crate::memory::SHARED_START + cx.dynamic_shared;
    let local_stride = cx.program.local_bytes + if cx.program.may_recurse { RECURSION_BYTES } else { 0 };
    let mut group = Group { warps: Vec::new(), ctas: Vec::new(), cluster: Default::default(), steps: 0 };
    for cta in 0..ctas {
        group.ctas.push(Cta::new(shared, cta * per_cta..(cta + 1) * per_cta));
        for number in 0..per_cta as u32 {
            group.warps.push(Warp {
                cta,
                number,
                regs: Registers::new(cx.program.register_bytes),
                exists: 0,
                live: 0,
                ready: Vec::new(),
                joins: Vec::new(),
                waits: Vec::new(),
                local: vec![0; 32 * local_stride as usize],
                local_stride,
                stack: [0; 32],
                copies: Vec::new(),
                bulk: Vec::new(),
                steps: 0,
            });
        }
    }
    group.cluster.arrived = vec![0; group.warps.len()];
    group
}

/// Coordinates of the CTAs of cluster `n`.
fn cluster_ctas(cx: &Context<'_>, n: u64) -> Vec<(u32, [u32; 3])> {
    let d = &cx.dimensions;
    let clusters: [u64; 3] = std::array::from_fn(|i| u64::from(d.grid[i] / d.cluster[i]));
    let at = [n % clusters[0], n / clusters[0] % clusters[1], n / clusters[0] / clusters[1]];
    let [cx_, cy, cz] = d.cluster;
    let mut list = Vec::new();
    for rank in 0..cx_ * cy * cz {
        let within = [rank % cx_, rank / cx_ % cy, rank / cx_ / cy];
        let id: [u32; 3] = std::array::from_fn(|i| at[i] as u32 * d.cluster[i] + within[i]);
        let index =
            u64::from(id[0]) + u64::from(d.grid[0]) * (u64::from(id[1]) + u64::from(d.grid[1]) * u64::from(id[2]));
        list.push((index as u32, id));
    }
    list
}

/// Puts a group at the start of cluster `n`.
fn reset_group<O: Observer>(engine: &Engine<'_, O>, group: &mut Group, n: u64, fresh: bool) {
    let cx = engine.cx;
    let threads = cx.dimensions.threads() as u32;
    for (rank, (index, id)) in cluster_ctas(cx, n).into_iter().enumerate() {
        group.ctas[rank].reset(index, id, rank as u32);
    }
    group.steps = 0;
    group.cluster.arrived.fill(0);
    group.cluster.phase = 0;
    for w in 0..group.warps.len() {
        let cta = group.warps[w].cta;
        let left = threads - group.warps[w].number * 32;
        let exists = if left >= 32 { FULL } else { (1 << left) - 1 };
        let warp = &mut group.warps[w];
        warp.reset(exists);
        if !fresh && !warp.local.is_empty() {
            warp.local.fill(0);
        }
        engine.preset(warp, &group.ctas[cta], fresh);
    }
}

/// What became of a group's turn.
enum Turn {
    Done,
    Unfinished,
}

/// Is the warp allowed to run? Under the stack model lanes that wait block those below them.
fn may_run(cx: &Context<'_>, warp: &Warp) -> bool {
    !warp.ready.is_empty() && (cx.convergence != Convergence::Stack || warp.waits.is_empty())
}

/// Runs a group until its threads have exited or its slice is used up.
fn run_group<O: Observer>(engine: &mut Engine<'_, O>, group: &mut Group) -> Result<Turn, Box<Fault>> {
    let cx = engine.cx;
    let slice_end = group.steps + SLICE;
    loop {
        let mut ran = false;
        let mut all_out_of_time = true;
        for w in 0..group.warps.len() {
            let mut turns = 0;
            while may_run(cx, &group.warps[w]) {
                let split = group.warps[w].ready.pop().expect("not empty");
                ran = true;
                if engine.run_split(group, w, split, TURN)? == Stop::Gone {
                    all_out_of_time = false;
                    continue;
                }
                turns += 1;
                if cx.convergence != Convergence::Stack {
                    // Somebody spins, perhaps for lanes of its own warp: they go first next time.
                    group.warps[w].ready.rotate_right(1);
                    group.warps[w].release_joins();
                }
                if turns > group.warps[w].ready.len() {
                    break;
                }
            }
            if engine.take_settle() {
                engine.settle_warps(group)?;
                engine.settle_barriers(group);
            }
        }
        if group.warps.iter().all(Warp::is_done) {
            return Ok(Turn::Done);
        }
        if group.steps > cx.max_steps {
            return Err(step_limit(group, cx.max_steps));
        }
        if !ran && !unblock(engine, group)? {
            return Err(deadlock(cx, group));
        }
        if all_out_of_time && ran && group.steps > slice_end {
            return Ok(Turn::Unfinished);
        }
    }
}

/// Nothing can run: lanes that wait only to meet others go on without them.
fn unblock<O: Observer>(engine: &mut Engine<'_, O>, group: &mut Group) -> Result<bool, Box<Fault>> {
    engine.settle_warps(group)?;
    if engine.settle_barriers(group) || group.warps.iter().any(|w| may_run(engine.cx, w)) {
        return Ok(true);
    }
    if engine.cx.convergence == Convergence::Stack {
        return Ok(false);
    }
    let mut any = false;
    for warp in &mut group.warps {
        any |= warp.release_joins();
    }
    Ok(any)
}

/// Where every lane is that has not exited.
fn whereabouts(group: &Group) -> Vec<Waiting> {
    let mut list = Vec::new();
    for warp in &group.warps {
        let cta = &group.ctas[warp.cta];
        let mut add = |lanes: LaneMask, pc, reason| {
            list.push(Waiting { cta: cta.id, warp: warp.number, lanes, pc, reason });
        };
        for s in &warp.ready {
            add(s.mask, s.pc, WaitReason::Running);
        }
        for (pc, lanes) in warp.parked() {
            add(lanes, pc, WaitReason::Reconvergence);
        }
        for wait in &warp.waits {
            let reason = match wait.what {
                WaitFor::Collective { key, mask } => {
                    let same = |x: &&crate::exec::Wait| x.what == WaitFor::Collective { key, mask };
                    let here = warp.waits.iter().filter(same).fold(0, |m, x| m | x.split.mask);
                    WaitReason::Collective { mask, missing: mask & warp.live & !here }
                }
                WaitFor::Barrier { id } => {
                    let range = cta.warps.clone();
                    let live: Vec<LaneMask> = group.warps[range].iter().map(|w| w.live).collect();
                    let b = &cta.barriers[id as usize];
                    let needed = if b.count == 0 { live.iter().map(|m| m.count_ones()).sum() } else { b.count };
                    let arrived = if b.count == 0 {
                        b.arrivals.iter().map(|a| a.lanes.count_ones()).sum()
                    } else {
                        b.threads(&live)
                    };
                    WaitReason::Barrier { id, needed, arrived }
                }
                WaitFor::Cluster { .. } => WaitReason::ClusterBarrier,
            };
            add(wait.split.mask, wait.split.pc, reason);
        }
    }
    list
}

fn blocked(group: &Group, list: Vec<Waiting>, kind: impl FnOnce(Vec<Waiting>) -> FaultKind) -> Box<Fault> {
    let first = list.iter().find(|w| !matches!(w.reason, WaitReason::Reconvergence | WaitReason::Running));
    let (pc, cta, warp, lanes) = match first.or(list.first()) {
        Some(w) => (w.pc, w.cta, w.warp, w.lanes),
        None => (0, group.ctas[0].id, 0, 0),
    };
    Box::new(Fault { kind: kind(list), pc, cta, warp, lanes })
}

fn deadlock(_cx: &Context<'_>, group: &Group) -> Box<Fault> {
    blocked(group, whereabouts(group), FaultKind::Deadlock)
}

fn step_limit(group: &Group, limit: u64) -> Box<Fault> {
    let list = whereabouts(group);
    let spinning = list.iter().find(|w| w.reason == WaitReason::Running).cloned();
    let mut fault = blocked(group, list, |spinning| FaultKind::StepLimit { limit, spinning });
    if let Some(s) = spinning {
        (fault.pc, fault.cta, fault.warp, fault.lanes) = (s.pc, s.cta, s.warp, s.lanes);
    }
    fault
}

/// All cores, each warp to its next wait.
pub fn fast<O: Observer>(cx: &Context<'_>, config: &Config, observer: &(impl Fn() -> O + Sync)) -> (Outcome, Vec<O>) {
    let clusters = cx.dimensions.ctas() / cx.dimensions.cluster.iter().map(|&n| u64::from(n)).product::<u64>();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if config.threads == 0 { cores } else { config.threads };
    let threads = threads.min(clusters as usize).max(1);
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let total = Mutex::new((Outcome::default(), Vec::new()));
    // Consecutive CTAs go to one thread at a time: they share cache lines.
    let chunk = (clusters / (threads as u64 * 16)).clamp(1, 64);
    let work = || {
        let mut engine = Engine::new(cx, observer(), None);
        let runner = Runner::new(&engine, config.tier);
        let mut worker = Worker { next: &next, stop: &stop, clusters, chunk, mine: 0..0, spare: Vec::new(), runner };
        let (fault, steps, events) = worker.run(&mut engine);
        let mut total = total.lock().expect("outcome lock");
        total.0.steps += steps;
        (0..16).for_each(|i| total.0.events[i] += events[i]);
        if let Some(fault) = fault {
            stop.store(true, Ordering::Relaxed);
            // The fault of the first CTA, so that the report does not depend on the threads more than it must.
            let order = |f: &Fault| (f.cta[2], f.cta[1], f.cta[0]);
            if total.0.fault.as_ref().is_none_or(|old| order(&fault) < order(old)) {
                total.0.fault = Some(fault);
            }
        }
        total.1.push(engine.observer);
    };
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    }
    total.into_inner().expect("outcome lock")
}

/// A host thread's share of a launch.
struct Worker<'a> {
    next: &'a AtomicU64,
    stop: &'a AtomicBool,
    clusters: u64,
    chunk: u64,
    mine: std::ops::Range<u64>,
    spare: Vec<Group>,
    runner: Runner,
}

impl Worker<'_> {
    fn take(&mut self) -> Option<u64> {
        if self.mine.is_empty() {
            let start = self.next.fetch_add(self.chunk, Ordering::Relaxed);
            self.mine = start.min(self.clusters)..(start + self.chunk).min(self.clusters);
        }
        self.mine.next()
    }

    fn run<O: Observer>(&mut self, engine: &mut Engine<'_, O>) -> (Option<Box<Fault>>, u64, [u64; 16]) {
        let mut active: VecDeque<Group> = VecDeque::new();
        let (mut steps, mut events) = (0, [0; 16]);
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return (None, steps, events);
            }
            let fresh = if active.len() < RESIDENT { self.take() } else { None };
            let mut group = match fresh {
                Some(n) => {
                    let (mut group, is_new) = match self.spare.pop() {
                        Some(group) => (group, false),
                        None => (new_group(engine.cx), true),
                    };
                    reset_group(engine, &mut group, n, is_new);
                    if let Err(fault) = self.runner.run(engine, &mut group) {
                        return (Some(fault), steps + group.steps, events);
                    }
                    group
                }
                None => match active.pop_front() {
                    Some(group) => group,
                    None => return (None, steps, events),
                },
            };
            match run_group(engine, &mut group) {
                Ok(Turn::Done) => {
                    steps += group.steps;
                    for cta in &group.ctas {
                        (0..16).for_each(|i| events[i] += cta.events[i]);
                    }
                    self.spare.push(group);
                }
                Ok(Turn::Unfinished) => active.push_back(group),
                Err(fault) => return (Some(fault), steps + group.steps, events),
            }
        }
    }
}

/// One core, every decision drawn from a seed.
pub fn seeded<O: Observer>(cx: &Context<'_>, seed: u64, observer: O) -> (Outcome, Vec<O>) {
    let mut engine = Engine::new(cx, observer, Some(Random::new(seed)));
    let mut outcome = Outcome::default();
    if let Err(fault) = run_seeded(&mut engine, seed, &mut outcome) {
        outcome.fault = Some(fault);
    }
    (outcome, vec![engine.observer])
}

fn run_seeded<O: Observer>(engine: &mut Engine<'_, O>, seed: u64, outcome: &mut Outcome) -> Result<(), Box<Fault>> {
    let cx = engine.cx;
    let clusters = cx.dimensions.ctas() / cx.dimensions.cluster.iter().map(|&n| u64::from(n)).product::<u64>();
    let mut random = Random::new(seed ^ 0x5EED);
    // How eager this seed is to change places: some seeds run long stretches, some single steps.
    let eagerness = [1, 4, 16, 64, 256][random.below(5)];
    let mut next = 0;
    let mut resident: Vec<Group> = Vec::new();
    let mut spare: Vec<Group> = Vec::new();
    loop {
        while next < clusters && resident.len() < 16 {
            let (mut group, is_new) = spare.pop().map_or_else(|| (new_group(cx), true), |g| (g, false));
            reset_group(engine, &mut group, next, is_new);
            resident.push(group);
            next += 1;
        }
        if resident.is_empty() {
            return Ok(());
        }
        let g = random.below(resident.len());
        let spent: u64 = outcome.steps + resident.iter().map(|g| g.steps).sum::<u64>();
        let group = &mut resident[g];
        let ran = seeded_turn(engine, group, &mut random, eagerness)?;
        if group.warps.iter().all(Warp::is_done) {
            let group = resident.swap_remove(g);
            outcome.steps += group.steps;
            for cta in &group.ctas {
                (0..16).for_each(|i| outcome.events[i] += cta.events[i]);
            }
            spare.push(group);
            continue;
        }
        if !ran && !unblock(engine, group)? {
            return Err(deadlock(cx, group));
        }
        if spent > cx.max_steps {
            return Err(step_limit(&resident[g], cx.max_steps));
        }
    }
}

/// One stretch of one split of one warp. False where the group has nothing to run.
fn seeded_turn<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    random: &mut Random,
    eagerness: usize,
) -> Result<bool, Box<Fault>> {
    let cx = engine.cx;
    let runnable: Vec<usize> = (0..group.warps.len()).filter(|&w| may_run(cx, &group.warps[w])).collect();
    if runnable.is_empty() {
        return Ok(false);
    }
    let w = runnable[random.below(runnable.len())];
    let is_stack = cx.convergence == Convergence::Stack;
    let warp = &mut group.warps[w];
    let choice = if is_stack { warp.ready.len() - 1 } else { random.below(warp.ready.len()) };
    let mut split = warp.ready.remove(choice);
    if !is_stack && split.mask.count_ones() > 1 && random.one_in(16) {
        split = break_up(warp, split, random);
    }
    let stretch = 1 + random.below(eagerness) as u64;
    engine.run_split(group, w, split, stretch)?;
    if !is_stack && random.one_in(256) {
        group.warps[w].release_joins();
    }
    if engine.take_settle() {
        engine.settle_warps(group)?;
        engine.settle_barriers(group);
    }
    Ok(true)
}

/// Lanes that ran together go on apart, as independent thread scheduling allows.
fn break_up(warp: &mut Warp, split: Split, random: &mut Random) -> Split {
    let some = random.next() as u32 & split.mask;
    if some == 0 || some == split.mask {
        return split;
    }
    warp.ready.push(Split { mask: split.mask & !some, ..split.clone() });
    Split { mask: some, ..split }
}
