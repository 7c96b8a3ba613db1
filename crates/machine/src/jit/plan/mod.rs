//! What the compiler knows of a kernel before it emits code: blocks, liveness, which values are the same in all lanes
//! or change by a fixed step from lane to lane, and which blocks may run with some lanes asleep.
//!
//! The facts hold for aligned groups of as many lanes as a vector has (*chunks*) of a launch with a given block shape. They
//! are computed together, from the hopeful side, until nothing changes: a branch whose lanes may part makes blocks *masked*,
//! a value defined several times under masks is *varying*, and a varying predicate makes lanes part.

use std::collections::{BTreeSet, HashMap};

mod active;
mod convoys;
mod shapes;

use crate::lane_op::LaneOp;
use crate::lower::post_dominators;
use crate::program::{
    Address, AddressKind, AddressSpace, BarrierOp, CollectiveOp, Guard, Inst, Kind, Ordering, Pc, PresetValue, Program,
    Role,
};
use crate::slots::{Class, Slot};

/// Index of a value: a register, or a row that is filled at the start.
pub type ValueId = usize;

/// How a value changes from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Not known yet.
    Unknown,
    /// In each chunk the first lane's value plus a fixed step a lane; `far` is the fixed step from chunk to chunk, where
    /// there is one.
    Scalar { step: i64, far: Option<i64> },
    /// Anything.
    Varying,
}

/// The same in all lanes of the warp.
pub const UNIFORM: Shape = Shape::Scalar { step: 0, far: Some(0) };

/// A register or preset row.
pub struct Value {
    pub class: Class,
    pub slot: Slot,
    pub preset: Option<PresetValue>,
    /// Its place in the table of [`Plan::uniforms`].
    pub uniform: Option<usize>,
    pub shape: Shape,
    /// Places of its definitions.
    pub defs: Vec<Pc>,
    /// How often instructions read it.
    pub reads: usize,
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
    /// Is its branch taken to go the same way for all lanes? Where it does not, the group starts again in careful code.
    pub assumed: bool,
    /// Where lanes that run here meet again, if they all do: the block after the masked range.
    pub meet: Option<usize>,
    pub live_in: BTreeSet<ValueId>,
    pub live_out: BTreeSet<ValueId>,
    /// Loops around it.
    pub depth: u32,
}

/// All of it.
pub struct Plan {
    /// Lanes of a chunk.
    pub lanes: usize,
    /// Preset values that all lanes of a CTA have, in the order of the table that compiled code reads them from.
    pub uniforms: Vec<PresetValue>,
    pub values: Vec<Value>,
    pub by_slot: HashMap<Slot, ValueId>,
    /// Addresses that instructions name without a register, and the values that stand for them.
    fixed: HashMap<i64, ValueId>,
    pub blocks: Vec<Block>,
    pub block_of: Vec<usize>,
    /// Values that sleeping lanes keep, because a shuffle may read them there.
    whole: BTreeSet<ValueId>,
    loops: Vec<Loop>,
    /// By block: the convoy that it is in.
    convoys: Vec<Option<convoys::Convoy>>,
    /// For each block, the masked loop headers, last first, whose last jump back is in it.
    pub ends_of: Vec<Vec<usize>>,
}

/// Blocks from the target of a jump back to the jump.
struct Loop {
    first: usize,
    last: usize,
    /// What is alive at the places behind it.
    alive: BTreeSet<ValueId>,
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
    )
}

/// What an instruction copies for all lanes. Kernels that are compiled have no stack: the address of a variable in local
/// memory is a constant.
fn copied(inst: &Inst) -> Option<Slot> {
    match &inst.kind {
        _ if inst.guard.is_some() => None,
        Kind::Row(op) if op.name == Some(LaneOp::Copy) => Some(op.slots[2]),
        Kind::Address(a) if a.op == AddressKind::LocalVariable => Some(a.source),
        _ => None,
    }
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
                Kind::Mbarrier(_)
                    | Kind::AsyncCopy(_)
                    | Kind::AsyncGroup(_)
                    | Kind::Stack(_)
                    | Kind::ReadSpecial { .. }
            ) && !matches!(&i.kind, Kind::Collective(c) if !c.mask.is_some())
        })
}

