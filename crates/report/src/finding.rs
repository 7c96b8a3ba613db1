//! Findings of the checker as diagnostics.

use warpvm_check::{Finding, Severity as Level};
use warpvm_machine::program::Program;

use crate::fault::label_of_call;
use crate::names::readable;
use crate::{Diagnostic, Kind, Lanes, NoteKind, Scope, Severity};

/// A finding in a program; `path` is the name of its PTX.
pub fn diagnostic(program: &Program, path: &str, finding: &Finding) -> Diagnostic {
    let severity = match finding.severity {
        Level::Note => Severity::Note,
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    let mut d = Diagnostic::new(Kind::Finding(severity), readable(&finding.message));
    d.rule = Some(finding.rule.name());
    d.primary = Some(label_of_call(program, path, finding.pc, &finding.callers, &finding.here));
    d.related = finding.related.iter().map(|r| label_of_call(program, path, r.pc, &r.callers, &r.message)).collect();
    d.scope = Some(Scope { cta: finding.cta, warp: finding.warp, lanes: Lanes(finding.lanes), active: None });
    d.count = finding.count;
    d.note(NoteKind::Why, finding.why)
}
