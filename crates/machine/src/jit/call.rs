//! What compiled code is given: the layout of a call and of a group of lanes.

use super::emit::PoolRow;
use crate::row::RowOp;

/// Lanes of one warp that run together.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LaneGroup {
    /// The first lane's place in the rows of each class, for slot 0.
    pub regs32: *mut u8,
    pub regs64: *mut u8,
    pub preds: *mut u8,
    /// Its scalars, which live over barriers.
    pub scalars: *mut u64,
    /// The local memory of its first lane.
    pub local: *mut u8,
    /// By stop: lanes that are there, where `place` is [`MIXED`].
    pub stops: *mut u32,
    /// Lanes that have not exited, from the group's first on.
    pub live: u32,
    /// The stop that all lanes are at.
    pub place: u32,
}

/// Lanes of a group are at several stops, or only some have come to one.
pub const MIXED: u32 = u32::MAX >> 1;

/// Bytes of a [`LaneGroup`].
pub const GROUP_BYTES: i32 = size_of::<LaneGroup>() as i32;

/// What a call of compiled code is given and gives back.
#[repr(C)]
pub struct Cx {
    /// Shared memory after its reserved start, and its length from there.
    pub shared: *mut u8,
    pub shared_len: u64,
    /// Distance of the last word of shared memory, in bytes and in words.
    pub shared_last_word: u64,
    pub shared_last_index: u64,
    /// Does one instruction the interpreter's way; 1 where it faults, 2 where lanes have to wait at it.
    pub helper: unsafe extern "sysv64" fn(*mut Cx, u32, u32) -> u32,
    /// Calls a row function: the operation, the warp's rows, the lanes.
    pub row: unsafe extern "sysv64" fn(*const RowOp, *mut u8, u32),
    /// Warp instructions so far, and most of them for one group.
    pub steps: u64,
    pub budget: u64,
    /// Instructions after which the call ends at the next barrier.
    pub limit: u64,
    /// By instruction: an allocation's first address, how many addresses from there on are good for the access, its host
    /// address and its length.
    pub cache: *mut [u64; 4],
    pub pool: *const PoolRow,
    /// What all lanes of the CTA have, in the plan's order.
    pub uniforms: *mut u64,
    /// The groups, the current one and the end of those to run.
    pub groups: *mut LaneGroup,
    pub group: *mut LaneGroup,
    pub groups_end: *mut LaneGroup,
    /// By stop: groups that have come there whole; how many go on together.
    pub counts: *mut u64,
    pub total: u64,
    /// Set by the code: where a group starts, and its stack pointer.
    pub group_loop: u64,
    pub stack: u64,
    /// Set by the code where the helper said so.
    pub fault: u64,
    pub env: *mut (),
}

/// Offsets in a struct for the emitter.
macro_rules! offsets {
    ($name:ident, $constant:ident, $of:ty, $($field:ident),*) => {
        /// Offsets for the emitter.
        pub struct $name { $(pub $field: i32),* }
        /// Offsets for the emitter.
        pub const $constant: $name = $name { $($field: std::mem::offset_of!($of, $field) as i32),* };
    };
}

offsets!(GroupOffsets, GROUP, LaneGroup, regs32, regs64, preds, scalars, local, stops, live, place);
offsets!(
    CxOffsets,
    CX,
    Cx,
    shared,
    shared_len,
    shared_last_word,
    shared_last_index,
    helper,
    row,
    steps,
    budget,
    limit,
    cache,
    pool,
    uniforms,
    groups,
    group,
    groups_end,
    counts,
    total,
    group_loop,
    stack,
    fault
);
