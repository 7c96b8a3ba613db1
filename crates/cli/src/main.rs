//! The `warpvm` command: a thin shell around the library.
//!
//! [`cli`] declares the command line; one module a command does the work and gives back what there is to tell;
//! [`output`] prints it and chooses the exit code. [`vm`] speaks with the library.

mod args;
mod buffers;
mod bug;
mod check;
mod cli;
mod element;
mod explain;
mod inspect;
mod launch;
mod module;
mod npy;
mod output;
mod profile;
mod random;
mod run;
mod small_float;
mod target;
mod verify;
mod vm;

use clap::Parser;
use cli::{Cli, Command};
use output::{Printer, Stream, exit_code};
use run::Told;
use std::process::ExitCode;
use warpvm_report::{Diagnostic, outcome};

/// A result whose failure is something to tell the user.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are no errors; a wrong command line is bad input, exit code 2, as clap has it.
        Err(error) => error.exit(),
    };
    let printer = Printer { format: cli.format, color: cli.color };
    bug::remember_panics();
    let (told, stream) = bug::guard(|| obey(&cli.command)).unwrap_or_else(|bug| (Err(vec![*bug]), Stream::Error));
    let told = told.unwrap_or_else(Told::only);
    printer.text(&told.text);
    printer.diagnostics(&told.diagnostics, told.seeds, &told.json, stream);
    printer.text(&told.closing);
    exit_code(told.outcome.unwrap_or_else(|| outcome(&told.diagnostics)))
}

/// Does what was asked; also where findings belong.
fn obey(command: &Command) -> (std::result::Result<Told, Vec<Diagnostic>>, Stream) {
    let one = |error: Box<Diagnostic>| vec![*error];
    match command {
        Command::Run(args) => (run::run(args), Stream::Error),
        Command::Verify(args) => (verify::verify(args).map_err(one), Stream::Output),
        Command::Inspect(args) => (inspect::inspect(args).map(Told::text), Stream::Output),
        Command::Explain(args) => (explain::explain(args.rule.as_deref()).map(Told::text).map_err(one), Stream::Output),
        Command::Check(args) => (check::check(args), Stream::Output),
        Command::Profile(args) => (profile::profile(args), Stream::Error),
    }
}
