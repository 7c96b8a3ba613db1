//! One core, every decision drawn from a seed.
//!
//! [`Temper`] says what a seed is like. Whatever it is, every runnable lane gets a turn in the end, so lanes that wait
//! for others in a loop hold up nobody; where all of them do, [`super::spin`] proves it.

use super::spin::Quiet;
use super::{blocked, may_run, new_group, reset_group, unblock};
use crate::exec::{Context, Engine, Group, Split, Stop, Warp};
use crate::fault::Fault;
use crate::launch::{Convergence, Outcome};
use crate::observe::Observer;
use crate::random::{Random, Temper};

/// Clusters that are resident at the same time, at most.
const RESIDENT: usize = 16;
/// The same under the calm schedule of seed 0: fewer stay in the processor's caches.
const RESIDENT_CALM: usize = 4;
/// Most instructions of a turn while lanes seem to wait in loops: somebody has to be found who can go on.
const SHORT: usize = 16;
/// Warps that are drawn before all are looked at.
const TRIES: usize = 4;

/// Runs a launch under the schedule of a seed.
pub fn seeded<O: Observer>(cx: &Context<'_>, seed: u64, observer: O) -> (Outcome, Vec<O>) {
    let mut engine = Engine::new(cx, observer, Some(Random::new(seed)));
    engine.temper = Temper::of_seed(seed);
    engine.may_overrun = engine.temper == Temper::CALM;
    if !engine.may_overrun {
        engine.let_lag();
    }
    let mut run = Run {
        random: Random::new(seed ^ 0x5EED),
        clusters: cx.dimensions.ctas() / cx.dimensions.cluster.iter().map(|&n| u64::from(n)).product::<u64>(),
        next: 0,
        resident: Vec::new(),
        limit: if engine.temper == Temper::CALM { RESIDENT_CALM } else { RESIDENT },
        spare: Vec::new(),
        outcome: Outcome::default(),
        quiet: Quiet::default(),
    };
    if let Err(fault) = run.until_done(&mut engine) {
        run.outcome.fault = Some(fault);
    }
    (run.outcome, vec![engine.observer])
}

/// A run in progress.
struct Run {
    random: Random,
    /// How many there are.
    clusters: u64,
    /// The next one to start.
    next: u64,
    /// Those that run.
    resident: Vec<Group>,
    /// How many may.
    limit: usize,
    /// Groups to be used again.
    spare: Vec<Group>,
    outcome: Outcome,
    quiet: Quiet,
}

impl Run {
    fn until_done<O: Observer>(&mut self, engine: &mut Engine<'_, O>) -> Result<(), Box<Fault>> {
        let cx = engine.cx;
        loop {
            self.start(engine);
            if self.resident.is_empty() {
                return Ok(());
            }
            if cx.is_cancelled() {
                self.outcome.is_cancelled = true;
                return Ok(());
            }
            let g = self.random.below(self.resident.len());
            let group = &mut self.resident[g];
            let before = group.steps;
            engine.write_some(&mut self.random);
            let most = if self.quiet.is_idle(self.outcome.steps) { SHORT } else { engine.temper.stretch };
            let ran = turn(engine, group, &mut self.random, most)?;
            self.outcome.steps += group.steps - before;
            if engine.take_has_looked() {
                self.quiet.looked(self.outcome.steps);
            }
            let may_be_done = ran.is_none_or(|w| group.warps[w].is_done());
            if may_be_done && group.warps.iter().all(Warp::is_done) {
                let group = self.resident.swap_remove(g);
                for cta in &group.ctas {
                    (0..16).for_each(|i| self.outcome.events[i] += cta.events[i]);
                }
                self.spare.push(group);
                continue;
            }
            if ran.is_none() {
                engine.write_all();
                let goes_on = unblock(engine, group)?;
                see_all(cx, group);
                if !goes_on {
                    return Err(blocked::deadlock(group));
                }
            }
            if self.quiet.is_suspicious(engine.changes, self.outcome.steps) {
                self.look_for_livelock(engine)?;
            }
            if self.outcome.steps > cx.max_steps {
                return Err(blocked::step_limit(&self.resident[g], cx.max_steps));
            }
        }
    }

    fn start<O: Observer>(&mut self, engine: &Engine<'_, O>) {
        while self.next < self.clusters && self.resident.len() < self.limit {
            let (mut group, is_new) = self.spare.pop().map_or_else(|| (new_group(engine.cx), true), |g| (g, false));
            reset_group(engine, &mut group, self.next, is_new);
            see_all(engine.cx, &mut group);
            self.resident.push(group);
            self.next += 1;
        }
    }

    /// Memory has not changed for a while.
    fn look_for_livelock<O: Observer>(&mut self, engine: &mut Engine<'_, O>) -> Result<(), Box<Fault>> {
        let changes = engine.changes;
        engine.write_all();
        if engine.changes != changes {
            return Ok(());
        }
        let before: u64 = self.resident.iter().map(|g| g.steps).sum();
        let quiet = &mut self.quiet;
        let proof = engine.without_lag(&mut self.resident, |engine, resident| quiet.prove(engine, resident));
        self.resident.iter_mut().for_each(|group| see_all(engine.cx, group));
        self.outcome.steps += self.resident.iter().map(|g| g.steps).sum::<u64>() - before;
        let Some(spinning) = proof? else { return Ok(()) };
        if self.next < self.clusters {
            // What they wait for may be the work of a cluster that has not started.
            self.limit *= 2;
            return Ok(());
        }
        blocked::livelock(self.resident.iter(), spinning).map_or(Ok(()), Err)
    }
}

