//! What is known of each instruction before the launch: its rows, and how undefined bits go through it.

use std::collections::{HashMap, HashSet};

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_machine::program::{Kind, Meta, Place, Program, Role};
use warpvm_machine::slots::{Class, Slot};

use super::blocks;
use super::rows::Row;
use super::start::open_rows;

/// How undefined bits of a lane-wise operation's sources reach its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// Bits are moved, copied or inverted, as sources with these indices (a mask) say.
    Moves(u8),
    /// Each result bit depends on the same bit of the first sources (so many).
    Bitwise(usize),
    /// Upwards from the lowest undefined bit: sums and products.
    Carries,
    /// A choice by the last source.
    Chooses,
    /// A comparison of the first two sources.
    Compares,
    /// Elements of this many bits, each as a whole.
    Elements(u32),
    /// Two values are packed: the first above the second, each as a whole.
    Packs(u32),
    /// Tried out with several values of the undefined bits; elements of this many bits as a whole.
    Tried(u32),
    /// Everything, where anything is undefined.
    Whole,
}

/// An instruction's rows, lane-wise operations first of all.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Its sources and its guard.
    pub reads: [Row; 6],
    /// Its results.
    pub writes: [Row; 2],
    /// The row of the guard.
    pub guard: Row,
    /// How undefined bits go through a lane-wise operation.
    pub how: How,
    /// Is it an integer division?
    pub divides: bool,
    /// Does it begin a block with registers whose former values it may read?
    pub enters: bool,
}

/// Rows of a program and plans of its instructions.
pub(crate) struct Plans {
    /// Row of each slot, by slot / 4; 0 where there is none.
    row_of: Vec<Row>,
    /// Which rows are defined from the start: constants, parameters and the like.
    pub defined: Vec<bool>,
    /// Which rows a warp starts with that hold something, or that nobody asks before he has written them.
    pub starts: Vec<bool>,
    /// Are those all there are?
    pub starts_clean: bool,
    /// What each instruction is wanted for.
    pub wants: Box<[u8]>,
    /// For each function, its rows that nobody asks in it before he has written them, and the others.
    pub entries: Vec<[Vec<Row>; 2]>,
    plans: Vec<Plan>,
    /// Stores that look like parts of copies of structures.
    part_stores: HashSet<u32>,
    /// Rows that are undefined again where a block begins.
    entered: HashMap<u32, Vec<Row>>,
}

impl Plans {
    /// Looks at a program.
    pub fn new(program: &Program) -> Self {
        let mut plans = Plans {
            row_of: vec![0; program.register_bytes as usize / 4 + 1],
            defined: vec![true],
            starts: Vec::new(),
            starts_clean: false,
            wants: Box::default(),
            entries: Vec::new(),
            plans: Vec::with_capacity(program.code.len()),
            part_stores: part_stores(program),
            entered: HashMap::new(),
        };
        for p in &program.presets {
            plans.add(p.class, p.slot, true);
        }
        for meta in &program.meta {
            for &(_, class, slot) in &meta.operands {
                plans.add(class, slot, false);
            }
        }
        for f in &program.functions {
            for &(class, slot) in &f.rows {
                plans.add(class, slot, false);
            }
        }
        for pc in 0..program.code.len() {
            let plan = plans.plan(program, pc);
            plans.plans.push(plan);
        }
        for (pc, rows) in blocks::carried(program) {
            let rows: Vec<Row> = rows.into_iter().map(|slot| plans.row(slot)).collect();
            plans.entered.entry(pc).or_default().extend(rows);
            plans.plans[pc as usize].enters = true;
        }
        for function in 0..program.functions.len() {
            let open = open_rows(program, &plans, function);
            plans.enter(program, function, open);
        }
        plans.starts_clean = plans.starts.iter().all(|d| *d);
        plans.wants = program.code.iter().zip(&plans.plans).map(|(inst, plan)| super::wants::of(inst, plan)).collect();
        plans
    }

