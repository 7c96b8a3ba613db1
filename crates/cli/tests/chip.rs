//! `warpvm profile` against what Nsight Compute counted on a real chip (`tests/profile`).
//!
//! Requests, sectors, wavefronts and conflicts must be equal, and the mean of active lanes within 2 %, apart from the
//! differences listed here with their reasons.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const LANES: &str = "smsp__thread_inst_executed_per_inst_executed.ratio";

/// Kernel, what a metric's name contains, why it differs.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("ballot_compaction", LANES, "ptxas made branches into predication"),
    ("ballot_compaction", "wavefronts_mem_shared_op_ld", "ptxas joined loads of neighbouring words"),
    ("sgemm", "wavefronts_mem_shared_op_ld", "ptxas joined loads of neighbouring words"),
    ("smith_waterman", LANES, "ptxas made branches into predication"),
    ("motion", LANES, "printf runs on the chip, lane after lane; here it is built in"),
    ("motion", "mem_global", "printf"),
    ("motion", "mem_shared_op_atom", "printf"),
    ("spin_lock", LANES, "how long lanes spin depends on the schedule"),
    ("spin_lock", "_op_atom", "how long lanes spin depends on the schedule"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn profile(kernel: &str) -> Value {
    let launch = root().join(format!("examples/{kernel}.json"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpvm"));
    let output = command.args(["profile", "--format", "json", "--launch"]).arg(launch).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{kernel}: {e}: {text}"));
    value["profile"]["metrics"].clone()
}

#[test]
fn counts_agree_with_the_chip() {
    let text = std::fs::read_to_string(root().join("tests/profile/h200.json")).expect("the recorded counts");
    let recorded: Value = serde_json::from_str(&text).expect("JSON");
    let mut wrong = Vec::new();
    for (kernel, chip) in recorded["kernels"].as_object().expect("kernels") {
        let ours = profile(kernel);
        for (metric, chip) in chip.as_object().expect("metrics") {
            let is_excused = DIFFERENT.iter().any(|(k, m, _)| k == kernel && metric.contains(m));
            if is_excused || !(metric == LANES || metric.starts_with("l1tex__")) {
                continue;
            }
            let (chip, ours) = (chip.as_f64().unwrap_or(f64::NAN), ours[metric].as_f64().unwrap_or(f64::NAN));
            // The chip's tool rounds ratios to two places.
            let allowed = if metric == LANES { 0.02 * chip } else { 0.006 };
            if (chip - ours).abs() > allowed || ours.is_nan() {
                wrong.push(format!("{kernel} {metric}: chip {chip}, here {ours}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
