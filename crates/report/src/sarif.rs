//! Diagnostics as SARIF 2.1.0, for code-scanning pages.
//!
//! A result is placed in the source the PTX was compiled from where that is known, else in the PTX. What is no
//! finding (malformed input, something unsupported, a limit) becomes a notification of the invocation.

use crate::diagnostic::{Diagnostic, Kind, Label, NoteKind, Origin, Place, Severity};
use crate::json::{severity_word, to_text};
use crate::rules;
use crate::text::render_short;
use serde_json::{Value, json};
use std::fmt::Write;

/// The whole answer as a SARIF log with one run.
pub fn render(all: &[Diagnostic]) -> String {
    let (findings, errors): (Vec<_>, Vec<_>) = all.iter().partition(|d| matches!(d.kind, Kind::Finding(_)));
    let driver = json!({
        "name": "warpvm",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules::RULES.iter().copied().flatten().map(rule).collect::<Vec<_>>(),
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": errors.is_empty(),
                "toolExecutionNotifications": errors.into_iter().map(notification).collect::<Vec<_>>(),
            }],
            "results": findings.into_iter().map(result).collect::<Vec<_>>(),
        }],
    });
    to_text(&log)
}

fn rule(rule: &rules::Rule) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.what},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": severity_word(rule.severity)},
    })
}

fn result(finding: &Diagnostic) -> Value {
    let level = match finding.kind {
        Kind::Finding(severity) => severity_word(severity),
        _ => severity_word(Severity::Error),
    };
    let mut value = json!({
        "level": level,
        "message": {"text": message(finding)},
        "locations": finding.primary.iter().map(|label| location(label, None)).collect::<Vec<_>>(),
        "relatedLocations": related(finding),
        "occurrenceCount": finding.count.max(1),
        "properties": properties(finding),
    });
    if let Some(rule) = finding.rule {
        value["ruleId"] = rule.into();
    }
    value
}

fn message(finding: &Diagnostic) -> String {
    let mut text = finding.message.clone();
    let label = finding.primary.as_ref().map_or("", |label| label.message.as_str());
    if !label.is_empty() {
        text.push_str(": ");
        text.push_str(label);
    }
    for note in finding.notes.iter().filter(|note| matches!(note.kind, NoteKind::Why | NoteKind::Help)) {
        text.push('\n');
        text.push_str(&note.text);
    }
    text
}

fn properties(finding: &Diagnostic) -> Value {
    let scope = finding.scope.as_ref();
    json!({
        "cta": scope.map(|s| s.cta),
        "warp": scope.map(|s| s.warp),
        "lanes": scope.map(|s| s.lanes.to_string()),
        "seed": finding.seed,
    })
}

/// The other ends of the finding, then the calls through which its place was inlined.
fn related(finding: &Diagnostic) -> Vec<Value> {
    let others = finding.related.iter().map(|label| location(label, Some(&label.message)));
    let chain = finding
        .primary
        .iter()
        .filter_map(|label| label.source.as_ref())
        .flat_map(|source| source.inlined_at.iter().chain(&source.called_from));
    let best = finding.primary.as_ref().map(best);
    let inlined = chain
        .filter(|place| Some(*place) != best)
        .map(|place| json!({"physicalLocation": physical(place), "message": {"text": "called here"}}));
    others.chain(inlined).collect()
}

/// As in the human form, but a source that is not at hand here may be where the log is read.
fn best(label: &Label) -> &Place {
    let best = label.best();
    if best.text.is_some() && best != &label.at { best } else { label.source_places().next().unwrap_or(&label.at) }
}

fn location(label: &Label, message: Option<&str>) -> Value {
    let place = best(label);
    let mut value = json!({"physicalLocation": physical(place)});
    if let Some(message) = message {
        value["message"] = json!({"text": message});
    }
    value
}

fn physical(place: &Place) -> Value {
    let (uri, mut region) = match &place.origin {
        Origin::File { path, line } => (uri(path), json!({"startLine": (*line).max(1)})),
        Origin::Argument { name } => (uri(name), json!({})),
    };
    if place.column > 0 {
        region["startColumn"] = place.column.into();
        region["endColumn"] = (place.column + place.length.max(1)).into();
    }
    json!({"artifactLocation": {"uri": uri}, "region": region})
}

/// A path as a relative reference of RFC 3986: forward slashes, other characters escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn notification(error: &Diagnostic) -> Value {
    let level = if error.kind == Kind::Exhausted { "warning" } else { "error" };
    json!({"level": level, "message": {"text": render_short(error)}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourcePlace;

    #[test]
    fn a_finding_stands_in_its_source_and_an_error_is_a_notification() {
        let mut finding = Diagnostic::new(Kind::Finding(Severity::Warning), "m");
        finding.rule = Some("activemask");
        let mut label = Label::new(Place::in_file("k.ptx", 41, 5), "here");
        let place = Place::in_file("dir\\my k.cu", 3, 2);
        label.source = Some(SourcePlace { place, inlined_at: vec![Place::in_file("k.cu", 9, 1)], called_from: vec![] });
        finding.primary = Some(label);
        let text = render(&[finding, Diagnostic::unsupported("`tex` is not supported")]);
        let log: Value = serde_json::from_str(&text).expect("valid JSON");
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "activemask");
        assert_eq!(result["level"], "warning");
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "dir/my%20k.cu");
        assert_eq!(physical["region"], json!({"startLine": 3, "startColumn": 2, "endColumn": 3}));
        assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 9);
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert!(run["tool"]["driver"]["rules"].as_array().is_some_and(|rules| rules.len() > 30));
    }
}
