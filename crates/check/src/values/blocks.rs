//! Registers of blocks `{ ... }` that may be read before the block has written them.
//!
//! Such a register is new each time control enters the block (PTX ISA, sections 4.4.2 and 5.1.1), but most blocks, those of a
//! compiler's inline assembly among them, write before they read: there is nothing to watch.

use std::collections::HashSet;

use warpvm_machine::program::{Block, Pc, Program, Role};
use warpvm_machine::slots::Slot;

use crate::flow::successors;

/// Most steps of a search for one register: where it takes longer the register is watched.
const MOST: usize = 1 << 14;

/// Where blocks begin, with those of their registers that may be read before they are written.
pub(super) fn carried(program: &Program) -> Vec<(Pc, Vec<Slot>)> {
    let of = |block: &Block| {
        let rows = block.rows.iter().map(|r| r.1);
        (block.start, rows.filter(|slot| is_read_first(program, block, *slot)).collect::<Vec<_>>())
    };
    program.blocks.iter().map(of).filter(|(_, slots)| !slots.is_empty()).collect()
}

/// Does a way from the block's start lead to a read of the register without a write?
fn is_read_first(program: &Program, block: &Block, slot: Slot) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![block.start];
    while let Some(pc) = open.pop() {
        if !(block.start..block.end).contains(&pc) || !seen.insert(pc) {
            continue;
        }
        if seen.len() > MOST {
            return true;
        }
        let inst = &program.code[pc as usize];
        let operands = &program.meta[pc as usize].operands;
        if operands.iter().any(|o| o.0 == Role::Read && o.2 == slot) {
            return true;
        }
        let writes = operands.iter().any(|o| o.0 == Role::Write && o.2 == slot);
        if !writes || inst.guard.is_some() {
            open.extend(successors(inst, pc as usize, 0).into_iter().map(|to| to as Pc));
        }
    }
    false
}
