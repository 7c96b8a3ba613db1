//! Straight code made ready for a run of which nobody observes the steps.
//!
//! A *strand* is what runs without a branch, a wait or anything else that the scheduler has to know of: lane-wise
//! operations, weak loads and stores. It is entered at its first instruction only and then runs as a whole, from a list of
//! its own in which common pairs are one operation. The program's instructions stay as they are: who comes in the middle
//! (because a turn ended there, or out of compiled code) goes through them one by one to the next strand.
//!
//! Strands are made when a program is first interpreted so.

use crate::exec::{KnownLoad, Product};
use crate::lane_op::LaneOp;
use crate::program::{Again, Guard, Inst, Kind, Load, Ordering, Pc};
use crate::row::RowOp;

/// Instructions of a strand, at most: one that is longer than what is left of a turn is run one by one.
const LONGEST: usize = 32;

/// No strand begins here.
const NONE: u32 = u32::MAX;

/// The strands of a program.
pub(crate) struct Strands {
    /// For each instruction, the strand that begins with it.
    at: Vec<u32>,
    list: Vec<Strand>,
}

/// Instructions that run as a whole.
pub(crate) struct Strand {
    /// How many instructions.
    pub len: u32,
    /// Lane-wise operations at its start.
    pub rows: Box<[RowOp]>,
    /// What follows them, in order.
    pub ops: Vec<Op>,
    /// Does it look at memory?
    pub looks: bool,
    /// The branch that follows, one of `len`.
    pub jump: Option<Jump>,
    /// Loads that an observer may be told of together. None where the strand stores as well.
    pub reads: Box<[Reads]>,
}

/// Loads of a strand by one row, at a distance from its first access.
pub(crate) struct Reads {
    /// The number of the row.
    pub id: u8,
    /// The first access, where that is in the strand.
    pub first: Option<Pc>,
    /// The loads that follow, and how many bytes from the first access each is.
    pub rest: Vec<(Pc, i32)>,
}

/// Some instructions of a strand.
pub(crate) enum Op {
    /// Lane-wise operations.
    Rows(Box<[RowOp]>),
    /// A lane-wise operation for the lanes where a predicate says so.
    Guarded(Guard, RowOp),
    /// A load or store.
    Access(Pc),
    /// Two loads of rows that others have looked at, and a lane-wise operation.
    Two {
        /// The place of the first load.
        pc: Pc,
        /// The loads.
        loads: [KnownLoad; 2],
        /// The operation.
        op: RowOp,
        /// What it is, where it is the product of the two plus a third.
        product: Option<Product>,
    },
}

/// A branch at the end of a strand.
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// Who takes it.
    pub guard: Option<Guard>,
    /// Where to.
    pub target: Pc,
    /// As in [`Kind::Branch`].
    pub reconverge: Pc,
}

impl Strands {
    /// The strands of code whose program counters are final.
    pub fn new(code: &[Inst]) -> Self {
        let starts = super::again::starts_of_blocks(code);
        let mut strands = Strands { at: vec![NONE; code.len()], list: Vec::new() };
        let mut pc = 0;
        while pc < code.len() {
            let fits = |i: usize| i < code.len() && is_straight(&code[i]) && (i == pc || !starts[i]);
            let end = (pc..pc + LONGEST).find(|i| !fits(*i)).unwrap_or(pc + LONGEST);
            // One instruction is as quickly done where it is.
            if end > pc + 1 {
                strands.at[pc] = strands.list.len() as u32;
                let jump = code.get(end).filter(|_| !starts[end]).and_then(jump);
                let len = (end - pc) as u32 + u32::from(jump.is_some());
                let first: Vec<&RowOp> = code[pc..end].iter().map_while(plain_row).collect();
                let ops = ops(code, pc + first.len(), end);
                let looks = code[pc..end].iter().any(|inst| matches!(inst.kind, Kind::Load(_)));
                let reads = reads(&code[pc..end], pc);
                strands.list.push(Strand { len, rows: pairs(&first), ops, looks, jump, reads });
            }
            pc = end.max(pc + 1);
        }
        strands
    }

    /// The strand that begins with an instruction.
    #[inline(always)]
    pub fn at(&self, pc: Pc) -> Option<&Strand> {
        match self.at[pc as usize] {
            NONE => None,
            n => Some(&self.list[n as usize]),
        }
    }
}

