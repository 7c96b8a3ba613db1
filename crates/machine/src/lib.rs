//! A virtual streaming multiprocessor: program form, warps, memory, scheduler.

pub mod exec;
pub mod fault;
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
pub use row::RowOp;
