//! What the compiler knows of a kernel before it emits code: blocks, liveness, which values are the same in all lanes
//! or change by a fixed step from lane to lane, and which blocks may run with some lanes asleep.
//!
//! The facts hold for aligned groups of eight lanes (*chunks*) of a launch with a given block shape. They are computed
//! together, from the hopeful side, until nothing changes: a branch whose lanes may part makes blocks *masked*, a value
//! defined several times under masks is *varying*, and a varying predicate makes lanes part.

use std::collections::{BTreeSet, HashMap};

use warpvm_isa::SpecialRegister;

use crate::lane_op::{Compared, LaneOp};
use crate::lower::post_dominators;
use crate::program::{BarrierOp, Guard, Inst, Kind, Pc, PresetValue, Program, Role};
use crate::slots::{Class, Slot};

/// Index of a value: a register, or a row that is filled at the start.
pub type ValueId = usize;

/// How a value changes from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Not known yet.
    Unknown,
    /// In each chunk the first lane's value plus a fixed step a lane; `warp` where all chunks have the same and the
    /// step is 0.
    Scalar { step: i64, warp: bool },
    /// Anything.
    Varying,
}

/// The same in all lanes of the warp.
pub const UNIFORM: Shape = Shape::Scalar { step: 0, warp: true };

/// A register or preset row.
pub struct Value {
    pub class: Class,
    pub slot: Slot,
    pub preset: Option<PresetValue>,
    pub shape: Shape,
    /// Places of its definitions.
    pub defs: Vec<Pc>,
    /// Blocks that use it.
    pub used_in: BTreeSet<usize>,
    /// The preset row that it is a copy of, or itself.
    pub alias: ValueId,
}

/// How a block ends.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// It goes on with the next.
    Fall,
    /// `bra`, perhaps guarded.
    Branch { to: usize, guard: Option<Guard> },
    /// `exit`, perhaps guarded.
    Exit { guard: Option<Guard> },
    /// Lanes leave compiled code before the instruction at this place. After a barrier of the whole CTA they come back.
    Stop { pc: Pc, barrier: bool },
}

/// A straight run of instructions.
pub struct Block {
    pub start: Pc,
    /// One past the last instruction, the terminator included.
    pub end: Pc,
    pub term: Term,
    pub successors: Vec<usize>,
    /// May some lanes of the group be elsewhere?
    pub masked: bool,
    /// Where lanes that run here meet again, if they all do: the block after the masked range.
    pub meet: Option<usize>,
    pub live_in: BTreeSet<ValueId>,
    pub live_out: BTreeSet<ValueId>,
    /// Loops around it.
    pub depth: u32,
}

/// All of it.
pub struct Plan {
    pub values: Vec<Value>,
    pub by_slot: HashMap<Slot, ValueId>,
    pub blocks: Vec<Block>,
    pub block_of: Vec<usize>,
}

/// Is it an instruction that compiled code leaves to the interpreter's loop, because lanes may wait or go elsewhere?
fn stops(inst: &Inst) -> bool {
    matches!(
        inst.kind,
        Kind::Call(_)
            | Kind::Return
            | Kind::BranchIndexed { .. }
            | Kind::Barrier(_)
            | Kind::Trap
            | Kind::Breakpoint
            | Kind::Yield
            | Kind::Collective(_)
    )
}

/// May the kernel be compiled at all? What depends on which lanes happen to be together, and what spins, is left alone.
fn is_suited(program: &Program) -> bool {
    program.functions.len() == 1
        && !program.may_recurse
        && program.code.len() < 20_000
        && program.meta.iter().all(|m| m.operands.iter().all(|(_, class, _)| *class != Class::R128))
        && program.code.iter().all(|i| {
            !matches!(
                i.kind,
                Kind::ActiveMask { .. }
                    | Kind::Mbarrier(_)
                    | Kind::AsyncCopy(_)
                    | Kind::AsyncGroup(_)
                    | Kind::Stack(_)
                    | Kind::ReadSpecial { .. }
            ) && !matches!(&i.kind, Kind::Collective(c) if !c.mask.is_some())
        })
}

