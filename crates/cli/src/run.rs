//! `warpvm run`: one launch, and what the buffers hold afterwards.

use crate::Result;
use crate::args::parse_source;
use crate::buffers::compare::{Tolerance, compare};
use crate::buffers::print::{self, Amount};
use crate::buffers::save::{save, split};
use crate::buffers::{Held, find, held};
use crate::cli::{MachineArgs, Policy, RunArgs};
use crate::machine::{How, Machine, Schedule, choose};
use crate::target::{self, Target};
use warpvm_report::{Diagnostic, Outcome, outcome};

/// What a run has to tell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
    /// For standard output.
    pub text: String,
    /// Findings, mismatches and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// What all that amounts to; follows from the diagnostics where `None`.
    pub outcome: Option<Outcome>,
}

impl Told {
    /// Nothing but diagnostics.
    pub fn only(diagnostics: Vec<Diagnostic>) -> Self {
        Told { diagnostics, ..Told::default() }
    }

    /// Nothing but text.
    pub fn text(text: String) -> Self {
        Told { text, ..Told::default() }
    }
}

/// How the options say to run.
pub fn how(args: &MachineArgs) -> How {
    let schedule = match (args.seed, args.policy) {
        (Some(seed), _) => Schedule::Seeded(seed),
        (None, Some(Policy::Stack)) => Schedule::Stack,
        (None, Some(Policy::Fast) | None) => Schedule::Fast,
    };
    How { schedule, limit: args.limit, threads: 0 }
}

/// Runs as the command line says.
///
/// # Errors
/// What keeps it from running, or from saving and comparing.
pub fn run(args: &RunArgs, machine: &dyn Machine) -> std::result::Result<Told, Vec<Diagnostic>> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let target = target::read(&args.target).map_err(one)?;
    let module = machine.load(&target.source)?;
    let entry = choose(module.entries(), target.launch.entry.as_deref(), &target.source.name).map_err(one)?;
    target::fit(entry, &target.launch).map_err(one)?;
    let answer = module.launch(entry, &target.launch, how(&args.machine));
    let mut told = Told { text: answer.output, ..Told::only(answer.diagnostics) };
    if outcome(&told.diagnostics) != Outcome::Clean {
        // The launch did not end as it should: what the buffers hold now is no result.
        return Ok(told);
    }
    let parameters: Vec<String> = entry.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let buffers = held(&target.launch.args, &parameters, answer.buffers);
    told.text.push_str(&shown(&buffers, args));
    for option in &args.save {
        save(&buffers, option).map_err(one)?;
    }
    told.diagnostics.extend(mismatches(&buffers, args, &target).map_err(one)?);
    Ok(told)
}

fn shown(buffers: &[Held], args: &RunArgs) -> String {
    let results: Vec<&Held> = buffers.iter().filter(|buffer| buffer.direction.is_result()).collect();
    match (args.quiet, args.full) {
        (true, _) => String::new(),
        (false, true) => print::text(&results, Amount::Full),
        (false, false) => print::text(&results, Amount::Line),
    }
}

/// What is not as `--expect` says, or as the launch file says where there is no `--expect`.
fn mismatches(buffers: &[Held], args: &RunArgs, target: &Target) -> Result<Vec<Diagnostic>> {
    let tolerance = match (args.rtol, args.atol) {
        (None, None) => None,
        (relative, absolute) => {
            Some(Tolerance { relative: relative.unwrap_or(0.0), absolute: absolute.unwrap_or(0.0) })
        }
    };
    let mut out = Vec::new();
    for option in &args.expect {
        let (name, source) = split(option, "--expect", "@ref.npy")?;
        let buffer = find(buffers, name)?;
        let (_, expected) = parse_source(source, &format!("--expect {name}"), Some(buffer.ty))?;
        out.extend(compare(buffer, &expected, &reference(source), tolerance));
    }
    // The launch file was recorded for its own arguments.
    if args.expect.is_empty() && args.target.args.is_empty() {
        for buffer in buffers {
            let Some(expected) = target.expect.get(&buffer.index) else { continue };
            out.extend(compare(buffer, expected, "the launch file", tolerance));
        }
    }
    Ok(out)
}

/// What to call a source in a message.
fn reference(source: &str) -> String {
    match source.strip_prefix('@') {
        Some(path) => format!("`{path}`"),
        None if source.chars().count() <= 40 => source.to_owned(),
        None => "the expected values".to_owned(),
    }
}