    /// Notes the rows of a function that may be read before they are written.
    fn enter(&mut self, program: &Program, function: usize, open: Vec<Row>) {
        if function == 0 {
            self.starts = vec![true; self.defined.len()];
            open.iter().for_each(|row| self.starts[*row as usize] = false);
        }
        let f = &program.functions[function];
        let mut is_listed = self.defined.clone();
        // Arguments are put there.
        for place in &f.formals {
            if let Place::Register(class, slot) = *place {
                let half = if class == Class::R128 { 256 } else { 0 };
                is_listed[self.row(slot) as usize] = true;
                is_listed[self.row(Slot(slot.0 + half)) as usize] = true;
            }
        }
        let mut take = |row: &Row| !std::mem::replace(&mut is_listed[*row as usize], true);
        let open = open.into_iter().filter(&mut take).collect();
        let closed = f.rows.iter().map(|r| self.row(r.1)).filter(&mut take).collect();
        self.entries.push([closed, open]);
    }

    fn add(&mut self, class: Class, slot: Slot, defined: bool) {
        let halves: &[u32] = if class == Class::R128 { &[0, 256] } else { &[0] };
        for half in halves {
            let at = (slot.0 + half) as usize / 4;
            if at >= self.row_of.len() {
                self.row_of.resize(at + 1, 0);
            }
            if self.row_of[at] == 0 {
                self.row_of[at] = self.defined.len() as Row;
                self.defined.push(defined);
            }
        }
    }

    /// The row of a slot; 0 for none.
    #[inline]
    pub fn row(&self, slot: Slot) -> Row {
        if slot.is_some() { self.row_of.get(slot.0 as usize / 4).copied().unwrap_or(0) } else { 0 }
    }

    /// Does a store look like part of the copy of a structure: a vector, or with others beside it in the same line of
    /// the source?
    pub fn copies_parts(&self, pc: u32) -> bool {
        self.part_stores.contains(&pc)
    }

    /// Rows of registers that a block declares which begins at an instruction, where a former value may be read.
    pub fn entered(&self, pc: u32) -> &[Row] {
        self.entered.get(&pc).map_or(&[], Vec::as_slice)
    }

    /// The plan of an instruction.
    #[inline]
    pub(super) fn at(&self, pc: u32) -> &Plan {
        &self.plans[pc as usize]
    }

    fn plan(&self, program: &Program, pc: usize) -> Plan {
        let (inst, meta) = (&program.code[pc], &program.meta[pc]);
        let guard = inst.guard.map_or(0, |g| self.row(g.slot));
        let mut plan =
            Plan { reads: [guard; 6], writes: [0; 2], guard, how: How::Whole, divides: false, enters: false };
        if let Kind::Row(op) = &inst.kind {
            for i in 0..4 {
                plan.reads[i] = self.row(op.slots[2 + i]);
            }
            plan.writes = [self.row(op.slots[0]), self.row(op.slots[1])];
            let sources = op.classes[2..].iter().flatten().count();
            plan.how = how(meta, sources, u32::from(op.bits[2]));
            plan.divides = matches!(meta.opcode, Opcode::Div | Opcode::Rem) && sources == 2 && !is_float(meta);
        } else {
            // The last ones, address and guard among them: enough to say at once that there is nothing to do.
            let reads = meta.operands.iter().rev().filter(|o| o.0 == Role::Read);
            for (to, from) in plan.reads.iter_mut().zip(reads.map(|o| self.row(o.2))) {
                *to = from;
            }
        }
        plan
    }
}

fn part_stores(program: &Program) -> HashSet<u32> {
    let mut places: HashMap<_, Vec<(u32, i64)>> = HashMap::new();
    let mut found = HashSet::new();
    for (pc, (inst, meta)) in program.code.iter().zip(&program.meta).enumerate() {
        let Kind::Store(store) = &inst.kind else { continue };
        if store.sources.len() > 1 || store.size > 4 {
            found.insert(pc as u32);
        }
        let line = meta.loc.map(|l| (l.file, l.line));
        let place = (store.address.base, line);
        places.entry(place).or_default().push((pc as u32, store.address.offset));
    }
    for list in places.values() {
        for &(pc, offset) in list {
            if list.iter().any(|(_, o)| *o != offset && (o - offset).abs() <= 16) {
                found.insert(pc);
            }
        }
    }
    found
}

