//! Memories and the generic address space (PTX ISA, section 5.1 and 6.4.1.1).
//!
//! One 64-bit generic space: windows for shared, local and parameter memory at fixed places, and everything else is
//! the arena of global memory, where module variables (`.global` and `.const`) and allocations lie. A generic address
//! that is in no window is a global address, as on the chip.

mod global;

pub use global::{AllocError, Allocation, GlobalMemory, Lookup, Origin};

/// First address of the window of shared memory (of the cluster; the CTA's own at its start).
pub const SHARED_BASE: u64 = 0x1_0000_0000;
/// First address of the window of a thread's local memory.
pub const LOCAL_BASE: u64 = 0x2_0000_0000;
/// First address of the window of kernel parameters.
pub const PARAM_BASE: u64 = 0x3_0000_0000;
/// First address of the codes of functions (pointers to call through).
pub const CODE_BASE: u64 = 0x4_0000_0000;
/// Size of each window.
pub const WINDOW: u64 = 0x1_0000_0000;
/// First address of global memory.
pub const GLOBAL_BASE: u64 = 0x10_0000_0000;

/// Where shared variables start: the first bytes of the window belong to the system, as on the chip.
pub const SHARED_START: u32 = 1024;
/// Distance between the shared memories of a cluster's CTAs in the `shared::cluster` window.
pub const CLUSTER_STRIDE: u32 = 1 << 24;

/// The memory that an address leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// Global and constant memory: an address in the arena.
    Global,
    /// Shared memory: an offset in the window.
    Shared,
    /// Local memory: an offset in the thread's own.
    Local,
    /// Kernel parameters: an offset.
    Param,
}

/// Splits a generic address into a memory and an address in it.
#[inline]
pub fn resolve_generic(addr: u64) -> (Space, u64) {
    if addr >= GLOBAL_BASE {
        return (Space::Global, addr);
    }
    match addr >> 32 {
        1 => (Space::Shared, addr - SHARED_BASE),
        2 => (Space::Local, addr - LOCAL_BASE),
        3 => (Space::Param, addr - PARAM_BASE),
        _ => (Space::Global, addr),
    }
}
