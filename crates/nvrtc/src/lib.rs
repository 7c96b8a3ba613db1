//! Makes PTX of CUDA C++ with NVIDIA's run-time compiler, NVRTC.
//!
//! Nothing is linked: [`find`] looks for the library on this machine (a CUDA toolkit, or the Python package
//! `nvidia-cuda-nvrtc`), it is loaded when a source is compiled, and no GPU or driver is needed.
//! Line information is always on, because reports name source lines.
//!
//! ```no_run
//! use warpvm_nvrtc::{Options, compile};
//!
//! let source = "extern \"C\" __global__ void k(int *out) { out[threadIdx.x] = 1; }";
//! let ptx = compile(source, "k.cu", &Options::default())?;
//! assert!(ptx.text.contains(".entry k"));
//! # Ok::<(), warpvm_nvrtc::Error>(())
//! ```

mod api;
pub mod find;
mod log;

pub use find::Toolchain;
pub use log::{Message, messages};
use std::path::{Path, PathBuf};

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The NVRTC library or the toolkit folder; searched for where `None`.
    pub nvrtc: Option<PathBuf>,
    /// Folders with headers (`-I`), searched before those of the toolkit.
    pub include: Vec<PathBuf>,
    /// Macros (`-D`), `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The language, e.g. `c++17`; the compiler's default where `None`.
    pub std: Option<String>,
    /// The architecture, e.g. `sm_90a`, `compute_80`; [`DEFAULT_ARCH`] where `None`.
    pub arch: Option<String>,
    /// Fast and less exact mathematics.
    pub use_fast_math: bool,
    /// More options, passed as they are.
    pub other: Vec<String>,
    /// Kernels whose PTX names are wanted, as C++ expressions: `collatz`, `reduce<float, 256>`. Templates are
    /// instantiated by naming them here.
    pub names: Vec<String>,
}

/// The architecture that is compiled for if none is asked for.
pub const DEFAULT_ARCH: &str = "sm_90";

/// What the compiler made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ptx {
    /// The PTX module.
    pub text: String,
    /// For each of [`Options::names`], in order, its name in the PTX.
    pub lowered_names: Vec<String>,
    /// Warnings and remarks, as the compiler wrote them.
    pub log: String,
}

/// Why there is no PTX.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no NVRTC on this machine.
    #[error("no NVRTC library (CUDA's run-time compiler) was found")]
    NotFound {
        /** Where it was looked for. */
        searched: Vec<String>,
    },
    /// The library is there but cannot be used.
    #[error("cannot use `{}`: {reason}", path.display())]
    Library {
        /** The file. */
        path: PathBuf,
        /** What the loader said. */
        reason: String,
    },
    /// The source does not compile.
    #[error("`{name}` does not compile")]
    Compile {
        /** The name of the source. */
        name: String,
        /** What the compiler said. */
        log: String,
    },
    /// The compiler failed in another way, or an option is malformed.
    #[error("NVRTC: {0}")]
    Other(String),
}

/// The command that puts NVRTC on a machine without a CUDA toolkit.
pub const INSTALL: &str = "pip install nvidia-cuda-nvrtc";
/// The command that adds CUDA's headers (`cuda_fp16.h`, `cooperative_groups.h`, CUB).
pub const INSTALL_HEADERS: &str = "pip install nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl";

impl Error {
    /// What the user can do about it, if there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Error::NotFound { .. } => Some(format!(
                "{INSTALL}\nor install a CUDA toolkit and set CUDA_HOME, or give the library's place with --nvrtc PATH"
            )),
            Error::Compile { log, .. } => log::help(log),
            Error::Library { .. } | Error::Other(_) => None,
        }
    }
}

/// Compiles a source to PTX. `name` is the file name that messages and line information use; quoted includes are
/// looked up beside it.
///
/// # Errors
/// See [`Error`].
pub fn compile(source: &str, name: &str, options: &Options) -> Result<Ptx, Error> {
    let toolchain = find::toolchain(options.nvrtc.as_deref())?;
    let nvrtc = api::Nvrtc::load(&toolchain.nvrtc)?;
    let arguments = arguments(name, options, &toolchain);
    let program = nvrtc.program(source, name)?;
    for expression in &options.names {
        program.add_name(expression)?;
    }
    let compiled = program.compile(&arguments);
    let log = program.log()?;
    match compiled {
        Ok(()) => {}
        Err(api::CompileFailure::Source) => return Err(Error::Compile { name: name.to_owned(), log }),
        Err(api::CompileFailure::Other(reason)) => return Err(Error::Other(join_log(reason, &log))),
    }
    let lowered_names = options.names.iter().map(|name| program.lowered_name(name)).collect::<Result<_, _>>()?;
    Ok(Ptx { text: program.ptx()?, lowered_names, log })
}

fn join_log(reason: String, log: &str) -> String {
    if log.is_empty() { reason } else { format!("{reason}: {}", log.trim_end()) }
}

fn arguments(name: &str, options: &Options, toolchain: &Toolchain) -> Vec<String> {
    let arch = options.arch.as_deref().unwrap_or(DEFAULT_ARCH);
    // A real architecture asks NVRTC for machine code; PTX is what is wanted.
    let arch = arch.strip_prefix("sm_").map_or_else(|| arch.to_owned(), |number| format!("compute_{number}"));
    let mut out = vec![format!("--gpu-architecture={arch}"), "-lineinfo".to_owned()];
    out.extend(options.std.iter().map(|std| format!("--std={std}")));
    out.extend(options.define.iter().map(|define| format!("-D{define}")));
    if options.use_fast_math {
        out.push("--use_fast_math".to_owned());
    }
    let parent = Path::new(name).parent().unwrap_or(Path::new(""));
    let beside = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let folders = options
        .include
        .iter()
        .map(PathBuf::as_path)
        .chain([beside])
        .chain(toolchain.include.iter().map(PathBuf::as_path));
    out.extend(folders.map(|dir| format!("-I{}", dir.display())));
    out.extend(options.other.iter().cloned());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_architecture_becomes_a_virtual_one_and_folders_keep_their_order() {
        let toolchain = Toolchain { nvrtc: "libnvrtc.so".into(), include: vec!["/cuda/include".into()] };
        let options = Options {
            include: vec!["mine".into()],
            define: vec!["N=4".into()],
            std: Some("c++20".into()),
            arch: Some("sm_90a".into()),
            use_fast_math: true,
            ..Options::default()
        };
        let expected = [
            "--gpu-architecture=compute_90a",
            "-lineinfo",
            "--std=c++20",
            "-DN=4",
            "--use_fast_math",
            "-Imine",
            "-Isrc",
            "-I/cuda/include",
        ];
        assert_eq!(arguments("src/k.cu", &options, &toolchain), expected);
        assert!(arguments("k.cu", &Options::default(), &toolchain).contains(&"-I.".to_owned()));
    }
}
