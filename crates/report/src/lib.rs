//! Findings, errors and profiles as text, JSON and SARIF.
//!
//! [`diagnostic`] holds plain data: what went wrong, where, for whom. Everything that has something to say (the
//! checker, the loader, the launcher, the command line) makes [`Diagnostic`]s; the words around them are put together
//! here and nowhere else. [`rules`] explains each rule of the checker.

pub mod diagnostic;
pub mod fault;
pub mod finding;
pub mod html;
mod inlining;
pub mod json;
pub mod names;
pub mod perfetto;
mod places;
pub mod profile_json;
pub mod profile_text;
pub mod rules;
pub mod sarif;
pub mod sources;
pub mod text;

pub use diagnostic::{
    Diagnostic, Kind, Label, Note, NoteKind, Origin, Outcome, Place, Scope, Severity, SourcePlace, outcome,
};
pub use places::Places;
pub use warpvm_check::Lanes;
