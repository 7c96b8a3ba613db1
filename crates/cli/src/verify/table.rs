//! The table by family.

use super::case::Outcome;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use warpvm_report::Kind;

#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    run: usize,
    equal: usize,
    different: usize,
    unsupported: usize,
    failed: usize,
    faulty: usize,
}

/// Counts by family: what stands before the first `/` of an id.
#[derive(Default)]
pub struct Table {
    families: BTreeMap<String, Counts>,
    /// How many cases each reason stopped.
    reasons: BTreeMap<String, usize>,
}

impl Table {
    /// Counts a case.
    pub fn add(&mut self, id: &str, outcome: &Outcome) {
        let family = id.split('/').next().unwrap_or_default();
        let counts = self.families.entry(family.to_owned()).or_default();
        let slot = match outcome {
            Outcome::Equal => &mut counts.equal,
            Outcome::Different(_) => &mut counts.different,
            Outcome::Unsupported(_) => &mut counts.unsupported,
            Outcome::Failed(_) => &mut counts.failed,
            Outcome::Faulty => &mut counts.faulty,
        };
        *slot += 1;
        if let Outcome::Unsupported(all) = outcome {
            let first = all.iter().find(|d| d.kind == Kind::Unsupported);
            *self.reasons.entry(first.map(|d| d.message.clone()).unwrap_or_default()).or_default() += 1;
        }
        counts.run += usize::from(*outcome != Outcome::Faulty);
    }

    /// The table for the JSON form.
    pub fn json(&self) -> Map<String, Value> {
        let families: Map<String, Value> =
            self.families.iter().map(|(name, counts)| (name.clone(), json!(counts))).collect();
        [("families".to_owned(), Value::Object(families)), ("unsupported".to_owned(), json!(self.reasons))]
            .into_iter()
            .collect()
    }

    /// The table, with a line for all.
    pub fn text(&self) -> String {
        let mut total = Counts::default();
        for counts in self.families.values() {
            total.run += counts.run;
            total.equal += counts.equal;
            total.different += counts.different;
            total.unsupported += counts.unsupported;
            total.failed += counts.failed;
            total.faulty += counts.faulty;
        }
        let width = self.families.keys().map(|name| name.chars().count()).max().unwrap_or(0).max("family".len());
        let mut out = format!("{:width$}   run  equal  different  unsupported  failed\n", "family");
        let rows = self.families.iter().map(|(name, counts)| (name.as_str(), counts));
        for (name, c) in rows.chain([("all", &total)]) {
            let _ = writeln!(
                out,
                "{name:width$} {:5}  {:5}  {:9}  {:11}  {:6}",
                c.run, c.equal, c.different, c.unsupported, c.failed
            );
        }
        if total.faulty > 0 {
            let _ = writeln!(out, "{} cases are recorded as faulty programs and were not run", total.faulty);
        }
        let mut reasons: Vec<(&String, &usize)> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons {
            let _ = writeln!(out, "unsupported {count:5}  {reason}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpvm_report::Diagnostic;

    #[test]
    fn families_and_their_sum() {
        let mut table = Table::default();
        table.add("int/a", &Outcome::Equal);
        table.add("int/b", &Outcome::Different(vec![]));
        table.add("conversion/c", &Outcome::Unsupported(vec![Diagnostic::unsupported("`tex`")]));
        table.add("undefined/d", &Outcome::Faulty);
        let expected = "\
family       run  equal  different  unsupported  failed
conversion     1      0          0            1       0
int            2      1          1            0       0
undefined      0      0          0            0       0
all            3      1          1            1       0
1 cases are recorded as faulty programs and were not run
unsupported     1  `tex`
";
        assert_eq!(table.text(), expected);
    }
}
