//! Code for the blocks of a plan.
//!
//! Registers of 32 bits and predicates that vary live in vector registers for as long as they live, or in their rows;
//! 64-bit ones live in their rows; scalars (one a chunk, or one for the warp) live on the stack. Blocks follow each other as
//! in the program. A masked block has a mask of lanes that are to run it; it is run when the code gets to it, and a jump back
//! is taken while any lane is to run its target. So every lane is at exactly one place at any time, and all of them move on.
//!
//! A lane-wise operation that has no code here is done by its row function ([`calls`]), any other instruction by the
//! interpreter: values go to their rows, the helper is called, results come back. Code that finds something it cannot do (an
//! index near the end of its range) leaves altogether, with all values in their rows and the lanes of each place in a list.

mod atomics;
mod away;
mod blocks;
mod calls;
mod checks;
mod collectives;
mod doubles;
mod floats;
mod fuse;
mod gather;
mod groups;
mod halves;
mod integers;
mod lanes;
mod leave;
mod matches;
mod memory;
mod operands;
mod parties;
mod predicates;
mod registers;
mod rows;
mod runs;
mod scalars;
mod shuffle;
mod special;
mod tally;
mod tests;
mod twins;
mod vectors;
mod wide;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use warpvm_sem::approx::Function;

pub use calls::calls_in_loops;

use calls::Tenants;
use checks::Checked;
use runs::Forwarded;
use tally::Tally;

use super::asm::*;
use super::plan::{Block, Plan, Shape, Term, UNIFORM, Value, ValueId};
use super::{CX, Entry, GROUP, GROUP_BYTES, MIXED, StopPlace};
use crate::lane_op::{Compared, LaneOp, Relation};
use crate::memory::SHARED_START;
use crate::program::{
    AddressSpace, Atomic, AtomicOp, AtomicType, Collective, CollectiveOp, Guard, Kind, Load, Pc, Program, Role,
    ShflMode, Store,
};
use crate::row::RowOp;
use crate::slots::{Class, FULL, Slot};

/// The canonical NaN of `.f32` arithmetic.
const NAN: u32 = 0x7fff_ffff;

/// What comes out.
pub struct Output {
    pub code: Vec<u8>,
    pub entries: Vec<Entry>,
    pub stops: Vec<StopPlace>,
    pub pool: Vec<PoolRow>,
    /// Bytes of scalars for each group of lanes.
    pub scalar_bytes: usize,
    /// By instruction: bytes from the lowest to the end of the highest access of a group, where they are checked together.
    pub spans: Vec<u32>,
    /// Operations that the code calls by their addresses.
    pub calls: Vec<Arc<RowOp>>,
}

/// A constant vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct PoolRow(pub [u32; 16]);

/// Something to emit after the blocks.
enum Cold {
    /// The interpreter does the instructions from the first to the last.
    Help {
        first: Pc,
        last: Pc,
        start: Label,
        back: Label,
        kept: Vec<Kept>,
    },
    /// A load or store of the lanes that are awake.
    PartialLoad {
        pc: Pc,
        b: usize,
        start: Label,
        slow: Label,
        back: Label,
    },
    PartialStore {
        pc: Pc,
        b: usize,
        start: Label,
        slow: Label,
        back: Label,
    },
    /// Leave before the instruction; the lanes of the block are at it.
    Leave {
        pc: Pc,
        start: Label,
    },
    /// The helper, whose answer is in `eax`, has found a fault, or that lanes have to wait at a collective.
    Refused {
        pc: Pc,
        start: Label,
    },
    /// Leave with the lanes that are to run masked blocks only; `at` is a place for liveness.
    LeavePending {
        at: Pc,
        start: Label,
    },
    /// Some lanes take a branch, in `rdx`: all of them, or the group starts again.
    AllOrCareful {
        all: i32,
        start: Label,
        taken: Label,
        careful: Label,
    },
}

/// A register that holds what is also in memory: within a block, as long as no helper is called.
#[derive(Clone, Copy)]
struct Kept {
    register: Gpr,
    what: What,
    from: Mem,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// A scalar of a chunk.
    Scalar(ValueId, usize),
    /// The distance of a checked access from the start of shared memory.
    Distance(ValueId, usize),
    /// The cache lines of accesses.
    Lines,
}

