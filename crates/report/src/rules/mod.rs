//! What each rule of the checker means, for `warpvm explain` and for the rule list of SARIF.

mod asynchronous;
mod block;
mod memory;
mod warp;

use crate::diagnostic::Severity;
use std::fmt::Write;

/// A rule in words.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, in kebab case, naming the defect.
    pub name: &'static str,
    /// The severity it is reported with.
    pub severity: Severity,
    /// One line.
    pub title: &'static str,
    /// What is found.
    pub what: &'static str,
    /// Why it is a fault, with the place in the manual.
    pub why: &'static str,
    /// A few lines of code that have the fault.
    pub example: &'static str,
    /// How to mend it.
    pub fix: &'static str,
    /// What it does not see.
    pub limits: &'static str,
}

/// All rules, by the part of the machine they watch.
pub const RULES: [&[Rule]; 4] = [warp::RULES, block::RULES, memory::RULES, asynchronous::RULES];

/// The rule of that name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().flatten().find(|rule| rule.name == name)
}

/// The names nearest to one that does not exist, best first; at most three.
pub fn similar(name: &str) -> Vec<&'static str> {
    let mut ranked: Vec<(usize, &'static str)> =
        RULES.iter().copied().flatten().map(|rule| (distance(name, rule.name), rule.name)).collect();
    ranked.sort_unstable();
    let near = ranked.iter().filter(|(d, candidate)| *d <= 3 || candidate.contains(name));
    near.take(3).map(|(_, candidate)| *candidate).collect()
}

/// Edit distance: how many characters to add, drop or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let change = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

impl Rule {
    /// The whole explanation as text.
    pub fn explain(&self) -> String {
        let severity = crate::json::severity_word(self.severity);
        let what = wrapped(self.what);
        let (why, fix) = (wrapped(&format!("Why: {}", self.why)), wrapped(&format!("Fix: {}", self.fix)));
        let mut out = format!("{} ({severity}): {}\n", self.name, self.title);
        let example = self.example.replace('\n', "\n    ");
        let limits = wrapped(&format!("Limits: {}", self.limits));
        let _ = write!(out, "\n{what}\n\n{why}\n\nExample:\n    {example}\n\n{fix}\n\n{limits}\n");
        out
    }

    /// The same as a page of `docs/rules/`.
    pub fn page(&self) -> String {
        let severity = crate::json::severity_word(self.severity);
        let Rule { name, title, what, why, example, fix, limits, .. } = self;
        format!(
            "# `{name}` ({severity})\n\n{title}.\n\n{what}\n\n## Why\n\n{why}\n\n## Example\n\n```cuda\n{example}\n```\n\n\
             ## Fix\n\n{fix}.\n\n## Limits\n\n{limits}.\n"
        )
    }
}

/// A paragraph in lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let mut names: Vec<_> = RULES.iter().copied().flatten().map(|rule| rule.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    }

    #[test]
    fn every_rule_says_everything() {
        for rule in RULES.iter().copied().flatten() {
            for text in [rule.title, rule.what, rule.why, rule.example, rule.fix, rule.limits] {
                assert!(!text.is_empty() && !text.ends_with(' '), "{}", rule.name);
            }
        }
    }

    #[test]
    fn a_slip_of_the_keyboard_finds_its_rule() {
        assert_eq!(similar("absent-lan"), ["absent-lane"]);
        assert!(similar("race").contains(&"race-warp"));
        assert!(similar("nothing-like-it").is_empty());
    }
}
