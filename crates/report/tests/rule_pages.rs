//! `docs/rules/` says what `warpvm explain` says. `WARPVM_BLESS=1` writes the pages anew.

use std::path::Path;

use warpvm_report::rules::RULES;

#[test]
fn pages_are_those_of_the_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let bless = std::env::var_os("WARPVM_BLESS").is_some();
    if bless {
        std::fs::create_dir_all(&folder).expect("a folder");
    }
    for rule in RULES.iter().copied().flatten() {
        let path = folder.join(format!("{}.md", rule.name));
        if bless {
            std::fs::write(&path, rule.page()).expect("a page");
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(page, rule.page(), "{} is not up to date: run with WARPVM_BLESS=1", path.display());
    }
    let pages = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(pages, RULES.iter().map(|r| r.len()).sum::<usize>(), "a page without a rule");
}

#[test]
fn every_rule_of_the_checker_has_a_page() {
    for rule in warpvm_check::Rule::ALL {
        let page = warpvm_report::rules::find(rule.name()).unwrap_or_else(|| panic!("{} has no page", rule.name()));
        assert_eq!(format!("{:?}", page.severity), format!("{:?}", rule.severity()), "{}", rule.name());
    }
}
