//! Checking a kernel: the launch under many schedules, with every rule.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use warpvm_check::explore::Until;
use warpvm_check::explore::{self, Found};
pub use warpvm_check::{Levels, Rule};
use warpvm_machine::launch::{Convergence, Dimensions, Launch};
use warpvm_report::{Diagnostic, Kind, Label, NoteKind, Outcome, finding, sources, text};

use crate::device::pack;
use crate::sources::find_source;
use crate::suppress::Suppressed;
use crate::{Arg, Device, Error, Kernel};

/// Most warp instructions of a seed, where nothing else is said.
const MAX_STEPS: u64 = 1 << 24;

/// Told how many seeds have run.
pub type Progress = Arc<dyn Fn(u64) + Send + Sync>;

/// How to check.
#[derive(Clone)]
pub struct CheckOptions {
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// CTAs of a cluster in x, y and z; the kernel's own (`.reqnctapercluster`) where it has one.
    pub cluster: [u32; 3],
    /// How lanes that parted meet again.
    pub convergence: Convergence,
    /// Most warp instructions of a seed before it ends as exhausted.
    pub max_steps: u64,
    /// Host threads; 0 for one a core. The report does not depend on it.
    pub threads: usize,
    /// Seeds of the schedules, each of which is a launch.
    pub seeds: Range<u64>,
    /// When to stop.
    pub until: Until,
    /// What is said about rules.
    pub levels: Levels,
    /// Told how many seeds have run.
    pub progress: Option<Progress>,
    /// Set it to end the check early; the report has what was found so far.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            shared_bytes: 0,
            cluster: [1, 1, 1],
            convergence: Convergence::default(),
            max_steps: MAX_STEPS,
            threads: 0,
            seeds: 0..64,
            until: Until::default(),
            levels: Levels::default(),
            progress: None,
            cancel: None,
        }
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckReport {
    /// The findings, worst first: one a cause, with the rule, the places, who, the seed that shows it, how often.
    /// Also what else ended a seed: `trap`, a failed assertion, a limit.
    pub findings: Vec<Diagnostic>,
    /// Seeds that were run.
    pub seeds_run: u64,
    /// Seeds under which an error or a warning showed.
    pub seeds_failed: u64,
    /// Was the check ended early from outside?
    pub is_cancelled: bool,
    /// What the kernel printed under the first seed.
    pub output: Vec<u8>,
    /// Warp instructions of all seeds.
    pub steps: u64,
}

impl CheckReport {
    /// What the findings amount to.
    pub fn outcome(&self) -> Outcome {
        warpvm_report::outcome(&self.findings)
    }

    /// Was nothing worse than a note found?
    pub fn is_clean(&self) -> bool {
        self.outcome() == Outcome::Clean
    }

    /// Does nothing where nothing worse than a note was found.
    ///
    /// # Panics
    /// With the report for people as the message, where an error or a warning was found or a limit was reached.
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "\n{self}");
    }
}

/// The report for people.
impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for d in &self.findings {
            writeln!(f, "{}", text::render(d, text::Color::Off))?;
        }
        let (run, failed) = (self.seeds_run, self.seeds_failed);
        match failed {
            0 => write!(f, "nothing found under {run} schedules"),
            _ => write!(f, "fails under {failed} of {run} schedules"),
        }
    }
}