/// Has the last warp of a block as many lanes as the others?
pub fn fills_warps(block: [u32; 3]) -> bool {
    block.iter().product::<u32>().is_multiple_of(32)
}

/// How often a plan is made again at most.
const MOST_PASSES: usize = 6;

/// Masked blocks times loops, at most.
const MOST_PLACES: usize = 1 << 16;

impl Plan {
    /// Looks at a kernel; nothing where it is not to be compiled. A `hopeful` plan takes early exits to be taken by all
    /// lanes of a group or by none.
    pub fn new(program: &Program, block: [u32; 3], lanes: usize, hopeful: bool) -> Option<Plan> {
        if !is_suited(program) {
            return None;
        }
        // What shuffles read of lanes that sleep follows from which blocks are masked, which follows from the values' shapes.
        let (mut whole, mut masked) = (BTreeSet::new(), Vec::new());
        for _ in 0..MOST_PASSES {
            let plan = Plan::with(program, block, lanes, hopeful, &whole, &masked)?;
            let found = plan.find_whole(program, block);
            let blocks: Vec<bool> = plan.blocks.iter().map(|b| b.masked).collect();
            if found.is_empty() || found == whole && blocks == masked {
                return (plan.is_small() && plan.knows_active_lanes(program)).then_some(plan);
            }
            (whole, masked) = (found, blocks);
        }
        None
    }

