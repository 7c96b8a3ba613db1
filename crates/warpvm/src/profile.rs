//! Profiling: a launch with an observer that counts, and the picture of it.

use std::sync::Arc;

use warpvm_machine::fault::{Fault, FaultKind};
use warpvm_machine::launch::{self, Config as Machine, Dimensions, Launch, Tier};
use warpvm_profile::{Config, Map, Profile, Profiler};
use warpvm_report::html::{self, Page, PageFinding};
use warpvm_report::sources::SourceFile;
use warpvm_report::{Diagnostic, Places};

use crate::device::pack;
use crate::{Arg, Device, Error, Kernel, Options, Report, Schedule};

/// What a profiled launch gave.
pub struct Profiled {
    /// What a launch gives.
    pub report: Report,
    /// The counts and traces; up to the fault, where the launch ended with one.
    pub profile: Profile,
    /// The fault that ended the launch.
    pub error: Option<Error>,
    fault: Option<Box<Fault>>,
    path: Arc<str>,
    grid: [u32; 3],
    block: [u32; 3],
    schedule: Schedule,
}

impl Device {
    /// Runs a kernel as [`Device::launch`] does and counts what it does.
    ///
    /// To see a finding of a check, profile the schedule of its seed and give the findings to [`Profiled::html`].
    ///
    /// # Errors
    /// Invalid, where the launch does not fit the kernel. A fault of the kernel is in the answer.
    pub fn profile(
        &mut self,
        kernel: &Kernel,
        grid: [u32; 3],
        block: [u32; 3],
        args: &[Arg],
        options: &Options,
        config: Config,
    ) -> Result<Profiled, Error> {
        let params = pack(kernel, args)?;
        let dimensions = Dimensions { grid, block, cluster: kernel.program.cluster.unwrap_or(options.cluster) };
        let launch = Launch { dimensions, dynamic_shared: options.shared_bytes, params: &params, cancel: None };
        let machine = Machine {
            tier: Tier::Interpreted,
            schedule: options.schedule,
            convergence: options.convergence,
            max_steps: options.max_steps,
            threads: options.threads,
        };
        let map = Arc::new(Map::new(kernel.program.clone()));
        let observer = || Profiler::new(map.clone(), config, dimensions.warps());
        let (outcome, observers) = launch::run(&kernel.program, &self.memory, &launch, &machine, observer)
            .map_err(|e| Error::invalid(e.to_string()))?;
        let error = outcome.fault.as_ref().map(|fault| {
            let d = warpvm_report::fault::diagnostic(&kernel.program, &self.memory, &kernel.path, fault);
            Error { diagnostics: vec![d] }
        });
        Ok(Profiled {
            report: Report { output: outcome.output, steps: outcome.steps, events: outcome.events },
            profile: Profile::new(map, observers),
            error,
            fault: outcome.fault,
            path: kernel.path.clone(),
            grid,
            block,
            schedule: options.schedule,
        })
    }
}

impl Profiled {
    /// Where the instructions stand. `find` gives the text of a source file that line information names.
    pub fn places(&self, find: &dyn Fn(&str) -> Option<SourceFile>) -> Places {
        Places::new(&self.profile.map, &self.path, find)
    }

    /// The picture of the launch as one HTML file, with what was found in it.
    pub fn html(&self, places: &Places, diagnostics: &[Diagnostic]) -> String {
        let profile = &self.profile;
        let mut findings: Vec<PageFinding> = diagnostics.iter().map(|d| PageFinding::new(d, profile, places)).collect();
        if let Some(fault) = &self.fault
            && let Some(first) = findings.iter_mut().find(|f| is_of(f, fault))
        {
            *first = std::mem::take(first).with_fault(fault, profile);
        }
        let schedule = match self.schedule {
            Schedule::Fast => "fast schedule".to_owned(),
            Schedule::Seeded(seed) => format!("schedule of seed {seed}"),
        };
        html::render(&Page { profile, places, grid: self.grid, block: self.block, schedule, findings })
    }
}

/// Is this what the fault was reported as?
fn is_of(finding: &PageFinding, fault: &Fault) -> bool {
    match &fault.kind {
        FaultKind::Deadlock(list) | FaultKind::Livelock(list) | FaultKind::StepLimit { spinning: list, .. } => {
            finding.warp.is_none_or(|(cta, warp)| list.iter().any(|w| (w.cta, w.warp) == (cta, warp)))
        }
        _ => finding.warp.is_none_or(|warp| warp == (fault.cta, fault.warp)),
    }
}