/// May it be in a strand?
fn is_straight(inst: &Inst) -> bool {
    match &inst.kind {
        Kind::Row(_) => true,
        Kind::Load(l) => inst.guard.is_none() && l.ordering == Ordering::Weak,
        Kind::Store(s) => inst.guard.is_none() && s.ordering == Ordering::Weak,
        _ => false,
    }
}

fn jump(inst: &Inst) -> Option<Jump> {
    match inst.kind {
        Kind::Branch { target, reconverge } => Some(Jump { guard: inst.guard, target, reconverge }),
        _ => None,
    }
}

/// The operations of the instructions from `start` to before `end`.
fn ops(code: &[Inst], start: usize, end: usize) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut pc = start;
    while pc < end {
        if let Some(two) = two_loads(&code[pc..end], pc) {
            ops.push(two);
            pc += 3;
            continue;
        }
        let rows: Vec<&RowOp> = code[pc..end].iter().map_while(plain_row).collect();
        if rows.is_empty() {
            ops.push(match (&code[pc].kind, code[pc].guard) {
                (Kind::Row(op), Some(guard)) => Op::Guarded(guard, op.clone()),
                _ => Op::Access(pc as Pc),
            });
            pc += 1;
        } else {
            pc += rows.len();
            ops.push(Op::Rows(pairs(&rows)));
        }
    }
    ops
}

/// The loads of straight code by the rows that they have in common.
fn reads(code: &[Inst], start: usize) -> Box<[Reads]> {
    let mut list: Vec<Reads> = Vec::new();
    for (pc, inst) in (start as Pc..).zip(code) {
        match &inst.kind {
            Kind::Store(_) => return Box::default(),
            Kind::Load(Load { again: Again::First { id, .. }, .. }) => {
                list.push(Reads { id: *id, first: Some(pc), rest: Vec::new() });
            }
            Kind::Load(Load { again: Again::Same { id, by }, .. }) => {
                // The last of its number: an earlier one is of a row that has been written since.
                let at = list.iter().rposition(|r| r.id == *id).unwrap_or_else(|| {
                    list.push(Reads { id: *id, first: None, rest: Vec::new() });
                    list.len() - 1
                });
                list[at].rest.push((pc, *by));
            }
            _ => {}
        }
    }
    list.retain(|r| !r.rest.is_empty());
    list.into()
}

/// Lane-wise operations in a row, common pairs as one.
fn pairs(rows: &[&RowOp]) -> Box<[RowOp]> {
    let mut list = Vec::with_capacity(rows.len());
    let mut i = 0;
    while i < rows.len() {
        let pair = rows.get(i + 1).and_then(|next| rows[i].then(next));
        i += if pair.is_some() { 2 } else { 1 };
        list.push(pair.unwrap_or_else(|| rows[i - 1].clone()));
    }
    list.into()
}

fn plain_row(inst: &Inst) -> Option<&RowOp> {
    match inst {
        Inst { guard: None, kind: Kind::Row(op) } => Some(op),
        _ => None,
    }
}

/// Two loads and what is done with them.
fn two_loads(code: &[Inst], pc: usize) -> Option<Op> {
    let [a, b, op, ..] = code else { return None };
    let (loads, op) = ([known_load(a)?, known_load(b)?], plain_row(op)?.clone());
    Some(Op::Two { pc: pc as Pc, loads, product: product(&loads, &op), op })
}

/// Is it `a * b + c` of two rows just loaded? The order of factors does not matter to the chip: every NaN is the same.
fn product(loads: &[KnownLoad; 2], op: &RowOp) -> Option<Product> {
    let [a, b] = loads.map(|l| l.slot);
    let [sum, _, x, y, addend, _] = op.slots;
    let is_of_both = a != b && ([x, y] == [a, b] || [x, y] == [b, a]);
    let is_product = op.name == Some(LaneOp::FmaF32) && is_of_both && addend != a && addend != b && sum.is_some();
    is_product.then_some(Product { sum, addend })
}

fn known_load(inst: &Inst) -> Option<KnownLoad> {
    match &inst.kind {
        Kind::Load(l) => match l.again {
            Again::Same { id, by } => Some(KnownLoad { id, by, slot: l.results.first()?.1 }),
            _ => None,
        },
        _ => None,
    }
}
