//! `warpvm check`: one launch under all rules and many schedules.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use warpvm::profiling::Config;
use warpvm::{CheckOptions, Levels, Options, Progress, Rule, Schedule, Until};
use warpvm_report::Diagnostic;
use warpvm_report::json::Seeds;

use crate::cli::{CheckArgs, Convergence};
use crate::run::Told;
use crate::{Result, profile, target, vm};

/// Checks as the command line says.
///
/// # Errors
/// What keeps the kernel from being run.
pub fn check(args: &CheckArgs) -> vm::Result<Told> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let levels = levels(args).map_err(one)?;
    let target = target::read(&args.target).map_err(one)?;
    let module = vm::load(&target.source)?;
    let kernel = vm::kernel(&module, &target.source)?;
    let launch = &target.launch;
    let seeds = args.seed.map_or(args.seeds.start..args.seeds.end, |seed| seed..seed.saturating_add(1));
    let bar = bar(seeds.end - seeds.start);
    let first_seed = seeds.start;
    let convergence = match args.convergence {
        Convergence::Barriers => warpvm::Convergence::Barriers,
        Convergence::Stack => warpvm::Convergence::Stack,
        Convergence::None => warpvm::Convergence::None,
    };
    let defaults = CheckOptions::default();
    let options = CheckOptions {
        shared_bytes: launch.smem,
        convergence,
        max_steps: args.max_steps.unwrap_or(defaults.max_steps),
        threads: args.threads.unwrap_or(defaults.threads),
        seeds,
        until: if args.keep_going { Until::AllSeeds } else { Until::FirstError },
        levels,
        progress: Some(bar.1),
        cancel: Some(interrupt()),
        ..defaults.clone()
    };
    let error = |error: warpvm::Error| error.diagnostics;
    let mut prepared = vm::prepare(&module, &kernel, launch).map_err(error)?;
    let report = prepared.device.check(&kernel, launch.grid, launch.block, &prepared.args, &options).map_err(error)?;
    bar.0.finish_and_clear();
    let (run, failed) = (report.seeds_run, report.seeds_failed);
    if let Some(path) = &args.html {
        let seed = report.findings.iter().find_map(|d| d.seed).unwrap_or(first_seed);
        let options = Options {
            schedule: Schedule::Seeded(seed),
            convergence,
            max_steps: args.max_steps.unwrap_or(defaults.max_steps),
            ..Options::default()
        };
        let profiled = profile::record(&module, &kernel, &target, options, Config::PICTURE)?;
        let places = profile::places(&profiled, &target.source);
        profile::picture(path, &profiled, &places, &report.findings).map_err(one)?;
    }
    let mut closing = match failed {
        0 => format!("nothing found under {}\n", counted(run)),
        _ => format!("fails under {failed} of {}\n", counted(run)),
    };
    if report.is_cancelled {
        closing.push_str("interrupted: this is what was found so far\n");
    }
    Ok(Told { diagnostics: report.findings, seeds: Some(Seeds { run, failed }), closing, ..Told::default() })
}

fn counted(schedules: u64) -> String {
    if schedules == 1 { "1 schedule".to_owned() } else { format!("{schedules} schedules") }
}

/// What the options say about rules.
fn levels(args: &CheckArgs) -> Result<Levels> {
    let mut levels = Levels::default();
    for rule in rules(&args.allow)? {
        levels = levels.allow(rule);
    }
    for rule in rules(&args.warn)? {
        levels = levels.warn(rule);
    }
    for rule in rules(&args.deny)? {
        levels = levels.deny(rule);
    }
    Ok(levels)
}

/// The rules with these names; `race-*` stands for all that begin so.
fn rules(names: &[String]) -> Result<Vec<Rule>> {
    let mut list = Vec::new();
    for name in names {
        let is_named = |rule: &Rule| match name.strip_suffix('*') {
            Some(start) => rule.name().starts_with(start),
            None => rule.name() == name,
        };
        let before = list.len();
        list.extend(Rule::ALL.iter().copied().filter(is_named));
        if list.len() == before {
            let near = warpvm_report::rules::similar(name).join("`, `");
            let help = if near.is_empty() {
                "`warpvm explain` lists the rules".to_owned()
            } else {
                format!("did you mean `{near}`?")
            };
            return Err(Box::new(Diagnostic::invalid(format!("there is no rule `{name}`")).help(help)));
        }
    }
    Ok(list)
}

/// A bar on a terminal, nothing in a pipe.
fn bar(seeds: u64) -> (ProgressBar, Progress) {
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(seeds) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} schedules, {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let moving = bar.clone();
    (bar, Arc::new(move |done| moving.set_position(done)))
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the process at once.
fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    // Without a handler Ctrl-C ends the process as it does any other: nothing is lost but the report.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}
