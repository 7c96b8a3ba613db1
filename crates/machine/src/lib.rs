//! A virtual streaming multiprocessor: program form, warps, memory, scheduler.

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
mod visit;

pub use random::Random;
