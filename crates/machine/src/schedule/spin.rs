//! Finds out whether lanes that run do so for ever.
//!
//! Lanes may wait for memory in a loop, which looks like work. Where memory has not changed for a while, each warp is
//! run by itself, its lanes in turn, and its state (program counters, registers, who waits where) is watched. If every
//! warp that can run comes back to a state that it was in, and no memory changed between, then nothing ever will:
//! that is a proof, not a guess.
//!
//! Registers that decide nothing in the loop, such as a count of its rounds, are left out of the comparison: only what
//! loads, stores, branches and the like read counts, directly or through other registers ([`loops::deciding`]).
//!
//! Lanes that look at a clock are run first with one that leaps, so that every time limit has passed, and then with one
//! that stands still. If they go round by the same instructions in both, no limit ends their loop. (A delay that ends
//! only where time passes is a shorter loop while it stands still.)

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::loops;

use super::{blocked, may_run};
use crate::exec::{Engine, Group, Pace, Split, Stop, Warp, calls};
use crate::fault::{Fault, MbarrierState, WaitReason, Waiting};
use crate::launch::Convergence;
use crate::observe::Observer;
use crate::program::{Kind, MbarrierOp, Pc};
use crate::random::Temper;
use crate::slots::LaneMask;

/// Instructions without a change that are nothing special.
const PATIENCE: u64 = 1 << 13;
/// Instructions without a change after which turns become short.
const IDLE: u64 = 1 << 9;
/// Instructions of a split between two looks: loops of most lengths end with a look.
const CHUNK: u64 = 60;
/// Looks at a warp before it is believed to compute.
const LOOKS: u32 = 192;
/// Longest loop whose instruction that looks at memory is searched for.
const LONGEST: u64 = 1 << 12;

/// How long memory has not changed.
pub struct Quiet {
    changes: u64,
    since: u64,
    patience: u64,
    /// When somebody last looked at memory.
    looked: u64,
}

impl Default for Quiet {
    fn default() -> Self {
        Quiet { changes: 0, since: 0, patience: PATIENCE, looked: 0 }
    }
}

type Proof = Result<Option<Vec<Waiting>>, Box<Fault>>;

impl Quiet {
    /// Has nothing changed for long?
    pub fn is_suspicious(&mut self, changes: u64, steps: u64) -> bool {
        if changes != self.changes {
            *self = Quiet { changes, since: steps, patience: PATIENCE, ..*self };
        }
        steps - self.since > self.patience
    }

    /// Somebody has looked at memory, or the time.
    pub fn looked(&mut self, steps: u64) {
        self.looked = steps;
    }

    /// Does it look as if everybody waited for somebody? Who waits looks at something again and again.
    pub fn is_idle(&self, steps: u64) -> bool {
        steps - self.since > IDLE && steps - self.looked <= IDLE
    }

    /// Runs every warp for a while. Gives the lanes that go round where all do and nothing changed.
    pub fn prove<O: Observer>(&mut self, engine: &mut Engine<'_, O>, groups: &mut [Group]) -> Proof {
        // A warp that computes without a store is asked ever less often.
        self.patience *= 2;
        let temper = std::mem::replace(&mut engine.temper, Temper::CALM);
        let may_overrun = std::mem::replace(&mut engine.may_overrun, false);
        let proof = every_warp(engine, groups);
        (engine.temper, engine.may_overrun) = (temper, may_overrun);
        proof
    }
}

fn every_warp<O: Observer>(engine: &mut Engine<'_, O>, groups: &mut [Group]) -> Proof {
    let changes = engine.changes;
    let mut timed = Vec::new();
    for (g, group) in groups.iter_mut().enumerate() {
        for w in 0..group.warps.len() {
            if !is_stack(engine) {
                group.warps[w].release_joins();
            }
            if !may_run(engine.cx, &group.warps[w]) {
                continue;
            }
            engine.time.is_read = false;
            if !comes_back(engine, group, w)? {
                if !engine.time.is_read || engine.changes != changes {
                    return Ok(None);
                }
                timed.push((g, w));
            }
        }
    }
    let all = all_come_back(engine, groups, &timed);
    engine.time.pace = Pace::Steady;
    if !all? || engine.changes != changes {
        return Ok(None);
    }
    let mut spinning = Vec::new();
    for group in groups {
        for w in 0..group.warps.len() {
            if may_run(engine.cx, &group.warps[w]) {
                polls(engine, group, w, &mut spinning)?;
            }
        }
    }
    Ok((engine.changes == changes).then_some(spinning))
}

