//! Pieces of the sentences that findings are made of.

use std::fmt::Write;

use warpvm_machine::memory::{Allocation, Origin, Space};
use warpvm_machine::program::{Pc, Program, Variable};
use warpvm_machine::slots::LaneMask;

use crate::lanes::Lanes;

/// `lane 5` or `lanes 0-3,17`.
pub fn who(lanes: LaneMask) -> String {
    let word = if lanes.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {}", Lanes(lanes))
}

/// The form of a verb for one lane or for several.
pub fn verb(lanes: LaneMask, one: &'static str, several: &'static str) -> &'static str {
    if lanes.is_power_of_two() { one } else { several }
}

/// An instruction as it is spelled, in back-ticks and without operands.
pub fn spelled(program: &Program, pc: Pc) -> String {
    let Some(meta) = program.meta.get(pc as usize) else { return "an instruction".to_owned() };
    let mut text = format!("`{}", meta.opcode.text());
    for m in meta.modifiers.iter() {
        let _ = write!(text, ".{m}");
    }
    text.push('`');
    text
}

/// What a variable or a piece of memory is called.
pub fn owner(origin: &Origin) -> String {
    match origin {
        Origin::Variable(name) => format!("`{name}`"),
        Origin::Buffer(name) => format!("buffer `{name}`"),
        Origin::Heap => "a block of the device heap".to_owned(),
    }
}

/// Allocation plus offset.
pub fn within(a: &Allocation, address: u64) -> String {
    format!("{}+{:#x}", owner(&a.origin), address - a.base)
}

/// Variable plus offset in shared or local memory.
pub fn window(program: &Program, space: Space, address: u64) -> String {
    let (vars, memory) = match space {
        Space::Shared => (&program.shared_vars, "shared memory"),
        Space::Local => (&program.local_vars, "local memory"),
        Space::Param => return format!("the kernel's parameters at {address:#x}"),
        Space::Global => return format!("{address:#x}"),
    };
    if let Some(text) = variable(vars, address) {
        return text;
    }
    if space == Space::Shared && address >= u64::from(program.dynamic_shared_start) {
        return format!("dynamic shared memory+{:#x}", address - u64::from(program.dynamic_shared_start));
    }
    format!("{memory} at {address:#x}")
}

fn variable(vars: &[Variable], address: u64) -> Option<String> {
    let v = vars.iter().filter(|v| u64::from(v.offset) <= address).max_by_key(|v| v.offset)?;
    let offset = address - u64::from(v.offset);
    Some(if offset < u64::from(v.len) || v.len == 0 {
        format!("`{}`+{offset:#x}", v.name)
    } else {
        format!("`{}`+{offset:#x}, past its end at {:#x}", v.name, v.len)
    })
}