    /// A plan with values that sleeping lanes keep in masked blocks.
    fn with(
        program: &Program,
        block: [u32; 3],
        lanes: usize,
        hopeful: bool,
        whole: &BTreeSet<ValueId>,
        masked: &[bool],
    ) -> Option<Plan> {
        let mut plan = Plan {
            lanes,
            uniforms: Vec::new(),
            values: Vec::new(),
            by_slot: HashMap::new(),
            fixed: HashMap::new(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            whole: whole.clone(),
            loops: Vec::new(),
            convoys: Vec::new(),
            ends_of: Vec::new(),
        };
        plan.find_blocks(program)?;
        if hopeful && !plan.assume_exits(program) {
            return None;
        }
        plan.find_values(program, block);
        plan.find_fixed(program);
        plan.find_liveness(program, masked);
        plan.find_loops();
        plan.find_aliases(program);
        plan.find_depths();
        if !fills_warps(block) {
            // Lanes that the block does not have sleep from the start.
            plan.blocks.iter_mut().for_each(|b| b.masked = true);
        }
        plan.find_shapes(program);
        plan.find_ends();
        Some(plan)
    }

    /// Values of which a shuffle may read what a sleeping lane last had. One that is computed once, outside of loops, a
    /// sleeping lane has never had; a lane that the block lacks has had none.
    fn find_whole(&self, program: &Program, block: [u32; 3]) -> BTreeSet<ValueId> {
        let mut whole = BTreeSet::new();
        for (pc, inst) in program.code.iter().enumerate() {
            let Kind::Collective(c) = &inst.kind else { continue };
            if !matches!(c.op, CollectiveOp::Shfl(_)) || !self.blocks[self.block_of[pc]].masked {
                continue;
            }
            let v = self.by_slot[&c.sources[0]];
            let defs = &self.values[v].defs;
            let in_loop = |pc: &Pc| self.blocks[self.block_of[*pc as usize]].depth > 0;
            if !defs.is_empty() && (!fills_warps(block) || defs.len() > 1 || defs.iter().any(in_loop)) {
                whole.insert(v);
            }
        }
        whole
    }

    /// Where lanes leave a loop in the middle, code says for each masked block who was to run it: that code must not
    /// grow beyond all measure.
    fn is_small(&self) -> bool {
        let loops: usize = self.ends_of.iter().map(Vec::len).sum();
        loops * self.blocks.iter().filter(|b| b.masked).count() <= MOST_PLACES
    }

    fn find_ends(&mut self) {
        let mut last = vec![None; self.blocks.len()];
        for (q, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.masked) {
            block.successors.iter().for_each(|&h| last[h] = Some(q));
        }
        self.ends_of = vec![Vec::new(); self.blocks.len()];
        for h in (0..self.blocks.len()).rev().filter(|&h| self.blocks[h].masked) {
            if let Some(q) = last[h].filter(|&q| q >= h) {
                self.ends_of[q].push(h);
            }
        }
    }

    fn find_blocks(&mut self, program: &Program) -> Option<()> {
        let n = program.code.len();
        let mut leader = vec![false; n + 1];
        leader[0] = true;
        let is_stop = |pc: usize| stops(&program.code[pc]);
        for (pc, inst) in program.code.iter().enumerate() {
            match &inst.kind {
                Kind::Branch { target, .. } => {
                    leader[*target as usize] = true;
                    leader[pc + 1] = true;
                }
                Kind::BranchIndexed { targets, .. } => {
                    targets.iter().for_each(|t| leader[*t as usize] = true);
                    leader[pc] = true;
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
        let starts: Vec<Pc> = (0..n).filter(|&pc| leader[pc]).map(|pc| pc as Pc).collect();
        for b in 0..count {
            let start = starts[b];
            let end = starts.get(b + 1).copied().unwrap_or(n as Pc);
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
                assumed: false,
                meet: None,
                live_in: BTreeSet::new(),
                live_out: BTreeSet::new(),
                depth: 0,
            });
        }
        Some(())
    }

    /// Marks the branches that leave for an exit before the kernel has done anything that others see. False where there
    /// are none, or where lanes stop.
    fn assume_exits(&mut self, program: &Program) -> bool {
        let leads_out = |b: usize| {
            let block = &self.blocks[b];
            let idle = |pc: &Pc| matches!(program.code[*pc as usize].kind, Kind::Converge | Kind::Nothing);
            matches!(block.term, Term::Exit { guard: None }) && (block.start..block.end - 1).all(|pc| idle(&pc))
        };
        let is_quiet = |block: &Block| {
            (block.start..block.end).all(|pc| match &program.code[pc as usize].kind {
                Kind::Row(_) | Kind::Branch { .. } | Kind::Converge | Kind::Nothing => true,
                Kind::Load(l) => l.ordering == Ordering::Weak,
                _ => false,
            })
        };
        if self.blocks.iter().any(|b| matches!(b.term, Term::Stop { .. })) {
            return false;
        }
        let mut found = Vec::new();
        for (b, block) in self.blocks.iter().enumerate() {
            if !is_quiet(block) {
                break;
            }
            match block.term {
                Term::Fall => {}
                Term::Branch { to, guard: Some(_) } if to > b && leads_out(to) => found.push(b),
                _ => break,
            }
        }
        for &b in &found {
            self.blocks[b].assumed = true;
        }
        !found.is_empty()
    }

    fn constant_slot(&self, program: &Program, slot: Slot) -> bool {
        program.presets.iter().any(|p| p.slot == slot && matches!(p.value, PresetValue::Constant(_)))
    }

    fn find_values(&mut self, program: &Program, block: [u32; 3]) {
        for p in &program.presets {
            let shape = shapes::of_preset(p.value, block, self.lanes as u32);
            let id = self.add(p.class, p.slot, Some(p.value), shape);
            if shapes::is_of_cta(p.value) && p.class != Class::Pred {
                self.values[id].uniform = Some(self.uniforms.len());
                self.uniforms.push(p.value);
            }
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
                    self.values[id].reads += 1;
                    self.values[id].used_in.insert(self.block_of[pc]);
                }
            }
        }
    }

    /// Values for addresses without a register.
    fn find_fixed(&mut self, program: &Program) {
        let address = |kind: &Kind| match kind {
            Kind::Load(l) => Some(l.address),
            Kind::Store(s) => Some(s.address),
            _ => None,
        };
        for a in program.code.iter().filter_map(|i| address(&i.kind)).filter(|a| !a.base.is_some()) {
            if !self.fixed.contains_key(&a.offset) {
                let value = PresetValue::Constant(a.offset as u64);
                let id = self.add(Class::R64, Slot::NONE, Some(value), UNIFORM);
                self.fixed.insert(a.offset, id);
            }
        }
        self.by_slot.remove(&Slot::NONE);
    }

