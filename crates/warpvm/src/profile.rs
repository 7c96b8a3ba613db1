//! Profiling: a launch with an observer that counts.

use std::sync::Arc;

use warpvm_machine::fault::Fault;
use warpvm_machine::launch::{self, Config as Machine, Dimensions, Launch};
use warpvm_profile::{Config, Map, Profile, Profiler};

use crate::device::pack;
use crate::{Arg, Device, Error, Kernel, Options, Report};

/// What a profiled launch gave.
pub struct Profiled {
    /// What a launch gives.
    pub report: Report,
    /// The counts and traces; up to the fault, where the launch ended with one.
    pub profile: Profile,
    /// The fault that ended the launch, and what there is to say about it.
    pub fault: Option<(Box<Fault>, Error)>,
}

impl Device {
    /// Runs a kernel as [`Device::launch`] does and counts what it does.
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
        let launch = Launch { dimensions, dynamic_shared: options.shared_bytes, params: &params };
        let machine = Machine {
            schedule: options.schedule,
            convergence: options.convergence,
            max_steps: options.max_steps,
            threads: options.threads,
        };
        let map = Arc::new(Map::new(kernel.program.clone()));
        let observer = || Profiler::new(map.clone(), config, dimensions.warps());
        let (outcome, observers) = launch::run(&kernel.program, &self.memory, &launch, &machine, observer)
            .map_err(|e| Error::invalid(e.to_string()))?;
        let fault = outcome.fault.map(|fault| {
            let d = warpvm_report::fault::diagnostic(&kernel.program, &self.memory, &kernel.path, &fault);
            (fault, Error { diagnostics: vec![d] })
        });
        let report = Report { output: outcome.output, steps: outcome.steps, events: outcome.events };
        Ok(Profiled { report, profile: Profile::new(map, observers), fault })
    }
}
