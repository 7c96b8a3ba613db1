//! Who runs next.
//!
//! [`fast`] gives CTAs to host threads and runs each warp to its next wait. [`seeded`] draws every decision from a
//! seed: which CTA, which warp, which lanes, how long; it splits lanes that would have stayed together and lets lanes
//! pass points where they would have met. Both give every runnable lane a turn in the end; the stack model does not.

mod blocked;
mod loops;
mod seeded;
mod spin;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use seeded::seeded;

use crate::exec::{Context, Cta, Engine, Group, Split, Stop, Warp};
use crate::fault::Fault;
use crate::jit::{Runner, Totals};
use crate::launch::{Config, Convergence, Outcome};
use crate::observe::Observer;
use crate::program::Program;
use crate::slots::{FULL, Registers};

/// Instructions that a split runs before other warps get a turn.
const TURN: u64 = 1 << 13;
/// The same where other lanes of its own warp want to run: it may spin for them.
const SHORT_TURN: u64 = 1 << 8;
/// Instructions that a group runs before another group gets its thread.
const SLICE: u64 = 1 << 21;
/// Groups that a host thread keeps going at the same time, at most.
const RESIDENT: usize = 64;
/// Stack of a thread beyond its static frame, where the program may recurse.
const RECURSION_BYTES: u32 = 1 << 16;
/// Calls of functions that call themselves that fit on it at least, as long as it does not become too large.
const RECURSIVE_CALLS: u32 = 24;
/// Its largest size.
const MOST_RECURSION_BYTES: u32 = 1 << 20;

/// A thread's local memory: its static frame, and frames for further calls of functions that call themselves.
pub(crate) fn local_bytes(program: &Program) -> u32 {
    let calls = program.local_bytes.saturating_mul(RECURSIVE_CALLS);
    let more = if program.may_recurse { calls.clamp(RECURSION_BYTES, MOST_RECURSION_BYTES) } else { 0 };
    program.local_bytes + more
}

/// A group for the CTAs of a cluster, not yet reset.
fn new_group(cx: &Context<'_>) -> Group {
    let per_cta = cx.dimensions.warps() as usize;
    let ctas = cx.dimensions.cluster.iter().product::<u32>() as usize;
    let shared = cx.program.dynamic_shared_start - crate::memory::SHARED_START + cx.dynamic_shared;
    let local_stride = local_bytes(cx.program);
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
                held: 0,
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
pub(crate) fn reset_group<O: Observer>(engine: &Engine<'_, O>, group: &mut Group, n: u64, fresh: bool) {
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
                if run_turn(engine, group, w, split)? == Stop::Gone {
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
        if cx.is_cancelled() {
            return Ok(Turn::Unfinished);
        }
        if group.steps > cx.max_steps {
            return Err(blocked::step_limit(group, cx.max_steps));
        }
        if !ran && !unblock(engine, group)? {
            return Err(blocked::deadlock(group));
        }
        if all_out_of_time && ran && group.steps > slice_end {
            return Ok(Turn::Unfinished);
        }
    }
}

/// Runs a split for its turn. It is short where the split may wait for other lanes; lanes that only compute keep those
/// that wait to meet them waiting, as on the chip.
fn run_turn<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    split: Split,
) -> Result<Stop, Box<Fault>> {
    if engine.cx.convergence == Convergence::Stack {
        return engine.run_split(group, w, split, TURN);
    }
    let mut split = split;
    engine.take_may_spin();
    let mut turns = 1..=TURN / SHORT_TURN;
    loop {
        if engine.run_split(group, w, split, SHORT_TURN)? == Stop::Gone {
            return Ok(Stop::Gone);
        }
        if engine.take_may_spin() || turns.next().is_none() {
            return Ok(Stop::Time);
        }
        // The split was put back on top.
        match group.warps[w].ready.pop() {
            Some(same) => split = same,
            None => return Ok(Stop::Time),
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
        rayon::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| work());
            }
        });
    }
    let mut total = total.into_inner().expect("outcome lock");
    total.0.is_cancelled = cx.is_cancelled();
    total
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
            if engine.cx.is_cancelled() {
                self.stop.store(true, Ordering::Relaxed);
            }
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
                    if self.runner.is_used() {
                        let mut range = n..self.mine.end.max(n + 1);
                        let mut total = Totals::default();
                        let ran = self.runner.run(engine, &mut group, &mut range, is_new, &mut total);
                        self.mine = range;
                        steps += total.steps;
                        (0..16).for_each(|i| events[i] += total.events[i]);
                        match ran {
                            Ok(false) => {}
                            Ok(true) => {
                                self.spare.push(group);
                                continue;
                            }
                            Err(fault) => return (Some(fault), steps + group.steps, events),
                        }
                    } else {
                        reset_group(engine, &mut group, n, is_new);
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
