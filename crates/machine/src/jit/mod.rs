//! Tier 1: kernels as machine code for AVX2 or AVX-512.
//!
//! The code of a kernel runs groups of lanes (a warp, or half of one where lanes part in loops) from an entry (the start, or
//! behind a barrier of the whole CTA) until every lane has exited or stands at an instruction that compiled code does not do.
//! A call runs all groups of a CTA, and goes on behind barriers that all of them reach. Where it meets something that it
//! cannot do, lanes are handed over to the interpreter at that instruction, with their values in the interpreter's rows; one
//! instruction that has no code is done by the interpreter through a helper. The interpreter's view of a CTA (rows of special
//! registers, lists of splits) is only made when one of these happens: see [`run`]. A lane-wise operation that has no code is
//! a call of its row function, which needs nothing but the rows of its operands.
//!
//! Used where nobody observes, lanes meet at convergence barriers, and the schedule is not seeded. What the code may assume is
//! in [`plan`]; how it is laid out, in [`emit`].
//!
//! # Safety of generated code
//! It writes to the register block of its warp (at slots of the program, inside of it by the layout), to its stack frame, to
//! the call's [`Cx`] and what that points to, and to memory of the kernel after a check: every access to shared memory is
//! compared with the length of the CTA's, to local memory with that of a thread's, every other access with the allocation that
//! the helper has put into the access's cache line (of a generic access perhaps the CTA's shared memory). Row functions that it calls get an operation that belongs to the code, as long as that lives, and the
//! warp's register block. Bytes of lanes that sleep are never touched: their part of a vector access is masked. An allocation
//! of the host lives as long as the launch.

mod asm;
mod call;
mod emit;
mod plan;
mod run;

pub use run::{Runner, Totals};

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use memmap2::{Mmap, MmapOptions};

use asm::Isa;
use call::{CX, GROUP, GROUP_BYTES, MIXED};

use crate::launch::Tier;
use crate::program::{AddressSpace, Kind, Pc, PresetValue, Program};
use crate::row::RowOp;

/// Most warp instructions of one group in one call of compiled code; of a kernel that may wait for others, less.
const BUDGET: u64 = 1 << 26;
const BUDGET_WHERE_IT_WAITS: u64 = 1 << 15;
/// CTAs that a worker hands over before it leaves a kernel that may wait to the interpreter.
const PATIENCE: u32 = 4;

/// A way into the code.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Offset in the code.
    offset: usize,
    /// May some lanes be missing?
    masked: bool,
}

/// A place where lanes leave the code. The first in a list is the exit.
#[derive(Clone, Copy, Debug)]
struct StopPlace {
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
    pool: Vec<emit::PoolRow>,
    /// Lanes of a group.
    lanes: usize,
    scalar_bytes: usize,
    spans: Vec<u32>,
    uniforms: Vec<PresetValue>,
    budget: u64,
    /// May it wait for what other lanes write?
    waits: bool,
    /// Operations that the code calls: it has their addresses.
    _calls: Vec<Arc<RowOp>>,
}

/// Code for a processor and a block; nothing where the kernel is left to the interpreter.
type Forms = HashMap<(Isa, [u32; 3]), Option<Arc<Compiled>>>;

/// Compiled forms of a program, by what the code assumes of the block and the processor.
#[derive(Default)]
pub struct Cache(Mutex<Forms>);

impl Cache {
    fn get(&self, program: &Program, block: [u32; 3], tier: Tier) -> Option<Arc<Compiled>> {
        // Rows of eight threads are better run by eight lanes at a time: they cross the rows of a block otherwise.
        let is_line = block[1] == 1 && block[2] == 1;
        let fits = (is_line || block[0] % 16 != 8) && tier == Tier::Compiled;
        let isa = if (*crate::vector::LEVEL >= crate::vector::AVX512) && fits { Isa::Avx512 } else { Isa::Avx2 };
        let mut map = self.0.lock().ok()?;
        map.entry((isa, block)).or_insert_with(|| compile(program, block, isa).map(Arc::new)).clone()
    }
}

/// Plans of a kernel: the one to run, and a careful one where that assumes something.
fn plans(program: &Program, block: [u32; 3], lanes: usize) -> Option<(plan::Plan, Option<plan::Plan>)> {
    let plan = |hopeful: bool| plan::Plan::new(program, block, lanes, hopeful);
    let careful = plan(false)?;
    let hopeful = if plan::fills_warps(block) { plan(true) } else { None };
    Some(match hopeful {
        Some(hopeful) => (hopeful, Some(careful)),
        None => (careful, None),
    })
}

fn compile(program: &Program, block: [u32; 3], isa: Isa) -> Option<Compiled> {
    let (plan, careful) = plans(program, block, isa.lanes())?;
    // Loops that lanes leave one by one are better run by fewer lanes at a time.
    // (In a block that does not fill its warps all is masked.)
    let diverges = plan::fills_warps(block) && plan.blocks.iter().any(|b| b.masked && b.depth > 0);
    // Collectives are of whole warps.
    let meets = program.code.iter().any(|i| matches!(i.kind, Kind::Collective(_) | Kind::ActiveMask { .. }));
    // A row function computes all 32 lanes.
    let calls = emit::calls_in_loops(program, &plan, isa);
    let lanes = if meets || calls || !diverges || isa == Isa::Avx512 { 32 } else { 16 };
    let out = emit::Emitter::new(program, &plan, careful.as_ref(), isa, lanes / isa.lanes()).run()?;
    let mut map = MmapOptions::new().len(out.code.len().max(1)).map_anon().ok()?;
    map[..out.code.len()].copy_from_slice(&out.code);
    let map = map.make_exec().ok()?;
    let waits = may_spin(program, &plan);
    Some(Compiled {
        map,
        entries: out.entries,
        stops: out.stops,
        pool: out.pool,
        lanes,
        scalar_bytes: out.scalar_bytes,
        spans: out.spans,
        uniforms: plan.uniforms,
        budget: if waits { BUDGET_WHERE_IT_WAITS } else { BUDGET },
        waits,
        _calls: out.calls,
    })
}

/// Is there a loop that may wait for what other lanes write? Compiled code lets them run when its budget is used up.
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

/// Does it access shared memory in a way whose check needs that to be a word at least?
fn needs_shared_word(program: &Program) -> bool {
    program.code.iter().any(|i| {
        let address = match &i.kind {
            Kind::Atomic(a) => &a.address,
            Kind::Load(l) => &l.address,
            Kind::Store(s) => &s.address,
            _ => return false,
        };
        address.space == AddressSpace::Shared
    })
}