impl Device {
    /// Runs a kernel under all rules and many schedules. The buffers hold afterwards what the first seed left in them.
    ///
    /// `grid` is in CTAs, `block` in threads, both as x, y, z.
    ///
    /// ```
    /// use warpvm::{Arg, CheckOptions, Device, Module};
    ///
    /// let ptx = "
    /// .version 8.6
    /// .target sm_90
    /// .address_size 64
    /// .visible .entry vote(.param .u64 out)
    /// {
    ///   .reg .pred %p;
    ///   .reg .b32 %r<3>;
    ///   .reg .b64 %d;
    ///   mov.u32 %r0, %laneid;
    ///   setp.lt.u32 %p, %r0, 8;
    ///   @!%p bra DONE;
    ///   vote.sync.ballot.b32 %r1, %p, 0xffffffff;  // for eight lanes only
    /// DONE:
    ///   bar.warp.sync 0xffffffff;
    ///   ld.param.u64 %d, [out];
    ///   st.global.u32 [%d], %r1;
    ///   ret;
    /// }";
    /// let module = Module::from_ptx("vote.ptx", ptx)?;
    /// let mut device = Device::new(&module)?;
    /// let out = device.allocate("out", 4)?;
    /// let kernel = module.kernel("vote")?;
    /// let report = device.check(&kernel, [1, 1, 1], [32, 1, 1], &[Arg::Buffer(out)], &CheckOptions::default())?;
    /// assert_eq!(report.findings[0].rule, Some("absent-lane"));
    /// assert!(report.to_string().contains("lanes 0-7 wait for lanes 8-31 of mask 0xffffffff"));
    /// # Ok::<(), warpvm::Error>(())
    /// ```
    ///
    /// # Errors
    /// Invalid, where the launch does not fit the kernel; exhausted, where there is no room for a copy of the memory.
    /// What is wrong with the kernel is in the report.
    pub fn check(
        &mut self,
        kernel: &Kernel,
        grid: [u32; 3],
        block: [u32; 3],
        args: &[Arg],
        options: &CheckOptions,
    ) -> Result<CheckReport, Error> {
        let params = pack(kernel, args)?;
        let cluster = kernel.program.cluster.unwrap_or(options.cluster);
        let launch = Launch {
            dimensions: Dimensions { grid, block, cluster },
            dynamic_shared: options.shared_bytes,
            params: &params,
            cancel: None,
        };
        let suppressed = Suppressed::read(&kernel.program, &kernel.path);
        let never = AtomicBool::new(false);
        let how = explore::Options {
            seeds: options.seeds.clone(),
            until: options.until,
            convergence: options.convergence,
            max_steps: options.max_steps,
            threads: options.threads,
            levels: &options.levels,
            is_allowed: &|f| suppressed.covers(&kernel.program, &kernel.path, f),
            progress: &|done| {
                if let Some(progress) = &options.progress {
                    progress(done);
                }
            },
            cancel: options.cancel.as_deref().unwrap_or(&never),
        };
        let report = explore::check(&kernel.program, &self.memory, &launch, &how).map_err(|e| match e {
            explore::Error::Launch(e) => Error::invalid(e.to_string()),
            explore::Error::Memory(e) => Error::exhausted(e.to_string()),
        })?;
        let mut findings: Vec<Diagnostic> = report.findings.iter().map(|f| diagnostic(kernel, f, report.run)).collect();
        if let Some((seed, fault)) = &report.fault {
            let mut d = warpvm_report::fault::diagnostic(&kernel.program, &report.memory, &kernel.path, fault);
            d.seed = Some(*seed);
            findings.push(d);
        }
        sources::attach(&mut findings, &|path| find_source(path, &kernel.path));
        merge(&mut findings);
        self.memory = report.memory;
        Ok(CheckReport {
            findings,
            seeds_run: report.run,
            seeds_failed: report.failed,
            is_cancelled: report.is_cancelled,
            output: report.output,
            steps: report.steps,
        })
    }
}

/// A call in the source may be several instructions from several lines of a toolkit's header: what says the same of one place
/// of the source is said once.
fn merge(findings: &mut Vec<Diagnostic>) {
    let mut known = Vec::new();
    findings.retain(|d| {
        let label = |label: &Label| {
            let place = label.best();
            (place.origin.clone(), place.column, label.message.clone())
        };
        let key = (d.rule, d.kind, d.message.clone(), d.primary.iter().map(label).collect::<Vec<_>>());
        let is_new = !known.contains(&key);
        known.push(key);
        is_new
    });
}

fn diagnostic(kernel: &Kernel, found: &Found, run: u64) -> Diagnostic {
    let mut d = finding::diagnostic(&kernel.program, &kernel.path, &found.finding);
    d.seed = Some(found.seed);
    if run > 1 && d.kind != Kind::Finding(warpvm_report::Severity::Note) {
        d = d.note(NoteKind::Where, format!("under {} of {run} schedules", found.seeds));
    }
    d
}