impl Plan {
    /// Looks at a kernel; nothing where it is not to be compiled. `inline` says which collectives are done in place.
    pub fn new(program: &Program, block: [u32; 3], inline: impl Fn(&Program, Pc) -> bool) -> Option<Plan> {
        if !is_suited(program) || !block[0].is_multiple_of(8) || block.iter().product::<u32>() % 32 != 0 {
            return None;
        }
        let mut plan = Plan { values: Vec::new(), by_slot: HashMap::new(), blocks: Vec::new(), block_of: Vec::new() };
        plan.find_blocks(program, &inline)?;
        plan.find_values(program, block);
        plan.find_liveness(program);
        plan.find_aliases(program);
        plan.find_depths();
        plan.find_shapes(program);
        Some(plan)
    }

    fn find_blocks(&mut self, program: &Program, inline: &impl Fn(&Program, Pc) -> bool) -> Option<()> {
        let n = program.code.len();
        let mut leader = vec![false; n + 1];
        leader[0] = true;
        let is_stop = |pc: usize| stops(&program.code[pc]) && !inline(program, pc as Pc);
        for (pc, inst) in program.code.iter().enumerate() {
            match &inst.kind {
                Kind::Branch { target, .. } => {
                    leader[*target as usize] = true;
                    leader[pc + 1] = true;
                }
                Kind::Exit => leader[pc + 1] = true,
                _ if is_stop(pc) => {
                    leader[pc] = true;
                    leader[pc + 1] = true;
                }
                _ => {}
            }
        }
        for &starts in &leader[..n] {
            if starts {
                self.block_of.push(self.block_of.last().map_or(0, |b| b + 1));
            } else {
                self.block_of.push(*self.block_of.last()?);
            }
        }
        let count = self.block_of.last()? + 1;
        for b in 0..count {
            let start = self.block_of.iter().position(|&x| x == b)? as Pc;
            let end = self.block_of.iter().rposition(|&x| x == b)? as Pc + 1;
            let last = &program.code[end as usize - 1];
            let next = (b + 1 < count).then_some(b + 1);
            let mut successors = Vec::new();
            let term = match &last.kind {
                Kind::Branch { target, .. } => {
                    let to = self.block_of[*target as usize];
                    successors.push(to);
                    if last.guard.is_some() {
                        successors.push(next?);
                    }
                    Term::Branch { to, guard: last.guard }
                }
                Kind::Exit => {
                    if last.guard.is_some() {
                        successors.push(next?);
                    }
                    Term::Exit { guard: last.guard }
                }
                kind if is_stop(end as usize - 1) => {
                    let barrier = matches!(kind, Kind::Barrier(b) if b.op == BarrierOp::Sync && !b.count.is_some()
                        && self.constant_slot(program, b.id));
                    // Whatever the instruction is, what is live after it is live before it.
                    successors.extend(next);
                    if let Kind::BranchIndexed { targets, .. } = kind {
                        successors = targets.iter().map(|t| self.block_of[*t as usize]).collect();
                    }
                    Term::Stop { pc: end - 1, barrier: barrier && last.guard.is_none() }
                }
                _ => {
                    successors.push(next?);
                    Term::Fall
                }
            };
            successors.dedup();
            self.blocks.push(Block {
                start,
                end,
                term,
                successors,
                masked: false,
                meet: None,
                live_in: BTreeSet::new(),
                live_out: BTreeSet::new(),
                depth: 0,
            });
        }
        Some(())
    }

    fn constant_slot(&self, program: &Program, slot: Slot) -> bool {
        program.presets.iter().any(|p| p.slot == slot && matches!(p.value, PresetValue::Constant(_)))
    }

    fn find_values(&mut self, program: &Program, block: [u32; 3]) {
        for p in &program.presets {
            let shape = preset_shape(p.value, block);
            self.add(p.class, p.slot, Some(p.value), shape);
        }
        for (pc, meta) in program.meta.iter().enumerate() {
            for &(role, class, slot) in &meta.operands {
                let id = match self.by_slot.get(&slot) {
                    Some(&id) => id,
                    None => self.add(class, slot, None, Shape::Unknown),
                };
                if role == Role::Write {
                    self.values[id].defs.push(pc as Pc);
                } else {
                    self.values[id].used_in.insert(self.block_of[pc]);
                }
            }
        }
    }

    fn add(&mut self, class: Class, slot: Slot, preset: Option<PresetValue>, shape: Shape) -> ValueId {
        let id = self.values.len();
        self.values.push(Value { class, slot, preset, shape, defs: Vec::new(), used_in: BTreeSet::new(), alias: id });
        self.by_slot.insert(slot, id);
        id
    }

