//! Every recorded program under 20 seeded schedules: a defined program gives the same answer under every schedule.
//!
//! `tests/truth/schedule_dependent.txt` lists the programs that are not defined in this sense, with reasons.

mod common;

use std::process::ExitCode;

use common::Outcome;
use warpvm::{Options, Schedule};

const SEEDS: u64 = 20;

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).filter(|a| !a.starts_with('-')).unwrap_or_default();
    let (inputs, cases) = (common::inputs(), common::cases(&filter));
    let mut skipped = common::listed(include_str!("../../../tests/truth/schedule_dependent.txt"));
    skipped.extend(common::listed(include_str!("../../../tests/truth/known.txt")));
    let outcomes = common::each(&cases, |case| {
        if skipped.contains_key(&case.id) {
            return None;
        }
        let bad = (0..SEEDS).find_map(|seed| {
            let options =
                Options { schedule: Schedule::Seeded(seed), max_steps: 1 << 24, threads: 1, ..Options::default() };
            match common::run(case, &inputs, options) {
                Outcome::Equal => None,
                Outcome::Different(text) | Outcome::Failed(text) => Some((seed, text)),
            }
        });
        Some(bad)
    });
    let (mut passed, mut failed) = (0, 0);
    for (case, outcome) in cases.iter().zip(&outcomes) {
        match outcome {
            None => {}
            Some(None) => passed += 1,
            Some(Some((seed, text))) => {
                println!("{} under seed {seed}: {text}", case.id);
                failed += 1;
            }
        }
    }
    println!(
        "seeds: {passed} passed under {SEEDS} seeds each, {failed} failed, {} left out",
        cases.len() - passed - failed
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
