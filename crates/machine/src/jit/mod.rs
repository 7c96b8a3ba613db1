//! Tier 1: kernels as AVX2 machine code.
//!
//! The code of a kernel runs 16 or 32 lanes of a warp from an entry (the start, or behind a barrier of the whole CTA) until
//! every lane has exited or stands at an instruction that compiled code does not do. It works on the register rows of the
//! interpreter, so that lanes can be handed over at any instruction. One instruction that has no code is done by the
//! interpreter through a helper.
//!
//! Used where nobody observes, lanes meet at convergence barriers, and the schedule is not seeded. What the code may assume is
//! in [`plan`]; how it is laid out, in [`emit`].
//!
//! # Safety of generated code
//! It writes to the register block of its warp (at slots of the program, inside of it by the layout), to its stack frame, to
//! the call's [`Cx`], and to memory of the kernel after a check: every access to shared memory is compared with the length
//! of the CTA's, every access to global memory with the allocation that the helper has put into the access's cache line.
//! An allocation of the host lives as long as the launch.

mod asm;
mod emit;
mod plan;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use memmap2::{Mmap, MmapOptions};

use crate::exec::{Engine, Group, NO_JOIN, Split};
use crate::fault::Fault;
use crate::launch::{Convergence, Tier};
use crate::memory::SHARED_START;
use crate::observe::Observer;
use crate::program::{AddressSpace, Kind, Pc, Program};
use crate::slots::{Class, FULL, LaneMask};

/// Most warp instructions of one call of compiled code; of a kernel with atomics, whose lanes may wait for others, less.
const BUDGET: u64 = 1 << 26;
const BUDGET_WITH_ATOMICS: u64 = 1 << 16;

/// A way into the code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Offset in the code.
    offset: usize,
    /// May some lanes be missing?
    masked: bool,
}

/// A place where lanes leave the code.
#[derive(Clone, Copy, Debug)]
pub struct StopPlace {
    /// Before this instruction.
    pc: Pc,
    /// Is it a barrier of the whole CTA?
    barrier: bool,
    /// The entry behind it.
    entry: Option<usize>,
    /// Code that writes the scalars to their rows, for a barrier.
    rows: Option<usize>,
}

/// A compiled kernel.
struct Compiled {
    map: Mmap,
    entries: Vec<Entry>,
    stops: Vec<StopPlace>,
    pool: Vec<[u32; 8]>,
    width: usize,
    scalar_bytes: usize,
    budget: u64,
}

/// What a call of compiled code is given and gives back.
#[repr(C)]
struct Cx {
    regs32: *mut u8,
    regs64: *mut u8,
    preds: *mut u8,
    /// Shared memory after its reserved start, and its length from there.
    shared: *mut u8,
    shared_len: u64,
    helper: unsafe extern "sysv64" fn(*mut Cx, u32, u32) -> u32,
    steps: u64,
    limit: u64,
    /// By instruction: first address, length and host address of an allocation.
    cache: *mut [u64; 4],
    pool: *const [u32; 8],
    /// Lanes that enter, and those that have exited, from the group's first on.
    mask: u32,
    first_lane: u32,
    exited: u32,
    fault: u32,
    /// By stop: lanes that are there.
    stops: *mut u32,
    scratch: u64,
    scalars: *mut u64,
    /// Distance of the last word of shared memory.
    shared_last_word: u64,
    env: *mut (),
}

/// Offsets in [`Cx`] for the emitter.
struct CxOffsets {
    regs32: i32,
    regs64: i32,
    preds: i32,
    shared: i32,
    shared_len: i32,
    helper: i32,
    steps: i32,
    limit: i32,
    cache: i32,
    pool: i32,
    mask: i32,
    first_lane: i32,
    exited: i32,
    fault: i32,
    stops: i32,
    scratch: i32,
    scalars: i32,
    shared_last_word: i32,
}

macro_rules! offsets {
    ($($field:ident),*) => { CxOffsets { $($field: std::mem::offset_of!(Cx, $field) as i32),* } };
}
const CX: CxOffsets = offsets!(
    regs32,
    regs64,
    preds,
    shared,
    shared_len,
    helper,
    steps,
    limit,
    cache,
    pool,
    mask,
    first_lane,
    exited,
    fault,
    stops,
    scratch,
    scalars,
    shared_last_word
);

/// Compiled forms of a program, by what the code assumes of the block.
#[derive(Default)]
pub struct Cache(Mutex<HashMap<[u32; 2], Option<Arc<Compiled>>>>);

