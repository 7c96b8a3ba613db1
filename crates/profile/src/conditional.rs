//! What became of each conditional: a select, a guard, or a branch.

use warpvm_isa::Opcode;
use warpvm_machine::program::Kind;

use crate::map::Map;
use crate::profiler::Counts;

/// What a conditional is in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionalKind {
    /// `selp`, `slct`: both values are there, every lane takes one.
    Select,
    /// An instruction with a guard: lanes where it is false do nothing.
    Predication,
    /// A branch.
    Branch {
        /// Where lanes that part meet again (an instruction); `None` where one side only exits, or lanes never meet.
        meets_at: Option<usize>,
        /// Does it go back: is it a loop's?
        is_loop: bool,
    },
}

/// A conditional of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditional {
    /// The instruction.
    pub instruction: usize,
    /// What it is.
    pub kind: ConditionalKind,
}

impl Conditional {
    /// Did lanes need the convergence point of this branch?
    pub fn needed(&self, counts: &Counts) -> bool {
        counts.parted > 0 && matches!(self.kind, ConditionalKind::Branch { meets_at: Some(_), .. })
    }
}

/// The conditionals of a program, in order.
pub(crate) fn conditionals(map: &Map) -> Vec<Conditional> {
    (0..map.instructions.len()).filter_map(|i| kind(map, i).map(|kind| Conditional { instruction: i, kind })).collect()
}

fn kind(map: &Map, i: usize) -> Option<ConditionalKind> {
    let instruction = &map.instructions[i];
    let inst = &map.program.code[instruction.pc as usize];
    if instruction.is_wrapped {
        return Some(ConditionalKind::Predication);
    }
    match &inst.kind {
        Kind::Branch { target, .. } if inst.guard.is_some() => {
            Some(ConditionalKind::Branch { meets_at: map.meets_at(i), is_loop: *target <= instruction.pc })
        }
        Kind::BranchIndexed { .. } => Some(ConditionalKind::Branch { meets_at: map.meets_at(i), is_loop: false }),
        _ if inst.guard.is_some() => Some(ConditionalKind::Predication),
        _ if matches!(instruction.opcode, Opcode::Selp | Opcode::Slct) => Some(ConditionalKind::Select),
        _ => None,
    }
}
