//! Counts and traces of a launch.
//!
//! A [`Profiler`] is an observer of the machine; every host thread has one, and [`Profile::new`] puts together what
//! they saw. Everything is counted per PTX instruction ([`Map`] says which program counters make up one), per warp, and
//! for the kernel ([`Profile::metrics`], under the names that Nsight Compute uses).
//!
//! # What is counted, and how that differs from a chip
//!
//! The chip runs machine code (SASS), this machine runs PTX, so the *numbers* of instructions differ: `ptxas` unrolls,
//! fuses, and adds moves and address arithmetic. Ratios (lanes per instruction, sectors per request) can be compared,
//! where both have the same branches. In particular:
//!
//! - An instruction is *issued* once for each split of a warp that runs it. Lanes that are there are *active*; those
//!   whose guard is true are *on*. A guard that is false for all lanes still issues, as on the chip.
//! - Convergence points (`BSSY`, `BSYNC`) are no PTX and do not count as instructions. Neither do the branches that
//!   lowering puts around a guarded collective: it counts as one predicated instruction.
//! - A collective whose lanes come from several splits issues once for each split; the chip's `WARPSYNC` may bring the
//!   lanes together before the operation and issue it once.
//! - Parameters and constants are operands on the chip, here `ld.param` is an instruction; it makes no request.
//! - Sectors are of 32 bytes, distinct ones of one request. Caches are not modelled. Bulk copies go past the
//!   load-store unit and are not counted.
//! - Shared memory has 32 banks of 4 bytes. Lanes of accesses of 8 bytes are served in two halves, of 16 bytes in four
//!   quarters of a warp; each takes as many wavefronts as the busiest bank has distinct words. Atomics count as stores
//!   of their word: lanes that hit one word meet.
//!
//! # Waves of 64 lanes
//!
//! [`Profile::wide`] tells what the launch would cost where two neighbouring warps of a CTA (0 and 1, 2 and 3, ...) are
//! one wave of 64 lanes. It is an estimate from counts alone: an instruction issues as often as the one of the two warps
//! that issued it more often. That is exact where both take the same sides of branches and their loops start together
//! (a loop then runs as often as its slowest lane needs; a side of a branch runs where any lane takes it), and too low
//! where they take a side at different iterations of a loop around it.

mod conditional;
mod map;
mod memory;
mod metrics;
mod profiler;
mod result;
mod trace;

pub use conditional::{Conditional, ConditionalKind};
pub use map::{Block, Instruction, Map};
pub use memory::{Conflicts, MemoryCounts, Sectors, bank_conflicts, sectors};
pub use metrics::{Metric, Unit};
pub use profiler::{Config, Counts, Profiler, WarpCounts};
pub use result::{Detail, Profile, Totals, Wide};
pub use trace::{Mark, MarkKind, Run, Trace};
