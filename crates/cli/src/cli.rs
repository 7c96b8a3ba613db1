//! The command line, declared.

use crate::launch::dims;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Runs CUDA kernels (PTX or CUDA C++) without a GPU, and finds wrong warp code.
#[derive(Parser, Debug)]
#[command(name = "warpvm", version, disable_help_subcommand = true, max_term_width = 110)]
#[command(
    after_help = "Exit codes: 0 clean; 1 an error or a warning was found, or a mismatch; 2 bad usage or bad input; \
3 unsupported; 4 a limit was reached; 101 a bug of warpvm itself."
)]
pub struct Cli {
    /// How to print findings and errors.
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// When to colour the human form.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a kernel; print, save or compare what its buffers hold afterwards.
    Run(RunArgs),
    /// Run a kernel under all rules, over many schedules.
    Check(CheckArgs),
    /// Report divergence and predication, line by line.
    Profile(ProfileArgs),
    /// Run recorded cases and compare bit for bit.
    Verify(VerifyArgs),
    /// List entries, parameters, registers, and what is unsupported.
    Inspect(InspectArgs),
    /// Explain a rule of the checker; without a name, list them.
    Explain(ExplainArgs),
}

/// Forms of findings and errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// With excerpts of the source.
    Human,
    /// One line each.
    Short,
    /// One JSON object on standard output.
    Json,
    /// SARIF 2.1.0 on standard output.
    Sarif,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `warpvm run`
#[derive(Args, Debug)]
#[command(after_help = ARG_HELP)]
pub struct RunArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Save a buffer: --save out=result.npy (or .bin).
    #[arg(long, value_name = "BUFFER=FILE")]
    pub save: Vec<String>,
    /// Compare a buffer with a source: `--expect out=@ref.npy`, `--expect 'out=[1,2,3]'`.
    #[arg(long, value_name = "BUFFER=SOURCE")]
    pub expect: Vec<String>,
    /// Relative tolerance of --expect; without tolerances bits are compared.
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub rtol: Option<f64>,
    /// Absolute tolerance of --expect.
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub atol: Option<f64>,
    /// Print all elements of the buffers.
    #[arg(long)]
    pub full: bool,
    /// Print no buffers.
    #[arg(long, short, conflicts_with = "full")]
    pub quiet: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// `warpvm check`
#[derive(Args, Debug)]
#[command(after_help = ARG_HELP)]
pub struct CheckArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Seeds of the schedules to run, from A up to but without B.
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "0..64")]
    pub seeds: Seeds,
    /// Run this schedule alone; to see a finding again.
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub seed: Option<u64>,
    /// Run all schedules and say how many fail; without it the check stops at the first that does.
    #[arg(long)]
    pub keep_going: bool,
    /// Write a picture of the first schedule that fails (of the first, where none does): one page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Drop findings of this rule (`race-*`: of all that begin so). A check without races or undefined values is faster.
    #[arg(long, value_name = "RULE")]
    pub allow: Vec<String>,
    /// Take findings of this rule, or of such, as warnings.
    #[arg(long, value_name = "RULE")]
    pub warn: Vec<String>,
    /// Take findings of this rule, or of such, as errors.
    #[arg(long, value_name = "RULE")]
    pub deny: Vec<String>,
    /// How lanes of a warp that parted meet again.
    #[arg(long, value_enum, default_value = "barriers")]
    pub convergence: Convergence,
    /// Stop a schedule after this many warp instructions.
    #[arg(long, value_name = "STEPS", alias = "limit")]
    pub max_steps: Option<u64>,
    /// Host threads [default: one a core].
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// `warpvm profile`
#[derive(Args, Debug)]
#[command(after_help = ARG_HELP)]
pub struct ProfileArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Write the report as a web page: one file that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write what the first warps did as a trace for Perfetto or `chrome://tracing`.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Tell also what waves of 64 lanes would cost (counts only).
    #[arg(long, value_name = "LANES", value_parser = ["32", "64"], default_value = "32")]
    pub warp_size: String,
    /// How many source lines to show.
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub lines: usize,
    /// How many warps to trace for --html and --trace.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub trace_warps: u32,
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// `warpvm verify`
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Cases: JSON lines or an array, plain or gzipped.
    #[arg(required = true)]
    pub cases: Vec<PathBuf>,
    /// The named input arrays of the cases.
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Run only cases whose id contains this.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Do not compare a case, or those of its buffers (by parameter index): ID or ID:INDEX,INDEX.
    #[arg(long, value_name = "ID[:INDEX,...]")]
    pub ignore: Vec<String>,
    /// How many differences to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
    /// Cases at a time; all cores where not given.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// `warpvm inspect`
#[derive(Args, Debug)]
pub struct InspectArgs {
    /// A `.ptx` or `.cu` file.
    pub file: PathBuf,
    /// Show this kernel alone.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// `warpvm explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The rule, e.g. `absent-lane`.
    pub rule: Option<String>,
}

