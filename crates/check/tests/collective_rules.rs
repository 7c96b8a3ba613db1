//! The rules about collectives, barriers and waiting, each with a kernel that breaks it and one that nearly does.
//!
//! A kernel is a body that may use `%lane` (its lane), `%t` (its thread), `%w` (its warp), `%p`, `%q` (predicates),
//! `%r0` to `%r9` and `%d0` to `%d3`; `%out` points to zeroed words, `s` is shared memory. A comment `//!` in it says
//! which rule is broken on that line.

mod common;

use std::collections::BTreeSet;

use common::Kernel;
use warpvm_check::Rule;
use warpvm_check::explore::Report;

const HEAD: &str = ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_out)
{
  .shared .align 8 .b8 s[1024];
  .reg .b32 %lane, %t, %w, %r<10>;
  .reg .b64 %out, %d<4>;
  .reg .pred %p, %q;
  ld.param.u64 %out, [k_out];
  mov.u32 %lane, %laneid;
  mov.u32 %t, %tid.x;
  shr.u32 %w, %t, 5;
";

/// The kernel of a body.
fn text(body: &str) -> String {
    format!("{HEAD}{body}\n  ret;\n}}\n")
}

/// Checks a kernel with a block of so many threads.
fn check(kernel: &Kernel, threads: u32) -> Report {
    let report = kernel.check(threads, 0..32);
    assert!(report.fault.is_none(), "{:?}", report.fault);
    report
}

/// Findings must be those that the comments say, on their lines; what is not said must not be found.
fn expect(body: &str, threads: u32) {
    let text = text(body);
    let kernel = Kernel::new(&text);
    let report = check(&kernel, threads);
    let line_of = |offset: usize| text[..offset].matches('\n').count();
    let said: BTreeSet<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter_map(|(n, line)| line.split_once("//!").map(|(_, rule)| (n, rule.trim())))
        .collect();
    let found: BTreeSet<(usize, &str)> = report
        .findings
        .iter()
        .map(|f| (line_of(kernel.program.meta[f.finding.pc as usize].span.start as usize), f.finding.rule.name()))
        .collect();
    assert_eq!(found, said, "in\n{text}\n{:#?}", report.findings);
}

#[test]
fn own_lane() {
    expect("vote.sync.ballot.b32 %r0, %p, 0x0000ffff; //! own-lane", 32);
    expect("setp.ge.u32 %p, %lane, 16;\n @%p bra L;\n bar.warp.sync 0x0000ffff;\nL:", 32);
    // Each lane names itself only.
    expect("mov.u32 %r0, 1;\n shl.b32 %r0, %r0, %lane;\n redux.sync.add.s32 %r1, %lane, %r0;", 32);
    expect("mov.u32 %r0, 2;\n shl.b32 %r0, %r0, %lane;\n match.any.sync.b32 %r1, %lane, %r0; //! own-lane", 32);
}

#[test]
fn masks_that_differ() {
    let body = "setp.lt.u32 %p, %lane, 8;\n selp.b32 %r0, 0xffffffff, 0xffffff0f, %p;
        redux.sync.add.s32 %r1, %lane, %r0; //! mask-mismatch";
    expect(body, 32);
    // The others have gone on; they wait at the next collective.
    let body = "setp.lt.u32 %p, %lane, 8;\n selp.b32 %r0, 0xffffffff, 0xffffff00, %p;
        shfl.sync.idx.b32 %r1, %lane, 9, 31, %r0; //! mask-mismatch
        bar.warp.sync 0xffffffff;";
    expect(body, 32);
    // The others have exited.
    let body = "setp.lt.u32 %p, %lane, 8;\n selp.b32 %r0, 0xffffffff, 0xffffff00, %p;
        vote.sync.any.pred %q, %p, %r0; //! mask-mismatch";
    expect(body, 32);
    let body = "setp.lt.u32 %p, %lane, 8;\n selp.b32 %r0, 0x000000ff, 0xffffff00, %p;
        vote.sync.any.pred %q, %p, %r0;\n bar.warp.sync 0xffffffff;";
    expect(body, 32);
}

#[test]
fn a_lane_that_waits_elsewhere() {
    let body = "setp.ge.u32 %p, %lane, 20;\n @%p bra L;
        vote.sync.ballot.b32 %r0, %p, 0xffffffff; //! absent-lane
        L: bar.warp.sync 0xffffffff;";
    expect(body, 64);
    // In a loop whose collective comes again.
    let body = "mov.u32 %r0, 0;
        T: add.u32 %r1, %r0, %lane;\n setp.ge.u32 %p, %r1, 40;\n @%p bra N;
        redux.sync.add.u32 %r2, %lane, 0xffffffff; //! absent-lane
        N: bar.warp.sync 0xffffffff;\n add.u32 %r0, %r0, 32;\n setp.lt.u32 %p, %r0, 64;\n @%p bra T;";
    expect(body, 32);
    // At the block's barrier.
    let body = "setp.ge.u32 %p, %lane, 20;\n @%p bra L;
        bar.warp.sync 0xffffffff; //! absent-lane
        L: barrier.sync 0;";
    expect(body, 64);
}

#[test]
fn one_collective_at_two_places() {
    let body = "setp.ge.u32 %p, %lane, 20;\n @%p bra L;
        vote.sync.any.pred %q, %p, 0xffffffff; //! two-sites
        bra E;\n L: vote.sync.any.pred %q, %p, 0xffffffff;\n E: bar.warp.sync 0xffffffff;";
    expect(body, 32);
    let body = "setp.ge.u32 %p, %lane, 20;\n @%p bra L;
        vote.sync.any.pred %q, %p, 0xffffffff; //! absent-lane
        bra E;\n L: vote.sync.all.pred %q, %p, 0xffffffff;\n E: bar.warp.sync 0xffffffff;";
    expect(body, 32);
}

#[test]
fn a_lane_that_has_exited() {
    let body = "setp.ge.u32 %p, %lane, 20;\n @%p exit;
        vote.sync.any.pred %q, %p, 0xffffffff; //! exited-lane";
    expect(body, 32);
    // Threads that never were are not worth a word.
    expect("setp.ge.u32 %p, %lane, 20;\n vote.sync.any.pred %q, %p, 0xffffffff;", 20);
}

#[test]
fn segments_of_a_shuffle() {
    expect("shfl.sync.down.b32 %r0, %lane, 1, 0x141f, 0xffffffff; //! shfl-width", 32);
    expect("shfl.sync.up.b32 %r0, %lane, 1, 0xfffff000, 0xffffffff; //! shfl-width", 32);
    expect("shfl.sync.bfly.b32 %r0, %lane, 1, 0x1c1f, 0xffffffff;", 32);
    // No compiler made this of a width.
    expect("shfl.sync.down.b32 %r0, %lane, 1, 0x1407, 0xffffffff;", 32);
}

#[test]
fn active_lanes_as_a_decision() {
    let store = "mul.wide.u32 %d0, %lane, 4;\n add.u64 %d0, %out, %d0;";
    let count = format!(
        "setp.ge.u32 %p, %lane, 20;\n @%p exit;\n activemask.b32 %r0; //! activemask
         popc.b32 %r0, %r0;\n {store}\n st.global.u32 [%d0], %r0;"
    );
    expect(&count, 32);
    let branch = format!(
        "activemask.b32 %r0; //! activemask
         setp.ne.u32 %p, %r0, 0xffffffff;\n @%p exit;\n {store}\n st.global.u32 [%d0], 7;"
    );
    expect(&branch, 32);
    // One lane of each group adds for all of it: the sum is the same whatever the groups are.
    let aggregate = "activemask.b32 %r0;\n popc.b32 %r1, %r0;\n brev.b32 %r2, %r0;\n clz.b32 %r2, %r2;
         setp.ne.u32 %p, %r2, %lane;\n @%p exit;\n red.global.add.u32 [%out], %r1;";
    expect(aggregate, 64);
    let mask = format!("activemask.b32 %r0;\n {store}\n st.global.u32 [%d0], %r0;");
    expect(&mask, 32);
}

#[test]
fn a_barrier_that_splits_a_warp() {
    // The others wait at another barrier,
    let body = "setp.ge.u32 %p, %t, 40;\n @%p bra L;\n bar.sync 0; //! barrier-divergence
        L: bar.sync 0;";
    expect(body, 64);
    // at a collective,
    let body = "setp.ge.u32 %p, %t, 40;\n @%p bra L;
        bar.sync 0; //! barrier-divergence\n L: bar.warp.sync 0xffffffff;";
    expect(body, 64);
    // or went by and on.
    let body = "setp.ge.u32 %p, %t, 40;\n @%p bra L;
        bar.sync 0; //! barrier-divergence
        L: mul.wide.u32 %d0, %t, 4;\n add.u64 %d0, %out, %d0;\n st.global.u32 [%d0], 1;";
    let report = check(&Kernel::new(&text(body)), 64);
    let rules: Vec<Rule> = report.findings.iter().map(|f| f.finding.rule).collect();
    assert_eq!(rules, [Rule::BarrierDivergence]);
    // Without `.aligned` it is legal for lanes to come one by one.
    let body = "setp.ge.u32 %p, %t, 40;\n @%p bra L;\n barrier.sync 1;\n bra E;\n L: barrier.sync 1;\n E:";
    expect(body, 64);
    // Threads that only exit hold up nobody.
    expect("setp.ge.u32 %p, %t, 40;\n @%p exit;\n bar.sync 0; //! exited-barrier", 64);
}

#[test]
fn warps_at_different_instructions() {
    let body = "setp.eq.u32 %p, %w, 0;\n @%p bra L;\n bar.sync 0; //! barrier-sites\n bra E;\n L: bar.sync 0;\n E:";
    expect(body, 64);
    expect(&body.replace("bar.sync", "barrier.sync").replace(" //! barrier-sites", ""), 64);
    let body = "setp.eq.u32 %p, %w, 0;\n @%p bra L;\n bar.sync 1, 64;\n bra E;\n L: bar.arrive 1, 64;\n E:";
    expect(body, 64);
}

#[test]
fn counts_of_threads() {
    expect("barrier.sync 1, 48; //! barrier-count", 64);
    expect("barrier.sync 1, 96; //! barrier-count", 64);
    expect("mov.u32 %r0, 16;\n barrier.sync %r0; //! barrier-count", 64);
    expect("setp.eq.u32 %p, %w, 0;\n @%p bra L;\n bar.sync 1, 64; //! barrier-count\n exit;\n L:", 64);
    expect("barrier.sync 1, 64;", 64);
    // Two halves at two barriers, each for all.
    let body = "add.u32 %r0, %w, 1;\n barrier.sync %r0, 64; //! deadlock";
    expect(body, 64);
}

#[test]
fn two_arrivals_in_one_phase() {
    let body = "setp.eq.u32 %p, %w, 0;\n @%p bra L;
        bar.arrive 1, 64;\n bar.arrive 1, 64; //! barrier-arrive\n exit;\n L: bar.sync 1, 64;";
    let report = check(&Kernel::new(&text(body)), 64);
    assert_eq!(report.findings[0].finding.rule, Rule::BarrierArrive);
}

#[test]
fn reductions_mixed_with_others() {
    let body = "setp.eq.u32 %p, %w, 0;\n @%p bra L;
        barrier.red.popc.u32 %r0, 1, 64, %p;\n exit;\n L: barrier.sync 1, 64;";
    let report = check(&Kernel::new(&text(body)), 64);
    assert_eq!(report.findings[0].finding.rule, Rule::BarrierMix);
    assert_eq!(report.findings[0].finding.related.len(), 1);
}

#[test]
fn lanes_that_go_round_for_ever() {
    let body = "T: ld.volatile.global.u32 %r0, [%out]; //! deadlock\n setp.eq.u32 %p, %r0, 0;\n @%p bra T;";
    expect(body, 32);
    // With a hint to others, and a collective on the way.
    let body = "T: nanosleep.u32 20;\n bar.warp.sync 0xffffffff;
        atom.global.cas.b32 %r0, [%out], 1, 2; //! deadlock\n setp.eq.u32 %p, %r0, 0;\n @%p bra T;";
    expect(body, 64);
    // An mbarrier for more arrivals than there are.
    let body = "mov.u32 %r0, s;\n setp.ne.u32 %p, %t, 0;\n @!%p mbarrier.init.shared.b64 [%r0], 64;\n bar.sync 0;
        mbarrier.arrive.shared.b64 %d0, [%r0];
        T: mbarrier.test_wait.shared.b64 %q, [%r0], %d0; //! mbarrier-count\n @!%q bra T;";
    expect(body, 32);
    // A lane that gives another what it waits for.
    let body = "setp.eq.u32 %p, %lane, 3;\n @%p st.volatile.global.u32 [%out], 1;
        T: ld.volatile.global.u32 %r0, [%out];\n setp.eq.u32 %p, %r0, 0;\n @%p bra T;";
    expect(body, 32);
}

#[test]
fn the_cause_is_told_from_those_who_wait_for_it() {
    // Warp 1 waits at the block's barrier for warp 0, whose lanes wait for each other.
    let body = "setp.ne.u32 %p, %w, 0;\n @%p bra E;\n setp.ge.u32 %p, %lane, 20;\n @%p bra L;
        vote.sync.ballot.b32 %r0, %p, 0xffffffff; //! absent-lane
        L: bar.warp.sync 0xffffffff;\n E: bar.sync 0;";
    expect(body, 64);
}
