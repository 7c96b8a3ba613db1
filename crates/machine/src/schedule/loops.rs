//! What decides how a loop goes on.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use crate::program::{Kind, Pc, Program, Role};
use crate::slots::{self, Class, Slot};

/// Registers of a warp that are compared.
pub enum Registers {
    /// All of them.
    All,
    /// These.
    Some(Vec<(Class, Slot)>),
}

impl Registers {
    /// Adds what they hold.
    pub fn hash(&self, regs: &slots::Registers, hash: &mut impl Hasher) {
        match self {
            Registers::All => regs.words().hash(hash),
            Registers::Some(list) => {
                for &(class, slot) in list {
                    match class {
                        Class::Pred => regs.pred(slot).hash(hash),
                        Class::R32 => regs.row32(slot).hash(hash),
                        Class::R64 => regs.row64(slot).hash(hash),
                        Class::R128 => {
                            regs.row64(slot).hash(hash);
                            regs.row64(Slot(slot.0 + 256)).hash(hash);
                        }
                    }
                }
            }
        }
    }
}

/// The registers that instructions other than lane-wise operations read, and those that these are computed from.
pub fn deciding(program: &Program, visited: &HashSet<Pc>) -> Registers {
    let is_call = |pc: &Pc| matches!(program.code[*pc as usize].kind, Kind::Call(_) | Kind::Return);
    if visited.iter().any(is_call) {
        // What a call passes on is not in the list of what it reads.
        return Registers::All;
    }
    let operands = |pc: Pc, role: Role| {
        let list = &program.meta[pc as usize].operands;
        list.iter().filter(move |o| o.0 == role).map(|o| (o.1, o.2))
    };
    let is_row = |pc: Pc| matches!(program.code[pc as usize].kind, Kind::Row(_));
    let mut found: HashSet<(Class, Slot)> = HashSet::new();
    let reads = |pc: Pc, found: &mut HashSet<(Class, Slot)>| {
        found.extend(operands(pc, Role::Read));
        found.extend(program.code[pc as usize].guard.map(|g| (Class::Pred, g.slot)));
    };
    let matters = |pc: &&Pc| !is_row(**pc) && !matches!(program.code[**pc as usize].kind, Kind::Yield);
    visited.iter().filter(matters).for_each(|pc| reads(*pc, &mut found));
    loop {
        let before = found.len();
        for &pc in visited.iter().filter(|pc| is_row(**pc)) {
            if operands(pc, Role::Write).any(|o| found.contains(&o)) {
                reads(pc, &mut found);
            }
        }
        if found.len() == before {
            break;
        }
    }
    Registers::Some(found.into_iter().collect())
}
