//! How serious each rule is to be taken, where the user says so.

use crate::finding::{Finding, Rule, Severity};

/// What the user says about rules. The last word on a rule counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    said: Vec<(Rule, Option<Severity>)>,
}

impl Levels {
    /// Findings of the rule are dropped.
    #[must_use]
    pub fn allow(mut self, rule: Rule) -> Self {
        self.said.push((rule, None));
        self
    }

    /// Findings of the rule are warnings.
    #[must_use]
    pub fn warn(mut self, rule: Rule) -> Self {
        self.said.push((rule, Some(Severity::Warning)));
        self
    }

    /// Findings of the rule are errors.
    #[must_use]
    pub fn deny(mut self, rule: Rule) -> Self {
        self.said.push((rule, Some(Severity::Error)));
        self
    }

    /// Are findings of all these rules dropped?
    pub fn drop_all(&self, rules: &[Rule]) -> bool {
        let said = |rule| self.said.iter().rev().find(|(r, _)| *r == rule);
        rules.iter().all(|&rule| matches!(said(rule), Some((_, None))))
    }

    /// How serious a finding is to be taken; `None` drops it.
    pub fn judge(&self, finding: &Finding) -> Option<Severity> {
        let said = self.said.iter().rev().find(|(rule, _)| *rule == finding.rule);
        said.map_or(Some(finding.severity), |(_, severity)| *severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let f = Finding::new(Rule::ShflWidth, 0, [0; 3], 0, 1, "");
        assert_eq!(Levels::default().judge(&f), Some(Severity::Warning));
        assert_eq!(Levels::default().deny(Rule::ShflWidth).judge(&f), Some(Severity::Error));
        assert_eq!(Levels::default().deny(Rule::ShflWidth).allow(Rule::ShflWidth).judge(&f), None);
        assert_eq!(Levels::default().allow(Rule::OwnLane).judge(&f), Some(Severity::Warning));
        let two = [Rule::ShflWidth, Rule::OwnLane];
        assert!(Levels::default().allow(two[0]).allow(two[1]).drop_all(&two));
        assert!(!Levels::default().allow(two[0]).allow(two[1]).warn(two[0]).drop_all(&two));
    }
}
