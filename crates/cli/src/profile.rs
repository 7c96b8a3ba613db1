//! `warpvm profile`: one launch, counted.

use crate::cli::ProfileArgs;
use crate::module::{Source, find_source};
use crate::run::{Told, options};
use crate::target::{self, Target};
use crate::{Result, vm};
use std::path::Path;
use warpvm::profiling::Config;
use warpvm::{Kernel, Module, Options, Profiled};
use warpvm_report::profile_text::{Amount, WaveSize};
use warpvm_report::{Diagnostic, Places, perfetto, profile_json, profile_text};

/// Profiles as the command line says.
///
/// # Errors
/// What keeps the kernel from being run, or a file from being written.
pub fn profile(args: &ProfileArgs) -> vm::Result<Told> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let target = target::read(&args.target).map_err(one)?;
    let module = vm::load(&target.source)?;
    let kernel = vm::kernel(&module, &target.source)?;
    let options = options(&args.machine);
    let config = match (&args.html, &args.trace) {
        (None, None) => Config::SUMS,
        _ => Config { traced_warps: args.trace_warps, ..Config::PICTURE },
    };
    let profiled = record(&module, &kernel, &target, options, config)?;
    let places = places(&profiled, &target.source);
    let error = profiled.error.clone();
    let diagnostics = error.map(|error| vm::complete(error, &target.source, options)).unwrap_or_default();
    if let Some(path) = &args.html {
        picture(path, &profiled, &places, &diagnostics).map_err(one)?;
    }
    if let Some(path) = &args.trace {
        write(path, &perfetto::render(&profiled.profile, &places)).map_err(one)?;
    }
    let wave = if args.warp_size == "64" { WaveSize::Lanes64 } else { WaveSize::Lanes32 };
    let mut told = Told::only(diagnostics);
    told.text = String::from_utf8_lossy(&profiled.report.output).into_owned();
    told.text.push_str(&profile_text::render(&profiled.profile, &places, Amount { lines: args.lines, wave }));
    told.json.insert("profile".to_owned(), profile_json::value(&profiled.profile, &places));
    Ok(told)
}

/// Runs a launch with a profiler, on a device of its own. To see what a check found, run the schedule of its seed.
///
/// # Errors
/// What keeps the kernel from being run. A fault of the kernel is in the answer.
pub fn record(
    module: &Module,
    kernel: &Kernel,
    target: &Target,
    options: Options,
    config: Config,
) -> vm::Result<Profiled> {
    let launch = &target.launch;
    let options = Options { shared_bytes: launch.smem, ..options };
    let error = |error: warpvm::Error| error.diagnostics;
    let mut prepared = vm::prepare(module, kernel, launch).map_err(error)?;
    let device = &mut prepared.device;
    device.profile(kernel, launch.grid, launch.block, &prepared.args, &options, config).map_err(error)
}

/// Where the instructions stand, in the sources that are at hand.
pub fn places(profiled: &Profiled, source: &Source) -> Places {
    profiled.places(&|path| find_source(path, &source.name))
}

/// Writes the page of a launch with what was found in it.
///
/// # Errors
/// It cannot be written.
pub fn picture(path: &Path, profiled: &Profiled, places: &Places, found: &[Diagnostic]) -> Result<()> {
    write(path, &profiled.html(places, found))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let failed = |error| Box::new(Diagnostic::invalid(format!("cannot write `{}`: {error}", path.display())));
    std::fs::write(path, text).map_err(failed)
}