/// The module, the launch and its arguments.
#[derive(Args, Debug)]
pub struct TargetArgs {
    /// A `.ptx` file, or a `.cu` file (compiled with NVRTC). May be left out where --launch names the PTX.
    pub file: Option<PathBuf>,
    /// Kernel arguments, one a parameter; see below.
    #[arg(value_name = "ARG")]
    pub args: Vec<String>,
    /// The kernel; may be left out where there is one. For a .cu file a C++ expression, e.g. 'reduce<float,256>'.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Blocks in the grid: X, X,Y or X,Y,Z [default: 1].
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dims::parse)]
    pub grid: Option<[u32; 3]>,
    /// Threads in a block: X, X,Y or X,Y,Z.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dims::parse)]
    pub block: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes.
    #[arg(long, value_name = "BYTES")]
    pub smem: Option<u32>,
    /// Take the launch from a file: a JSON object with entry, grid, block, smem, args, ptx, expect.
    #[arg(long, value_name = "FILE")]
    pub launch: Option<PathBuf>,
    /// The case to take where the launch file has several.
    #[arg(long, value_name = "ID", requires = "launch")]
    pub case: Option<String>,
    /// Named input arrays of the launch file.
    #[arg(long, value_name = "FILE", requires = "launch")]
    pub inputs: Option<PathBuf>,
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// How a `.cu` file is compiled.
#[derive(Args, Debug)]
#[command(next_help_heading = "Compiling .cu files")]
pub struct CompilerArgs {
    /// The NVRTC library or a CUDA toolkit; searched for where not given.
    #[arg(long, value_name = "PATH")]
    pub nvrtc: Option<PathBuf>,
    /// A folder with headers.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// A macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The language, e.g. c++17.
    #[arg(long, value_name = "DIALECT")]
    pub std: Option<String>,
    /// The architecture (`sm_90` where not given).
    #[arg(long, value_name = "SM")]
    pub arch: Option<String>,
    /// Fast and less exact mathematics.
    #[arg(long = "use_fast_math", alias = "use-fast-math")]
    pub use_fast_math: bool,
    /// Another option for NVRTC, passed as it is.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub nvrtc_option: Vec<String>,
}

/// How the machine runs.
#[derive(Args, Debug)]
#[command(next_help_heading = "The machine")]
pub struct MachineArgs {
    /// Which lanes run next: `fast` runs each warp to its next wait, on all cores.
    #[arg(long, value_enum, default_value = "fast", conflicts_with = "seed")]
    pub schedule: Schedule,
    /// Run the schedule drawn from this seed instead; the same seed gives the same run anywhere.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How lanes of a warp that parted meet again.
    #[arg(long, value_enum, default_value = "barriers")]
    pub convergence: Convergence,
    /// Stop after this many warp instructions of a CTA.
    #[arg(long, value_name = "STEPS", alias = "limit")]
    pub max_steps: Option<u64>,
    /// Host threads [default: one a core].
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Schedules that need no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Schedule {
    /// Run to the next wait, meet as early as the program allows.
    Fast,
}

/// Models of convergence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Convergence {
    /// Convergence barriers and independent thread scheduling, as since Volta.
    Barriers,
    /// Lockstep with a stack of reconvergence points, as before Volta.
    Stack,
    /// Lanes meet in `.sync` operations and barriers only.
    None,
}

/// A range of seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds {
    /// The first.
    pub start: u64,
    /// One past the last.
    pub end: u64,
}

fn seeds(text: &str) -> Result<Seeds, String> {
    const EXPECTED: &str = "expected A..B with A < B, e.g. 0..64";
    let (start, end) = text.split_once("..").ok_or(EXPECTED)?;
    let (start, end) = (start.trim().parse().map_err(|_| EXPECTED)?, end.trim().parse().map_err(|_| EXPECTED)?);
    if start < end { Ok(Seeds { start, end }) } else { Err(EXPECTED.to_owned()) }
}

fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| *x >= 0.0).ok_or_else(|| "expected a number that is not negative".to_owned())
}

const ARG_HELP: &str = "\
Kernel arguments, one a parameter, each optionally led by NAME=:
  u32:5 i32:-1 u64:9 f32:1.5 f64:2      a scalar; u8 i8 u16 i16 f16 bf16 b8 b16 b32 b64 too; 0x for hex
  in:TYPE=SOURCE  inout:TYPE=SOURCE     a pointer to a buffer with that content
  out:TYPE[COUNT]                       a pointer to a zeroed buffer, printed afterwards
  uninit:TYPE[COUNT]                    a pointer to memory that nobody wrote
  bytes:HEX                             a struct by value
  tensormap:f16@1,dims=192x64,box=64x64,swizzle=128B    a CUtensorMap of the buffer that argument 1 is
SOURCE is @FILE.npy, @FILE (raw little-endian elements), [1,2,3], iota(COUNT,START,STEP),
random(COUNT,SEED) (splitmix64; floats in [0,1)) or fill(COUNT,VALUE); COUNT may be a product, 32*64.
Buffers are named by NAME, by the parameter's name in the PTX, by index, or by out, in, inout.";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_command_of_the_readme() {
        let line = "warpvm run collatz.cu --entry collatz --grid 4 --block 256 --save out=result.npy \
                    out:u32[1000] in:u32=iota(1000,1) u64:1000 --format json -I include -DN=4";
        let cli = Cli::try_parse_from(line.split_whitespace()).expect("parses");
        let Command::Run(run) = cli.command else { panic!("run") };
        assert_eq!(run.target.grid, Some([4, 1, 1]));
        assert_eq!(run.target.args, ["out:u32[1000]", "in:u32=iota(1000,1)", "u64:1000"]);
        assert_eq!(run.target.compiler.define, ["N=4"]);
        assert_eq!(cli.format, Format::Json);
    }

    #[test]
    fn seeds_are_a_range() {
        assert_eq!(seeds("3..10"), Ok(Seeds { start: 3, end: 10 }));
        for wrong in ["3", "5..5", "..3", "a..b", "-1..2"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
