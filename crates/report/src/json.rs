//! Diagnostics as JSON.
//!
//! ```text
//! {"findings": [{"rule": "absent-lane", "severity": "error", "message": "...",
//!                "at": {"file": "k.ptx", "line": 41, "column": 5},
//!                "source": {"file": "k.cu", "line": 12, "column": 3, "inlined_at": [...],
//!                           "called_from": [...] (where there are calls)} or null,
//!                "cta": [0,0,0], "warp": 0, "lanes": "0-3,17", "seed": 7, "count": 64,
//!                "notes": [{"kind": "why", "text": "..."}],
//!                "related": [{"at": ..., "source": ..., "message": "lane 17 waits here instead"}]}],
//!  "errors": [the same fields; "kind" instead of "rule" and "severity"],
//!  "seeds": {"run": 64, "failed": 17}, "outcome": "clean" | "findings" | "unsupported" | "limit" | "invalid" | "bug"}
//! ```
//!
//! `findings` is what the rules found; `errors` everything else that stopped the run. A field without a value is null.

use crate::diagnostic::{Diagnostic, Kind, Label, NoteKind, Origin, Outcome, Place, Severity, SourcePlace, outcome};
use serde::Serialize;
use serde_json::{Map, Value};

/// How many schedules were run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Seeds {
    /// Schedules run.
    pub run: u64,
    /// Schedules under which something was found.
    pub failed: u64,
}

/// The whole answer as pretty-printed JSON, with a line break at the end. `more` holds what a command adds: the buffers
/// of `run`, the table of `verify`.
pub fn render(all: &[Diagnostic], seeds: Option<Seeds>, more: &Map<String, Value>) -> String {
    let (findings, errors): (Vec<_>, Vec<_>) = all.iter().partition(|d| matches!(d.kind, Kind::Finding(_)));
    let report = Report {
        findings: findings.into_iter().map(entry).collect(),
        errors: errors.into_iter().map(entry).collect(),
        seeds,
        outcome: outcome_word(outcome(all)),
        more,
    };
    to_text(&report)
}

/// Pretty JSON of plain data. Serialising such data cannot fail: it has string keys only and writes to memory.
pub(crate) fn to_text(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The word for an outcome.
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Clean => "clean",
        Outcome::Findings => "findings",
        Outcome::Invalid => "invalid",
        Outcome::Unsupported => "unsupported",
        Outcome::Limit => "limit",
        Outcome::Bug => "bug",
    }
}

#[derive(Serialize)]
struct Report<'a> {
    findings: Vec<Entry<'a>>,
    errors: Vec<Entry<'a>>,
    seeds: Option<Seeds>,
    outcome: &'static str,
    #[serde(flatten)]
    more: &'a Map<String, Value>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    message: &'a str,
    at: Option<At<'a>>,
    source: Option<Source<'a>>,
    cta: Option<[u32; 3]>,
    warp: Option<u32>,
    lanes: Option<String>,
    active_mask: Option<u32>,
    seed: Option<u64>,
    count: u64,
    notes: Vec<NoteEntry<'a>>,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct NoteEntry<'a> {
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct At<'a> {
    file: &'a str,
    line: Option<u32>,
    column: u32,
}

#[derive(Serialize)]
struct Source<'a> {
    #[serde(flatten)]
    at: At<'a>,
    inlined_at: Vec<At<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    called_from: Vec<At<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    at: At<'a>,
    source: Option<Source<'a>>,
    message: &'a str,
}

fn entry(diagnostic: &Diagnostic) -> Entry<'_> {
    let (kind, severity) = match diagnostic.kind {
        Kind::Finding(severity) => (None, Some(severity_word(severity))),
        other => (Some(kind_word(other)), None),
    };
    let primary = diagnostic.primary.as_ref();
    let scope = diagnostic.scope.as_ref();
    Entry {
        kind,
        rule: diagnostic.rule,
        severity,
        message: &diagnostic.message,
        at: primary.map(|label| at(&label.at)),
        source: primary.and_then(|label| label.source.as_ref()).map(source),
        cta: scope.map(|s| s.cta),
        warp: scope.map(|s| s.warp),
        lanes: scope.map(|s| s.lanes.to_string()),
        active_mask: scope.and_then(|s| s.active),
        seed: diagnostic.seed,
        count: diagnostic.count,
        notes: diagnostic.notes.iter().map(|n| NoteEntry { kind: note_word(n.kind), text: &n.text }).collect(),
        related: diagnostic.related.iter().map(related).collect(),
    }
}

fn related(label: &Label) -> Related<'_> {
    Related { at: at(&label.at), source: label.source.as_ref().map(source), message: &label.message }
}

fn source(source: &SourcePlace) -> Source<'_> {
    Source {
        at: at(&source.place),
        inlined_at: source.inlined_at.iter().map(at).collect(),
        called_from: source.called_from.iter().map(at).collect(),
    }
}

fn at(place: &Place) -> At<'_> {
    let (file, line) = match &place.origin {
        Origin::File { path, line } => (path.as_str(), Some(*line)),
        Origin::Argument { name } => (name.as_str(), None),
    };
    At { file, line, column: place.column }
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Finding(_) => "finding",
        Kind::Unsupported => "unsupported",
        Kind::Invalid => "invalid",
        Kind::Exhausted => "limit",
        Kind::Bug => "bug",
    }
}

fn note_word(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Where => "where",
        NoteKind::Why => "why",
        NoteKind::Help => "help",
        NoteKind::Replay => "replay",
        NoteKind::Note => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lanes, Scope};

    #[test]
    fn the_schema_of_the_design() {
        let mut finding = Diagnostic::new(Kind::Finding(Severity::Error), "m").at(Place::in_file("k.ptx", 41, 5), "");
        finding.rule = Some("absent-lane");
        finding.scope = Some(Scope { cta: [1, 2, 3], warp: 4, lanes: Lanes(0x2000f), active: None });
        finding.seed = Some(7);
        finding.related = vec![Label::new(Place::in_file("k.ptx", 50, 1), "lane 17 waits here instead")];
        let text = render(&[finding, Diagnostic::unsupported("u")], Some(Seeds { run: 64, failed: 17 }), &Map::new());
        let value: Value = serde_json::from_str(&text).expect("valid JSON");
        let found = &value["findings"][0];
        assert_eq!(found["rule"], "absent-lane");
        assert_eq!(found["severity"], "error");
        assert_eq!(found["at"], serde_json::json!({"file": "k.ptx", "line": 41, "column": 5}));
        assert!(found["source"].is_null());
        assert_eq!(found["lanes"], "0-3,17");
        assert_eq!(found["related"][0]["message"], "lane 17 waits here instead");
        assert_eq!(value["errors"][0]["kind"], "unsupported");
        assert_eq!(value["seeds"], serde_json::json!({"run": 64, "failed": 17}));
        assert_eq!(value["outcome"], "findings");
    }
}