fn all_come_back<O: Observer>(
    engine: &mut Engine<'_, O>,
    groups: &mut [Group],
    warps: &[(usize, usize)],
) -> Result<bool, Box<Fault>> {
    for &(g, w) in warps {
        let group = &mut groups[g];
        engine.time.pace = Pace::Leaping;
        traced(engine, group, w, LONGEST / CHUNK)?;
        let limitless = traced(engine, group, w, LONGEST / CHUNK)?;
        engine.time.pace = Pace::Stopped;
        let Some(stopped) = comes_back_by_what_decides(engine, group, w)? else { return Ok(false) };
        if stopped != limitless {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The instructions that a warp runs in so many rounds.
fn traced<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    rounds: u64,
) -> Result<HashSet<Pc>, Box<Fault>> {
    let mut visited = HashSet::new();
    for _ in 0..rounds {
        traced_round(engine, group, w, CHUNK, &mut visited)?;
    }
    Ok(visited)
}

/// Runs a warp until it is in a state that it was in before. False where that does not happen soon.
fn comes_back<O: Observer>(engine: &mut Engine<'_, O>, group: &mut Group, w: usize) -> Result<bool, Box<Fault>> {
    let changes = engine.changes;
    let mut anchor = state(&group.warps[w], &loops::Registers::All);
    let mut next_anchor = 1;
    for look in 0..LOOKS {
        round(engine, group, w, CHUNK)?;
        if engine.changes != changes || !may_run(engine.cx, &group.warps[w]) {
            return Ok(false);
        }
        let now = state(&group.warps[w], &loops::Registers::All);
        if now == anchor {
            return Ok(true);
        }
        if look == next_anchor {
            anchor = now;
            next_anchor *= 2;
        }
    }
    Ok(comes_back_by_what_decides(engine, group, w)?.is_some())
}

/// The same, for the registers that decide how the loop that the warp is in goes on. Gives the instructions of the loop.
fn comes_back_by_what_decides<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
) -> Result<Option<HashSet<Pc>>, Box<Fault>> {
    let changes = engine.changes;
    let mut visited = traced(engine, group, w, LONGEST / CHUNK)?;
    let registers = loops::deciding(engine.cx.program, &visited);
    let known = visited.len();
    let mut anchor = (places(&group.warps[w]), state(&group.warps[w], &registers));
    let mut next_anchor = 1;
    // A look after every instruction: the loop may have any length.
    for look in 0..LONGEST {
        traced_round(engine, group, w, 1, &mut visited)?;
        let is_same_loop = visited.len() == known && engine.changes == changes;
        if !is_same_loop || !may_run(engine.cx, &group.warps[w]) {
            return Ok(None);
        }
        let warp = &group.warps[w];
        if places(warp) == anchor.0 && state(warp, &registers) == anchor.1 {
            return Ok(Some(visited));
        }
        if look == next_anchor {
            anchor = (places(warp), state(warp, &registers));
            next_anchor *= 2;
        }
    }
    Ok(None)
}

/// Where the lanes of a warp are that may run.
fn places(warp: &Warp) -> Vec<(Pc, LaneMask)> {
    warp.ready.iter().map(|split| (split.pc, split.mask)).collect()
}

/// A round with note of the instructions that run.
fn traced_round<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    chunk: u64,
    visited: &mut HashSet<Pc>,
) -> Result<(), Box<Fault>> {
    let ready = &mut group.warps[w].ready;
    let splits = if is_stack(engine) { ready.pop().into_iter().collect() } else { std::mem::take(ready) };
    for mut split in splits {
        for left in (0..chunk).rev() {
            visited.insert(split.pc);
            if engine.run_split(group, w, split, 1)? == Stop::Gone || left == 0 {
                break;
            }
            // It was put back on top.
            match group.warps[w].ready.pop() {
                Some(same) => split = same,
                None => break,
            }
        }
    }
    end_round(engine, group, w)
}

