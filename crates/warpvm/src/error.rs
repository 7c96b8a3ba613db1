//! What can go wrong, by kind.

use warpvm_report::{Diagnostic, Kind, outcome, text};

/// A failure: one or more diagnostics, the first of which says the kind.
///
/// Five kinds are never mixed up, see [`Kind`]: a finding (the kernel is wrong), unsupported (warpvm is incomplete),
/// invalid (the PTX or the launch is malformed), exhausted (a limit was reached), bug (warpvm is wrong).
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", render(diagnostics))]
pub struct Error {
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
}

fn render(diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<String> = diagnostics.iter().map(|d| text::render(d, text::Color::Off)).collect();
    texts.join("\n")
}

impl Error {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Error { diagnostics: vec![Diagnostic::invalid(message)] }
    }

    pub(crate) fn exhausted(message: impl Into<String>) -> Self {
        Error { diagnostics: vec![Diagnostic::new(Kind::Exhausted, message)] }
    }

    /// What the diagnostics amount to.
    pub fn outcome(&self) -> warpvm_report::Outcome {
        outcome(&self.diagnostics)
    }
}
