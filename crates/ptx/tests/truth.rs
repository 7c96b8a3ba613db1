//! Every recorded module goes through the front end.

mod common;

#[test]
fn parses_every_legal_module() {
    let mut failures = Vec::new();
    for case in common::legal() {
        if let Err(error) = warpvm_ptx::parse(&case.ptx) {
            let (line, column) = warpvm_ptx::LineMap::new(&case.ptx).position(error.span.start);
            failures.push(format!("{}:{line}:{column}: {error}", case.id));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn parses_what_only_the_checker_refuses() {
    for case in common::truth("refused") {
        warpvm_ptx::parse(&case.ptx).unwrap_or_else(|error| panic!("{}: {error}", case.id));
    }
}

#[test]
fn printing_and_parsing_again_changes_nothing() {
    for case in common::legal() {
        let mut first = warpvm_ptx::parse(&case.ptx).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let text = warpvm_ptx::print(&first);
        let mut second = warpvm_ptx::parse(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", case.id));
        first.clear_spans();
        second.clear_spans();
        assert!(first == second, "{}: another tree after printing\n{text}", case.id);
        assert_eq!(text, warpvm_ptx::print(&second), "{}", case.id);
    }
}

#[track_caller]
fn assert_clean(id: &str, ptx: &str) -> usize {
    let module = warpvm_ptx::parse(ptx).unwrap_or_else(|error| panic!("{id}: {error}"));
    let errors = warpvm_ptx::check(&module);
    for error in errors.iter().take(5) {
        let (line, column) = warpvm_ptx::LineMap::new(ptx).position(error.span.start);
        eprintln!("{id}:{line}:{column}: {error}");
    }
    errors.len()
}

#[test]
fn the_checker_accepts_every_legal_module() {
    let failures: usize = common::legal().iter().map(|case| assert_clean(&case.id, &case.ptx)).sum();
    assert_eq!(failures, 0);
}

#[test]
fn the_checker_refuses_what_the_assembler_refuses() {
    let mut accepted = Vec::new();
    for case in common::truth("refused") {
        let module = warpvm_ptx::parse(&case.ptx).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let errors = warpvm_ptx::check(&module);
        match errors.first() {
            Some(error) => eprintln!("{}: {error} | {}", case.id, case.why.unwrap_or_default()),
            None => accepted.push(case.id),
        }
    }
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}