impl Cache {
    fn get(&self, program: &Program, block: [u32; 3]) -> Option<Arc<Compiled>> {
        let key = [block[0] % 32, block.iter().product::<u32>() % 32];
        let mut map = self.0.lock().ok()?;
        map.entry(key).or_insert_with(|| compile(program, block).map(Arc::new)).clone()
    }
}

fn compile(program: &Program, block: [u32; 3]) -> Option<Compiled> {
    let mut plan = plan::Plan::new(program, block, emit::is_inline)?;
    let has_inline = |plan: &plan::Plan| {
        (0..program.code.len() as Pc).any(|pc| emit::is_inline(program, pc) && plan.block_of.len() > pc as usize)
    };
    let mut inlines = has_inline(&plan);
    let asleep = |pc: &Pc| plan.blocks[plan.block_of[*pc as usize]].masked;
    if inlines && (0..program.code.len() as Pc).filter(|&pc| emit::is_inline(program, pc)).any(|pc| asleep(&pc)) {
        plan = plan::Plan::new(program, block, |_, _| false)?;
        inlines = false;
    }
    if may_spin(program, &plan) {
        return None;
    }
    // Loops that lanes leave one by one are better run by fewer lanes at a time.
    let diverges = plan.blocks.iter().any(|b| b.masked && b.depth > 0);
    let width = if inlines || !diverges { 4 } else { 2 };
    let out = emit::Emitter::new(program, &plan, width).run()?;
    let mut map = MmapOptions::new().len(out.code.len().max(1)).map_anon().ok()?;
    map[..out.code.len()].copy_from_slice(&out.code);
    let map = map.make_exec().ok()?;
    let has_atomics = program.code.iter().any(|i| match &i.kind {
        Kind::Atomic(_) => true,
        Kind::Load(l) => l.ordering != crate::program::Ordering::Weak,
        _ => false,
    });
    let budget = if has_atomics { BUDGET_WITH_ATOMICS } else { BUDGET };
    Some(Compiled {
        map,
        entries: out.entries,
        stops: out.stops,
        pool: out.pool,
        width,
        scalar_bytes: out.scalar_bytes,
        budget,
    })
}

/// Is there a loop that may wait for what other lanes write? Compiled code would wait long before it let them run.
fn may_spin(program: &Program, plan: &plan::Plan) -> bool {
    program.code.iter().enumerate().any(|(pc, inst)| {
        let looks = match &inst.kind {
            Kind::Load(l) => l.ordering != crate::program::Ordering::Weak,
            Kind::Atomic(a) => a.results.iter().any(|&(_, slot)| plan.is_used(slot)),
            _ => false,
        };
        looks && plan.blocks[plan.block_of[pc]].depth > 0
    })
}

fn has_shared_atomics(program: &Program) -> bool {
    program.code.iter().any(|i| matches!(&i.kind, Kind::Atomic(a) if a.address.space == AddressSpace::Shared))
}

/// What the helper needs.
struct Env<'e, 'a, O: Observer> {
    engine: &'e mut Engine<'a, O>,
    group: &'e mut Group,
    w: usize,
    cache: *mut [u64; 4],
    fault: Option<Box<Fault>>,
}

/// Does one instruction the interpreter's way; 1 where it faults.
///
/// # Safety
/// Called by compiled code with the [`Cx`] that it was given, whose `env` is an `Env` of the same observer.
unsafe extern "sysv64" fn helper<O: Observer>(cx: *mut Cx, pc: u32, lanes: u32) -> u32 {
    // SAFETY: the caller's.
    let env = unsafe { &mut *(*cx).env.cast::<Env<'_, '_, O>>() };
    match env.engine.run_one(env.group, env.w, pc, lanes) {
        Ok(()) => {
            remember(env, pc, lanes);
            0
        }
        Err(fault) => {
            env.fault = Some(fault);
            1
        }
    }
}

/// Puts the allocation that an access used into its cache line.
fn remember<O: Observer>(env: &mut Env<'_, '_, O>, pc: Pc, lanes: LaneMask) {
    let address = match &env.engine.cx.program.code[pc as usize].kind {
        Kind::Load(l) => &l.address,
        Kind::Store(s) => &s.address,
        _ => return,
    };
    if address.space != AddressSpace::Global || address.class != Class::R64 || !address.base.is_some() {
        return;
    }
    let row = env.group.warps[env.w].regs.row64(address.base);
    let at = row[lanes.trailing_zeros() as usize & 31].wrapping_add(address.offset as u64);
    if let Some((host, base, len)) = env.engine.cx.global.region(at, &mut 0) {
        // SAFETY: the cache has a line for every instruction.
        unsafe { *env.cache.add(pc as usize) = [base, len, host as u64, 0] };
    }
}

