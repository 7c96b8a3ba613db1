//! `warpvm run`: one launch, and what the buffers hold afterwards.

use crate::Result;
use crate::args::parse_source;
use crate::buffers::compare::{Tolerance, compare};
use crate::buffers::print::{self, Amount};
use crate::buffers::save::{save, split};
use crate::buffers::{Held, find, held};
use crate::cli::{self, MachineArgs, RunArgs};
use crate::launch::row::encode;
use crate::target::{self, Target};
use crate::vm;
use serde_json::{Map, Value, json};
use warpvm::{Convergence, Options, Schedule};
use warpvm_report::json::Seeds;
use warpvm_report::{Diagnostic, Outcome};

/// What a run has to tell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
    /// For standard output.
    pub text: String,
    /// Findings, mismatches and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// What the JSON form has besides the diagnostics.
    pub json: Map<String, Value>,
    /// For standard output, after the diagnostics.
    pub closing: String,
    /// Schedules that a check ran.
    pub seeds: Option<Seeds>,
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
pub fn options(args: &MachineArgs) -> Options {
    let default = Options::default();
    let schedule = args.seed.map_or(Schedule::Fast, Schedule::Seeded);
    let convergence = match args.convergence {
        cli::Convergence::Barriers => Convergence::Barriers,
        cli::Convergence::Stack => Convergence::Stack,
        cli::Convergence::None => Convergence::None,
    };
    let max_steps = args.max_steps.unwrap_or(default.max_steps);
    Options { schedule, convergence, max_steps, threads: args.threads.unwrap_or(default.threads), ..default }
}

/// Runs as the command line says.
///
/// # Errors
/// What keeps it from running, or from saving and comparing.
pub fn run(args: &RunArgs) -> vm::Result<Told> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let target = target::read(&args.target).map_err(one)?;
    let module = vm::load(&target.source)?;
    let kernel = vm::kernel(&module, &target.source)?;
    let answer = vm::launch(&module, &kernel, &target.source, &target.launch, options(&args.machine));
    let good = vm::is_good(&answer);
    let mut told = Told { text: answer.output, ..Told::only(answer.diagnostics) };
    if !good {
        // What the buffers hold now is no result.
        return Ok(told);
    }
    let parameters: Vec<String> = kernel.parameters().into_iter().map(|parameter| parameter.name).collect();
    let buffers = held(&target.launch.args, &parameters, answer.buffers);
    told.json.insert("output".to_owned(), Value::from(told.text.as_str()));
    told.json.insert("buffers".to_owned(), buffers.iter().filter(|b| b.direction.is_result()).map(as_json).collect());
    told.text.push_str(&shown(&buffers, args));
    for option in &args.save {
        save(&buffers, option).map_err(one)?;
    }
    told.diagnostics.extend(mismatches(&buffers, args, &target).map_err(one)?);
    Ok(told)
}

/// A buffer in the JSON form: its content is base64 of little-endian elements, as in launch files.
fn as_json(buffer: &Held) -> Value {
    json!({
        "index": buffer.index,
        "name": buffer.name,
        "type": buffer.ty.name(),
        "count": buffer.data.len() / buffer.ty.bytes,
        "data": encode(&buffer.data),
    })
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
