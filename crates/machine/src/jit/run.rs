//! Runs compiled code for a host thread: CTA by CTA, and what is left over to the interpreter.
//!
//! A CTA that compiled code runs to its end needs nothing of the interpreter's state but the rows of constants and of
//! special registers that are the same in every CTA. All else (a CTA's special registers in rows, lists of splits, local
//! memory) is made ready when an instruction needs the interpreter, or lanes are handed over: [`Runner::materialise`].

use std::sync::Arc;

use super::call::{Cx, LaneGroup, MIXED};
use super::{Compiled, PATIENCE, needs_shared_word};
use warpvm_isa::SpecialRegister;

use crate::exec::{Engine, Group, NO_JOIN, Split, changes_with_cta, of_cta, of_launch, param};
use crate::fault::Fault;
use crate::launch::{Convergence, Tier};
use crate::memory::{SHARED_BASE, SHARED_START, Space, resolve_generic};
use crate::observe::Observer;
use crate::program::{AddressSpace, Kind, Pc, PresetValue};
use crate::row::RowOp;
use crate::slots::{Class, FULL, LaneMask};

/// Instructions of a call before it looks whether the launch is to end.
const LIMIT: u64 = 1 << 24;

/// What the helper needs.
struct Env<'e, 'a, O: Observer> {
    engine: &'e mut Engine<'a, O>,
    group: &'e mut Group,
    shared: Shared<'e>,
    fault: Option<Box<Fault>>,
}

/// What the helper needs of the runner.
struct Shared<'e> {
    n: u64,
    is_ready: &'e mut bool,
    spans: &'e [u32],
    lanes: usize,
}

/// Does one instruction the interpreter's way; 1 where it faults, 2 where lanes have to wait at it.
///
/// # Safety
/// Called by compiled code with the [`Cx`] that it was given, whose `env` is an `Env` of the same observer.
unsafe extern "sysv64" fn helper<O: Observer>(cx: *mut Cx, pc: u32, lanes: u32) -> u32 {
    // SAFETY: the caller's; the groups of `Cx` are in one list.
    let (env, index, groups, own) = unsafe {
        let cx = &*cx;
        (&mut *cx.env.cast::<Env<'_, '_, O>>(), cx.group.offset_from(cx.groups) as usize, cx.groups, &*cx.group)
    };
    if !*env.shared.is_ready {
        // SAFETY: as many groups as there are lanes in the CTA.
        let groups = unsafe { std::slice::from_raw_parts(groups, env.group.warps.len() * 32 / env.shared.lanes) };
        materialise(env.engine, env.group, env.shared.n, groups, env.shared.lanes);
        *env.shared.is_ready = true;
    }
    let first = index * env.shared.lanes;
    let (w, lanes) = (first / 32, lanes << (first % 32));
    if matches!(env.engine.cx.program.code[pc as usize].kind, Kind::Collective(_)) {
        // SAFETY: a group has a place for every stop. The first is the exit: lanes that have exited in this call.
        let live = own.live & !unsafe { *own.stops };
        return match env.engine.run_collective(env.group, w, pc, lanes, live) {
            Ok(true) => 0,
            Ok(false) => 2,
            Err(fault) => {
                env.fault = Some(fault);
                1
            }
        };
    }
    match env.engine.run_one(env.group, w, pc, lanes) {
        Ok(()) => {
            // SAFETY: the cache has a line for every instruction.
            let line = unsafe { &mut *(*cx).cache.add(pc as usize) };
            remember(env, w, pc, lanes, line);
            0
        }
        Err(fault) => {
            env.fault = Some(fault);
            1
        }
    }
}

/// Calls a row function.
///
/// # Safety
/// Called by compiled code with an operation that belongs to it and the register block of a warp.
unsafe extern "sysv64" fn call_row(op: *const RowOp, regs: *mut u8, lanes: u32) {
    // SAFETY: the caller's; the slots of the operation are the program's, whose registers the block holds.
    unsafe { (*op).run(regs, lanes) }
}