pub struct Emitter<'a> {
    program: &'a Program,
    plan: &'a Plan,
    isa: Isa,
    /// Chunks of a group.
    width: usize,
    asm: Asm,
    pool: Vec<PoolRow>,
    /// First vector register of each value that has some; of a predicate, the first mask register.
    home: Vec<Option<u8>>,
    /// First mask register of the lanes of each block that is a loop by itself.
    mask_home: Vec<Option<u8>>,
    /// First and last place of each value's life.
    life: Vec<(Pc, Pc)>,
    /// Stack place of scalars and of predicates.
    stack: Vec<i32>,
    /// Values whose NaNs are made canonical where they are used.
    raw: Vec<bool>,
    /// Values that are the same vector in all chunks, in the registers of the first.
    same: Vec<bool>,
    pending: Vec<i32>,
    current: i32,
    frame: i32,
    /// Bytes of scalars, which outlive a call of the code.
    scalar_frame: i32,
    /// Stack place of the steps at which a group has to leave.
    limit: i32,
    labels: Vec<Label>,
    /// The end of a group, and of the call.
    next: Label,
    finish: Label,
    /// Where a group starts again in careful code, and its code.
    careful: Option<(Label, &'a Plan)>,
    fault: Label,
    cold: Vec<Cold>,
    stops: Vec<StopPlace>,
    checked: HashMap<ValueId, Checked>,
    /// Checks that are done where the base is computed, by base and block.
    hoisted: BTreeMap<(ValueId, usize), Checked>,
    /// By block: values in registers that may have changed since they were read from their rows.
    changed: Vec<BTreeSet<ValueId>>,
    /// By block: values that are only in their rows there.
    away: Vec<BTreeSet<ValueId>>,
    /// Results that are written to their rows at once, so that no barrier in a loop has to.
    eager: BTreeSet<(Pc, ValueId)>,
    spans: Vec<u32>,
    /// The chunks that lane-wise operations are emitted for.
    chunks: std::ops::Range<usize>,
    /// The block that is emitted for all lanes awake.
    all_awake: Option<usize>,
    /// By instruction: is it done with the next one?
    fused: Vec<bool>,
    /// Is code for two groups at once being emitted? Then the second half of the chunks is the second one's.
    is_twin: bool,
    /// Additions that are done with the loads that name their places.
    tallies: BTreeMap<Pc, Tally>,
    /// Registers that hold what is also in memory.
    kept: Vec<Kept>,
    tenants: Tenants,
    /// Values of 64 bits in registers, within a run of operations.
    forwarded: Forwarded,
    /// The functions that are called within the code.
    routines: BTreeMap<Function, Label>,
    calls: Vec<Arc<RowOp>>,
}

impl<'a> Emitter<'a> {
    /// For a plan; where it assumes something, `careful` is one that does not.
    pub fn new(program: &'a Program, plan: &'a Plan, careful: Option<&'a Plan>, isa: Isa, width: usize) -> Self {
        let mut asm = Asm::new(isa);
        let labels = plan.blocks.iter().map(|_| asm.label()).collect();
        let (next, finish, fault) = (asm.label(), asm.label(), asm.label());
        let careful = careful.map(|plan| (asm.label(), plan));
        let n = plan.values.len();
        let mut e = Emitter {
            program,
            plan,
            isa,
            width,
            asm,
            pool: Vec::new(),
            home: vec![None; n],
            mask_home: vec![None; plan.blocks.len()],
            life: vec![(Pc::MAX, 0); n],
            stack: vec![-1; n],
            raw: vec![false; n],
            same: vec![false; n],
            pending: vec![-1; plan.blocks.len()],
            current: 0,
            frame: 0,
            scalar_frame: 0,
            limit: 0,
            labels,
            next,
            finish,
            careful,
            fault,
            cold: Vec::new(),
            stops: Vec::new(),
            checked: HashMap::new(),
            hoisted: BTreeMap::new(),
            changed: Vec::new(),
            away: Vec::new(),
            eager: BTreeSet::new(),
            spans: vec![0; program.code.len()],
            chunks: 0..width,
            all_awake: None,
            fused: Vec::new(),
            is_twin: false,
            tallies: BTreeMap::new(),
            kept: Vec::new(),
            tenants: Tenants::default(),
            forwarded: Forwarded::default(),
            routines: BTreeMap::new(),
            calls: Vec::new(),
        };
        e.stops.push(StopPlace { pc: Pc::MAX, barrier: false, entry: None, rows: None });
        // Constants at fixed places of the pool: lane bits, the NaN, all ones.
        e.pool.push(PoolRow(std::array::from_fn(|i| 1 << i)));
        e.pool.push(PoolRow([NAN; 16]));
        e.pool.push(PoolRow([FULL; 16]));
        e
    }

    /// Goes on with another plan of the same program in the same code.
    fn restart(&mut self, plan: &'a Plan) {
        let n = plan.values.len();
        self.plan = plan;
        self.labels = plan.blocks.iter().map(|_| self.asm.label()).collect();
        self.home = vec![None; n];
        self.mask_home = vec![None; plan.blocks.len()];
        self.life = vec![(Pc::MAX, 0); n];
        self.stack = vec![-1; n];
        self.raw = vec![false; n];
        self.same = vec![false; n];
        self.pending = vec![-1; plan.blocks.len()];
        self.checked.clear();
        self.kept.clear();
    }

    fn value(&self, v: ValueId) -> &'a Value {
        &self.plan.values[v]
    }

    /// A vector in memory; with AVX2 it is the first half of the row.
    fn constant_row(&mut self, row: [u32; 16]) -> Mem {
        let index = self.pool.iter().position(|r| r.0 == row).unwrap_or_else(|| {
            self.pool.push(PoolRow(row));
            self.pool.len() - 1
        });
        at(R15, 64 * index as i32)
    }

    /// A number in all lanes, as an operand of 32-bit lanes.
    fn word(&mut self, value: u32) -> Rm {
        let m = self.constant_row([value; 16]);
        match self.isa {
            Isa::Avx2 => m.into(),
            Isa::Avx512 => Rm::Each(m),
        }
    }

    fn ones(&self) -> Mem {
        at(R15, 128)
    }

    fn take_stack(&mut self, bytes: i32) -> i32 {
        let align = bytes.clamp(1, 64);
        let align = (align as u32).next_power_of_two() as i32;
        let place = (self.frame + align - 1) / align * align;
        self.frame = place + bytes;
        place
    }
}
