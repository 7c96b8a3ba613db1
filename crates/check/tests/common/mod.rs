//! A kernel `k` of one pointer, and its check.
#![allow(dead_code)] // each test uses a part

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warpvm_check::Levels;
use warpvm_check::explore::{self, Options, Report, Until};
use warpvm_machine::launch::{Convergence, Dimensions, Launch};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::program::Program;

/// A kernel with its memory as it is before the launch.
pub struct Kernel {
    pub program: Arc<Program>,
    pub memory: GlobalMemory,
    /// The address of 4096 zeroed bytes: its parameter.
    out: [u8; 8],
}

impl Kernel {
    pub fn new(text: &str) -> Self {
        let tree = warpvm_ptx::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let image = Image::new(Arc::new(tree), text.into()).expect("a module");
        let program = Arc::new(image.lower("k").unwrap_or_else(|e| panic!("{e:?}\n{text}")));
        let mut memory = GlobalMemory::new(1 << 20).expect("memory");
        image.instantiate(&mut memory).expect("room");
        let out = memory.allocate(4096, Origin::Buffer("out".to_owned()), true).expect("room");
        Kernel { program, memory, out: out.to_le_bytes() }
    }

    /// The launch of one block of so many threads.
    pub fn launch(&self, threads: u32) -> Launch<'_> {
        let dimensions = Dimensions { grid: [1; 3], block: [threads, 1, 1], cluster: [1; 3] };
        Launch { dimensions, dynamic_shared: 0, params: &self.out, cancel: None }
    }

    /// The report of a check of that launch.
    pub fn check(&self, threads: u32, seeds: Range<u64>) -> Report {
        let options = Options {
            seeds,
            until: Until::FirstError,
            convergence: Convergence::Barriers,
            max_steps: 1 << 20,
            threads: 1,
            levels: &Levels::default(),
            is_allowed: &|_| false,
            progress: &|_| {},
            cancel: &AtomicBool::new(false),
        };
        explore::check(&self.program, &self.memory, &self.launch(threads), &options).expect("a legal launch")
    }
}