/// Puts the allocation that an access used into its cache line; of a generic access to shared memory, that.
fn remember<O: Observer>(env: &mut Env<'_, '_, O>, w: usize, pc: Pc, lanes: LaneMask, line: &mut [u64; 4]) {
    let address = match &env.engine.cx.program.code[pc as usize].kind {
        Kind::Load(l) => &l.address,
        Kind::Store(s) => &s.address,
        Kind::Atomic(a) => &a.address,
        _ => return,
    };
    let is_found = matches!(address.space, AddressSpace::Global | AddressSpace::Const | AddressSpace::Generic);
    if !is_found || address.base.is_some() && address.class != Class::R64 {
        return;
    }
    let lane = lanes.trailing_zeros() as usize & 31;
    let base = if address.base.is_some() { env.group.warps[w].regs.row64(address.base)[lane] } else { 0 };
    let at = base.wrapping_add(address.offset as u64);
    let memory = &mut env.group.ctas[0].shared;
    let found = match resolve_generic(at) {
        (Space::Shared, _) if address.space == AddressSpace::Generic => {
            // SAFETY: shared memory is longer than its reserved start.
            let host = unsafe { memory.as_mut_ptr().add(SHARED_START as usize) };
            let start = u64::from(SHARED_START);
            Some((host, SHARED_BASE + start, memory.len() as u64 - start))
        }
        (Space::Global, _) => env.engine.cx.global.region(at, &mut 0),
        _ => None,
    };
    if let Some((host, base, len)) = found {
        let span = u64::from(env.shared.spans[pc as usize]);
        *line = [base, (len + 1).saturating_sub(span), host as u64, len];
    }
}

/// Makes the interpreter's view of a CTA that compiled code is in, with the lanes that live: everything but shared and local
/// memory.
fn materialise<O: Observer>(engine: &Engine<'_, O>, group: &mut Group, n: u64, groups: &[LaneGroup], lanes: usize) {
    let steps = group.steps;
    let shared = std::mem::take(&mut group.ctas[0].shared);
    let local: Vec<Vec<u8>> = group.warps.iter_mut().map(|warp| std::mem::take(&mut warp.local)).collect();
    crate::schedule::reset_group(engine, group, n, false);
    group.ctas[0].shared = shared;
    group.warps.iter_mut().zip(local).for_each(|(warp, local)| warp.local = local);
    group.steps = steps;
    for (w, warp) in group.warps.iter_mut().enumerate() {
        warp.ready.clear();
        warp.live = live(groups, lanes, w);
    }
}

/// Lanes of a warp that have not exited.
fn live(groups: &[LaneGroup], lanes: usize, w: usize) -> LaneMask {
    let per_warp = 32 / lanes;
    groups[w * per_warp..][..per_warp].iter().enumerate().fold(0, |m, (i, g)| m | g.live << (i * lanes))
}

/// What CTAs that have ended add to the outcome of a launch.
#[derive(Default)]
pub struct Totals {
    /// Warp instructions.
    pub steps: u64,
    /// Counters of `pmevent`.
    pub events: [u64; 16],
}

/// Where the lanes of a CTA are.
enum Next {
    Done,
    /// All of them behind a barrier.
    Entry(usize),
    Left,
}

/// Runs compiled code for a worker.
pub struct Runner {
    compiled: Option<Arc<Compiled>>,
    cache: Vec<[u64; 4]>,
    counts: Vec<u64>,
    stops: Vec<u32>,
    groups: Vec<LaneGroup>,
    /// Threads of a CTA.
    threads: usize,
    scalars: Vec<u64>,
    uniforms: Vec<u64>,
    /// Those of them that differ between CTAs.
    changing: Vec<(usize, SpecialRegister)>,
    /// The register block that `groups` points into.
    base: *mut u8,
    /// Is the interpreter's view of the CTA made?
    is_ready: bool,
    /// CTAs that the interpreter was given.
    handed_over: u32,
}

