//! What findings call a place in memory: its variable or allocation, and an offset in it.

use warpvm_machine::exec::WarpView;
use warpvm_machine::memory::{Allocation, Lookup, Origin, SHARED_START, Space};
use warpvm_machine::program::{Program, Variable};

use crate::Context;

/// Names an address (an offset in the window for shared and local memory).
pub(crate) fn describe(cx: &Context, warp: &WarpView<'_>, space: Space, address: u64) -> String {
    match space {
        Space::Global => match warp.global.lookup(address) {
            Lookup::Live(a) | Lookup::Freed(a) => format!("{}+{:#x}", named(&a), address - a.base),
            Lookup::Outside(_) => format!("global address {address:#x}"),
        },
        Space::Shared => shared(&cx.program, address),
        Space::Local => match variable(&cx.program.local_vars, address) {
            Some(text) => text,
            None => format!("local memory+{address:#x}"),
        },
        Space::Param => format!("kernel parameters+{address:#x}"),
    }
}

/// What a memory is called.
pub(crate) fn memory(space: Space) -> &'static str {
    match space {
        Space::Global => "global memory",
        Space::Shared => "shared memory",
        Space::Local => "local memory",
        Space::Param => "the kernel's parameters",
    }
}

fn named(a: &Allocation) -> String {
    match &a.origin {
        Origin::Variable(name) => format!("`{name}`"),
        Origin::Buffer(name) => format!("buffer `{name}`"),
        Origin::Heap => "a `malloc` block".to_owned(),
    }
}

fn variable(vars: &[Variable], offset: u64) -> Option<String> {
    let inside = |v: &&Variable| offset.wrapping_sub(u64::from(v.offset)) < u64::from(v.len);
    vars.iter().find(inside).map(|v| format!("`{}`+{:#x}", v.name, offset - u64::from(v.offset)))
}

fn shared(program: &Program, offset: u64) -> String {
    if let Some(text) = variable(&program.shared_vars, offset) {
        return text;
    }
    match offset.checked_sub(u64::from(program.dynamic_shared_start)) {
        Some(within) => format!("dynamic shared memory+{within:#x}"),
        None => format!("shared memory+{:#x}", offset.saturating_sub(u64::from(SHARED_START))),
    }
}

/// Coordinates of a CTA.
pub(crate) fn coordinates(grid: [u32; 3], cta: u32) -> [u32; 3] {
    let (x, y) = (grid[0].max(1), grid[1].max(1));
    [cta % x, cta / x % y, cta / x / y]
}

/// `(0,1,0)`
pub(crate) fn cta_text(grid: [u32; 3], cta: u32) -> String {
    let [x, y, z] = coordinates(grid, cta);
    format!("({x},{y},{z})")
}