fn words(meta: &Meta) -> impl Iterator<Item = Word> + '_ {
    meta.modifiers.iter().filter_map(|m| match m {
        Modifier::Word(w) => Some(*w),
        _ => None,
    })
}

fn types(meta: &Meta) -> impl Iterator<Item = ScalarType> + '_ {
    words(meta).filter_map(ScalarType::from_word)
}

fn is_float(meta: &Meta) -> bool {
    types(meta).any(ScalarType::is_float)
}

fn has(meta: &Meta, word: Word) -> bool {
    words(meta).any(|w| w == word)
}

/// Bits of the elements of a packed type.
fn element(meta: &Meta) -> Option<u32> {
    types(meta).find_map(|t| match t {
        ScalarType::F16x2 | ScalarType::Bf16x2 | ScalarType::U16x2 | ScalarType::S16x2 => Some(16),
        ScalarType::F32x2 => Some(32),
        _ => None,
    })
}

fn how(meta: &Meta, sources: usize, width: u32) -> How {
    use Opcode as O;
    let two = |how| if sources >= 2 { how } else { How::Moves(0) };
    match meta.opcode {
        O::And | O::Or | O::Xor => two(How::Bitwise(2)),
        O::Lop3 => two(How::Bitwise(3)),
        O::Mov | O::Not | O::Brev | O::Ld | O::Ldu | O::St | O::Cvta | O::Createpolicy => How::Moves(0),
        O::Shl | O::Shr | O::Szext => two(How::Moves(1 << 1)),
        O::Shf | O::Prmt => two(How::Moves(1 << 2)),
        O::Bfe => two(How::Moves(1 << 1 | 1 << 2)),
        O::Bfi => two(How::Moves(1 << 2 | 1 << 3)),
        O::Selp | O::Slct if sources == 3 => How::Chooses,
        O::Selp | O::Slct => How::Moves(0),
        O::Setp | O::Set => two(How::Compares),
        O::Cvt if sources == 2 => How::Packs(16),
        O::Cvt if is_float(meta) || has(meta, Word::Sat) => element(meta).map_or(How::Whole, How::Elements),
        O::Cvt => How::Moves(0),
        O::Add | O::Sub | O::Mul | O::Mad | O::Neg | O::Addc | O::Subc | O::Madc => {
            match (is_float(meta), element(meta)) {
                (_, Some(bits)) => How::Elements(bits),
                (true, None) => How::Whole,
                (false, None) if has(meta, Word::Hi) || has(meta, Word::Sat) => How::Whole,
                _ if sources == 1 && meta.opcode != O::Neg => How::Moves(0),
                _ => How::Carries,
            }
        }
        O::Fma | O::Min | O::Max | O::Abs | O::Ex2 | O::Tanh => element(meta).map_or(How::Whole, How::Elements),
        opcode => match opcode.text().as_bytes() {
            [b'v', .., b'2'] => How::Tried(16),
            [b'v', .., b'4'] => How::Tried(8),
            [b'v', ..] => How::Tried(width.max(32)),
            // The operation itself has more sources: this brings one of them to its width.
            _ if sources == 1 && takes_two(opcode) => How::Moves(0),
            _ => How::Whole,
        },
    }
}

fn takes_two(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::Div
            | O::Rem
            | O::Sad
            | O::Mul24
            | O::Mad24
            | O::Dp2a
            | O::Dp4a
            | O::Bmsk
            | O::Fns
            | O::Copysign
            | O::Shfl
            | O::Atom
            | O::Red
            | O::Call
            | O::Vote
            | O::Match
            | O::Redux
            | O::Bar
            | O::Barrier
            | O::Mbarrier
            | O::Cp
            | O::Mma
            | O::Brx
    )
}
