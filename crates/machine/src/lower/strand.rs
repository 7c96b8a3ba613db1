//! Straight code made ready for a run that nobody observes.
//!
//! A *strand* is what runs without a branch, a wait or anything else that the scheduler has to know of: lane-wise
//! operations, weak loads and stores. It is entered at its first instruction only and then runs as a whole, from a list of
//! its own in which common pairs are one operation. The program's instructions stay as they are: who comes in the middle
//! (because a turn ended there, or out of compiled code) goes through them one by one to the next strand.
//!
//! Strands are made when a program is first interpreted without an observer.

use crate::exec::KnownLoad;
use crate::program::{Again, Guard, Inst, Kind, Ordering, Pc};
use crate::row::RowOp;

/// Instructions of a strand, at most: a turn that ends in one ends behind it.
const LONGEST: usize = 64;

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
    /// What to do, in order.
    pub ops: Vec<Op>,
}

/// One or two instructions of a strand.
pub(crate) enum Op {
    /// A lane-wise operation, or two that follow each other.
    Row(RowOp),
    /// A lane-wise operation for the lanes where a predicate says so.
    Guarded(Guard, RowOp),
    /// A load or store.
    Access(Pc),
    /// Two loads of rows that others have looked at; the place of the first.
    Two(Pc, [KnownLoad; 2]),
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
                strands.list.push(Strand { len: (end - pc) as u32, ops: ops(code, pc, end) });
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

/// The operations of the instructions from `start` to before `end`.
fn ops(code: &[Inst], start: usize, end: usize) -> Vec<Op> {
    let mut ops = Vec::with_capacity(end - start);
    let mut pc = start;
    while pc < end {
        let two = if pc + 1 < end { pair(code, pc) } else { None };
        pc += if two.is_some() { 2 } else { 1 };
        ops.extend(two.or_else(|| single(code, pc - 1)));
    }
    ops
}

fn single(code: &[Inst], pc: usize) -> Option<Op> {
    match (&code[pc].kind, code[pc].guard) {
        (Kind::Row(op), None) => Some(Op::Row(op.clone())),
        (Kind::Row(op), Some(guard)) => Some(Op::Guarded(guard, op.clone())),
        (Kind::Load(_) | Kind::Store(_), None) => Some(Op::Access(pc as Pc)),
        _ => None,
    }
}

/// An instruction and the next as one operation.
fn pair(code: &[Inst], pc: usize) -> Option<Op> {
    if let (Some(a), Some(b)) = (known_load(&code[pc]), known_load(&code[pc + 1])) {
        return Some(Op::Two(pc as Pc, [a, b]));
    }
    None
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
