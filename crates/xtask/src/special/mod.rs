//! `cargo xtask special`: every answer of the special-function unit against the recorded sums.

mod functions;
mod sweep;
mod truth;

pub use functions::{Function, Inputs, named};
pub use sweep::{CHUNK, CHUNKS, chunk_sums};
pub use truth::{Truth, full, sample, sampled_chunks, write_sample};

use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

/// Chunks between two lines of progress.
const STEP: u32 = 1 << 13;

/// Runs the task.
///
/// # Errors
/// A message, where the arguments or the files are not as they should be.
pub fn command(mut arguments: impl Iterator<Item = String>) -> Result<ExitCode, String> {
    let mut only = None;
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut chunks = 0..CHUNKS;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--function" => only = Some(value()?),
            "--threads" => threads = value()?.parse().map_err(|_| "--threads needs a number")?,
            "--chunks" => chunks = parse_range(&value()?)?,
            "--write-sample" => return write_sample().map(|()| ExitCode::SUCCESS),
            _ => return Err(format!("unknown argument {argument}")),
        }
    }
    let truth = full()?;
    let mut wrong = 0;
    for function in truth.names().filter(|name| only.as_deref().is_none_or(|wanted| wanted == *name)) {
        wrong += u32::from(!check(&truth, function, &chunks, threads)?);
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `A..B`, in hexadecimal.
fn parse_range(text: &str) -> Result<Range<u32>, String> {
    let number = |text: &str| u32::from_str_radix(text, 16).ok().filter(|n| *n <= CHUNKS);
    let range = text.split_once("..").and_then(|(a, b)| Some(number(a)?..number(b)?));
    range.ok_or(format!("not a range of chunks in hexadecimal: {text}"))
}

/// Compares a function over a range of chunks; says so on the standard output.
fn check(truth: &Truth, name: &str, chunks: &Range<u32>, threads: usize) -> Result<bool, String> {
    let function = named(name).ok_or(format!("no function is named {name}"))?;
    let start = Instant::now();
    let mut wrong = Vec::new();
    for first in chunks.clone().step_by(STEP as usize) {
        let part: Vec<u32> = (first..chunks.end.min(first + STEP)).collect();
        let Some(sums) = chunk_sums(&function, &part, threads) else {
            println!("{name:16} unsupported");
            return Ok(false);
        };
        wrong.extend(part.iter().zip(sums).filter(|(c, sum)| truth.sum(name, **c) != Some(*sum)).map(|(c, _)| *c));
        eprint!("\r{name:16} {:5.1} %", 100.0 * f64::from(first + STEP) / f64::from(CHUNKS));
    }
    eprint!("\r");
    let seconds = start.elapsed().as_secs_f64();
    println!("{name:16} {} of {} chunks agree, {seconds:.1} s", chunks.len() - wrong.len(), chunks.len());
    for run in runs(&wrong).iter().take(40) {
        println!("    wrong: chunks {:#06x}..={:#06x}", run.start, run.end - 1);
    }
    Ok(wrong.is_empty())
}

/// Joins neighbours.
fn runs(chunks: &[u32]) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for &chunk in chunks {
        match runs.last_mut() {
            Some(run) if run.end == chunk => run.end += 1,
            _ => runs.push(chunk..chunk + 1),
        }
    }
    runs
}
