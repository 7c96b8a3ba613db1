//! The check as users of the library see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use warpvm::{
    Arg, CheckOptions, CheckReport, Convergence, Device, Kind, Levels, Module, Outcome, Rule, Severity, Until,
};

/// A kernel with a body that may use `%r0` to `%r3`, `%p`, `%lane`, and `%out`, which points to zeroed words.
fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n
        .reg .b32 %r<4>, %lane;\n.reg .b64 %out;\n.reg .pred %p;\n
        ld.param.u64 %out, [out];\nmov.u32 %lane, %laneid;\n{body}\nret;\n}}\n"
    );
    Module::from_ptx("k.ptx", &text).expect("legal PTX")
}

fn check(body: &str, options: &CheckOptions) -> CheckReport {
    let module = module(body);
    let mut device = Device::new(&module).expect("memory");
    let out = device.allocate("out", 128).expect("memory");
    let kernel = module.kernel("k").expect("a kernel");
    device.check(&kernel, [1, 1, 1], [32, 1, 1], &[Arg::Buffer(out)], options).expect("a legal launch")
}

/// Lanes 16 and up are not in their own mask.
const BAD: &str = "setp.ne.u32 %p, %lane, 0;\nvote.sync.any.pred %p, %p, 0xffff;";
/// Only some schedules part the lanes.
const SOMETIMES: &str = "activemask.b32 %r0;\nsetp.eq.u32 %p, %r0, 0xffffffff;\n@%p exit;\ntrap;";

#[test]
fn a_clean_kernel_leaves_its_results() {
    let module = module("shl.b32 %r0, %lane, 1;\nst.global.u32 [%out], 7;");
    let mut device = Device::new(&module).expect("memory");
    let out = device.allocate("out", 4).expect("memory");
    let kernel = module.kernel("k").expect("a kernel");
    let report = device
        .check(&kernel, [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)], &CheckOptions::default())
        .expect("a legal launch");
    report.assert_clean();
    assert_eq!((report.seeds_run, report.seeds_failed), (64, 0));
    assert_eq!(device.download::<u32>(out), [7]);
}

#[test]
#[should_panic(expected = "error[own-lane]")]
fn an_assertion_shows_the_report() {
    check(BAD, &CheckOptions::default()).assert_clean();
}

#[test]
fn rules_have_levels() {
    let options = |levels| CheckOptions { levels, seeds: 0..4, ..CheckOptions::default() };
    let report = check(BAD, &options(Levels::default().warn(Rule::OwnLane)));
    assert_eq!(report.findings[0].kind, Kind::Finding(Severity::Warning));
    assert_eq!(report.outcome(), Outcome::Findings);
    assert!(check(BAD, &options(Levels::default().allow(Rule::OwnLane))).is_clean());
}

#[test]
fn a_comment_allows_a_rule_on_its_line() {
    let options = CheckOptions { seeds: 0..2, ..CheckOptions::default() };
    assert!(check(&format!("{BAD}  // warpvm: allow(own-lane)"), &options).is_clean());
    assert!(check(&BAD.replace("vote", "// warpvm: allow(own-lane)\nvote"), &options).is_clean());
    assert!(!check(&format!("{BAD}  // warpvm: allow(race-warp)"), &options).is_clean());
}

#[test]
fn the_first_failing_seed_ends_the_search() {
    let first = check(SOMETIMES, &CheckOptions::default());
    let seed = first.findings[0].seed.expect("a seed");
    assert!(seed > 0, "seed 0 keeps lanes together");
    assert_eq!(first.seeds_run, seed + 1);
    let again = check(SOMETIMES, &CheckOptions { seeds: seed..seed + 1, ..CheckOptions::default() });
    assert_eq!(again.findings[0].message, first.findings[0].message);
    let all = check(SOMETIMES, &CheckOptions { until: Until::AllSeeds, ..CheckOptions::default() });
    assert_eq!(all.seeds_run, 64);
    assert!(all.seeds_failed > 1 && all.seeds_failed < 64, "{}", all.seeds_failed);
}

#[test]
fn the_report_does_not_depend_on_threads() {
    for body in [SOMETIMES, BAD, "activemask.b32 %r0;\npopc.b32 %r0, %r0;\nred.global.add.u32 [%out], %r0;"] {
        let with = |threads| check(body, &CheckOptions { threads, ..CheckOptions::default() });
        assert_eq!(with(1), with(5));
    }
}

#[test]
fn progress_is_told_and_a_check_can_be_cancelled() {
    let told = Arc::new(AtomicU64::new(0));
    let cancel = Arc::new(AtomicBool::new(false));
    let (seen, stop) = (told.clone(), cancel.clone());
    let options = CheckOptions {
        threads: 1,
        progress: Some(Arc::new(move |done| {
            seen.store(done, Ordering::Relaxed);
            stop.store(done == 5, Ordering::Relaxed);
        })),
        cancel: Some(cancel),
        ..CheckOptions::default()
    };
    let report = check("red.global.add.u32 [%out], 1;", &options);
    assert!(report.is_cancelled);
    assert_eq!((report.seeds_run, told.load(Ordering::Relaxed)), (5, 5));
    assert!(report.is_clean());
}

#[test]
fn a_limit_is_a_limit() {
    let body = "mov.u32 %r0, 0;\nT: add.u32 %r0, %r0, 1;\nsetp.ne.u32 %p, %r0, 0x7fffffff;\n@%p bra T;";
    let report = check(body, &CheckOptions { max_steps: 1 << 18, ..CheckOptions::default() });
    assert_eq!(report.outcome(), Outcome::Limit);
    assert_eq!(report.seeds_run, 1);
}

#[test]
fn a_spin_lock_between_lanes_hangs_on_a_stack() {
    let body = "T: atom.global.cas.b32 %r0, [%out], 0, 1;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra T;
        membar.gl;\natom.global.exch.b32 %r0, [%out], 0;";
    check(body, &CheckOptions { seeds: 0..8, ..CheckOptions::default() }).assert_clean();
    let stack = CheckOptions { convergence: Convergence::Stack, ..CheckOptions::default() };
    assert_eq!(check(body, &stack).findings[0].rule, Some("deadlock"));
}
