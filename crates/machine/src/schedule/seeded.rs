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
                if !unblock(engine, group)? {
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
        let proof = self.quiet.prove(engine, &mut self.resident);
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
        group.warps.iter_mut().for_each(|w| w.held = 0);
    }
    let Some((w, at)) = choose(engine.cx, group, random) else { return Ok(None) };
    let warp = &mut group.warps[w];
    let mut split = warp.ready.remove(at);
    let is_parted = !is_stack
        && temper.part_one_in != 0
        && warp.ready.len() + 1 < temper.pieces
        && split.mask.count_ones() > 1
        && random.one_in(temper.part_one_in);
    if is_parted {
        split = break_up(warp, split, random);
    }
    if !is_stack && temper.hold_one_in != 0 && random.one_in(temper.hold_one_in * if is_parted { 1 } else { 16 }) {
        // The others first: these run when nobody else can.
        warp.held |= split.mask;
        warp.ready.push(split);
        return Ok(Some(w));
    }
    let stretch = 1 + random.below(most) as u64;
    let end = group.steps + stretch;
    let is_steady = !is_stack && temper.part_one_in == 0 && temper.hold_one_in == 0;
    while engine.run_split(group, w, split, end - group.steps)? == Stop::Gone && is_steady && group.steps < end {
        // It waits or has met others: the warp goes on with what else it has.
        let ready = &mut group.warps[w].ready;
        if ready.is_empty() {
            break;
        }
        split = ready.swap_remove(random.below_few(ready.len()));
    }
    if !is_stack && random.one_in(256) {
        group.warps[w].release_joins();
    }
    if engine.take_settle() {
        engine.settle_warps(group)?;
        engine.settle_barriers(group);
    }
    Ok(Some(w))
}

/// A warp and one of its splits, drawn from those that are not held back, or from all where there are no others.
fn choose(cx: &Context<'_>, group: &mut Group, random: &mut Random) -> Option<(usize, usize)> {
    let w = choose_warp(cx, group, random)?;
    let warp = &group.warps[w];
    if cx.convergence == Convergence::Stack {
        return Some((w, warp.ready.len() - 1));
    }
    if warp.ready.len() == 1 {
        return Some((w, 0));
    }
    let is_free = |i: &usize| warp.ready[*i].mask & !warp.held != 0;
    let nth = random.below((0..warp.ready.len()).filter(is_free).count());
    Some((w, (0..warp.ready.len()).filter(is_free).nth(nth)?))
}

fn choose_warp(cx: &Context<'_>, group: &mut Group, random: &mut Random) -> Option<usize> {
    let is_free = |warp: &Warp| may_run(cx, warp) && warp.ready.iter().any(|s| s.mask & !warp.held != 0);
    // Mostly one of the first that come to mind is free: that is quicker than to look at all.
    for _ in 0..TRIES {
        let w = random.below(group.warps.len());
        if is_free(&group.warps[w]) {
            return Some(w);
        }
    }
    let mut warps = group.warps.iter().filter(|w| is_free(w)).count();
    if warps == 0 {
        group.warps.iter_mut().for_each(|w| w.held = 0);
        warps = group.warps.iter().filter(|w| may_run(cx, w)).count();
    }
    let nth = random.below(warps);
    (0..group.warps.len()).filter(|&w| is_free(&group.warps[w])).nth(nth)
}

/// Lanes that ran together go on apart, as independent thread scheduling allows.
fn break_up(warp: &mut Warp, split: Split, random: &mut Random) -> Split {
    let some = random.next_u64() as u32 & split.mask;
    if some == 0 || some == split.mask {
        return split;
    }
    warp.ready.push(Split { mask: split.mask & !some, ..split.clone() });
    Split { mask: some, ..split }
}
