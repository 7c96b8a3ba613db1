//! Finds out whether lanes that run do so for ever.
//!
//! Lanes may wait for memory in a loop, which looks like work. Where memory has not changed for a while, each warp is
//! run by itself, its lanes in turn, and its state (program counters, registers, who waits where) is watched. If every
//! warp that can run comes back to a state that it was in, and no memory changed between, then nothing ever will:
//! that is a proof, not a guess.
//!
//! Two kinds of state are left out of the comparison. Registers that decide nothing in the loop, such as a count of its
//! rounds: only what loads, stores, branches and the like read, directly or through other registers, counts
//! ([`loops::deciding`]). And what is computed from a clock: those warps are run again with clocks that leap at every
//! look, so that every time limit has passed; a lane that still goes round waits without a limit.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::loops::{self, Clocks};

use super::{blocked, may_run};
use crate::exec::{Engine, Group, Split, Stop, Warp, calls};
use crate::fault::{Fault, MbarrierState, WaitReason, Waiting};
use crate::launch::Convergence;
use crate::observe::Observer;
use crate::program::{Kind, MbarrierOp, Pc};
use crate::random::Temper;

/// Instructions without a change that are nothing special.
const PATIENCE: u64 = 1 << 13;
/// Instructions without a change after which turns become short.
const IDLE: u64 = 1 << 9;
/// Instructions of a split between two looks: loops of most lengths end with a look.
const CHUNK: u64 = 60;
/// Looks at a warp before it is believed to compute.
const LOOKS: u32 = 192;
/// How much later it is at each look at a clock, where time limits are to pass: 2^36 and more, and much in the low half
/// as well.
const LEAP: u64 = 0x10_3000_0001;
/// Longest loop whose instruction that looks at memory is searched for.
const LONGEST: u64 = 1 << 12;

/// How long memory has not changed.
pub struct Quiet {
    changes: u64,
    since: u64,
    patience: u64,
}

impl Default for Quiet {
    fn default() -> Self {
        Quiet { changes: 0, since: 0, patience: PATIENCE }
    }
}

type Proof = Result<Option<Vec<Waiting>>, Box<Fault>>;

impl Quiet {
    /// Has nothing changed for long?
    pub fn is_suspicious(&mut self, changes: u64, steps: u64) -> bool {
        if changes != self.changes {
            *self = Quiet { changes, since: steps, patience: PATIENCE };
        }
        steps - self.since > self.patience
    }

    /// Does it look as if everybody waited for somebody?
    pub fn is_idle(&self, steps: u64) -> bool {
        steps - self.since > IDLE
    }

    /// Runs every warp for a while. Gives the lanes that go round where all do and nothing changed.
    pub fn prove<O: Observer>(&mut self, engine: &mut Engine<'_, O>, groups: &mut [Group]) -> Proof {
        // A warp that computes without a store is asked ever less often.
        self.patience *= 2;
        let temper = std::mem::replace(&mut engine.temper, Temper::CALM);
        let proof = every_warp(engine, groups);
        engine.temper = temper;
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
            engine.reads_time = false;
            if !comes_back(engine, group, w)? {
                if !engine.reads_time || engine.changes != changes {
                    return Ok(None);
                }
                timed.push((g, w));
            }
        }
    }
    engine.haste.1 = LEAP;
    let all = all_come_back(engine, groups, &timed);
    engine.haste.1 = 0;
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
        if !comes_back_without(engine, &mut groups[g], w, Clocks::Ignored)? {
            return Ok(false);
        }
    }
    Ok(true)
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
    comes_back_without(engine, group, w, Clocks::Count)
}

/// The same, for the registers that decide how the loop that the warp is in goes on.
fn comes_back_without<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    clocks: Clocks,
) -> Result<bool, Box<Fault>> {
    let changes = engine.changes;
    let mut visited = HashSet::new();
    for _ in 0..LOOKS / 4 {
        traced_round(engine, group, w, &mut visited)?;
    }
    let registers = loops::deciding(engine.cx.program, &visited, clocks);
    let known = visited.len();
    let mut anchor = state(&group.warps[w], &registers);
    let mut next_anchor = 1;
    for look in 0..LOOKS {
        traced_round(engine, group, w, &mut visited)?;
        let is_same_loop = visited.len() == known && engine.changes == changes;
        if !is_same_loop || !may_run(engine.cx, &group.warps[w]) {
            return Ok(false);
        }
        let now = state(&group.warps[w], &registers);
        if now == anchor {
            return Ok(true);
        }
        if look == next_anchor {
            anchor = now;
            next_anchor *= 2;
        }
    }
    Ok(false)
}

/// A round with note of the instructions that run.
fn traced_round<O: Observer>(
    engine: &mut Engine<'_, O>,
    group: &mut Group,
    w: usize,
    visited: &mut HashSet<Pc>,
) -> Result<(), Box<Fault>> {
    let ready = &mut group.warps[w].ready;
    let splits = if is_stack(engine) { ready.pop().into_iter().collect() } else { std::mem::take(ready) };
    for mut split in splits {
        for left in (0..CHUNK).rev() {
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

/// Everything that decides how a warp goes on, but for memory that others see. Times in its local memory may differ by
/// leaps.
fn state(warp: &Warp, registers: &loops::Registers) -> u64 {
    let mut hash = std::hash::DefaultHasher::new();
    registers.hash(&warp.regs, &mut hash);
    let (words, _) = warp.local.as_chunks::<8>();
    words.iter().for_each(|word| (u64::from_le_bytes(*word) % LEAP).hash(&mut hash));
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
