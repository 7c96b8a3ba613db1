//! Comments that allow a rule on a line: `// warpvm: allow(race-same-value)`, in the PTX or in the source behind it.
//!
//! The comment counts for its own line and, where nothing else stands on it, for the next.

use std::collections::HashMap;

use warpvm_check::{Finding, Rule};
use warpvm_machine::program::Program;
use warpvm_report::{Label, Origin, Place, fault};

use crate::sources::find_source;

const MARK: &str = "warpvm: allow(";

/// Rules allowed by file and line.
pub(crate) struct Suppressed {
    lines: HashMap<(String, u32), Vec<Rule>>,
}

impl Suppressed {
    /// Reads the comments of a program and of its sources; `path` is the name of the PTX.
    pub fn read(program: &Program, path: &str) -> Self {
        let mut found = Suppressed { lines: HashMap::new() };
        found.scan(path, &program.source);
        for name in program.files.values() {
            if let Some(file) = find_source(name, path) {
                found.scan(name, &file.text);
            }
        }
        found
    }

    fn scan(&mut self, path: &str, text: &str) {
        if !text.contains(MARK) {
            return;
        }
        for (line, number) in text.lines().zip(1..) {
            let Some((before, rules)) = allowed(line) else { continue };
            let is_alone = before.trim().is_empty();
            for n in number..=number + u32::from(is_alone) {
                self.lines.entry((path.to_owned(), n)).or_default().extend(&rules);
            }
        }
    }

    /// Does a comment allow this finding where it stands?
    pub fn covers(&self, program: &Program, path: &str, finding: &Finding) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let label: Label = fault::label(program, path, finding.pc, "");
        let allows = |place: &Place| match &place.origin {
            Origin::File { path, line } => {
                self.lines.get(&(path.clone(), *line)).is_some_and(|rules| rules.contains(&finding.rule))
            }
            Origin::Argument { .. } => false,
        };
        std::iter::once(&label.at).chain(label.source_places()).any(allows)
    }
}

/// What stands before the comment, and the rules that it names.
fn allowed(line: &str) -> Option<(&str, Vec<Rule>)> {
    let (before, comment) = line.split_once("//")?;
    let list = comment.trim_start().strip_prefix(MARK)?.split_once(')')?.0;
    let rules = list.split(',').filter_map(|name| Rule::from_name(name.trim())).collect();
    Some((before, rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_rules() {
        let (before, rules) = allowed("  x = 1;  // warpvm: allow(own-lane, race-warp) both").expect("a comment");
        assert_eq!((before, rules), ("  x = 1;  ", vec![Rule::OwnLane, Rule::RaceWarp]));
        assert_eq!(allowed("x = 1; // own-lane"), None);
        assert_eq!(allowed("// warpvm: allow(nothing-such)"), Some(("", vec![])));
    }
}
