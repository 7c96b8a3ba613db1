//! Code for the blocks of a plan.
//!
//! Registers of 32 bits and predicates that vary live in vector registers for as long as they live, or in their rows;
//! 64-bit ones live in their rows; scalars (one a chunk, or one for the warp) live on the stack. Blocks follow each other as
//! in the program. A masked block has a mask of lanes that are to run it; it is run when the code gets to it, and a jump back
//! is taken while any lane is to run its target. So every lane is at exactly one place at any time, and all of them move on.
//!
//! Whatever has no code here is done by the interpreter for one instruction: values go to their rows, the helper is called,
//! results come back. Code that finds something it cannot do (an index near the end of its range) leaves altogether, with
//! all values in their rows and the lanes of each place in a list.

mod blocks;
mod lanes;
mod leave;
mod memory;
mod operands;
mod registers;
mod rows;

use std::collections::HashMap;

use super::asm::*;
use super::plan::{Plan, Shape, Term, UNIFORM, Value, ValueId};
use super::{CX, Entry, StopPlace};
use crate::lane_op::{Compared, LaneOp, Relation};
use crate::memory::SHARED_START;
use crate::program::{
    AddressSpace, Atomic, AtomicOp, AtomicType, Collective, CollectiveOp, Guard, Kind, Load, Pc, Program, Role,
    ShflMode, Store,
};
use crate::row::RowOp;
use crate::slots::{Class, FULL, Slot};

/// Vector registers for values; the rest is scratch.
const VALUE_REGISTERS: usize = 12;
const MASK: u8 = 12;
const T1: u8 = 13;
const T2: u8 = 14;
const T3: u8 = 15;
/// The canonical NaN of `.f32` arithmetic.
const NAN: u32 = 0x7fff_ffff;

/// What comes out.
pub struct Output {
    pub code: Vec<u8>,
    pub entries: Vec<Entry>,
    pub stops: Vec<StopPlace>,
    pub pool: Vec<[u32; 8]>,
    /// Bytes of scalars for each group of lanes.
    pub scalar_bytes: usize,
}

/// Something to emit after the blocks.
enum Cold {
    /// The interpreter does the instruction.
    Help { pc: Pc, start: Label, back: Label },
    /// Leave before the instruction; the lanes of the block are at it.
    Leave { pc: Pc, start: Label },
    /// Leave a loop of one block: those that are in it are not to run the next one yet.
    LeaveLoop { b: usize, start: Label },
    /// Leave with the lanes that are to run masked blocks only; `at` is a place for liveness.
    LeavePending { at: Pc, start: Label },
}

/// An address check that serves several accesses of a block.
#[derive(Clone, Copy)]
struct Checked {
    low: i64,
    stack: i32,
    done: bool,
}

pub struct Emitter<'a> {
    program: &'a Program,
    plan: &'a Plan,
    width: usize,
    asm: Asm,
    pool: Vec<[u32; 8]>,
    /// First vector register of each value that has some.
    home: Vec<Option<u8>>,
    /// First vector register of the mask of each block that is a loop by itself.
    mask_home: Vec<Option<u8>>,
    /// First and last place of each value's life.
    life: Vec<(Pc, Pc)>,
    /// Stack place of scalars and of predicates.
    stack: Vec<i32>,
    /// Values whose NaNs are made canonical where they are used.
    raw: Vec<bool>,
    pending: Vec<i32>,
    current: i32,
    frame: i32,
    /// Bytes of scalars, which outlive a call of the code.
    scalar_frame: i32,
    labels: Vec<Label>,
    epilogue: Label,
    fault: Label,
    cold: Vec<Cold>,
    stops: Vec<StopPlace>,
    checked: HashMap<ValueId, Checked>,
}

/// May this collective be done in compiled code (of all 32 lanes)?
pub fn is_inline(program: &Program, pc: Pc) -> bool {
    let inst = &program.code[pc as usize];
    let Kind::Collective(c) = &inst.kind else { return false };
    inst.guard.is_none() && butterfly(program, c).is_some()
}

/// The constant that a slot holds, through one copy.
fn constant_of(program: &Program, slot: Slot) -> Option<u64> {
    use crate::program::PresetValue::Constant;
    let preset = |slot: Slot| {
        program.presets.iter().find(|p| p.slot == slot).and_then(|p| match p.value {
            Constant(c) => Some(c),
            _ => None,
        })
    };
    if let Some(c) = preset(slot) {
        return Some(c);
    }
    let mut defs = (0..program.code.len())
        .filter(|&pc| program.meta[pc].operands.iter().any(|(r, _, s)| *r == Role::Write && *s == slot));
    let (Some(pc), None) = (defs.next(), defs.next()) else { return None };
    match &program.code[pc] {
        crate::program::Inst { guard: None, kind: Kind::Row(op) } if op.name == Some(LaneOp::Copy) => {
            preset(op.slots[2])
        }
        _ => None,
    }
}

fn butterfly(program: &Program, c: &Collective) -> Option<u32> {
    let CollectiveOp::Shfl(ShflMode::Bfly) = c.op else { return None };
    let constant = |slot: Slot| constant_of(program, slot);
    let full = constant(c.mask)? as u32 == FULL && constant(c.sources[2])? & 0x1f1f == 0x1f;
    full.then_some(constant(c.sources[1])? as u32 & 31)
}

impl<'a> Emitter<'a> {
    pub fn new(program: &'a Program, plan: &'a Plan, width: usize) -> Self {
        let mut asm = Asm::default();
        let labels = plan.blocks.iter().map(|_| asm.label()).collect();
        let (epilogue, fault) = (asm.label(), asm.label());
        let n = plan.values.len();
        let mut e = Emitter {
            program,
            plan,
            width,
            asm,
            pool: Vec::new(),
            home: vec![None; n],
            mask_home: vec![None; plan.blocks.len()],
            life: vec![(Pc::MAX, 0); n],
            stack: vec![-1; n],
            raw: vec![false; n],
            pending: vec![-1; plan.blocks.len()],
            current: 0,
            frame: 0,
            scalar_frame: 0,
            labels,
            epilogue,
            fault,
            cold: Vec::new(),
            stops: Vec::new(),
            checked: HashMap::new(),
        };
        // Constants at fixed places of the pool: lane bits, the NaN, all ones, steps of 1.
        e.pool.push(std::array::from_fn(|i| 1 << i));
        e.pool.push([NAN; 8]);
        e.pool.push([FULL; 8]);
        e
    }

    fn value(&self, v: ValueId) -> &'a Value {
        &self.plan.values[v]
    }

    fn constant_row(&mut self, row: [u32; 8]) -> Mem {
        let index = self.pool.iter().position(|r| *r == row).unwrap_or_else(|| {
            self.pool.push(row);
            self.pool.len() - 1
        });
        at(R15, 32 * index as i32)
    }

    fn take_stack(&mut self, bytes: i32) -> i32 {
        let place = self.frame;
        self.frame += bytes;
        place
    }
}