/// What a call of compiled code gives besides the lanes at its stops.
struct CallOutcome {
    exited: u32,
    steps: u64,
    fault: Option<Box<Fault>>,
}

/// Where a warp is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Entry(usize),
    Stop(usize),
    /// Exited, or left to the interpreter.
    Gone,
}

/// Runs compiled code for a worker.
pub struct Runner {
    compiled: Option<Arc<Compiled>>,
    cache: Vec<[u64; 4]>,
    /// Lanes at each stop: of one call, and of a warp.
    stops: Vec<u32>,
    all: Vec<u32>,
    places: Vec<Place>,
    /// Scalars of each group of lanes of each warp, which live over barriers.
    scalars: Vec<u64>,
}

impl Runner {
    /// For the launch of an engine; it does nothing where compiled code is not to be used.
    pub fn new<O: Observer>(engine: &Engine<'_, O>, tier: Tier) -> Self {
        let cx = engine.cx;
        let wanted = !O::ACTIVE
            && tier == Tier::Compiled
            && *crate::vector::LEVEL >= crate::vector::AVX2
            && engine.random.is_none()
            && cx.convergence == Convergence::Barriers
            && cx.dimensions.cluster == [1, 1, 1]
            // A check of a word of shared memory needs one.
            && (cx.dynamic_shared >= 4 || cx.program.dynamic_shared_start > SHARED_START + 3 || !has_shared_atomics(cx.program));
        let compiled = if wanted { cx.program.compiled.get(cx.program, cx.dimensions.block) } else { None };
        let (code, stops) = compiled.as_ref().map_or((0, 0), |c| (cx.program.code.len(), c.stops.len()));
        let scalar_bytes = compiled.as_ref().map_or(0, |c| c.scalar_bytes);
        let scalars = vec![0; cx.dimensions.warps() as usize * 4 * scalar_bytes / 8 + 1];
        let (stops, all) = (vec![0; stops], vec![0; stops]);
        Runner { compiled, cache: vec![[0; 4]; code], stops, all, places: Vec::new(), scalars }
    }

    /// Runs a CTA that is at its start as far as compiled code goes; what is left is ready for the interpreter.
    ///
    /// # Errors
    /// The fault that ends the launch.
    pub fn run<O: Observer>(&mut self, engine: &mut Engine<'_, O>, group: &mut Group) -> Result<(), Box<Fault>> {
        let Some(compiled) = self.compiled.clone() else { return Ok(()) };
        if group.ctas.len() != 1 || group.warps.iter().any(|w| w.exists != FULL) {
            return Ok(());
        }
        self.places.clear();
        self.places.resize(group.warps.len(), Place::Entry(0));
        group.warps.iter_mut().for_each(|w| w.ready.clear());
        loop {
            for w in 0..group.warps.len() {
                if let Place::Entry(entry) = self.places[w] {
                    self.places[w] = self.run_warp(&compiled, engine, group, w, entry)?;
                }
            }
            let mut at = None;
            let mut together = true;
            for (w, place) in self.places.iter().enumerate() {
                match *place {
                    Place::Stop(stop) => {
                        together &= at.is_none_or(|other| other == stop);
                        at = Some(stop);
                    }
                    _ => together &= group.warps[w].live == 0,
                }
            }
            let Some(stop) = at else {
                engine.look_for_settled();
                return Ok(());
            };
            let entry = compiled.stops[stop].entry;
            if let (true, Some(entry)) = (together, entry) {
                self.places.iter_mut().filter(|p| **p == Place::Stop(stop)).for_each(|p| *p = Place::Entry(entry));
            } else {
                for w in 0..self.places.len() {
                    if let Place::Stop(stop) = self.places[w] {
                        let live = group.warps[w].live;
                        self.hand_over(&compiled, engine, group, w, stop, live, compiled.stops[stop].pc);
                    }
                }
                engine.look_for_settled();
                return Ok(());
            }
        }
    }