    /// What an instruction writes and reads; a result under a guard, or of a masked write, is also read.
    fn operands<'p>(&'p self, program: &'p Program, pc: Pc, role: Role) -> impl Iterator<Item = ValueId> + 'p {
        let list = &program.meta[pc as usize].operands;
        list.iter().filter(move |(r, ..)| *r == role).map(|(_, _, slot)| self.by_slot[slot])
    }

    fn find_liveness(&mut self, program: &Program) {
        let n = self.blocks.len();
        let (mut uses, mut kills) = (vec![BTreeSet::new(); n], vec![BTreeSet::new(); n]);
        for b in 0..n {
            for pc in self.blocks[b].start..self.blocks[b].end {
                for v in self.operands(program, pc, Role::Read) {
                    if self.values[v].preset.is_none() && !kills[b].contains(&v) {
                        uses[b].insert(v);
                    }
                }
                let guarded = program.code[pc as usize].guard.is_some();
                for v in self.operands(program, pc, Role::Write) {
                    if !guarded {
                        kills[b].insert(v);
                    } else if !kills[b].contains(&v) {
                        uses[b].insert(v);
                    }
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..n).rev() {
                let mut out = BTreeSet::new();
                for &s in &self.blocks[b].successors {
                    out.extend(self.blocks[s].live_in.iter().copied());
                }
                let mut live: BTreeSet<ValueId> = out.difference(&kills[b]).copied().collect();
                live.extend(uses[b].iter().copied());
                if live != self.blocks[b].live_in || out != self.blocks[b].live_out {
                    changed = true;
                    self.blocks[b].live_in = live;
                    self.blocks[b].live_out = out;
                }
            }
        }
    }

    /// Values that are only ever copies of a preset row.
    fn find_aliases(&mut self, program: &Program) {
        for v in 0..self.values.len() {
            let value = &self.values[v];
            let &[pc] = &value.defs[..] else { continue };
            let inst = &program.code[pc as usize];
            let Kind::Row(op) = &inst.kind else { continue };
            if inst.guard.is_some() || op.name != Some(LaneOp::Copy) || self.blocks[0].live_in.contains(&v) {
                continue;
            }
            let source = self.by_slot[&op.slots[2]];
            if self.values[source].preset.is_some() && self.values[source].class == value.class {
                self.values[v].alias = source;
            }
        }
    }

    /// The value that is read where an operand names a slot.
    pub fn read(&self, slot: Slot) -> ValueId {
        self.values[self.by_slot[&slot]].alias
    }

    /// Does any instruction read the slot?
    pub fn is_used(&self, slot: Slot) -> bool {
        slot.is_some() && !self.values[self.by_slot[&slot]].used_in.is_empty()
    }

    fn find_depths(&mut self) {
        for b in 0..self.blocks.len() {
            for s in self.blocks[b].successors.clone() {
                if s <= b {
                    self.blocks[s..=b].iter_mut().for_each(|x| x.depth += 1);
                }
            }
        }
    }

    fn find_shapes(&mut self, program: &Program) {
        for v in self.blocks[0].live_in.clone() {
            self.values[v].shape = Shape::Varying;
        }
        loop {
            let mut changed = self.spread_shapes(program);
            changed |= self.spread_masks();
            if !changed {
                break;
            }
        }
        for v in &mut self.values {
            if v.shape == Shape::Unknown {
                v.shape = Shape::Varying;
            }
        }
    }

    /// Is the block in a loop that some lanes leave before others, and is the value used outside of it?
    pub fn escapes_masked_loop(&self, v: ValueId, b: usize) -> bool {
        for (q, block) in self.blocks.iter().enumerate() {
            for &h in &block.successors {
                if h <= b && b <= q && block.masked && self.values[v].used_in.iter().any(|&u| u < h || u > q) {
                    return true;
                }
            }
        }
        false
    }

    /// Must a result in a masked block leave the lanes that sleep as they are?
    pub fn keeps_sleepers(&self, v: ValueId, b: usize) -> bool {
        let block = &self.blocks[b];
        if !block.masked {
            return false;
        }
        if self.values[v].defs.len() == 1 {
            return self.escapes_masked_loop(v, b);
        }
        let is_simple = block.depth == 0 || block.depth == 1 && block.successors.contains(&b);
        // Lanes that sleep here wait at a later block, where there is no loop around both.
        !is_simple || self.blocks[b + 1..].iter().any(|later| later.live_in.contains(&v))
    }

    fn spread_shapes(&mut self, program: &Program) -> bool {
        let mut any = false;
        for pc in 0..program.code.len() as Pc {
            let results: Vec<ValueId> = self.operands(program, pc, Role::Write).collect();
            for v in results {
                let mut shape = self.result_shape(program, pc, v);
                let b = self.block_of[pc as usize];
                if shape != Shape::Varying
                    && self.blocks[b].masked
                    && (self.values[v].defs.len() > 1 || self.escapes_masked_loop(v, b))
                {
                    shape = Shape::Varying;
                }
                let joined = join(self.values[v].shape, shape);
                if joined != self.values[v].shape {
                    self.values[v].shape = joined;
                    any = true;
                }
            }
        }
        any
    }

    fn result_shape(&self, program: &Program, pc: Pc, v: ValueId) -> Shape {
        let inst = &program.code[pc as usize];
        let Kind::Row(op) = &inst.kind else { return Shape::Varying };
        if inst.guard.is_some() || op.slots[1].is_some() || op.slots[0] != self.values[v].slot {
            return Shape::Varying;
        }
        let Some(name) = op.name else { return Shape::Varying };
        let sources: Vec<ValueId> =
            (2..6).filter(|&i| op.classes[i].is_some()).map(|i| self.read(op.slots[i])).collect();
        self.named_shape(name, &sources)
    }

    fn named_shape(&self, name: LaneOp, sources: &[ValueId]) -> Shape {
        let shape = |i: usize| self.values[sources[i]].shape;
        if (0..sources.len()).any(|i| shape(i) == Shape::Varying) {
            return Shape::Varying;
        }
        if (0..sources.len()).any(|i| shape(i) == Shape::Unknown) {
            return Shape::Unknown;
        }
        let step = |i: usize| match shape(i) {
            Shape::Scalar { step, .. } => step,
            _ => 0,
        };
        let warp = (0..sources.len()).all(|i| matches!(shape(i), Shape::Scalar { warp: true, .. }));
        let flat = (0..sources.len()).all(|i| step(i) == 0);
        let scalar = |step: i64| if step.abs() < 1 << 20 { Shape::Scalar { step, warp } } else { Shape::Varying };
        let scaled = |a: i64, k: ValueId| match self.constant(k).map(|c| i64::from(c as i32)) {
            Some(c) if c.abs() < 1 << 20 => Some(a * c),
            _ if a == 0 => Some(0),
            _ => None,
        };
        let product = |a: usize, b: usize| {
            if step(b) == 0 {
                scaled(step(a), sources[b])
            } else if step(a) == 0 {
                scaled(step(b), sources[a])
            } else {
                None
            }
        };
        let is_pred = self.values[sources[0]].class == Class::Pred;
        match name {
            LaneOp::Copy if is_pred => {
                if warp {
                    UNIFORM
                } else {
                    Shape::Varying
                }
            }
            LaneOp::Copy | LaneOp::Low | LaneOp::SignExtend | LaneOp::ZeroExtend => scalar(step(0)),
            LaneOp::Add32 | LaneOp::Add64 => scalar(step(0) + step(1)),
            LaneOp::Sub32 | LaneOp::Sub64 => scalar(step(0) - step(1)),
            LaneOp::Mul32 | LaneOp::MulWideS | LaneOp::MulWideU => product(0, 1).map_or(Shape::Varying, scalar),
            LaneOp::Mad32 => product(0, 1).map_or(Shape::Varying, |s| scalar(s + step(2))),
            LaneOp::Shl32 | LaneOp::Shl64 => match self.constant(sources[1]) {
                Some(k) if k < 16 => scalar(step(0) << k),
                Some(k) if k < 32 && flat => scalar(0),
                _ => Shape::Varying,
            },
            LaneOp::ShrU32 | LaneOp::ShrS32 | LaneOp::ShrU64 if flat => match self.constant(sources[1]) {
                Some(k) if k < 32 => scalar(0),
                _ => Shape::Varying,
            },
            LaneOp::And | LaneOp::Or | LaneOp::Xor | LaneOp::Not if flat && !is_pred => scalar(0),
            LaneOp::Compare(_, Compared::S32 | Compared::U32) if warp && flat => UNIFORM,
            _ => Shape::Varying,
        }
    }

    /// The value, where it is a constant.
    pub fn constant(&self, v: ValueId) -> Option<u64> {
        match self.values[v].preset {
            Some(PresetValue::Constant(c)) => Some(c),
            _ => None,
        }
    }

    /// May the lanes of a guard part?
    pub fn parts(&self, guard: Guard) -> bool {
        !matches!(self.values[self.read(guard.slot)].shape, Shape::Scalar { warp: true, .. } | Shape::Unknown)
    }

    fn spread_masks(&mut self) -> bool {
        let n = self.blocks.len();
        // In this graph a guarded exit is an edge to the virtual exit.
        let mut edges: Vec<Vec<usize>> = self.blocks.iter().map(|b| b.successors.clone()).collect();
        let ends = n;
        edges.push(Vec::new());
        for (b, block) in self.blocks.iter().enumerate() {
            // Lanes that stop leave the code as those that exit: nobody meets them behind it.
            if matches!(block.term, Term::Exit { .. } | Term::Stop { .. }) {
                edges[b].push(ends);
            }
        }
        let meets = post_dominators(&edges);
        let mut any = false;
        for b in 0..n {
            let (Term::Branch { guard: Some(guard), .. } | Term::Exit { guard: Some(guard) }) = self.blocks[b].term
            else {
                continue;
            };
            if !self.parts(guard) {
                continue;
            }
            let meet = meets[b].filter(|&m| m < ends);
            let inside = reach(&edges, b, meet);
            any |= match meet {
                Some(m) if is_range_before(&inside, b, m) => self.mask(&inside, b, Some(m)),
                _ => {
                    let inside = reach(&edges, b, None);
                    self.mask(&inside, b, None)
                }
            };
        }
        any
    }

    fn mask(&mut self, inside: &BTreeSet<usize>, from: usize, meet: Option<usize>) -> bool {
        let mut any = false;
        let n = self.blocks.len();
        for &b in inside.iter().filter(|&&b| b < n) {
            any |= !std::mem::replace(&mut self.blocks[b].masked, true);
        }
        // A branch that is masked itself goes on as its own region says.
        for &b in inside.iter().chain([&from]).filter(|&&b| b < n) {
            if let Some(m) = meet
                && self.blocks[b].meet.is_none_or(|old| m > old)
            {
                self.blocks[b].meet = Some(m);
                any = true;
            }
        }
        any
    }
}

/// Blocks that can be reached from the successors of `from` without passing `meet`.
fn reach(edges: &[Vec<usize>], from: usize, meet: Option<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut stack = edges[from].clone();
    while let Some(b) = stack.pop() {
        if Some(b) != meet && seen.insert(b) {
            stack.extend(&edges[b]);
        }
    }
    seen
}

/// Do the blocks, with the branch, fill the places right before the meeting point?
fn is_range_before(inside: &BTreeSet<usize>, from: usize, meet: usize) -> bool {
    let low = inside.first().map_or(from, |&l| l.min(from));
    let high = inside.last().map_or(from, |&h| h.max(from));
    high + 1 == meet && (low..=high).all(|b| b == from || inside.contains(&b))
}

fn join(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Unknown, x) | (x, Shape::Unknown) => x,
        (Shape::Scalar { step: s, warp: v }, Shape::Scalar { step: t, warp: w }) if s == t => {
            Shape::Scalar { step: s, warp: v && w }
        }
        _ => Shape::Varying,
    }
}

fn preset_shape(value: PresetValue, block: [u32; 3]) -> Shape {
    use SpecialRegister as S;
    let PresetValue::Special(register) = value else { return UNIFORM };
    match register {
        // Chunks do not cross rows of the block: its length is a multiple of 8.
        S::TidX | S::Laneid => Shape::Scalar { step: 1, warp: false },
        S::TidY | S::TidZ if block[0].is_multiple_of(32) => UNIFORM,
        S::TidY | S::TidZ => Shape::Scalar { step: 0, warp: false },
        S::LanemaskEq | S::LanemaskLe | S::LanemaskLt | S::LanemaskGe | S::LanemaskGt => Shape::Varying,
        S::NtidX
        | S::NtidY
        | S::NtidZ
        | S::CtaidX
        | S::CtaidY
        | S::CtaidZ
        | S::NctaidX
        | S::NctaidY
        | S::NctaidZ
        | S::Warpid => UNIFORM,
        _ => Shape::Varying,
    }
}
