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

    // Lives and places.

    fn find_lives(&mut self) {
        let plan = self.plan;
        for (pc, meta) in self.program.meta.iter().enumerate() {
            for (_, _, slot) in &meta.operands {
                self.cover(plan.by_slot[slot], pc as Pc, pc as Pc);
            }
        }
        for b in &plan.blocks {
            for &v in &b.live_in {
                self.cover(v, b.start, b.start);
            }
            for &v in &b.live_out {
                self.cover(v, b.end - 1, b.end - 1);
            }
        }
        // In a loop, lanes that have left it keep what others are about to compute again.
        loop {
            let old = self.life.clone();
            for b in &plan.blocks {
                for &s in &b.successors {
                    let (start, end) = (plan.blocks[s].start, b.end - 1);
                    if start > b.start {
                        continue;
                    }
                    for v in 0..self.life.len() {
                        let (first, last) = self.life[v];
                        let touches = first <= end && last >= start && first != Pc::MAX;
                        let crosses = first < start || last > end || plan.blocks[s].live_in.contains(&v);
                        if touches && crosses {
                            self.cover(v, start, end);
                        }
                    }
                }
            }
            if old == self.life {
                break;
            }
        }
    }

    fn cover(&mut self, v: ValueId, first: Pc, last: Pc) {
        let life = &mut self.life[v];
        life.0 = life.0.min(first);
        life.1 = life.1.max(last);
    }

    fn is_vector(&self, v: ValueId) -> bool {
        let value = self.value(v);
        value.preset.is_none()
            && value.alias == v
            && value.shape == Shape::Varying
            && matches!(value.class, Class::R32 | Class::Pred)
    }

    fn is_scalar(&self, v: ValueId) -> bool {
        let value = self.value(v);
        value.preset.is_none() && value.alias == v && matches!(value.shape, Shape::Scalar { .. })
    }

    /// Linear scan: the value with the least use for its length stays in memory. The mask of a block that is a loop by
    /// itself takes part.
    fn assign_registers(&mut self) {
        struct Item {
            life: (Pc, Pc),
            weight: f64,
            value: Result<ValueId, usize>,
            /// Is it made by an instruction that has read its sources by then?
            after_sources: bool,
        }
        let mut items = Vec::new();
        for v in 0..self.life.len() {
            if self.is_vector(v) && self.life[v].0 != Pc::MAX {
                let after_sources = self.starts_as_result(v);
                items.push(Item { life: self.life[v], weight: self.weight(v), value: Ok(v), after_sources });
            }
        }
        for (b, block) in self.plan.blocks.iter().enumerate() {
            if self.is_lone_loop(b) {
                let weight = 4.0 * 10f64.powi(block.depth.min(6) as i32);
                items.push(Item { life: (block.start, block.end - 1), weight, value: Err(b), after_sources: false });
            }
        }
        items.sort_by_key(|i| i.life.0);
        let mut busy: Vec<Option<usize>> = vec![None; VALUE_REGISTERS / self.width];
        let mut places: Vec<Option<usize>> = vec![None; items.len()];
        for (n, item) in items.iter().enumerate() {
            for slot in &mut busy {
                let ends = |u: usize| items[u].life.1;
                if slot.is_some_and(|u| ends(u) < item.life.0 || ends(u) == item.life.0 && item.after_sources) {
                    *slot = None;
                }
            }
            let place = busy.iter().position(Option::is_none).or_else(|| {
                let weight = |g: usize| busy[g].map_or(0.0, |u| items[u].weight);
                let worst = (0..busy.len()).min_by(|&a, &b| weight(a).total_cmp(&weight(b)))?;
                (weight(worst) < item.weight).then_some(worst)
            });
            if let Some(g) = place {
                if let Some(u) = busy[g].replace(n) {
                    places[u] = None;
                }
                places[n] = Some(g);
            }
        }
        for (item, place) in items.iter().zip(places) {
            let register = place.map(|g| (g * self.width) as u8);
            match item.value {
                Ok(v) => self.home[v] = register,
                Err(b) => self.mask_home[b] = register,
            }
        }
    }

    /// Does the value's life start with its definition by a lane-wise operation?
    fn starts_as_result(&self, v: ValueId) -> bool {
        let start = self.life[v].0;
        let meta = &self.program.meta[start as usize];
        let reads = meta.operands.iter().any(|(r, _, s)| *r == Role::Read && self.plan.by_slot[s] == v);
        matches!(&self.program.code[start as usize], crate::program::Inst { guard: None, kind: Kind::Row(_) })
            && self.value(v).defs.contains(&start)
            && !reads
            && !self.plan.blocks[self.plan.block_of[start as usize]].live_in.contains(&v)
    }

    /// Is the block a masked loop whose other way out is a masked block? Lanes that will leave it are all to run that one.
    fn is_lone_loop(&self, b: usize) -> bool {
        let block = &self.plan.blocks[b];
        let Term::Branch { to, guard: Some(guard) } = block.term else { return false };
        to == b
            && block.masked
            && self.plan.parts(guard)
            && self.plan.blocks.get(b + 1).is_some_and(|n| n.masked)
            && (block.start..block.end).all(|pc| {
                matches!(&self.program.code[pc as usize].kind, Kind::Row(op) if op.name.is_some())
                    || matches!(self.program.code[pc as usize].kind, Kind::Branch { .. } | Kind::Converge)
            })
    }

    /// The mask of the lanes that a masked block runs for.
    fn current(&self, b: usize, k: usize) -> Rm {
        match self.mask_home[b] {
            Some(r) => Rm::Reg(r + k as u8),
            None => at(RSP, self.current + 32 * k as i32).into(),
        }
    }

    fn weight(&self, v: ValueId) -> f64 {
        let mut uses = 0.0;
        for (pc, meta) in self.program.meta.iter().enumerate() {
            let n = meta.operands.iter().filter(|(_, _, s)| self.plan.by_slot[s] == v).count();
            uses += n as f64 * 10f64.powi(self.plan.blocks[self.plan.block_of[pc]].depth.min(6) as i32);
        }
        uses / f64::from(self.life[v].1 - self.life[v].0.min(self.life[v].1) + 2)
    }

    fn find_raw(&mut self) {
        let mut shuffled = Vec::new();
        for inst in &self.program.code {
            if let Kind::Collective(c) = &inst.kind
                && c.sources[0].is_some()
            {
                shuffled.push(self.plan.read(c.sources[0]));
            }
        }
        for v in 0..self.life.len() {
            let value = self.value(v);
            self.raw[v] = self.is_vector(v)
                && !shuffled.contains(&v)
                && value.class == Class::R32
                && !self.plan.blocks[0].live_in.contains(&v)
                && !value.defs.is_empty()
                && value.defs.iter().all(|&pc| self.gives_number_or_raw(pc));
        }
    }

    /// Is the result a float operation's, or a constant that is no NaN?
    fn gives_number_or_raw(&self, pc: Pc) -> bool {
        let inst = &self.program.code[pc as usize];
        let Kind::Row(op) = &inst.kind else { return false };
        match op.name {
            Some(LaneOp::AddF32 | LaneOp::SubF32 | LaneOp::MulF32 | LaneOp::FmaF32) => inst.guard.is_none(),
            Some(LaneOp::Copy) if inst.guard.is_none() => {
                self.plan.constant(self.plan.read(op.slots[2])).is_some_and(|c| c as u32 & 0x7fff_ffff <= 0x7f80_0000)
            }
            _ => false,
        }
    }

    fn lay_out(&mut self) {
        let vector = 32 * self.width as i32;
        self.current = self.take_stack(vector);
        for b in 0..self.plan.blocks.len() {
            if self.plan.blocks[b].masked {
                self.pending[b] = self.take_stack(vector);
            }
        }
        for v in 0..self.life.len() {
            if self.is_vector(v) && self.value(v).class == Class::Pred {
                self.stack[v] = self.take_stack(vector);
            }
        }
        for v in 0..self.life.len() {
            if self.is_scalar(v) {
                let count = if self.value(v).shape == UNIFORM { 1 } else { self.width as i32 };
                self.stack[v] = self.scalar_frame;
                self.scalar_frame += 8 * count;
            }
        }
    }

    // Operands.

    fn row32(&self, v: ValueId, k: usize) -> Mem {
        at(RBX, self.value(v).slot.0 as i32 + 32 * k as i32)
    }

    fn row64(&self, v: ValueId, k: usize) -> Mem {
        at(R12, self.value(v).slot.0 as i32 + 64 * k as i32)
    }

    fn row_pred(&self, v: ValueId, k: usize) -> Mem {
        at(R13, self.value(v).slot.0 as i32 + k as i32)
    }

    /// Where a scalar of chunk `k` is; of a preset, the first lane of its row.
    fn scalar(&self, v: ValueId, k: usize) -> Mem {
        let value = self.value(v);
        if value.preset.is_some() {
            return if value.class == Class::R64 { self.row64(v, k) } else { self.row32(v, k) };
        }
        at(RBP, self.stack[v] + if value.shape == UNIFORM { 0 } else { 8 * k as i32 })
    }

    fn step(&self, v: ValueId) -> i64 {
        match self.value(v).shape {
            Shape::Scalar { step, .. } => step,
            _ => 0,
        }
    }

    /// A 32-bit value of chunk `k` as a vector operand; `temp` is used where it has to be made.
    fn vector(&mut self, v: ValueId, k: usize, temp: u8, tolerant: bool) -> Rm {
        if self.value(v).preset.is_some() {
            return self.row32(v, k).into();
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, k);
            self.asm.v1(VPBROADCASTD, temp, from);
            let step = self.step(v);
            if step != 0 {
                let steps = self.constant_row(std::array::from_fn(|i| (step * i as i64) as u32));
                self.asm.v(VPADDD, temp, temp, steps);
            }
            return Rm::Reg(temp);
        }
        let place = match self.home[v] {
            Some(r) => Rm::Reg(r + k as u8),
            None => self.row32(v, k).into(),
        };
        if self.raw[v] && !tolerant {
            self.canonical(temp, place);
            return Rm::Reg(temp);
        }
        place
    }

    fn in_register(&mut self, v: ValueId, k: usize, temp: u8, tolerant: bool) -> u8 {
        match self.vector(v, k, temp, tolerant) {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(temp, m);
                temp
            }
        }
    }

    /// Puts `from` with the chip's NaN into `to`; `to` may be any register but the mask.
    fn canonical(&mut self, to: u8, from: Rm) {
        let r = match from {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(to, m);
                to
            }
        };
        self.asm.v_imm(VCMPPS, MASK, r, Rm::Reg(r), 3);
        self.asm.v_blend(to, r, at(R15, 32), MASK);
    }

    /// A predicate of chunk `k` as 0 or -1 in each lane.
    fn predicate(&mut self, v: ValueId, k: usize, temp: u8) -> u8 {
        if self.value(v).preset.is_some() || self.value(v).alias != v {
            self.expand(v, k, temp);
            return temp;
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, 0);
            self.asm.v1(VPBROADCASTD, temp, from);
            return temp;
        }
        if let Some(r) = self.home[v] {
            r + k as u8
        } else {
            self.asm.v_load(temp, at(RSP, self.stack[v] + 32 * k as i32));
            temp
        }
    }

    /// A predicate's row to a mask.
    fn expand(&mut self, v: ValueId, k: usize, to: u8) {
        let from = self.row_pred(v, k);
        self.asm.v1(VPBROADCASTB, to, from);
        self.asm.v(VPAND, to, to, at(R15, 0));
        self.asm.v(VPCMPEQD, to, to, at(R15, 0));
    }

    /// The lanes that an instruction of a block works on, in [`MASK`]; nothing where it is all of them.
    fn lanes(&mut self, b: usize, guard: Option<Guard>, k: usize, masked: bool) -> bool {
        let current = if self.plan.blocks[b].masked { self.current(b, k) } else { Rm::Reg(MASK) };
        match guard {
            Some(g) => {
                let p = self.plan.read(g.slot);
                let r = self.predicate(p, k, MASK);
                if g.negated {
                    self.asm.v(VPXOR, MASK, r, at(R15, 64));
                } else if r != MASK {
                    self.asm.v_load(MASK, Rm::Reg(r));
                }
                if self.plan.blocks[b].masked {
                    self.asm.v(VPAND, MASK, MASK, current);
                }
                true
            }
            None if masked && self.plan.blocks[b].masked => {
                self.asm.v_load(MASK, current);
                true
            }
            None => false,
        }
    }

    /// A register to compute a result of chunk `k` into.
    fn target(&self, v: ValueId, k: usize, blends: bool) -> u8 {
        match self.home[v] {
            Some(r) if !blends => r + k as u8,
            _ => T3,
        }
    }

    /// Brings a computed result to its place.
    fn finish(&mut self, v: ValueId, k: usize, b: usize, guard: Option<Guard>, from: u8) {
        let blends = guard.is_some() || self.plan.keeps_sleepers(v, b);
        let is_pred = self.value(v).class == Class::Pred;
        let memory = if is_pred { at(RSP, self.stack[v] + 32 * k as i32) } else { self.row32(v, k) };
        if !blends {
            match self.home[v] {
                Some(r) if r + k as u8 == from => {}
                Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(from)),
                None => self.asm.v_store(memory, from),
            }
            return;
        }
        self.lanes(b, guard, k, true);
        if let Some(r) = self.home[v] {
            self.asm.v_blend(r + k as u8, r + k as u8, Rm::Reg(from), MASK);
        } else {
            self.asm.v_load(T1, memory);
            self.asm.v_blend(T1, T1, Rm::Reg(from), MASK);
            self.asm.v_store(memory, T1);
        }
    }

    // Rows: what the interpreter sees.

    /// Writes a value of all chunks to its row, for the lanes of the current mask where `masked`.
    fn sync(&mut self, v: ValueId, masked: bool) {
        let value = self.value(v);
        if value.preset.is_some() || value.alias != v {
            return;
        }
        let scalar = self.is_scalar(v);
        for k in 0..self.width {
            match value.class {
                Class::Pred => {
                    let r = self.predicate(v, k, T1);
                    self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(r));
                    let row = self.row_pred(v, k);
                    if masked {
                        self.asm.v_load(T2, at(RSP, self.current + 32 * k as i32));
                        self.asm.v1(VMOVMSKPS, RCX, Rm::Reg(T2));
                        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RCX));
                        self.asm.not(false, RCX);
                        self.asm.load_byte(RDX, row);
                        self.asm.alu(Alu::And, false, RCX, Rm::Reg(RDX));
                        self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
                    }
                    self.asm.store_byte(row, RAX);
                }
                Class::R32 => {
                    if self.home[v].is_none() && !scalar && !self.raw[v] {
                        continue;
                    }
                    let r = self.in_register(v, k, T1, false);
                    let row = self.row32(v, k);
                    if masked {
                        self.asm.v_load(MASK, at(RSP, self.current + 32 * k as i32));
                        self.asm.v_load(T2, row);
                        self.asm.v_blend(T1, T2, Rm::Reg(r), MASK);
                        self.asm.v_store(row, T1);
                    } else {
                        self.asm.v_store(row, r);
                    }
                }
                _ if scalar => {
                    let from = self.scalar(v, k);
                    let step = self.step(v);
                    for half in 0..2 {
                        self.asm.v1(VPBROADCASTQ, T1, from);
                        if step != 0 {
                            let steps = self.constant_row(std::array::from_fn(|i| {
                                let x = step * (4 * half + i as i64 / 2);
                                if i % 2 == 0 { x as u32 } else { (x >> 32) as u32 }
                            }));
                            self.asm.v(VPADDQ, T1, T1, steps);
                        }
                        let mut row = self.row64(v, k);
                        row.disp += 32 * half as i32;
                        if masked {
                            self.asm.v_load(MASK, at(RSP, self.current + 32 * k as i32));
                            self.widen_mask(half as u8);
                            self.asm.v_load(T2, row);
                            self.asm.v_blend(T1, T2, Rm::Reg(T1), MASK);
                        }
                        self.asm.v_store(row, T1);
                    }
                }
                _ => {}
            }
        }
    }

    /// Half of the lanes of [`MASK`] as 64-bit elements.
    fn widen_mask(&mut self, half: u8) {
        if half == 1 {
            // vextracti128 xmm, ymm, 1
            self.asm.v_imm(Vop(1, 3, 0, 0x39), MASK, 0, Rm::Reg(MASK), 1);
        }
        self.asm.v1(VPMOVSXDQ, MASK, Rm::Reg(MASK));
    }

    /// Reads a value that is live at an entry from its row.
    fn fetch(&mut self, v: ValueId) {
        let value = self.value(v);
        if value.preset.is_some() || value.alias != v {
            return;
        }
        if self.is_scalar(v) {
            let count = if value.shape == UNIFORM { 1 } else { self.width };
            for k in 0..count {
                let to = self.scalar(v, k);
                match value.class {
                    Class::Pred => {
                        self.expand(v, 0, T1);
                        // vmovd dword, xmm
                        self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(T1));
                        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
                        self.negate();
                        self.asm.store(false, to, RAX);
                    }
                    Class::R32 => {
                        let from = self.row32(v, k);
                        self.asm.load(false, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                    _ => {
                        let from = self.row64(v, k);
                        self.asm.load(true, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                }
            }
            return;
        }
        for k in 0..self.width {
            match (value.class, self.home[v]) {
                (Class::Pred, Some(r)) => self.expand(v, k, r + k as u8),
                (Class::Pred, None) => {
                    self.expand(v, k, T1);
                    self.asm.v_store(at(RSP, self.stack[v] + 32 * k as i32), T1);
                }
                (Class::R32, Some(r)) => {
                    let from = self.row32(v, k);
                    self.asm.v_load(r + k as u8, from);
                }
                _ => {}
            }
        }
    }

    /// 1 in `rax` becomes -1.
    fn negate(&mut self) {
        self.asm.not(false, RAX);
        self.asm.alu_constant(Alu::Add, false, Rm::Reg(RAX), 1);
    }

    fn alive(&self, pc: Pc) -> Vec<ValueId> {
        (0..self.life.len()).filter(|&v| self.life[v].0 <= pc && pc <= self.life[v].1).collect()
    }

    /// The bits of the lanes of a block (and guard), from bit 0 of the group, in `rdx`.
    fn lane_bits(&mut self, b: usize, guard: Option<Guard>) {
        if guard.is_none() && !self.plan.blocks[b].masked {
            let all = (1u64 << (8 * self.width)) - 1;
            self.asm.constant(RDX, all);
            return;
        }
        for k in 0..self.width {
            self.lanes(b, guard, k, true);
            self.asm.v1(VMOVMSKPS, if k == 0 { RDX } else { RAX }, Rm::Reg(MASK));
            if k > 0 {
                self.asm.shift(4, false, RAX, 8 * k as u8);
                self.asm.alu(Alu::Or, false, RDX, Rm::Reg(RAX));
            }
        }
    }

    /// Has the interpreter do one instruction for the lanes of the block.
    fn help(&mut self, pc: Pc) {
        let b = self.plan.block_of[pc as usize];
        let guard = self.program.code[pc as usize].guard;
        let operands: Vec<(Role, ValueId)> = self.program.meta[pc as usize]
            .operands
            .iter()
            .map(|(role, _, slot)| (*role, self.plan.by_slot[slot]))
            .collect();
        let resident: Vec<ValueId> = self.alive(pc).into_iter().filter(|&v| self.home[v].is_some()).collect();
        for &(_, v) in &operands {
            self.sync(v, false);
        }
        for &v in &resident {
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                let to = if self.value(v).class == Class::Pred {
                    at(RSP, self.stack[v] + 32 * k as i32)
                } else if operands.iter().any(|o| o.1 == v) {
                    continue;
                } else {
                    self.row32(v, k)
                };
                self.asm.v_store(to, r);
            }
        }
        let skip = self.asm.label();
        self.lane_bits(b, guard);
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.v_store(at(RSP, self.current + 32 * k as i32), r + k as u8);
            }
        }
        self.asm.test(RDX);
        self.asm.jump_if(Cc::Zero, skip);
        self.asm.load(false, RCX, at(R14, CX.first_lane));
        self.asm.shift_left_cl(RDX);
        self.asm.mov(true, RDI, R14);
        self.asm.constant(RSI, u64::from(pc));
        self.asm.v_zero_upper();
        self.asm.call(at(R14, CX.helper));
        self.asm.load(true, R11, at(R14, CX.shared));
        self.asm.test(RAX);
        let fault = self.fault;
        self.asm.jump_if(Cc::NotZero, fault);
        self.asm.bind(skip);
        for &v in &resident {
            // A source that ends here may have given its registers to the result.
            let is_result = operands.iter().any(|&(role, o)| role == Role::Write && o == v);
            if self.life[v].1 == pc && !is_result {
                continue;
            }
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                let from = if self.value(v).class == Class::Pred {
                    at(RSP, self.stack[v] + 32 * k as i32)
                } else {
                    self.row32(v, k)
                };
                self.asm.v_load(r, from);
            }
        }
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.v_load(r + k as u8, at(RSP, self.current + 32 * k as i32));
            }
        }
        for (role, v) in operands {
            if role == Role::Write && self.value(v).class == Class::Pred {
                self.fetch(v);
            }
        }
    }

    // Leaving.

    fn stop_id(&mut self, pc: Pc, barrier: bool) -> usize {
        let found = self.stops.iter().position(|s| s.pc == pc && s.barrier == barrier);
        found.unwrap_or_else(|| {
            self.stops.push(StopPlace { pc, barrier, entry: None, rows: None });
            self.stops.len() - 1
        })
    }

    /// Adds the bits in `rdx` to a list entry.
    fn report(&mut self, stop: usize) {
        self.asm.load(true, RAX, at(R14, CX.stops));
        self.asm.alu_store(Alu::Or, false, at(RAX, 4 * stop as i32), RDX);
    }

    fn report_pending(&mut self) {
        for b in 0..self.plan.blocks.len() {
            if self.pending[b] < 0 {
                continue;
            }
            for k in 0..self.width {
                self.asm.v_load(T1, at(RSP, self.pending[b] + 32 * k as i32));
                self.asm.v1(VMOVMSKPS, if k == 0 { RDX } else { RAX }, Rm::Reg(T1));
                if k > 0 {
                    self.asm.shift(4, false, RAX, 8 * k as u8);
                    self.asm.alu(Alu::Or, false, RDX, Rm::Reg(RAX));
                }
            }
            let id = self.stop_id(self.plan.blocks[b].start, false);
            self.report(id);
        }
    }

    fn emit_cold(&mut self) {
        while let Some(cold) = self.cold.pop() {
            match cold {
                Cold::Help { pc, start, back } => {
                    self.asm.bind(start);
                    self.help(pc);
                    self.asm.jump(back);
                }
                Cold::Leave { pc, start } => {
                    self.asm.bind(start);
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    let b = self.plan.block_of[pc as usize];
                    self.lane_bits(b, None);
                    let id = self.stop_id(pc, false);
                    self.report(id);
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
                Cold::LeaveLoop { b, start } => {
                    self.asm.bind(start);
                    for k in 0..self.width {
                        let next = at(RSP, self.pending[b + 1] + 32 * k as i32);
                        let current = self.current(b, k);
                        self.asm.v_load(T1, current);
                        self.asm.v(VPANDN, T1, T1, next);
                        self.asm.v_store(next, T1);
                    }
                    let pc = self.plan.blocks[b].start;
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    self.lane_bits(b, None);
                    let id = self.stop_id(pc, false);
                    self.report(id);
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
                Cold::LeavePending { at: pc, start } => {
                    self.asm.bind(start);
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
            }
        }
    }

    fn leave_label(&mut self, pc: Pc) -> Label {
        let start = self.asm.label();
        self.cold.push(Cold::Leave { pc, start });
        start
    }

    // Blocks.

    /// The code of the whole plan.
    pub fn run(mut self) -> Option<Output> {
        self.find_lives();
        self.assign_registers();
        self.find_raw();
        self.lay_out();
        // The frame grows while blocks are emitted, so its size is filled in by a second pass over the same plan.
        let mut entries = Vec::new();
        let mut starts = vec![0];
        for (b, block) in self.plan.blocks.iter().enumerate() {
            if matches!(block.term, Term::Stop { barrier: true, .. }) && b + 1 < self.plan.blocks.len() {
                starts.push(b + 1);
            }
        }
        let mut frames = Vec::new();
        for &b in &starts {
            let label = self.asm.label();
            self.asm.bind(label);
            frames.push(self.enter(b));
            entries.push((b, label));
        }
        for b in 0..self.plan.blocks.len() {
            self.block(b);
        }
        let epilogue = self.epilogue;
        self.asm.jump(epilogue);
        let mut row_stubs = Vec::new();
        for n in 0..self.stops.len() {
            if self.stops[n].barrier {
                let label = self.asm.label();
                self.asm.bind(label);
                frames.push(self.prologue());
                let b = self.plan.block_of[self.stops[n].pc as usize];
                for v in self.plan.blocks[b].live_in.clone() {
                    if self.is_scalar(v) {
                        self.sync(v, false);
                    }
                }
                self.asm.jump(epilogue);
                row_stubs.push((n, label));
            }
        }
        self.emit_cold();
        self.asm.bind(self.fault);
        self.asm.store_constant(false, at(R14, CX.fault), 1);
        self.asm.bind(epilogue);
        self.asm.v_zero_upper();
        let leave = self.asm.code.len();
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(RSP), 0x7fff_0000);
        for r in [R15, R14, R13, R12, RBX, RBP] {
            self.asm.pop(r);
        }
        self.asm.ret();
        // Six pushes and the return address: the frame keeps the stack at multiples of 16 plus nothing.
        let size = (self.frame + 15) / 16 * 16 + 8;
        for at in frames.into_iter().chain([leave]) {
            self.asm.code[at + 3..at + 7].copy_from_slice(&size.to_le_bytes());
        }
        if !self.asm.resolve() {
            return None;
        }
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|(b, label)| Entry { offset: self.asm.place(label).unwrap_or(0), masked: self.plan.blocks[b].masked })
            .collect();
        for (n, label) in row_stubs {
            self.stops[n].rows = self.asm.place(label);
        }
        for stop in &mut self.stops {
            if stop.barrier {
                let b = self.plan.block_of[stop.pc as usize] + 1;
                stop.entry = starts.iter().position(|&s| s == b);
            }
        }
        Some(Output {
            code: self.asm.code,
            entries,
            stops: self.stops,
            pool: self.pool,
            scalar_bytes: self.scalar_frame as usize,
        })
    }

    /// An entry: saves registers, reads what is live, goes to the block. Gives the place of the frame's size.
    fn enter(&mut self, b: usize) -> usize {
        let frame = self.prologue();
        self.go_to_entry(b);
        frame
    }

    /// Saves registers and sets the fixed ones. Gives the place of the frame's size.
    fn prologue(&mut self) -> usize {
        for r in [RBP, RBX, R12, R13, R14, R15] {
            self.asm.push(r);
        }
        let frame = self.asm.code.len();
        self.asm.alu_constant(Alu::Sub, true, Rm::Reg(RSP), 0x7fff_0000);
        self.asm.mov(true, R14, RDI);
        self.asm.load(true, RBX, at(R14, CX.regs32));
        self.asm.load(true, R12, at(R14, CX.regs64));
        self.asm.load(true, R13, at(R14, CX.preds));
        self.asm.load(true, RBP, at(R14, CX.scalars));
        self.asm.load(true, R11, at(R14, CX.shared));
        self.asm.load(true, R15, at(R14, CX.pool));
        frame
    }

    fn go_to_entry(&mut self, b: usize) {
        self.asm.v(VPXOR, T1, T1, Rm::Reg(T1));
        for p in self.pending.clone() {
            if p >= 0 {
                for k in 0..self.width {
                    self.asm.v_store(at(RSP, p + 32 * k as i32), T1);
                }
            }
        }
        for v in self.plan.blocks[b].live_in.clone() {
            if !self.is_scalar(v) {
                self.fetch(v);
            }
        }
        if self.plan.blocks[b].masked {
            for k in 0..self.width {
                self.asm.v1(VPBROADCASTB, T1, at(R14, CX.mask + k as i32));
                self.asm.v(VPAND, T1, T1, at(R15, 0));
                self.asm.v(VPCMPEQD, T1, T1, at(R15, 0));
                self.asm.v_store(at(RSP, self.pending[b] + 32 * k as i32), T1);
            }
        }
        let to = self.labels[b];
        self.asm.jump(to);
    }

    /// The next place after a masked block.
    fn follower(&self, b: usize) -> Option<usize> {
        (b + 1..self.plan.blocks.len()).find(|&n| self.plan.blocks[n].masked || self.plan.blocks[b].meet == Some(n))
    }

    fn go_on(&mut self, b: usize) {
        // Lanes that are to run the header of a loop that ends here go back first.
        for h in (0..=b).rev() {
            let last = self.plan.blocks.iter().rposition(|q| q.masked && q.successors.contains(&h));
            if !self.plan.blocks[h].masked || last != Some(b) {
                continue;
            }
            let none = self.asm.label();
            self.any_pending(h);
            self.asm.jump_if(Cc::Zero, none);
            let start = self.asm.label();
            self.cold.push(Cold::LeavePending { at: self.plan.blocks[b].end - 1, start });
            self.check_budget(start);
            let to = self.labels[h];
            self.asm.jump(to);
            self.asm.bind(none);
        }
        let to = self.follower(b).map_or(self.epilogue, |n| self.labels[n]);
        self.asm.jump(to);
    }

    /// Sets the zero flag where no lane is to run the block.
    fn any_pending(&mut self, b: usize) {
        self.asm.v_load(T1, at(RSP, self.pending[b]));
        for k in 1..self.width {
            self.asm.v(VPOR, T1, T1, at(RSP, self.pending[b] + 32 * k as i32));
        }
        self.asm.v1(VPTEST, T1, Rm::Reg(T1));
    }

    fn check_budget(&mut self, out: Label) {
        self.asm.load(true, RAX, at(R14, CX.steps));
        self.asm.alu(Alu::Cmp, true, RAX, at(R14, CX.limit));
        self.asm.jump_if(Cc::Above, out);
    }

    fn block(&mut self, b: usize) {
        let plan = self.plan;
        let block = &plan.blocks[b];
        let label = self.labels[b];
        self.asm.bind(label);
        self.find_checks(b);
        let body = self.asm.label();
        if block.masked {
            // `follower` of the block before the first of its kind is the next masked one as well.
            let run = self.asm.label();
            self.any_pending(b);
            self.asm.jump_if(Cc::NotZero, run);
            self.go_on(b);
            self.asm.bind(run);
            self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
            for k in 0..self.width {
                let pending = at(RSP, self.pending[b] + 32 * k as i32);
                self.asm.v_load(T1, pending);
                match self.mask_home[b] {
                    Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(T1)),
                    None => self.asm.v_store(at(RSP, self.current + 32 * k as i32), T1),
                }
                self.asm.v_store(pending, T2);
                if self.is_lone_loop(b) {
                    // Whoever leaves the loop goes there.
                    let next = at(RSP, self.pending[b + 1] + 32 * k as i32);
                    self.asm.v(VPOR, T1, T1, next);
                    self.asm.v_store(next, T1);
                }
            }
        }
        self.asm.bind(body);
        self.asm.alu_constant(Alu::Add, true, at(R14, CX.steps), (block.end - block.start) as i32);
        let has_term = !matches!(block.term, Term::Fall);
        for pc in block.start..block.end - Pc::from(has_term) {
            self.instruction(pc, b);
        }
        match block.term {
            Term::Fall => self.pass_all(b, b + 1),
            Term::Branch { to, guard: None } => self.pass_all(b, to),
            Term::Branch { to, guard: Some(guard) } => self.branch(b, to, guard, body),
            Term::Exit { guard } => self.exit(b, guard),
            Term::Stop { pc, barrier } => self.stop(b, pc, barrier),
        }
    }

    /// All lanes of a block go to another.
    fn pass_all(&mut self, b: usize, to: usize) {
        let plan = self.plan;
        match (plan.blocks[b].masked, plan.blocks[to].masked) {
            (false, false) => {
                if to <= b {
                    let start = self.asm.label();
                    self.cold.push(Cold::Leave { pc: plan.blocks[to].start, start });
                    self.check_budget(start);
                }
                let label = self.labels[to];
                self.asm.jump(label);
            }
            (false, true) => {
                for k in 0..self.width {
                    self.asm.v_load(T1, at(R15, 64));
                    self.asm.v_store(at(RSP, self.pending[to] + 32 * k as i32), T1);
                }
                let label = self.labels[to];
                self.asm.jump(label);
            }
            (true, masked) => {
                if masked {
                    for k in 0..self.width {
                        let pending = at(RSP, self.pending[to] + 32 * k as i32);
                        self.asm.v_load(T1, at(RSP, self.current + 32 * k as i32));
                        self.asm.v(VPOR, T1, T1, pending);
                        self.asm.v_store(pending, T1);
                    }
                }
                self.go_on(b);
            }
        }
    }

    fn branch(&mut self, b: usize, to: usize, guard: Guard, body: Label) {
        let plan = self.plan;
        let p = plan.read(guard.slot);
        let next = b + 1;
        if !plan.parts(guard) {
            return self.uniform_branch(b, to, guard, p);
        }
        if self.is_lone_loop(b) {
            return self.lone_loop(b, guard, body);
        }
        let is_loop = to == b;
        for k in 0..self.width {
            self.lanes(b, Some(guard), k, true);
            let current = at(RSP, self.current + 32 * k as i32);
            // Those that do not take it.
            if plan.blocks[b].masked {
                self.asm.v(VPANDN, T1, MASK, current);
            } else {
                self.asm.v(VPXOR, T1, MASK, at(R15, 64));
            }
            for (target, lanes) in [(to, MASK), (next, T1)] {
                if is_loop && target == b {
                    self.asm.v_store(current, MASK);
                } else if plan.blocks[target].masked {
                    let pending = at(RSP, self.pending[target] + 32 * k as i32);
                    self.asm.v(VPOR, T2, lanes, pending);
                    self.asm.v_store(pending, T2);
                }
            }
        }
        if is_loop {
            let done = self.asm.label();
            self.asm.v_load(T1, at(RSP, self.current));
            for k in 1..self.width {
                self.asm.v(VPOR, T1, T1, at(RSP, self.current + 32 * k as i32));
            }
            self.asm.v1(VPTEST, T1, Rm::Reg(T1));
            self.asm.jump_if(Cc::Zero, done);
            let start = self.leave_label(plan.blocks[b].start);
            self.check_budget(start);
            self.asm.jump(body);
            self.asm.bind(done);
        }
        if plan.blocks[b].masked {
            self.go_on(b);
        } else {
            // The first of the blocks between here and where they meet.
            let n = self.follower(b).map_or(self.epilogue, |n| self.labels[n]);
            self.asm.jump(n);
        }
    }

    /// The end of a loop of one block.
    fn lone_loop(&mut self, b: usize, guard: Guard, body: Label) {
        for k in 0..self.width {
            self.lanes(b, Some(guard), k, true);
            match self.mask_home[b] {
                Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(MASK)),
                None => self.asm.v_store(at(RSP, self.current + 32 * k as i32), MASK),
            }
            if k == 0 {
                self.asm.v_load(T1, Rm::Reg(MASK));
            } else {
                self.asm.v(VPOR, T1, T1, Rm::Reg(MASK));
            }
        }
        let done = self.asm.label();
        self.asm.v1(VPTEST, T1, Rm::Reg(T1));
        self.asm.jump_if(Cc::Zero, done);
        let start = self.asm.label();
        self.cold.push(Cold::LeaveLoop { b, start });
        self.check_budget(start);
        self.asm.jump(body);
        self.asm.bind(done);
        self.go_on(b);
    }

    /// All lanes go the same way.
    fn uniform_branch(&mut self, b: usize, to: usize, guard: Guard, p: ValueId) {
        let taken = self.asm.label();
        let from = if self.value(p).preset.is_some() { self.row_pred(p, 0) } else { self.scalar(p, 0) };
        self.asm.load(false, RAX, from);
        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
        self.asm.jump_if(if guard.negated { Cc::Zero } else { Cc::NotZero }, taken);
        self.pass_all(b, b + 1);
        self.asm.bind(taken);
        self.pass_all(b, to);
    }

    fn exit(&mut self, b: usize, guard: Option<Guard>) {
        self.lane_bits(b, guard);
        self.asm.alu_store(Alu::Or, false, at(R14, CX.exited), RDX);
        if let Some(g) = guard {
            let next = b + 1;
            let masked = self.plan.blocks[b].masked;
            for k in 0..self.width {
                self.lanes(b, Some(g), k, true);
                if masked {
                    self.asm.v(VPANDN, T1, MASK, at(RSP, self.current + 32 * k as i32));
                } else {
                    self.asm.v(VPXOR, T1, MASK, at(R15, 64));
                }
                if self.plan.blocks[next].masked {
                    let pending = at(RSP, self.pending[next] + 32 * k as i32);
                    self.asm.v(VPOR, T2, T1, pending);
                    self.asm.v_store(pending, T2);
                }
            }
            if !masked {
                // Either none or all: otherwise the next block would be masked.
                let n = if self.plan.blocks[next].masked {
                    self.labels[next]
                } else {
                    self.asm.test(RDX);
                    let epilogue = self.epilogue;
                    self.asm.jump_if(Cc::NotZero, epilogue);
                    self.labels[next]
                };
                self.asm.jump(n);
                return;
            }
        }
        if self.plan.blocks[b].masked {
            self.go_on(b);
        } else {
            let epilogue = self.epilogue;
            self.asm.jump(epilogue);
        }
    }

    fn stop(&mut self, b: usize, pc: Pc, barrier: bool) {
        let masked = self.plan.blocks[b].masked;
        for v in self.plan.blocks[b].live_in.clone() {
            // Scalars stay where they are over a barrier.
            if !(barrier && self.is_scalar(v)) {
                self.sync(v, masked);
            }
        }
        self.lane_bits(b, None);
        let id = self.stop_id(pc, barrier);
        self.report(id);
        if masked {
            self.go_on(b);
        } else {
            let epilogue = self.epilogue;
            self.asm.jump(epilogue);
        }
    }

    // Instructions.

    fn instruction(&mut self, pc: Pc, b: usize) {
        let inst = &self.program.code[pc as usize];
        let done = match &inst.kind {
            Kind::Converge | Kind::Nothing | Kind::Fence(_) => true,
            Kind::Row(op) => self.row(op, b, pc, inst.guard),
            Kind::Load(load) => self.load(load, b, pc, inst.guard),
            Kind::Store(store) => self.store(store, b, pc, inst.guard),
            Kind::Collective(c) => self.shuffle(c, b),
            Kind::Atomic(a) => self.add_shared(a, b, pc, inst.guard),
            _ => false,
        };
        if !done {
            self.help(pc);
        }
    }

    fn shuffle(&mut self, c: &Collective, b: usize) -> bool {
        let Some(distance) = butterfly(self.program, c) else { return false };
        if c.predicate.is_some() {
            let p = self.plan.by_slot[&c.predicate];
            for k in 0..self.width {
                self.asm.v_load(T3, at(R15, 64));
                self.finish(p, k, b, None, T3);
            }
        }
        if !c.result.is_some() {
            return true;
        }
        let (d, a) = (self.plan.by_slot[&c.result], self.plan.read(c.sources[0]));
        let (far, near) = (distance as usize >> 3, distance & 7);
        let order = (near != 0).then(|| self.constant_row(std::array::from_fn(|i| i as u32 ^ near)));
        // Where the result has the source's registers, all of it is read before any is written.
        let in_place = self.home[d].is_some() && self.home[d] == self.home[a] || d == a;
        let temps = [T1, T2, T3, MASK];
        let mut from = Vec::new();
        for k in 0..self.width {
            let chunk = k ^ far;
            let r = if in_place {
                let r = self.in_register(a, chunk, temps[k], false);
                if r != temps[k] {
                    self.asm.v_load(temps[k], Rm::Reg(r));
                }
                temps[k]
            } else {
                self.in_register(a, chunk, T3, false)
            };
            if in_place {
                from.push(r);
                continue;
            }
            self.place_shuffled(d, k, b, r, order);
        }
        for (k, r) in from.into_iter().enumerate() {
            self.place_shuffled(d, k, b, r, order);
        }
        true
    }

    fn place_shuffled(&mut self, d: ValueId, k: usize, b: usize, r: u8, order: Option<Mem>) {
        let to = self.home[d].map_or(r, |h| h + k as u8);
        match order {
            Some(order) if self.home[d].is_some() => {
                // The indices go where the result goes.
                self.asm.v_load(to, order);
                self.asm.v(VPERMD, to, to, Rm::Reg(r));
            }
            Some(order) => {
                let temp = if r == T3 { T1 } else { T3 };
                self.asm.v_load(temp, order);
                self.asm.v(VPERMD, temp, temp, Rm::Reg(r));
                self.finish(d, k, b, None, temp);
                return;
            }
            None => {}
        }
        let result = if order.is_some() { to } else { r };
        self.finish(d, k, b, None, result);
    }

    fn row(&mut self, op: &RowOp, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let Some(name) = op.name else { return false };
        if !op.slots[0].is_some() || op.slots[1].is_some() {
            return false;
        }
        let d = self.plan.by_slot[&op.slots[0]];
        let sources: Vec<ValueId> =
            (2..6).filter(|&i| op.classes[i].is_some()).map(|i| self.plan.read(op.slots[i])).collect();
        if self.value(d).alias != d {
            return self.copy_row(d, sources[0]);
        }
        if self.is_scalar(d) {
            self.scalar_row(name, d, &sources, pc);
            return true;
        }
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        if self.value(d).class == Class::R64 {
            return self.wide_row(name, d, &sources, b, guard);
        }
        if sources.iter().any(|&s| self.value(s).class == Class::R64) && name != LaneOp::Low {
            return false;
        }
        if self.value(d).class == Class::Pred {
            self.pred_row(name, d, &sources, b, guard)
        } else {
            self.vector_row(name, d, &sources, b, guard)
        }
    }

    /// The row of a copy of a preset: the interpreter may look at it.
    fn copy_row(&mut self, d: ValueId, from: ValueId) -> bool {
        for k in 0..self.width {
            match self.value(d).class {
                Class::R32 => {
                    let (from, to) = (self.row32(from, k), self.row32(d, k));
                    self.asm.v_load(T1, from);
                    self.asm.v_store(to, T1);
                }
                Class::R64 => {
                    for half in [0, 32] {
                        let (mut from, mut to) = (self.row64(from, k), self.row64(d, k));
                        from.disp += half;
                        to.disp += half;
                        self.asm.v_load(T1, from);
                        self.asm.v_store(to, T1);
                    }
                }
                _ => {
                    let (from, to) = (self.row_pred(from, k), self.row_pred(d, k));
                    self.asm.load_byte(RAX, from);
                    self.asm.store_byte(to, RAX);
                }
            }
        }
        true
    }

    /// Loads a scalar; of 64 bits where `wide`.
    fn get(&mut self, to: Gpr, v: ValueId, k: usize, wide: bool) {
        if let Some(c) = self.plan.constant(v) {
            self.asm.constant(to, if wide { c } else { c & 0xffff_ffff });
            return;
        }
        let from = self.scalar(v, k);
        self.asm.load(wide, to, from);
    }

    fn scalar_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], pc: Pc) {
        let count = if self.value(d).shape == UNIFORM { 1 } else { self.width };
        let wide_source = self.value(s[0]).class == Class::R64;
        for k in 0..count {
            let wide = wide_source && name != LaneOp::Low;
            match name {
                LaneOp::Copy if self.value(d).class == Class::Pred => {
                    let from =
                        if self.value(s[0]).preset.is_some() { self.row_pred(s[0], 0) } else { self.scalar(s[0], 0) };
                    self.asm.load(false, RAX, from);
                }
                LaneOp::MulWideS | LaneOp::SignExtend => {
                    self.check_range(s, k, pc, true);
                    self.get(RAX, s[0], k, false);
                    self.asm.sign_extend(RAX, Rm::Reg(RAX));
                    if name == LaneOp::MulWideS {
                        self.get(RCX, s[1], k, false);
                        self.asm.sign_extend(RCX, Rm::Reg(RCX));
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::MulWideU | LaneOp::ZeroExtend => {
                    self.check_range(s, k, pc, false);
                    self.get(RAX, s[0], k, false);
                    if name == LaneOp::MulWideU {
                        self.get(RCX, s[1], k, false);
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::Compare(relation, compared) => {
                    self.get(RAX, s[0], k, false);
                    self.get(RCX, s[1], k, false);
                    self.asm.alu(Alu::Cmp, false, RAX, Rm::Reg(RCX));
                    self.asm.set(condition(relation, compared), RAX);
                    self.negate();
                }
                _ => {
                    self.get(RAX, s[0], k, wide_source);
                    let shift = s.get(1).and_then(|&v| self.plan.constant(v)).unwrap_or(0) as u8;
                    let is_shift = matches!(
                        name,
                        LaneOp::Shl32 | LaneOp::Shl64 | LaneOp::ShrU32 | LaneOp::ShrS32 | LaneOp::ShrU64
                    );
                    if s.len() > 1 && !is_shift {
                        self.get(RCX, s[1], k, wide_source);
                    }
                    match name {
                        LaneOp::Add32 | LaneOp::Add64 => self.asm.alu(Alu::Add, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Sub32 | LaneOp::Sub64 => self.asm.alu(Alu::Sub, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::And => self.asm.alu(Alu::And, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Or => self.asm.alu(Alu::Or, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Xor => self.asm.alu(Alu::Xor, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Not => self.asm.not(wide, RAX),
                        LaneOp::Mul32 => self.asm.imul(false, RAX, Rm::Reg(RCX)),
                        LaneOp::Mad32 => {
                            self.asm.imul(false, RAX, Rm::Reg(RCX));
                            self.get(RCX, s[2], k, false);
                            self.asm.alu(Alu::Add, false, RAX, Rm::Reg(RCX));
                        }
                        LaneOp::Shl32 | LaneOp::Shl64 => self.asm.shift(4, wide, RAX, shift),
                        LaneOp::ShrU32 | LaneOp::ShrU64 => self.asm.shift(5, wide, RAX, shift),
                        LaneOp::ShrS32 => self.asm.shift(7, wide, RAX, shift),
                        _ => {}
                    }
                }
            }
            let to = self.scalar(d, k);
            self.asm.store(true, to, RAX);
        }
    }

    /// Leaves where a 32-bit scalar with a step passes the end of its range within the chunk: the wide result would not
    /// have a step.
    fn check_range(&mut self, s: &[ValueId], k: usize, pc: Pc, signed: bool) {
        for &v in s {
            let far = 7 * self.step(v);
            if far == 0 {
                continue;
            }
            let out = self.leave_label(pc);
            self.get(RAX, v, k, false);
            if far > 0 {
                self.asm.alu_constant(Alu::Add, false, Rm::Reg(RAX), far as i32);
            } else {
                self.asm.alu_constant(Alu::Sub, false, Rm::Reg(RAX), -far as i32);
            }
            self.asm.jump_if(if signed { Cc::Overflow } else { Cc::Below }, out);
        }
    }

    fn vector_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        let simple = match name {
            LaneOp::Add32 => Some(VPADDD),
            LaneOp::Sub32 => Some(VPSUBD),
            LaneOp::Mul32 => Some(VPMULLD),
            LaneOp::And => Some(VPAND),
            LaneOp::Or => Some(VPOR),
            LaneOp::Xor => Some(VPXOR),
            LaneOp::MinS32 => Some(VPMINSD),
            LaneOp::MinU32 => Some(VPMINUD),
            LaneOp::MaxS32 => Some(VPMAXSD),
            LaneOp::MaxU32 => Some(VPMAXUD),
            LaneOp::Shl32 => Some(VPSLLVD),
            LaneOp::ShrU32 => Some(VPSRLVD),
            LaneOp::ShrS32 => Some(VPSRAVD),
            LaneOp::AddF32 => Some(VADDPS),
            LaneOp::SubF32 => Some(VSUBPS),
            LaneOp::MulF32 => Some(VMULPS),
            _ => None,
        };
        let float = matches!(name, LaneOp::AddF32 | LaneOp::SubF32 | LaneOp::MulF32 | LaneOp::FmaF32);
        let blends = guard.is_some() || self.plan.keeps_sleepers(d, b);
        for k in 0..self.width {
            let to = self.target(d, k, blends);
            match (simple, name) {
                (Some(op), _) => {
                    let amount = s.get(1).and_then(|&v| self.plan.constant(v)).filter(|&c| c < 32).map(|c| c as u8);
                    let digit = match name {
                        LaneOp::Shl32 => 6,
                        LaneOp::ShrU32 => 2,
                        LaneOp::ShrS32 => 4,
                        _ => 0,
                    };
                    let a = self.in_register(s[0], k, T1, float);
                    match amount {
                        Some(n) if digit != 0 => self.asm.v_shift(digit, false, to, a, n),
                        _ => {
                            let c = self.vector(s[1], k, T2, float);
                            self.asm.v(op, to, a, c);
                        }
                    }
                }
                (_, LaneOp::Copy) => {
                    let a = self.vector(s[0], k, T1, self.raw[d]);
                    self.asm.v_load(to, a);
                }
                (_, LaneOp::Not) => {
                    let a = self.in_register(s[0], k, T1, false);
                    self.asm.v(VPXOR, to, a, at(R15, 64));
                }
                (_, LaneOp::Mad32) => {
                    let a = self.in_register(s[0], k, T1, false);
                    let c = self.vector(s[1], k, T2, false);
                    self.asm.v(VPMULLD, T1, a, c);
                    let c = self.vector(s[2], k, T2, false);
                    self.asm.v(VPADDD, to, T1, c);
                }
                (_, LaneOp::FmaF32) => self.fma(s, k, to),
                (_, LaneOp::Select) => {
                    // The operands first: making one canonical uses the mask register.
                    let yes = self.in_register(s[0], k, T1, false);
                    let no = self.in_register(s[1], k, T2, false);
                    let p = self.predicate(s[2], k, MASK);
                    self.asm.v_blend(to, no, Rm::Reg(yes), p);
                }
                (_, LaneOp::SumOfByteDistances) => {
                    let x = self.in_register(s[0], k, T1, false);
                    let y = self.vector(s[1], k, T2, false);
                    self.asm.v(VPMINUB, MASK, x, y);
                    self.asm.v(VPMAXUB, T1, x, y);
                    self.asm.v(VPSUBB, T1, T1, Rm::Reg(MASK));
                    let ones = self.constant_row([0x0101_0101; 8]);
                    self.asm.v(VPMADDUBSW, T1, T1, ones);
                    let ones = self.constant_row([0x0001_0001; 8]);
                    self.asm.v(VPMADDWD, T1, T1, ones);
                    let c = self.vector(s[2], k, T2, false);
                    self.asm.v(VPADDD, to, T1, c);
                }
                (_, LaneOp::Low) => return false,
                _ => return false,
            }
            if float && !self.raw[d] {
                self.canonical(to, Rm::Reg(to));
            }
            self.finish(d, k, b, guard, to);
        }
        true
    }

    fn fma(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.in_register(s[0], k, T1, true);
        let c = self.vector(s[1], k, T2, true);
        let sum = self.vector(s[2], k, T3, true);
        if sum == Rm::Reg(to) {
            self.asm.v(VFMADD231PS, to, a, c);
        } else if a == to || c == Rm::Reg(to) {
            self.asm.v_load(T3, sum);
            self.asm.v(VFMADD231PS, T3, a, c);
            self.asm.v_load(to, Rm::Reg(T3));
        } else {
            self.asm.v_load(to, sum);
            self.asm.v(VFMADD231PS, to, a, c);
        }
    }

    fn pred_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        let blends = guard.is_some() || self.plan.keeps_sleepers(d, b);
        for k in 0..self.width {
            let to = self.target(d, k, blends);
            match name {
                LaneOp::Compare(relation, compared) => self.compare(relation, compared, s, k, to),
                LaneOp::And | LaneOp::Or | LaneOp::Xor if self.value(s[0]).class == Class::Pred => {
                    let a = self.predicate(s[0], k, T1);
                    let c = self.predicate(s[1], k, T2);
                    let op = match name {
                        LaneOp::And => VPAND,
                        LaneOp::Or => VPOR,
                        _ => VPXOR,
                    };
                    self.asm.v(op, to, a, Rm::Reg(c));
                }
                LaneOp::Not => {
                    let a = self.predicate(s[0], k, T1);
                    self.asm.v(VPXOR, to, a, at(R15, 64));
                }
                LaneOp::Copy => {
                    let a = self.predicate(s[0], k, T1);
                    self.asm.v_load(to, Rm::Reg(a));
                }
                _ => return false,
            }
            self.finish(d, k, b, guard, to);
        }
        true
    }

    fn compare(&mut self, relation: Relation, compared: Compared, s: &[ValueId], k: usize, to: u8) {
        use Relation as R;
        if compared == Compared::F32 {
            let imm = match relation {
                R::Eq => 0,
                R::Ne => 12,
                R::Lt => 17,
                R::Le => 18,
                R::Gt => 30,
                R::Ge => 29,
            };
            // A raw NaN compares as a canonical one.
            let a = self.in_register(s[0], k, T1, true);
            let c = self.vector(s[1], k, T2, true);
            self.asm.v_imm(VCMPPS, to, a, c, imm);
            return;
        }
        if matches!(relation, R::Eq | R::Ne) {
            let a = self.in_register(s[0], k, T1, false);
            let c = self.vector(s[1], k, T2, false);
            self.asm.v(VPCMPEQD, to, a, c);
        } else {
            // a > b, or b > a; the other two are their opposites.
            let (x, y) = if matches!(relation, R::Gt | R::Le) { (s[0], s[1]) } else { (s[1], s[0]) };
            let (mut left, mut right) = (Rm::Reg(self.in_register(x, k, T1, false)), self.vector(y, k, T2, false));
            if compared == Compared::U32 {
                let top = self.constant_row([1 << 31; 8]);
                left = self.flip(x, left, T1, top);
                right = self.flip(y, right, T2, top);
            }
            let left = match left {
                Rm::Reg(r) => r,
                m => {
                    self.asm.v_load(T1, m);
                    T1
                }
            };
            self.asm.v(VPCMPGTD, to, left, right);
        }
        if matches!(relation, R::Ne | R::Le | R::Ge) {
            self.asm.v(VPXOR, to, to, at(R15, 64));
        }
    }

    /// Turns the order of unsigned numbers into that of signed ones.
    fn flip(&mut self, v: ValueId, x: Rm, temp: u8, top: Mem) -> Rm {
        if let Some(c) = self.plan.constant(v) {
            return self.constant_row([c as u32 ^ 1 << 31; 8]).into();
        }
        match x {
            Rm::Reg(r) => self.asm.v(VPXOR, temp, r, top),
            m => {
                self.asm.v_load(temp, m);
                self.asm.v(VPXOR, temp, temp, top);
            }
        }
        Rm::Reg(temp)
    }

    /// Results of 64 bits that vary: sums, and extensions and products of 32-bit values.
    fn wide_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        if guard.is_some() || self.plan.keeps_sleepers(d, b) {
            return false;
        }
        let narrow = |e: &Self, v: ValueId| {
            e.value(v).class == Class::R32 && !e.is_scalar(v) && e.home[v].is_none() && !e.raw[v]
        };
        match name {
            LaneOp::Add64 => {}
            LaneOp::SignExtend | LaneOp::ZeroExtend | LaneOp::MulWideS | LaneOp::MulWideU => {
                // Their sources are read half a chunk at a time, from memory.
                for &v in s {
                    if !narrow(self, v) && self.value(v).preset.is_none() {
                        self.spill(v);
                    }
                }
            }
            _ => return false,
        }
        for k in 0..self.width {
            for half in 0..2 {
                let mut to = self.row64(d, k);
                to.disp += 32 * half;
                if name == LaneOp::Add64 {
                    self.half64(s[0], k, half, T1);
                    self.half64(s[1], k, half, T2);
                    self.asm.v(VPADDQ, T1, T1, Rm::Reg(T2));
                } else {
                    let signed = matches!(name, LaneOp::SignExtend | LaneOp::MulWideS);
                    let extend = if signed { VPMOVSXDQ } else { VPMOVZXDQ };
                    for (&v, temp) in s.iter().zip([T1, T2]) {
                        let mut from = self.row32(v, k);
                        from.disp += 16 * half;
                        self.asm.v1(extend, temp, from);
                    }
                    if s.len() > 1 {
                        self.asm.v(if signed { VPMULDQ } else { VPMULUDQ }, T1, T1, Rm::Reg(T2));
                    }
                }
                self.asm.v_store(to, T1);
            }
        }
        true
    }

    /// Writes a 32-bit value to its row, where it may be read in halves.
    fn spill(&mut self, v: ValueId) {
        self.sync(v, false);
    }

    fn half64(&mut self, v: ValueId, k: usize, half: i32, temp: u8) {
        if self.is_scalar(v) {
            let from = self.scalar(v, k);
            self.asm.v1(VPBROADCASTQ, temp, from);
            let step = self.step(v);
            if step != 0 {
                let steps = self.constant_row(std::array::from_fn(|i| {
                    let x = step * (4 * i64::from(half) + i as i64 / 2);
                    if i % 2 == 0 { x as u32 } else { (x >> 32) as u32 }
                }));
                self.asm.v(VPADDQ, temp, temp, steps);
            }
        } else {
            let mut from = self.row64(v, k);
            from.disp += 32 * half;
            self.asm.v_load(temp, from);
        }
    }

    // Memory.

    /// The steps of accesses that one check of a block serves: shared, unguarded, all lanes awake, one base.
    fn find_checks(&mut self, b: usize) {
        self.checked.clear();
        let plan = self.plan;
        let block = &plan.blocks[b];
        if block.masked {
            return;
        }
        for pc in block.start..block.end {
            if let Some((v, a, ..)) = self.shared_access(pc)
                && !self.checked.contains_key(&v)
                && self.value(v).defs.iter().all(|&d| plan.block_of[d as usize] != b)
            {
                let stack = self.take_stack(8 * self.width as i32);
                self.checked.insert(v, Checked { low: a, stack, done: false });
            }
        }
        for pc in block.start..block.end {
            if let Some((v, a, ..)) = self.shared_access(pc)
                && let Some(c) = self.checked.get_mut(&v)
            {
                c.low = c.low.min(a);
            }
        }
    }

    /// A shared access of words with a scalar base: base, offset, bytes of a chunk.
    fn shared_access(&self, pc: Pc) -> Option<(ValueId, i64, i64)> {
        let inst = &self.program.code[pc as usize];
        let (a, size, one) = match &inst.kind {
            Kind::Load(l) => (&l.address, l.size, l.results.len() == 1),
            Kind::Store(s) => (&s.address, s.size, s.sources.len() == 1),
            _ => return None,
        };
        if a.space != AddressSpace::Shared || !a.base.is_some() || a.class != Class::R32 || !one || inst.guard.is_some()
        {
            return None;
        }
        let v = self.plan.read(a.base);
        let step = match self.value(v).shape {
            Shape::Scalar { step, .. } => step,
            _ => return None,
        };
        let fits = size == 4 && (step == 0 || step == 4) && a.offset % 4 == 0 && (0..1 << 20).contains(&a.offset);
        fits.then_some((v, a.offset, 7 * step + 4))
    }

    /// Checks all accesses of the block through this base, for each chunk. What is kept is the distance from the start of
    /// shared memory to the lowest of them.
    fn check_shared(&mut self, v: ValueId, pc: Pc, b: usize) {
        let Some(c) = self.checked.get(&v).copied() else { return };
        let block = &self.plan.blocks[b];
        let ends = (block.start..block.end).filter_map(|p| self.shared_access(p)).filter(|x| x.0 == v);
        let end = ends.map(|(_, offset, bytes)| offset + bytes).max().unwrap_or(0);
        let out = self.leave_label(pc);
        for k in 0..self.width {
            self.get(RDX, v, k, false);
            self.asm.test_byte(RDX, 3);
            self.asm.jump_if(Cc::NotZero, out);
            let shift = c.low as i32 - SHARED_START as i32;
            self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), shift);
            self.asm.lea(true, RCX, at(RDX, (end - c.low) as i32));
            self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
            self.asm.jump_if(Cc::Above, out);
            self.asm.store(true, at(RSP, c.stack + 8 * k as i32), RDX);
        }
        if let Some(c) = self.checked.get_mut(&v) {
            c.done = true;
        }
    }

    /// Computes the host address of a chunk's access with a scalar base; jumps to `slow` where it is not inside.
    /// The address is `base` plus a displacement.
    fn address(
        &mut self,
        a: &crate::program::Address,
        size: u32,
        k: usize,
        pc: Pc,
        b: usize,
        slow: Label,
    ) -> Option<Mem> {
        let v = a.base.is_some().then(|| self.plan.read(a.base));
        if let Some(v) = v
            && self.shared_access(pc).is_some()
            && self.checked.contains_key(&v)
        {
            if !self.checked[&v].done {
                self.check_shared(v, pc, b);
            }
            let c = self.checked[&v];
            self.asm.load(true, RDX, at(RSP, c.stack + 8 * k as i32));
            return Some(Mem { base: R11, index: Some(RDX), disp: (a.offset - c.low) as i32 });
        }
        let step = v.map_or(0, |v| self.step(v));
        let span = (7 * step + i64::from(size)) as i32;
        let offset = i32::try_from(a.offset).ok()?;
        match (a.space, a.class) {
            (AddressSpace::Shared, Class::R32) => {
                self.get(RDX, v?, k, false);
                self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), offset);
                if size > 1 {
                    self.asm.test_byte(RDX, size as u8 - 1);
                    self.asm.jump_if(Cc::NotZero, slow);
                }
                self.asm.alu_constant(Alu::Sub, false, Rm::Reg(RDX), SHARED_START as i32);
                self.asm.lea(true, RCX, at(RDX, span));
                self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
                self.asm.jump_if(Cc::Above, slow);
                Some(Mem { base: R11, index: Some(RDX), disp: 0 })
            }
            (AddressSpace::Global, Class::R64) => {
                let cache = 32 * pc as i32;
                self.get(RDX, v?, k, true);
                if offset != 0 {
                    self.asm.alu_constant(Alu::Add, true, Rm::Reg(RDX), offset);
                }
                if size > 1 {
                    self.asm.test_byte(RDX, size as u8 - 1);
                    self.asm.jump_if(Cc::NotZero, slow);
                }
                self.asm.load(true, RSI, at(R14, CX.cache));
                self.asm.alu(Alu::Sub, true, RDX, at(RSI, cache));
                self.asm.alu(Alu::Cmp, true, RDX, at(RSI, cache + 8));
                self.asm.jump_if(Cc::Above, slow);
                self.asm.lea(true, RCX, at(RDX, span));
                self.asm.alu(Alu::Cmp, true, RCX, at(RSI, cache + 8));
                self.asm.jump_if(Cc::Above, slow);
                self.asm.alu(Alu::Add, true, RDX, at(RSI, cache + 16));
                Some(at(RDX, 0))
            }
            _ => None,
        }
    }

    /// May an access be done here: one element, a scalar base with a step of nothing or one element?
    fn is_plain(&self, a: &crate::program::Address, size: u32) -> bool {
        if !a.base.is_some() || i32::try_from(a.offset).is_err() {
            return false;
        }
        let v = self.plan.read(a.base);
        let known =
            matches!((a.space, a.class), (AddressSpace::Shared, Class::R32) | (AddressSpace::Global, Class::R64));
        let Shape::Scalar { step, .. } = self.value(v).shape else { return false };
        known && (step == 0 || step == i64::from(size)) && matches!(size, 1 | 2 | 4)
    }

    /// Jumps to `slow` unless all lanes of the chunk are awake.
    fn need_all(&mut self, b: usize, guard: Option<Guard>, k: usize, slow: Label) {
        if self.lanes(b, guard, k, true) {
            self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(MASK));
            self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 0xff);
            self.asm.jump_if(Cc::NotZero, slow);
        }
    }

    fn load(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, slot)] = load.results[..] else { return false };
        if !slot.is_some() || !self.is_plain(&load.address, load.size) || guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let d = self.plan.by_slot[&slot];
        if !self.is_vector(d) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        let step = self.step(self.plan.read(load.address.base));
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
            let Some(m) = self.address(&load.address, load.size, k, pc, b, slow) else { return false };
            let to = self.target(d, k, false);
            match (load.size, load.signed, step) {
                (4, _, 0) => self.asm.v1(VPBROADCASTD, to, m),
                (4, ..) => self.asm.v_load(to, m),
                (1, false, 1) => self.asm.v1(VPMOVZXBD, to, m),
                (1, true, 1) => self.asm.v1(VPMOVSXBD, to, m),
                (2, false, 2) => self.asm.v1(VPMOVZXWD, to, m),
                (2, true, 2) => self.asm.v1(VPMOVSXWD, to, m),
                (size, signed, _) => {
                    let opcode = match (size, signed) {
                        (1, false) => 0xb6,
                        (1, true) => 0xbe,
                        (_, false) => 0xb7,
                        (_, true) => 0xbf,
                    };
                    self.asm.load_narrow(opcode, RAX, m);
                    self.asm.store(true, at(R14, CX.scratch), RAX);
                    self.asm.v1(VPBROADCASTD, to, at(R14, CX.scratch));
                }
            }
            // All lanes of the chunk are awake: nothing to keep.
            if self.home[d].is_none() {
                let row = self.row32(d, k);
                self.asm.v_store(row, to);
            }
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }

    /// `red.shared.add` of 32 bits (also `atom` whose result nobody reads), lane by lane: the lanes of a CTA run on one host
    /// thread.
    fn add_shared(&mut self, a: &Atomic, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, value)] = a.b[..] else { return false };
        let is_integer = matches!(a.ty, AtomicType::Unsigned | AtomicType::Signed | AtomicType::Bits);
        let to_shared =
            a.address.space == AddressSpace::Shared && a.address.class == Class::R32 && a.address.base.is_some();
        let unread = a.results.iter().all(|&(_, slot)| !self.plan.is_used(slot));
        if a.op != AtomicOp::Add || a.size != 4 || !is_integer || !to_shared || !unread {
            return false;
        }
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let Ok(offset) = i32::try_from(a.address.offset) else { return false };
        let (base, value) = (self.plan.read(a.address.base), self.plan.read(value));
        let buffer = self.take_stack(64);
        let (slow, back) = (self.asm.label(), self.asm.label());
        let shift = self.constant_row([(offset - SHARED_START as i32) as u32; 8]);
        let low = self.constant_row([3; 8]);
        // All chunks are checked before anything is added: the slow way does the whole instruction.
        for store in [false, true] {
            for k in 0..self.width {
                let x = self.in_register(base, k, T1, false);
                self.asm.v(VPADDD, T1, x, shift);
                if !store {
                    self.need_all(b, guard, k, slow);
                    self.asm.v1(VPBROADCASTD, T2, at(R14, CX.shared_last_word));
                    self.asm.v(VPMAXUD, MASK, T1, Rm::Reg(T2));
                    self.asm.v(VPCMPEQD, MASK, MASK, Rm::Reg(T2));
                    self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(MASK));
                    self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 0xff);
                    self.asm.jump_if(Cc::NotZero, slow);
                    self.asm.v(VPAND, T2, T1, low);
                    self.asm.v1(VPTEST, T2, Rm::Reg(T2));
                    self.asm.jump_if(Cc::NotZero, slow);
                    continue;
                }
                self.asm.v_store(at(RSP, buffer), T1);
                let constant = self.plan.constant(value);
                if constant.is_none() {
                    let y = self.in_register(value, k, T2, false);
                    self.asm.v_store(at(RSP, buffer + 32), y);
                }
                for i in 0..8 {
                    self.asm.load(false, RDX, at(RSP, buffer + 4 * i));
                    let m = Mem { base: R11, index: Some(RDX), disp: 0 };
                    if let Some(c) = constant {
                        self.asm.alu_constant(Alu::Add, false, m, c as u32 as i32);
                    } else {
                        self.asm.load(false, RAX, at(RSP, buffer + 32 + 4 * i));
                        self.asm.alu_store(Alu::Add, false, m, RAX);
                    }
                }
            }
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }

    fn store(&mut self, store: &Store, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, slot)] = store.sources[..] else { return false };
        if store.size != 4 || !self.is_plain(&store.address, 4) || guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let s = self.plan.read(slot);
        let step = self.step(self.plan.read(store.address.base));
        if step != 4 {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
            let Some(m) = self.address(&store.address, 4, k, pc, b, slow) else { return false };
            let r = self.in_register(s, k, T1, false);
            self.asm.v_store(m, r);
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }
}

fn condition(relation: Relation, compared: Compared) -> Cc {
    match (relation, compared == Compared::U32) {
        (Relation::Eq, _) => Cc::Zero,
        (Relation::Ne, _) => Cc::NotZero,
        (Relation::Lt, true) => Cc::Below,
        (Relation::Le, true) => Cc::NotAbove,
        (Relation::Gt, true) => Cc::Above,
        (Relation::Ge, true) => Cc::NotBelow,
        (Relation::Lt, false) => Cc::Less,
        (Relation::Le, false) => Cc::NotGreater,
        (Relation::Gt, false) => Cc::Greater,
        (Relation::Ge, false) => Cc::NotLess,
    }
}
