//! `warpvm verify`: recorded cases, compared bit for bit with what the hardware answered.

mod case;
mod table;

use crate::Result;
use crate::bug;
use crate::cli::VerifyArgs;
use crate::launch::file::{read_inputs, read_rows};
use crate::launch::row::{Inputs, Row};
use crate::run::{Told, options};
use case::{Outcome, run_case};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use table::Table;
use warpvm::Options;
use warpvm_report::{Diagnostic, Kind, outcome};

/// Runs all cases of some files.
///
/// # Errors
/// A file that cannot be read.
pub fn verify(args: &VerifyArgs) -> Result<Told> {
    let inputs = args.inputs.as_deref().map(read_inputs).transpose()?.unwrap_or_default();
    let mut table = Table::default();
    let mut diagnostics = Vec::new();
    for path in &args.cases {
        let mut rows = read_rows(path)?;
        rows.retain(|row| args.only.as_deref().is_none_or(|text| row.id.contains(text)));
        for row in &mut rows {
            ignore(row, &args.ignore);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        // The cases keep the cores busy; each runs on one.
        let options = Options { threads: 1, ..options(&args.machine) };
        let outcomes = run_all(&rows, &inputs, folder, options, jobs(args));
        for (row, outcome) in rows.iter().zip(outcomes) {
            table.add(&row.id, &outcome);
            diagnostics.extend(outcome.into_diagnostics().into_iter().map(|d| named(d, &row.id)));
        }
    }
    let (count, outcome) = (diagnostics.len(), outcome(&diagnostics));
    let shown = shorten(diagnostics, args.show);
    let mut text = table.text();
    if shown.len() < count {
        let _ = writeln!(text, "{} of {count} messages are shown; --show N shows more of each kind", shown.len());
    }
    Ok(Told { text, diagnostics: shown, json: table.json(), outcome: Some(outcome), ..Told::default() })
}

/// A case is found again by its id.
fn named(mut diagnostic: Diagnostic, id: &str) -> Diagnostic {
    diagnostic.message = format!("{id}: {}", diagnostic.message);
    diagnostic
}

/// Drops what is not to be compared from what a case expects.
fn ignore(row: &mut Row, ignored: &[String]) {
    for option in ignored {
        let (id, buffers) = option.rsplit_once(':').unwrap_or((option, ""));
        if id != row.id {
            continue;
        }
        let listed = |index: usize| buffers.split(',').any(|part| part.trim().parse() == Ok(index));
        if let Some(expect) = &mut row.expect {
            expect.retain(|&index, _| !buffers.is_empty() && !listed(index));
        }
    }
}

fn jobs(args: &VerifyArgs) -> usize {
    args.jobs
        .filter(|&jobs| jobs > 0)
        .or_else(|| std::thread::available_parallelism().map(Into::into).ok())
        .unwrap_or(1)
}

/// The outcome of each row, in order. Threads take the next row as they become free.
fn run_all(rows: &[Row], inputs: &Inputs, folder: &Path, options: Options, jobs: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(rows.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(rows.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(row) = rows.get(index) else { break };
                    let outcome = bug::guard(|| run_case(row, inputs, folder, options));
                    let outcome = outcome.unwrap_or_else(|bug| Outcome::Failed(vec![*bug]));
                    if let Ok(mut done) = done.lock() {
                        done.push((index, outcome));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The first `show` of each kind of failure.
fn shorten(all: Vec<Diagnostic>, show: usize) -> Vec<Diagnostic> {
    let mut seen: Vec<Kind> = Vec::new();
    let mut out = Vec::new();
    for diagnostic in all {
        let kind = diagnostic.kind;
        if seen.iter().filter(|&&other| other == kind).count() < show {
            seen.push(kind);
            out.push(diagnostic);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_ignored_by_case_and_index() {
        let text = r#"{"id": "a/b", "expect": {"0": "", "1": "", "3": ""}}"#;
        let left = |option: &str| {
            let mut row: Row = serde_json::from_str(text).expect("a row");
            ignore(&mut row, &[option.to_owned()]);
            row.expect.unwrap_or_default().into_keys().collect::<Vec<_>>()
        };
        assert_eq!(left("a/b:0,1"), [3]);
        assert_eq!(left("a/b"), [0; 0]);
        assert_eq!(left("a/c"), [0, 1, 3]);
    }

    #[test]
    fn the_first_of_each_kind_are_shown() {
        let all = vec![Diagnostic::unsupported("a"), Diagnostic::unsupported("b"), Diagnostic::invalid("c")];
        assert_eq!(shorten(all.clone(), 1).len(), 2);
        assert_eq!(shorten(all, 0).len(), 0);
    }
}