    /// The value that an address is relative to, and the distance from it; none where it is not one of a register of the
    /// usual class.
    pub fn base(&self, a: &Address) -> Option<(ValueId, i64)> {
        if !a.base.is_some() {
            let fits = a.space != AddressSpace::Shared || u32::try_from(a.offset).is_ok();
            return self.fixed.get(&a.offset).filter(|_| fits).map(|&v| (v, 0));
        }
        let class = if a.space == AddressSpace::Shared { Class::R32 } else { Class::R64 };
        (a.class == class).then(|| (self.read(a.base), a.offset))
    }

    fn add(&mut self, class: Class, slot: Slot, preset: Option<PresetValue>, shape: Shape) -> ValueId {
        let id = self.values.len();
        self.values.push(Value {
            class,
            slot,
            preset,
            uniform: None,
            shape,
            defs: Vec::new(),
            reads: 0,
            used_in: BTreeSet::new(),
            alias: id,
        });
        self.by_slot.insert(slot, id);
        id
    }

    /// What an instruction writes and reads; a result under a guard, or of a masked write, is also read.
    pub fn operands<'p>(&'p self, program: &'p Program, pc: Pc, role: Role) -> impl Iterator<Item = ValueId> + 'p {
        let list = &program.meta[pc as usize].operands;
        list.iter().filter(move |(r, ..)| *r == role).map(|(_, _, slot)| self.by_slot[slot])
    }

    /// Who is alive at the ends of blocks, where some are known to be `masked`.
    fn find_liveness(&mut self, program: &Program, masked: &[bool]) {
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
                    let is_kept = masked.get(b) == Some(&true) && self.whole.contains(&v);
                    if !guarded && !is_kept {
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
        let mut changed = true;
        while changed {
            changed = false;
            for v in 0..self.values.len() {
                let value = &self.values[v];
                let &[pc] = &value.defs[..] else { continue };
                let Some(source) = copied(&program.code[pc as usize]) else { continue };
                if self.blocks[0].live_in.contains(&v) || self.whole.contains(&v) {
                    continue;
                }
                let source = self.read(source);
                if self.values[source].preset.is_some()
                    && self.values[source].class == value.class
                    && value.alias != source
                {
                    self.values[v].alias = source;
                    changed = true;
                }
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

    /// The loops, and what is alive where they are left.
    fn find_loops(&mut self) {
        for q in 0..self.blocks.len() {
            for &h in self.blocks[q].successors.iter().filter(|&&h| h <= q) {
                let mut alive = BTreeSet::new();
                for block in &self.blocks[h..=q] {
                    let outside = block.successors.iter().filter(|&&s| s < h || s > q);
                    outside.for_each(|&s| alive.extend(&self.blocks[s].live_in));
                }
                self.loops.push(Loop { first: h, last: q, alive });
            }
        }
    }

    /// Is the block in a loop that some lanes leave before others, with the value alive behind it?
    pub fn escapes_masked_loop(&self, v: ValueId, b: usize) -> bool {
        let is_around = |l: &&Loop| l.first <= b && b <= l.last && self.blocks[l.last].masked;
        self.loops.iter().filter(is_around).any(|l| l.alive.contains(&v))
    }

    /// Must a result in a masked block leave the lanes that sleep as they are?
    pub fn keeps_sleepers(&self, v: ValueId, b: usize) -> bool {
        let block = &self.blocks[b];
        if !block.masked || self.is_confined(v) {
            return false;
        }
        if self.whole.contains(&v) {
            return true;
        }
        if self.values[v].defs.len() == 1 {
            return self.escapes_masked_loop(v, b);
        }
        let is_simple = block.depth == 0 || block.depth == 1 && block.successors.contains(&b);
        // Lanes that sleep here wait at a later block, where there is no loop around both.
        !is_simple || self.blocks[b + 1..].iter().any(|later| later.live_in.contains(&v))
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
        !matches!(self.values[self.read(guard.slot)].shape, UNIFORM | Shape::Unknown)
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
            if !self.parts(guard) || self.blocks[b].assumed {
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
