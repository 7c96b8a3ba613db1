//! `warpvm explain`: the rules in words.

use crate::Result;
use std::fmt::Write;
use warpvm_report::{Diagnostic, rules};

/// The explanation of a rule, or the list of rules.
///
/// # Errors
/// There is no such rule.
pub fn explain(name: Option<&str>) -> Result<String> {
    let Some(name) = name else { return Ok(list()) };
    if let Some(rule) = rules::find(name) {
        return Ok(rule.explain());
    }
    let near = rules::similar(name);
    let error = Diagnostic::invalid(format!("there is no rule `{name}`"));
    Err(Box::new(match near.as_slice() {
        [] => error.help("`warpvm explain` lists the rules"),
        near => error.help(format!("is it `{}`?", near.join("`, `"))),
    }))
}

fn list() -> String {
    let all = || rules::RULES.iter().copied().flatten();
    let width = all().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in all() {
        let severity = warpvm_report::json::severity_word(rule.severity);
        let _ = writeln!(out, "{:width$}  {severity:7}  {}", rule.name, rule.title);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::explain;

    #[test]
    fn one_rule_or_all() {
        assert!(explain(Some("absent-lane")).expect("known").starts_with("absent-lane (error): "));
        assert!(explain(None).expect("a list").lines().count() > 30);
        let error = explain(Some("absent-lan")).expect_err("unknown");
        assert_eq!(error.notes[0].text, "is it `absent-lane`?");
    }
}