    fn run_warp<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        w: usize,
        entry: usize,
    ) -> Result<Place, Box<Fault>> {
        let live = group.warps[w].live;
        let place = compiled.entries[entry];
        if live != FULL && !place.masked {
            // The code takes all lanes to be there: the interpreter goes on behind the barrier.
            if let Some(stop) = compiled.stops.iter().position(|s| s.entry == Some(entry)) {
                self.hand_over(compiled, engine, group, w, stop, live, compiled.stops[stop].pc + 1);
            }
            return Ok(Place::Gone);
        }
        self.all.iter_mut().for_each(|lanes| *lanes = 0);
        let lanes = 8 * compiled.width;
        let (mut exited, mut steps) = (0, 0);
        for first in (0..32).step_by(lanes) {
            let mask = live >> first & low_bits(lanes);
            if mask == 0 {
                continue;
            }
            let out = self.call(compiled, engine, group, w, first, mask, place.offset);
            if let Some(fault) = out.fault {
                return Err(fault);
            }
            exited |= out.exited << first;
            steps += out.steps;
            for (all, own) in self.all.iter_mut().zip(&mut self.stops) {
                *all |= std::mem::take(own) << first;
            }
        }
        let warp = &mut group.warps[w];
        warp.live &= !exited;
        group.steps += steps * lanes as u64 / 32;
        let live = warp.live;
        if live == 0 {
            return Ok(Place::Gone);
        }
        if let Some(stop) = self.all.iter().position(|&lanes| lanes == live) {
            return Ok(Place::Stop(stop));
        }
        for stop in 0..self.all.len() {
            if self.all[stop] != 0 {
                self.hand_over(compiled, engine, group, w, stop, self.all[stop], compiled.stops[stop].pc);
            }
        }
        Ok(Place::Gone)
    }

    /// Leaves lanes at a stop to the interpreter, from `pc` on.
    fn hand_over<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        w: usize,
        stop: usize,
        mask: LaneMask,
        pc: Pc,
    ) {
        if let Some(offset) = compiled.stops[stop].rows {
            let lanes = 8 * compiled.width;
            for first in (0..32).step_by(lanes).filter(|f| mask >> f & low_bits(lanes) != 0) {
                self.call(compiled, engine, group, w, first, 0, offset);
            }
        }
        group.warps[w].ready.push(Split { pc, mask, join: NO_JOIN, frames: None });
    }

    /// Calls code for the lanes from `first` on.
    fn call<O: Observer>(
        &mut self,
        compiled: &Compiled,
        engine: &mut Engine<'_, O>,
        group: &mut Group,
        w: usize,
        first: usize,
        mask: LaneMask,
        offset: usize,
    ) -> CallOutcome {
        let base = group.warps[w].regs.base();
        let memory = &mut group.ctas[0].shared;
        let shared_len = memory.len() as u64 - u64::from(SHARED_START);
        // SAFETY: shared memory is longer than its reserved start.
        let shared = unsafe { memory.as_mut_ptr().add(SHARED_START as usize) };
        let cache = self.cache.as_mut_ptr();
        let own = (w * 4 + first / 8) * compiled.scalar_bytes / 8;
        let mut env = Env { engine, group, w, cache, fault: None };
        let mut cx = Cx {
            // SAFETY: the rows of the group's lanes, inside of the register block.
            regs32: unsafe { base.add(4 * first) },
            // SAFETY: as above.
            regs64: unsafe { base.add(8 * first) },
            // SAFETY: as above.
            preds: unsafe { base.add(first / 8) },
            shared,
            shared_len,
            helper: helper::<O>,
            steps: 0,
            limit: compiled.budget,
            cache,
            pool: compiled.pool.as_ptr(),
            mask,
            first_lane: first as u32,
            exited: 0,
            fault: 0,
            stops: self.stops.as_mut_ptr(),
            scratch: 0,
            scalars: self.scalars[own..].as_mut_ptr(),
            shared_last_word: shared_len.saturating_sub(4),
            env: (&raw mut env).cast(),
        };
        // SAFETY: the offset is that of an entry in code that was made for this program; `Cx` is as it expects.
        unsafe {
            let code: unsafe extern "sysv64" fn(*mut Cx) = std::mem::transmute(compiled.map.as_ptr().add(offset));
            code(&raw mut cx);
        }
        CallOutcome { exited: cx.exited, steps: cx.steps, fault: env.fault }
    }
}

/// The lowest bits of a mask.
fn low_bits(lanes: usize) -> LaneMask {
    if lanes == 32 { FULL } else { (1 << lanes) - 1 }
}
