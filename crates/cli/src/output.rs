//! Where text goes, and what the process returns.
//!
//! Standard output carries what was asked for: buffers of `run`, findings of `check`, tables. Everything else goes to
//! standard error. With `--format json` or `sarif` all diagnostics are one document on standard output.

use crate::cli::{Format, When};
use serde_json::{Map, Value};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use warpvm_report::json::Seeds;
use warpvm_report::text::{Color, render, render_short};
use warpvm_report::{Diagnostic, Outcome, json, sarif};

/// Which stream a human reads findings on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Findings are what was asked for.
    Output,
    /// Something else was asked for.
    Error,
}

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Printer {
    /// The form.
    pub format: Format,
    /// Colour.
    pub color: When,
}

impl Printer {
    /// Does a machine read the output, so that nothing else may be printed on it?
    pub fn is_machine(self) -> bool {
        matches!(self.format, Format::Json | Format::Sarif)
    }

    /// Prints plain text on standard output, unless a machine reads it.
    pub fn text(self, text: &str) {
        if !self.is_machine() {
            write_all(Stream::Output, text);
        }
    }

    /// Prints all diagnostics; `more` is what the JSON form has besides.
    pub fn diagnostics(self, all: &[Diagnostic], seeds: Option<Seeds>, more: &Map<String, Value>, stream: Stream) {
        match self.format {
            Format::Json => write_all(Stream::Output, &json::render(all, seeds, more)),
            Format::Sarif => write_all(Stream::Output, &sarif::render(all)),
            Format::Human => self.human(all, stream),
            Format::Short => all.iter().for_each(|d| write_all(place(d, stream), &format!("{}\n", render_short(d)))),
        }
    }

    fn human(self, all: &[Diagnostic], stream: Stream) {
        for diagnostic in all {
            let stream = place(diagnostic, stream);
            write_all(stream, &format!("{}\n", render(diagnostic, self.color(stream))));
        }
    }

    fn color(self, stream: Stream) -> Color {
        let terminal = match stream {
            Stream::Output => std::io::stdout().is_terminal(),
            Stream::Error => std::io::stderr().is_terminal(),
        };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            When::Always => Color::On,
            When::Auto if terminal && !plain => Color::On,
            When::Auto | When::Never => Color::Off,
        }
    }
}

/// Only findings can be what was asked for.
fn place(diagnostic: &Diagnostic, stream: Stream) -> Stream {
    match diagnostic.kind {
        warpvm_report::Kind::Finding(_) => stream,
        _ => Stream::Error,
    }
}

/// Writes to a stream. A reader that has gone (`warpvm … | head`) is no reason to complain.
fn write_all(stream: Stream, text: &str) {
    let _ = match stream {
        Stream::Output => std::io::stdout().lock().write_all(text.as_bytes()),
        Stream::Error => std::io::stderr().lock().write_all(text.as_bytes()),
    };
}

/// The exit code for an outcome. A bug of ours ends as a panic of Rust does.
pub fn exit_code(outcome: Outcome) -> ExitCode {
    ExitCode::from(match outcome {
        Outcome::Clean => 0,
        Outcome::Findings => 1,
        Outcome::Invalid => 2,
        Outcome::Unsupported => 3,
        Outcome::Limit => 4,
        Outcome::Bug => 101,
    })
}