impl Runner {
    /// For the launch of an engine; it does nothing where compiled code is not to be used.
    pub fn new<O: Observer>(engine: &Engine<'_, O>, tier: Tier) -> Self {
        let cx = engine.cx;
        let wanted = !O::ACTIVE
            && tier != Tier::Interpreted
            && *crate::vector::LEVEL >= crate::vector::AVX2
            && engine.random.is_none()
            && cx.convergence == Convergence::Barriers
            && cx.dimensions.cluster == [1, 1, 1]
            // A check of a word of shared memory needs one.
            && (cx.dynamic_shared >= 4 || cx.program.dynamic_shared_start > SHARED_START + 3 || !needs_shared_word(cx.program));
        let compiled = if wanted { cx.program.compiled.get(cx.program, cx.dimensions.block, tier) } else { None };
        let mut runner = Runner {
            compiled,
            cache: Vec::new(),
            counts: Vec::new(),
            stops: Vec::new(),
            groups: Vec::new(),
            threads: 0,
            scalars: Vec::new(),
            uniforms: Vec::new(),
            changing: Vec::new(),
            base: std::ptr::null_mut(),
            is_ready: false,
            handed_over: 0,
        };
        if let Some(c) = &runner.compiled {
            let groups = cx.dimensions.warps() as usize * 32 / c.lanes;
            runner.threads = cx.dimensions.threads() as usize;
            runner.cache = vec![[0; 4]; cx.program.code.len()];
            runner.counts = vec![0; c.stops.len()];
            runner.stops = vec![0; c.stops.len() * groups];
            runner.scalars = vec![0; groups * c.scalar_bytes / 8 + 1];
            for (i, value) in c.uniforms.iter().enumerate() {
                let bits = match *value {
                    PresetValue::Constant(bits) => bits,
                    PresetValue::Param { offset, len, signed } => param(cx.params, offset, len, signed),
                    PresetValue::Special(register) if changes_with_cta(register) => {
                        runner.changing.push((i, register));
                        0
                    }
                    PresetValue::Special(register) => of_launch(register, cx),
                };
                runner.uniforms.push(bits);
            }
        }
        runner
    }

    /// Is there compiled code for the launch?
    pub fn is_used(&self) -> bool {
        self.compiled.is_some()
    }

    /// Runs CTAs one after the other as far as compiled code goes, and takes them from the range. True where all have ended;
    /// otherwise the group is the last one taken, ready for the interpreter. A `fresh` group has never been reset.
    ///
    /// # Errors
    /// The fault that ends the launch.
    pub fn run<O: Observer>(
        &mut self,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        range: &mut std::ops::Range<u64>,
        fresh: bool,
        total: &mut Totals,
    ) -> Result<bool, Box<Fault>> {
        let Some(compiled) = self.compiled.clone() else { return Ok(false) };
        if fresh {
            crate::schedule::reset_group(engine, group, range.start, true);
            group.warps.iter_mut().for_each(|w| w.ready.clear());
        }
        let base = group.warps[0].regs.base();
        if base != self.base {
            self.point_into(&compiled, group);
            self.base = base;
        }
        self.wake(compiled.lanes);
        while !range.is_empty() {
            let n = range.start;
            range.start += 1;
            let grid = engine.cx.dimensions.grid;
            group.ctas[0].start(n, grid);
            if engine.cx.program.local_bytes > 0 {
                group.warps.iter_mut().for_each(|warp| warp.local.fill(0));
            }
            group.steps = 0;
            self.is_ready = false;
            for &(i, register) in &self.changing {
                self.uniforms[i] = of_cta(register, engine.cx, &group.ctas[0], 0);
            }
            if !self.run_one(&compiled, engine, group, n)? {
                return Ok(false);
            }
            total.steps += group.steps;
            if self.is_ready {
                (0..16).for_each(|i| total.events[i] += group.ctas[0].events[i]);
                group.ctas[0].events = [0; 16];
                self.wake(compiled.lanes);
            }
        }
        Ok(true)
    }

