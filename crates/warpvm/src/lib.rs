//! Runs CUDA kernels without a GPU and finds wrong warp code.
//!
//! A [`Module`] is a PTX text, parsed and checked. A [`Device`] holds its variables and your buffers. A [`Kernel`] is
//! launched on it.
//!
//! ```
//! use warpvm::{Arg, Device, Module, Options};
//!
//! let ptx = "
//! .version 8.6
//! .target sm_90
//! .address_size 64
//! .visible .entry twice(.param .u64 data)
//! {
//!   .reg .b32 %r<3>;
//!   .reg .b64 %d<3>;
//!   ld.param.u64 %d0, [data];
//!   mov.u32 %r0, %tid.x;
//!   mul.wide.u32 %d1, %r0, 4;
//!   add.s64 %d0, %d0, %d1;
//!   ld.global.u32 %r1, [%d0];
//!   add.u32 %r1, %r1, %r1;
//!   st.global.u32 [%d0], %r1;
//!   ret;
//! }";
//! let module = Module::from_ptx("twice.ptx", ptx)?;
//! let mut device = Device::new(&module)?;
//! let data = device.upload("data", &[1u32, 2, 3, 4])?;
//! let kernel = module.kernel("twice")?;
//! device.launch(&kernel, [1, 1, 1], [4, 1, 1], &[Arg::Buffer(data)], &Options::default())?;
//! assert_eq!(device.download::<u32>(data), [2, 4, 6, 8]);
//! # Ok::<(), warpvm::Error>(())
//! ```

mod check;
mod device;
mod error;
mod module;
mod profile;
mod sources;
mod suppress;

pub use check::{CheckOptions, CheckReport, Levels, Progress, Rule, Until};
pub use device::{Arg, Buffer, Device, Element, Options, Report};
pub use error::Error;
pub use module::{Kernel, Module, Parameter};
pub use profile::Profiled;
pub use sources::find_source;
pub use warpvm_machine::launch::{Convergence, Schedule, Tier};
pub use warpvm_profile as profiling;
pub use warpvm_report::{Diagnostic, Kind, Outcome, Severity};
pub use warpvm_sem::tensor_map;
