//! Everything that was recorded on a real chip, run here and compared bit for bit.
//!
//! The only way to be red here without failing is `tests/truth/known.txt`, a list of cases with reasons; a case on it
//! that is equal fails the test. Prints a table by family; an argument restricts the cases to those that contain it.

mod common;

use std::collections::BTreeMap;
use std::process::ExitCode;

use common::Outcome;
use warpvm::Options;

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).filter(|a| !a.starts_with('-')).unwrap_or_default();
    let (inputs, cases) = (common::inputs(), common::cases(&filter));
    let known = common::listed(include_str!("../../../tests/truth/known.txt"));
    let options = Options { max_steps: 1 << 24, threads: 1, ..Options::default() };
    let outcomes = common::each(&cases, |case| common::run(case, &inputs, options));
    let mut table: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let (mut passed, mut failed) = (0, 0);
    for (case, outcome) in cases.iter().zip(&outcomes) {
        let row = table.entry(&case.family).or_default();
        let (column, text) = match outcome {
            Outcome::Equal => (0, String::new()),
            Outcome::Different(text) => (1, text.clone()),
            Outcome::Failed(text) => (2, text.lines().take(4).collect::<Vec<_>>().join(" | ")),
        };
        row[column] += 1;
        match (column, known.get(&case.id)) {
            (0, None) => passed += 1,
            (0, Some(_)) => {
                println!("{}: equal, but on the list of known failures", case.id);
                failed += 1;
            }
            (_, Some(reason)) => println!("{}: known: {reason}", case.id),
            (_, None) => {
                println!("{}: {text}", case.id);
                failed += 1;
            }
        }
    }
    println!("{:<12} {:>6} {:>9} {:>6}", "family", "equal", "different", "failed");
    for (family, [equal, different, wrong]) in table {
        println!("{family:<12} {equal:>6} {different:>9} {wrong:>6}");
    }
    println!("truth: {passed} passed, {failed} failed, {} known", cases.len() - passed - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