    /// All lanes that the CTA has are alive.
    fn wake(&mut self, lanes: usize) {
        for (n, g) in self.groups.iter_mut().enumerate() {
            g.live = low_bits(self.threads.saturating_sub(n * lanes).min(lanes));
        }
    }

    /// Runs a CTA that is at its start. True where it has ended.
    fn run_one<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        n: u64,
    ) -> Result<bool, Box<Fault>> {
        let groups = self.groups.len();
        self.call(compiled, engine, group, n, 0..groups, compiled.entries[0].offset)?;
        if self.counts[0] == groups as u64 {
            self.counts[0] = 0;
            return Ok(true);
        }
        loop {
            match self.look(compiled) {
                Next::Done => {
                    self.wake(compiled.lanes);
                    // The next CTA's lanes are at none of these places.
                    self.stops.fill(0);
                    return Ok(true);
                }
                Next::Entry(next) if group.steps <= engine.cx.max_steps && !engine.cx.is_cancelled() => {
                    self.stops.fill(0);
                    self.run_from(compiled, engine, group, n, next)?;
                }
                Next::Entry(_) | Next::Left => {
                    self.hand_over(compiled, engine, group, n)?;
                    self.handed_over += 1;
                    if compiled.waits && self.handed_over == PATIENCE {
                        self.compiled = None;
                    }
                    return Ok(false);
                }
            }
        }
    }

    /// Makes the list of lane groups for a group's registers.
    fn point_into(&mut self, compiled: &Compiled, group: &mut Group) {
        self.groups.clear();
        // A line may lead to the shared memory of another group.
        self.cache.fill([0; 4]);
        let lanes = compiled.lanes;
        let (stops, words) = (compiled.stops.len(), compiled.scalar_bytes / 8);
        let (first_stop, first_scalar) = (self.stops.as_mut_ptr(), self.scalars.as_mut_ptr());
        for warp in &mut group.warps {
            let base = warp.regs.base();
            let (local, stride) = (warp.local.as_mut_ptr(), warp.local_stride as usize);
            for first in (0..32).step_by(lanes) {
                let index = self.groups.len();
                // SAFETY: rows of the lanes, inside of the register block; the lists have room for every group.
                self.groups.push(unsafe {
                    LaneGroup {
                        regs32: base.add(4 * first),
                        regs64: base.add(8 * first),
                        preds: base.add(first / 8),
                        scalars: first_scalar.add(index * words),
                        local: local.add(first * stride),
                        stops: first_stop.add(index * stops),
                        live: 0,
                        place: MIXED,
                    }
                });
            }
        }
    }

    /// Runs the groups that have live lanes from an entry on.
    fn run_from<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        n: u64,
        entry: usize,
    ) -> Result<(), Box<Fault>> {
        let all = low_bits(compiled.lanes);
        let offset = compiled.entries[entry].offset;
        if self.groups.iter().all(|g| g.live == all) {
            return self.call(compiled, engine, group, n, 0..self.groups.len(), offset);
        }
        for g in 0..self.groups.len() {
            if self.groups[g].live != 0 {
                self.call(compiled, engine, group, n, g..g + 1, offset)?;
            }
        }
        Ok(())
    }

    /// Looks where the lanes are after a run; those that have exited are no longer live.
    fn look(&mut self, compiled: &Compiled) -> Next {
        let count = self.groups.len() as u64;
        let all_exited = self.counts[0] == count;
        self.counts.fill(0);
        if all_exited {
            return Next::Done;
        }
        let all = low_bits(compiled.lanes);
        let stops = compiled.stops.len();
        let mut at = None;
        let mut together = true;
        for (g, own) in self.groups.iter_mut().zip(self.stops.chunks_exact_mut(stops)) {
            if g.live == 0 {
                own.fill(0);
                continue;
            }
            if g.place != MIXED {
                own.fill(0);
                own[g.place as usize] = g.live;
            }
            g.place = MIXED;
            g.live &= !own[0];
            if g.live == 0 {
                continue;
            }
            let stop = (1..stops).find(|&s| own[s] == g.live);
            let entry = stop.and_then(|s| compiled.stops[s].entry);
            together &= entry.is_some_and(|e| g.live == all || compiled.entries[e].masked);
            together &= at.is_none_or(|other| other == entry);
            at = Some(entry);
        }
        match at {
            None => Next::Done,
            Some(Some(entry)) if together => Next::Entry(entry),
            _ => Next::Left,
        }
    }

    /// Leaves lanes to the interpreter, each at its stop.
    fn hand_over<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        n: u64,
    ) -> Result<(), Box<Fault>> {
        if !std::mem::replace(&mut self.is_ready, true) {
            materialise(engine, group, n, &self.groups, compiled.lanes);
        }
        let (stops, per_warp) = (compiled.stops.len(), 32 / compiled.lanes);
        for w in 0..group.warps.len() {
            group.warps[w].live = live(&self.groups, compiled.lanes, w);
            for stop in 1..stops {
                let mut mask = 0;
                for i in 0..per_warp {
                    let g = w * per_warp + i;
                    let lanes = self.stops[g * stops + stop];
                    mask |= lanes << (i * compiled.lanes);
                    if let (Some(offset), true) = (compiled.stops[stop].rows, lanes != 0) {
                        self.call(compiled, engine, group, n, g..g + 1, offset)?;
                    }
                }
                if mask != 0 {
                    let pc = compiled.stops[stop].pc;
                    group.warps[w].ready.push(Split { pc, mask, join: NO_JOIN, frames: None });
                }
            }
        }
        self.stops.fill(0);
        self.counts.fill(0);
        engine.look_for_settled();
        Ok(())
    }

    /// Calls code for some groups.
    fn call<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        n: u64,
        range: std::ops::Range<usize>,
        offset: usize,
    ) -> Result<(), Box<Fault>> {
        let memory = &mut group.ctas[0].shared;
        let shared_len = memory.len() as u64 - u64::from(SHARED_START);
        // SAFETY: shared memory is longer than its reserved start.
        let shared = unsafe { memory.as_mut_ptr().add(SHARED_START as usize) };
        let is_all = range.len() == self.groups.len();
        let spans = &compiled.spans;
        let own = Shared { n, is_ready: &mut self.is_ready, spans, lanes: compiled.lanes };
        let mut env = Env { engine, group, shared: own, fault: None };
        let groups = self.groups.as_mut_ptr();
        let mut cx = Cx {
            shared,
            shared_len,
            shared_last_word: shared_len.saturating_sub(4),
            shared_last_index: shared_len.saturating_sub(4) / 4,
            helper: helper::<O>,
            row: call_row,
            steps: 0,
            budget: compiled.budget,
            limit: LIMIT,
            cache: self.cache.as_mut_ptr(),
            pool: compiled.pool.as_ptr(),
            uniforms: self.uniforms.as_mut_ptr(),
            groups,
            // SAFETY: the range is one of the list.
            group: unsafe { groups.add(range.start) },
            // SAFETY: as above.
            groups_end: unsafe { groups.add(range.end) },
            counts: self.counts.as_mut_ptr(),
            total: if is_all { range.len() as u64 } else { u64::MAX },
            group_loop: 0,
            stack: 0,
            fault: 0,
            env: (&raw mut env).cast(),
        };
        // SAFETY: the offset is that of an entry in code that was made for this program; `Cx` is as it expects.
        unsafe {
            let code: unsafe extern "sysv64" fn(*mut Cx) = std::mem::transmute(compiled.map.as_ptr().add(offset));
            code(&raw mut cx);
        }
        let fault = env.fault.take();
        group.steps += cx.steps * compiled.lanes as u64 / 32;
        fault.map_or(Ok(()), Err)
    }
}

/// The lowest bits of a mask.
fn low_bits(lanes: usize) -> LaneMask {
    if lanes == 32 { FULL } else { (1 << lanes) - 1 }
}
