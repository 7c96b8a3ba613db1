//! What findings call a place in memory: its variable or allocation, and an offset in it.

use warpvm_machine::exec::WarpView;
use warpvm_machine::memory::{
    Allocation, CLUSTER_STRIDE, Lookup, Origin, SHARED_BASE, SHARED_START, Space, resolve_generic,
};
use warpvm_machine::program::{Address, AddressSpace, Program, Variable};
use warpvm_machine::slots::Class;

use crate::{Context, Scene};

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

/// Where a lane's address leads: memory, CTA for shared memory, address or offset.
pub(crate) fn resolve(s: &Scene<'_>, a: &Address, lane: usize) -> (Space, u32, u64) {
    let base = if a.base.is_some() { s.warp.regs.get(a.class, a.base, lane) } else { 0 };
    let address = base.wrapping_add(a.offset as u64);
    let address = if a.base.is_some() && a.class == Class::R32 { address & 0xffff_ffff } else { address };
    let owner = |offset: u64| match offset / u64::from(CLUSTER_STRIDE) {
        0 => s.who.cta,
        n => s.warp.ctas.get(n as usize - 1).map_or(s.who.cta, |c| c.index),
    };
    let (space, address) = match a.space {
        AddressSpace::Global | AddressSpace::Const => return (Space::Global, s.who.cta, address),
        AddressSpace::Shared => {
            let offset = if address >> 32 == SHARED_BASE >> 32 { address - SHARED_BASE } else { address };
            return (Space::Shared, s.who.cta, offset);
        }
        AddressSpace::SharedCluster if address >> 32 == 0 => (Space::Shared, address),
        AddressSpace::Local | AddressSpace::Frame => return (Space::Local, s.who.cta, address),
        AddressSpace::Param => return (Space::Param, s.who.cta, address),
        AddressSpace::Generic | AddressSpace::SharedCluster => resolve_generic(address),
    };
    match space {
        Space::Shared => (space, owner(address), address % u64::from(CLUSTER_STRIDE)),
        space => (space, s.who.cta, address),
    }
}
