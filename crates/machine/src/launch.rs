//! A launch: arguments checked, CTAs run, the outcome.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::exec::Context;
use crate::fault::Fault;
use crate::memory::GlobalMemory;
use crate::observe::Observer;
use crate::program::Program;

/// Grid, block and cluster, in CTAs, threads and CTAs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// CTAs of the grid.
    pub grid: [u32; 3],
    /// Threads of a CTA.
    pub block: [u32; 3],
    /// CTAs of a cluster.
    pub cluster: [u32; 3],
}

impl Dimensions {
    /// Threads of a CTA.
    pub fn threads(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n)).product()
    }

    /// CTAs of the grid.
    pub fn ctas(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Warps of a CTA.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32) as u32
    }
}

/// How the lanes of a warp that parted meet again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Convergence {
    /// Convergence barriers with independent thread scheduling, as since Volta.
    #[default]
    Barriers,
    /// A stack: the lanes on top run, the others wait, as before Volta.
    Stack,
    /// Lanes meet in collectives and barriers only.
    None,
}

/// Who runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Schedule {
    /// To the next wait; lanes meet as early as the program allows; CTAs on all cores.
    #[default]
    Fast,
    /// Any runnable lanes of any warp of any resident CTA, drawn from a seed; on one core.
    Seeded(u64),
}

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tier {
    /// Machine code where it can be had, the interpreter for the rest. Checks and seeded schedules are always
    /// interpreted.
    #[default]
    Compiled,
    /// The same for AVX2, also where the processor has AVX-512.
    CompiledNarrow,
    /// The interpreter alone.
    Interpreted,
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Who runs next.
    pub schedule: Schedule,
    /// How lanes meet.
    pub convergence: Convergence,
    /// Most warp instructions of one CTA (or cluster); of all CTAs together where the schedule is seeded.
    pub max_steps: u64,
    /// Host threads; 0 for one a core.
    pub threads: usize,
    /// Which engine.
    pub tier: Tier,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            schedule: Schedule::Fast,
            convergence: Convergence::Barriers,
            max_steps: 1 << 33,
            threads: 0,
            tier: Tier::Compiled,
        }
    }
}

/// What to run on.
pub struct Launch<'a> {
    /// Grid, block, cluster.
    pub dimensions: Dimensions,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// The kernel's parameters, laid out.
    pub params: &'a [u8],
    /// Set by somebody who wants the launch to end early.
    pub cancel: Option<&'a AtomicBool>,
}

/// Why a launch was not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// A dimension is 0 or too large.
    #[error("{0}")]
    Dimensions(String),
    /// Too much shared memory.
    #[error("a CTA has at most {limit} bytes of shared memory, not {wanted}")]
    SharedMemory {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes there are.
        limit: u64,
    },
    /// Parameters of another length than the kernel's.
    #[error("the kernel takes {expected} bytes of parameters, not {given}")]
    Params {
        /// What the kernel takes.
        expected: u32,
        /// What was given.
        given: usize,
    },
}

/// What came of a launch.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The fault that ended it, if one did.
    pub fault: Option<Box<Fault>>,
    /// What the kernel printed.
    pub output: Vec<u8>,
    /// Warp instructions that ran.
    pub steps: u64,
    /// Counters of `pmevent`, over all CTAs.
    pub events: [u64; 16],
    /// Was it ended early from outside?
    pub is_cancelled: bool,
}

/// Most shared memory of a CTA on this chip (PTX ISA, table of targets: `sm_90`).
pub const MAX_SHARED: u64 = 227 * 1024;

/// Checks a launch against the kernel.
///
/// # Errors
/// What is wrong with it.
pub fn check(program: &Program, launch: &Launch<'_>) -> Result<(), LaunchError> {
    let d = &launch.dimensions;
    let bad = |text: String| Err(LaunchError::Dimensions(text));
    if d.grid.contains(&0) || d.block.contains(&0) || d.cluster.contains(&0) {
        return bad("a grid, block or cluster dimension is 0".to_owned());
    }
    if d.threads() > 1024 || d.block[2] > 64 {
        let [x, y, z] = d.block;
        return bad(format!("a CTA has at most 1024 threads (and 64 in z), not {x} x {y} x {z}"));
    }
    if d.grid[0] > i32::MAX as u32 || d.grid[1] > 65535 || d.grid[2] > 65535 {
        return bad("a grid has at most 2147483647 x 65535 x 65535 CTAs".to_owned());
    }
    if let Some(required) = program.required_block
        && required != d.block
    {
        return bad(format!("the kernel requires a block of {required:?} threads (`.reqntid`), not {:?}", d.block));
    }
    if let Some(most) = program.max_threads
        && d.threads() > u64::from(most)
    {
        return bad(format!("the kernel allows {most} threads in a block (`.maxntid`), not {}", d.threads()));
    }
    if (0..3).any(|i| !d.grid[i].is_multiple_of(d.cluster[i])) {
        return bad(format!("the grid {:?} is not a multiple of the cluster {:?}", d.grid, d.cluster));
    }
    if d.cluster.iter().product::<u32>() > 16 {
        return bad("a cluster has at most 16 CTAs".to_owned());
    }
    let wanted =
        u64::from(program.dynamic_shared_start - crate::memory::SHARED_START) + u64::from(launch.dynamic_shared);
    if wanted > MAX_SHARED {
        return Err(LaunchError::SharedMemory { wanted, limit: MAX_SHARED });
    }
    if launch.params.len() != program.param_bytes as usize {
        return Err(LaunchError::Params { expected: program.param_bytes, given: launch.params.len() });
    }
    Ok(())
}

/// Runs a kernel; `observer` makes an observer for each host thread, which come back with the outcome.
///
/// # Errors
/// Where the launch does not fit the kernel. A fault of the kernel is in the outcome.
pub fn run<O: Observer>(
    program: &Program,
    global: &GlobalMemory,
    launch: &Launch<'_>,
    config: &Config,
    observer: impl Fn() -> O + Sync,
) -> Result<(Outcome, Vec<O>), LaunchError> {
    check(program, launch)?;
    let output = Mutex::new(Vec::new());
    let cx = Context {
        program,
        global,
        params: launch.params,
        dimensions: launch.dimensions,
        dynamic_shared: launch.dynamic_shared,
        output: &output,
        convergence: config.convergence,
        max_steps: config.max_steps,
        started: Instant::now(),
        cancel: launch.cancel,
    };
    let (mut outcome, observers) = match config.schedule {
        Schedule::Fast => crate::schedule::fast(&cx, config, &observer),
        Schedule::Seeded(seed) => crate::schedule::seeded(&cx, seed, observer()),
    };
    outcome.output = output.into_inner().unwrap_or_default();
    Ok((outcome, observers))
}