/// One stretch of one split of one warp, of `most` instructions. Gives the warp; `None` where there is nothing to run.
fn turn<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    random: &mut Random,
    most: usize,
) -> Result<Option<usize>, Box<Fault>> {
    let temper = engine.temper;
    let is_stack = engine.cx.convergence == Convergence::Stack;
    if temper.hold_one_in != 0 && random.one_in(256) {
        // Lanes that wait in a loop for those held back must not wait for ever.
        let_all_go(engine.cx, group);
    }
    let Some((w, at)) = choose(engine.cx, group, random) else { return Ok(None) };
    let warp = &mut group.warps[w];
    let mut at = at;
    let is_parted = !is_stack
        && temper.part_one_in != 0
        && warp.ready.len() < temper.pieces
        && warp.ready[at].mask.count_ones() > 1
        && random.one_in(temper.part_one_in);
    if is_parted {
        at = break_up(warp, at, random);
    }
    if !is_stack && temper.hold_one_in != 0 && random.one_in(temper.hold_one_in * if is_parted { 1 } else { 16 }) {
        // The others first: these run when nobody else can.
        warp.held |= warp.ready[at].mask;
        warp.ready.to_back(at);
        see(engine.cx, group, w);
        return Ok(Some(w));
    }
    let stretch = 1 + random.below(most) as u64;
    if !engine.pass_by(group, w, at, stretch) {
        let split = group.warps[w].ready.remove(at);
        run(engine, group, (w, split), random, stretch)?;
    }
    if !is_stack && random.one_in(256) {
        group.warps[w].release_joins();
    }
    if engine.take_settle() {
        engine.settle_warps(group)?;
        engine.settle_barriers(group);
        see_all(engine.cx, group);
    }
    see(engine.cx, group, w);
    Ok(Some(w))
}

/// Runs a split for a turn of so many instructions.
fn run<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    (w, mut split): (usize, Split),
    random: &mut Random,
    stretch: u64,
) -> Result<(), Box<Fault>> {
    let temper = &engine.temper;
    let is_stack = engine.cx.convergence == Convergence::Stack;
    let is_steady = !is_stack && temper.part_one_in == 0 && temper.hold_one_in == 0;
    let end = group.steps + stretch;
    while engine.run_split(group, w, split, end - group.steps)? == Stop::Gone && is_steady && group.steps < end {
        // It waits or has met others: the warp goes on with what else it has.
        let ready = &mut group.warps[w].ready;
        if ready.is_empty() {
            break;
        }
        split = ready.swap_remove(random.below_few(ready.len()));
    }
    Ok(())
}

/// A warp and one of its splits, drawn from those that are not held back, or from all where there are no others.
fn choose(cx: &Context<'_>, group: &mut Group, random: &mut Random) -> Option<(usize, usize)> {
    let (w, free) = choose_warp(cx, group, random)?;
    let count = group.warps[w].ready.len();
    if cx.convergence == Convergence::Stack {
        return Some((w, count - 1));
    }
    if count == 1 {
        return Some((w, 0));
    }
    let nth = random.below(free.count_ones() as usize);
    // Mostly nobody is held back.
    let is_all = free & free.wrapping_add(1) == 0;
    let rest = if is_all { 1 << nth } else { (0..nth).fold(free, |rest, _| rest & (rest - 1)) };
    Some((w, rest.trailing_zeros() as usize))
}

fn choose_warp(cx: &Context<'_>, group: &mut Group, random: &mut Random) -> Option<(usize, u32)> {
    // Mostly one of the first that come to mind is free: that is quicker than to look at all.
    for _ in 0..TRIES {
        let w = random.below(group.warps.len());
        if group.free[w] != 0 {
            return Some((w, group.free[w]));
        }
    }
    let mut warps = group.free.iter().filter(|free| **free != 0).count();
    if warps == 0 {
        let_all_go(cx, group);
        warps = group.free.iter().filter(|free| **free != 0).count();
    }
    let nth = random.below(warps);
    group.free.iter().copied().enumerate().filter(|(_, free)| *free != 0).nth(nth)
}

/// No lanes are held back any more.
fn let_all_go(cx: &Context<'_>, group: &mut Group) {
    group.warps.iter_mut().for_each(|w| w.held = 0);
    see_all(cx, group);
}

/// Takes note of which splits of a warp may run. A schedule that tears warps apart looks at most warps for nothing else.
#[inline(always)]
fn see(cx: &Context<'_>, group: &mut Group, w: usize) {
    group.free[w] = free(cx, &group.warps[w]);
}

/// [`see`] of all warps of a group.
fn see_all(cx: &Context<'_>, group: &mut Group) {
    let Group { warps, free: all, .. } = group;
    all.clear();
    all.extend(warps.iter().map(|warp| free(cx, warp)));
}

/// Which splits of a warp may run and are not held back, by bit. There are at most as many as lanes.
#[inline(always)]
fn free(cx: &Context<'_>, warp: &Warp) -> u32 {
    if !may_run(cx, warp) {
        return 0;
    }
    let ready = &warp.ready[..];
    if warp.held == 0 {
        return u32::MAX >> 32u32.saturating_sub(ready.len() as u32);
    }
    ready.iter().rev().fold(0, |free, split| free << 1 | u32::from(split.mask & !warp.held != 0))
}

/// Lanes that ran together go on apart, as independent thread scheduling allows. Gives the place of some of them.
fn break_up(warp: &mut Warp, at: usize, random: &mut Random) -> usize {
    let mask = warp.ready[at].mask;
    let some = random.next_u64() as u32 & mask;
    if some == 0 || some == mask {
        return at;
    }
    let lag = *warp.lag(mask);
    *warp.lag(some) = lag;
    *warp.lag(mask & !some) = lag;
    let split = warp.ready.remove(at);
    warp.ready.push(Split { mask: mask & !some, ..split.clone() });
    warp.ready.push(Split { mask: some, ..split });
    warp.ready.len() - 1
}
