//! A launch: the kernel, its grid and block, its arguments; from the command line or from a file.

pub mod dims;
pub mod file;
pub mod row;

use crate::args::Arg;

/// Everything a launch needs but the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// The kernel; the module's only one where `None`.
    pub entry: Option<String>,
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub smem: u32,
    /// One a kernel parameter.
    pub args: Vec<Arg>,
}
