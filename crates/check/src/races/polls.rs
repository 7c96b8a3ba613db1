//! Which volatile loads poll: their value decides on a branch.
//!
//! A volatile access is strong, so two of them do not race. A lane that polls a flag is legal; a lane that exchanges
//! data with its neighbours through volatile shared memory and nothing else relies on lock-step, as code did before
//! independent thread scheduling. The two are told apart by what becomes of the value: it is followed through the
//! lane-wise operations of its function.

use std::collections::HashSet;

use warpvm_machine::program::{Inst, Kind, Ordering, Pc, Program, Role};
use warpvm_machine::slots::Slot;

/// The volatile loads of a program that poll.
pub(super) fn polls(program: &Program) -> HashSet<Pc> {
    let is_volatile = |inst: &Inst| matches!(&inst.kind, Kind::Load(l) if l.ordering == Ordering::Volatile);
    let pcs = (0..program.code.len() as Pc).filter(|&pc| is_volatile(&program.code[pc as usize]));
    pcs.filter(|&pc| decides(program, pc)).collect()
}

fn decides(program: &Program, load: Pc) -> bool {
    let function = program.meta[load as usize].function;
    let inside: Vec<Pc> =
        (0..program.code.len() as Pc).filter(|&pc| program.meta[pc as usize].function == function).collect();
    let written = |pc: Pc| program.meta[pc as usize].operands.iter().filter(|o| o.0 == Role::Write).map(|o| o.2);
    let mut reached: HashSet<Slot> = written(load).collect();
    loop {
        let before = reached.len();
        for &pc in &inside {
            let reads = program.meta[pc as usize].operands.iter().filter(|o| o.0 == Role::Read);
            if !reads.into_iter().any(|o| reached.contains(&o.2)) {
                continue;
            }
            let inst = &program.code[pc as usize];
            match &inst.kind {
                Kind::Row(_) => reached.extend(written(pc)),
                Kind::BranchIndexed { .. } | Kind::Collective(_) => return true,
                Kind::Branch { .. } | Kind::Exit | Kind::Return => return true,
                _ => {
                    if inst.guard.is_some_and(|g| reached.contains(&g.slot)) {
                        return true;
                    }
                }
            }
        }
        if reached.len() == before {
            return false;
        }
    }
}