/// Every split of a warp that may run gets a turn.
fn round<O: Observer>(engine: &mut Engine<'_, O>, group: &mut Group, w: usize, chunk: u64) -> Result<(), Box<Fault>> {
    if is_stack(engine) {
        if let Some(top) = group.warps[w].ready.pop() {
            engine.run_split(group, w, top, chunk)?;
        }
    } else {
        for split in std::mem::take(&mut group.warps[w].ready) {
            engine.run_split(group, w, split, chunk)?;
        }
    }
    end_round(engine, group, w)
}

fn end_round<O: Observer>(engine: &mut Engine<'_, O>, group: &mut Group, w: usize) -> Result<(), Box<Fault>> {
    if !is_stack(engine) {
        group.warps[w].release_joins();
        group.warps[w].ready.sort_by_key(|s| s.mask.trailing_zeros());
    }
    if engine.take_settle() {
        engine.settle_warps(group)?;
    }
    Ok(())
}

/// Under the stack model only the lanes on top run.
fn is_stack<O: Observer>(engine: &Engine<'_, O>) -> bool {
    engine.cx.convergence == Convergence::Stack
}

/// Everything that decides how a warp goes on, but for memory that others see.
fn state(warp: &Warp, registers: &loops::Registers) -> u64 {
    let mut hash = std::hash::DefaultHasher::new();
    registers.hash(&warp.regs, &mut hash);
    warp.local.hash(&mut hash);
    warp.stack.hash(&mut hash);
    let mut split = |s: &Split| {
        (s.pc, s.mask, s.join).hash(&mut hash);
        calls(&s.frames).for_each(|pc| pc.hash(&mut hash));
    };
    warp.ready.iter().for_each(&mut split);
    warp.waits.iter().for_each(|wait| split(&wait.split));
    for j in &warp.joins {
        (j.pc, j.expected, j.arrived, j.parent).hash(&mut hash);
    }
    hash.finish()
}

/// The instruction that each split of a warp looks at memory with, once round its loop.
fn polls<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    list: &mut Vec<Waiting>,
) -> Result<(), Box<Fault>> {
    let top = if is_stack(engine) { group.warps[w].ready.len().saturating_sub(1) } else { 0 };
    let starts = group.warps[w].ready[top..].to_vec();
    for start in starts {
        let mut best: Option<(u32, Split, Option<MbarrierState>)> = None;
        for step in 0..LONGEST {
            let Some(at) = group.warps[w].ready.iter().position(|s| s.mask == start.mask) else { break };
            let split = group.warps[w].ready.remove(at);
            if step > 0 && split.pc == start.pc {
                group.warps[w].ready.insert(at, split);
                break;
            }
            let weight = weight(engine, split.pc);
            if weight > 0 && best.as_ref().is_none_or(|b| b.0 <= weight) {
                let mbarrier = engine.mbarrier_state(group, w, &split);
                best = Some((weight, split.clone(), mbarrier));
            }
            if engine.run_split(group, w, split, 1)? == Stop::Gone && engine.take_settle() {
                engine.settle_warps(group)?;
            }
        }
        let (split, mbarrier) = best.map_or((start, None), |(_, split, mbarrier)| (split, mbarrier));
        let cta = &group.ctas[group.warps[w].cta];
        list.push(blocked::place(cta, &group.warps[w], &split, WaitReason::Spinning { mbarrier }));
    }
    Ok(())
}

/// How much an instruction looks like the one that lanes wait with.
fn weight<O: Observer>(engine: &Engine<'_, O>, pc: Pc) -> u32 {
    match &engine.cx.program.code[pc as usize].kind {
        Kind::Mbarrier(m) if matches!(m.op, MbarrierOp::TestWait { .. }) => 3,
        Kind::Atomic(_) => 2,
        Kind::Load(_) => 1,
        _ => 0,
    }
}
