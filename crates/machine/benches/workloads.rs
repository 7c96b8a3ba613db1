//! The six workloads of `bench/` on one thread, in CPU time, with the checksums that the C yardstick prints.
//!
//! `cargo bench -p warpvm-machine --bench workloads -- [NAME] [RUNS] [interpreted]`; `bench/compare` puts it next to the yardstick.

mod common;

use std::time::Duration;

use common::{Ready, Workload, kernels, workloads};
use warpvm_machine::launch::{Config, Tier};

/// CPU time of this thread.
fn cpu() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn run(w: &Workload, text: &str, runs: usize, tier: Tier) {
    let mut ready = Ready::new(w, text);
    let config = Config { threads: 1, tier, ..Config::default() };
    let (mut times, mut steps) = (Vec::new(), 0);
    for _ in 0..runs {
        ready.prepare();
        let start = cpu();
        let outcome = ready.launch(&config);
        times.push(cpu().checked_sub(start).unwrap().as_secs_f64());
        steps = outcome.steps;
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let sum = ready.checksum();
    println!(
        "warpvm     {:<5} {:>9.3} ms {:>9.2} M/s  {:>6.2} Gti/s  sum {sum:08x}",
        w.name,
        median * 1e3,
        w.work / median / 1e6,
        steps as f64 * 32.0 / median / 1e9,
    );
}

fn main() {
    let text = kernels();
    let mut args = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let only = args.next().unwrap_or_default();
    let runs = args.next().and_then(|a| a.parse().ok()).unwrap_or(5);
    let tier = if args.next().is_some() { Tier::Interpreted } else { Tier::Compiled };
    for w in workloads() {
        if only.is_empty() || only == "all" || only.split(',').any(|n| n == w.name) {
            run(&w, &text, runs, tier);
        }
    }
}
