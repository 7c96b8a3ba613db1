//! A virtual streaming multiprocessor: program form, warps, memory, scheduler.
//!
//! This page is the meaning of the machine in prose. Each statement names the section of the PTX ISA it follows and the
//! recorded case of an H200 (driver 580.159.04, CUDA 13.0) that shows it; the cases are in `tests/truth`.
//!
//! # When a lane is active
//!
//! A warp has 32 lanes; the last warp of a CTA may have fewer threads. Each lane has its own program counter. Lanes
//! with one program counter that run together are a *split* ([`exec::Split`]). A guard `@p` makes an instruction do
//! nothing in lanes where it is false (PTX ISA 9.3). `%activemask` is the set of lanes of the split that reads it
//! (`warp/activemask.converged`, `warp/activemask.branch`): under the `fast` schedule what the chip gives, under a seeded
//! schedule any legal subset.
//!
//! # Where lanes meet again
//!
//! PTX does not promise that lanes which parted meet again before a `.sync` operation makes them. The machine has three
//! models ([`launch::Convergence`]):
//!
//! - `barriers` (the default): a branch whose lanes part makes a *join* at its immediate post-dominator. Lanes that
//!   arrive wait for the others that the join expects. A lane that exits is no longer expected. A join never blocks
//!   progress: where nothing else of the warp can run, or the others have run long, the lanes that wait go on without
//!   them. So a lane that spins for a sibling gets what it waits for (`its/spinlock_within_warp`, `its/lane_handover`).
//!   A branch to a block that only exits does not count for post-dominance: an early `return` does not keep the other
//!   lanes from meeting where they would have met.
//! - `stack`: as before Volta. The lanes pushed last run until they arrive or exit; the others wait. A lane that spins
//!   for one below it on the stack spins for ever, and the launch ends at the step limit.
//! - `none`: lanes meet in collectives and barriers only.
//!
//! # What `.sync` promises
//!
//! `vote shfl match redux elect bar.warp` with `.sync` (PTX ISA 9.7.9 and 9.7.13): a lane registers the operation with
//! its qualifiers and its `membermask`, and waits until every lane of the mask *that has not exited* has registered the
//! same operation with the same mask; then all complete together. Lanes may come from different branches and different
//! instructions; several groups with disjoint masks at one instruction are separate (`diverge/*`, `random/*`). Where a
//! handbook calls a mask that names an exited lane a hang, the chip carries on with the others, and so does the
//! machine (`shfl/mask_names_exited`). A lane whose mask lacks its own bit faults. A shuffle from a lane that takes no
//! part gives whatever that lane's register holds: undefined, and a finding of the checker.
//!
//! `match.any`, then a `redux` by group, a call, then a full-mask `shfl`: the chip with its own compiler does not bring
//! the lanes together again (`deviations.jsonl.gz`); the machine follows the manual.
//!
//! Matrix operations (`mma`, `ldmatrix`, `wgmma`, ...) are `.aligned`: lanes meet only at one instruction.
//!
//! # Block barriers
//!
//! (PTX ISA 9.7.13.1) Sixteen a CTA. Arrivals are counted by lanes; a warp counts as 32 threads when all its live lanes
//! are there, as on the chip, which counts warps. Without a thread count a barrier completes when every thread that has
//! not exited is there (`block/*`). A barrier that is used with two counts at once, or for a reduction and something
//! else at once, ends the launch, as the chip does.
//!
//! # Memory
//!
//! Every access is checked: alignment, and one live allocation (or the bounds of its memory) for every byte. Stores are
//! visible to everybody at once: the machine's own order is sequentially consistent, the checker knows what the memory
//! model (PTX ISA, chapter 8) leaves open. Atomics of lanes of one instruction happen lowest lane first. Atomics on
//! global memory are atomics of the host. `atom.add.f32` flushes subnormals on global memory and not on shared memory;
//! of two NaNs the old one stays (`atom/add.f64.private`). `cp.async` reads its source at once and writes its destination
//! when its group is waited for, so that a forgotten wait shows. Lanes that arrive at an mbarrier with one instruction get
//! one token (`async/mbarrier_phases`).
//!
//! # Schedules
//!
//! `fast` runs each warp to its next wait and CTAs on all cores; CTAs that spin for each other get their turns. `seeded(n)`
//! draws every decision from seed `n` on one core: which CTA, warp and lanes run next and how long; lanes that ran
//! together are split at random, and pass points where they would have met; stores that nothing orders become visible
//! late and in another order. The same seed gives the same run on any
//! machine. Every defined program of the truth data gives the recorded answer under every seed; what reads `%activemask`
//! (also through cooperative groups' `coalesced_threads`) may differ, rightly.
//!
//! # Asynchronous copies, tensor maps, `wgmma`
//!
//! `cp.async` reads its source at once and writes its destination when its group is waited for. Bulk and tensor copies that an
//! mbarrier counts, `st.async` and `red.async` are written and counted when they are issued; those in bulk groups read when they are
//! issued, and write, or reduce element by element as atomics of the host, when their group is waited for. What tensor copies do is in
//! the documentation of `warpvm_sem::tensor_map`; what the chip ends a kernel for ends it here. `wgmma` runs when it is issued, each
//! warp of the group its own 16 rows. Observers see what it reads as reads of the asynchronous proxy, so the checker takes them as
//! pending until `wgmma.wait_group`. The asynchronous proxy sees every store at once; the checker finds a missing proxy fence.
//!
//! # What is missing
//!
//! Textures and surfaces, `tcgen05`, `multimem`, linking several modules, `.alias` of variables. Each is refused by name when a
//! kernel that uses it is lowered. `redux.sync` of `f32` and `.abs`/`.NaN` follow the manual only: no H200 has them.

pub mod exec;
pub mod fault;
mod jit;
pub mod lane_op;
pub mod launch;
pub mod lower;
pub mod memory;
pub mod observe;
pub mod program;
mod random;
mod row;
mod schedule;
pub mod slots;
mod spread;
mod vector;
mod visit;

pub use random::{Random, Temper};
pub use row::RowOp;
