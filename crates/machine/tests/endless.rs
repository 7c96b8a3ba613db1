//! Loops that never end: each tier stops at the limit of steps, and when somebody wants it to.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warpvm_machine::fault::FaultKind;
use warpvm_machine::launch::{self, Config, Dimensions, Launch, Outcome, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::GlobalMemory;
use warpvm_machine::observe::Nobody;

/// A loop over a barrier, one without, and one that lanes leave one by one, but for the last.
const LOOPS: [&str; 3] = [
    "L: bar.sync 0; add.u32 %r, %r, 1; bra L;",
    "L: add.u32 %r, %r, 1; bra L;",
    "mov.u32 %r, %tid.x; setp.eq.u32 %q, %r, 0; L: max.u32 %r, %r, 1; sub.u32 %r, %r, 1; setp.ne.u32 %p, %r, 0; or.pred %p, %p, %q; @%p bra L;",
];

fn run(body: &str, tier: Tier, max_steps: u64, cancel: Option<&AtomicBool>) -> Outcome {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %r;\n.reg .pred %p, %q;\nmov.u32 %r, 0;\n{body}\nret;\n}}\n"
    );
    let image = Image::new(Arc::new(warpvm_ptx::parse(&text).expect("PTX")), text.into()).expect("a module");
    let program = image.lower("k").expect("a kernel");
    let memory = GlobalMemory::new(1 << 20).expect("memory");
    let dimensions = Dimensions { grid: [2, 1, 1], block: [64, 1, 1], cluster: [1, 1, 1] };
    let config = Config { threads: 1, tier, max_steps, ..Config::default() };
    let launch = Launch { dimensions, dynamic_shared: 0, params: &[], cancel };
    launch::run(&program, &memory, &launch, &config, || Nobody).expect("a legal launch").0
}

#[test]
fn every_tier_ends_at_the_limit_of_steps() {
    for body in LOOPS {
        for tier in [Tier::Interpreted, Tier::Compiled, Tier::CompiledNarrow] {
            let fault = run(body, tier, 100_000, None).fault.unwrap_or_else(|| panic!("{body} {tier:?}: no fault"));
            let FaultKind::StepLimit { spinning, .. } = &fault.kind else { panic!("{body} {tier:?}: {fault:?}") };
            assert!(spinning.iter().any(|w| w.lanes & 1 != 0), "{body} {tier:?}: {fault:?}");
        }
    }
}

#[test]
fn every_tier_ends_when_it_is_cancelled() {
    for body in LOOPS {
        for tier in [Tier::Interpreted, Tier::Compiled, Tier::CompiledNarrow] {
            let cancel = AtomicBool::new(false);
            let outcome = std::thread::scope(|scope| {
                let launch = scope.spawn(|| run(body, tier, u64::MAX, Some(&cancel)));
                std::thread::sleep(std::time::Duration::from_millis(30));
                cancel.store(true, std::sync::atomic::Ordering::Relaxed);
                launch.join().expect("no panic")
            });
            assert!(outcome.is_cancelled && outcome.fault.is_none(), "{body} {tier:?}: {:?}", outcome.fault);
        }
    }
}
