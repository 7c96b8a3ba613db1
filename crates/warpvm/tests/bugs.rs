//! The corpus of faulty kernels and their legal twins under the default check.
//!
//! Every faulty kernel must get its finding, with the right rule, on a guilty line; every twin must be silent (but for
//! the notes that its entry allows) and leave in its buffers what the chip left there. Prints a table by kind.
//! `cargo test -p warpvm --test bugs -- NAME [SEEDS]` runs the cases whose name contains NAME and prints their reports.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm::{Arg, Buffer, CheckOptions, CheckReport, Device, Diagnostic, Kind, Module, Severity};
use warpvm_report::{Label, Origin};

/// A check that takes longer is mentioned.
const SLOW: std::time::Duration = std::time::Duration::from_secs(1);

/// The corpus; `WARPVM_BUGS` names another one of the same form.
fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("WARPVM_BUGS") {
        return folder.into();
    }
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/bugs")
}

fn bytes(v: &Value) -> Vec<u8> {
    STANDARD.decode(v.as_str().expect("base64 text")).expect("base64")
}

fn number(v: &Value) -> u64 {
    v.as_u64().expect("a number")
}

fn triple(v: &Value) -> [u32; 3] {
    std::array::from_fn(|i| number(&v[i]) as u32)
}

fn words(v: &Value) -> Vec<&str> {
    v.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// Launches a case under the check; gives the report and the buffers by parameter index.
fn check(case: &Value, seeds: u64) -> Result<(CheckReport, BTreeMap<usize, Vec<u8>>), warpvm::Error> {
    let path = folder().join(case["ptx"].as_str().expect("a path"));
    let module = Module::from_file(&path.display().to_string())?;
    let kernel = module.kernel(case["entry"].as_str().expect("a name"))?;
    let mut device = Device::new(&module)?;
    let mut buffers: BTreeMap<usize, Buffer> = BTreeMap::new();
    let mut args = Vec::new();
    for (n, a) in case["args"].as_array().expect("a list").iter().enumerate() {
        let (kind, v) = a.as_object().and_then(|o| o.iter().next()).expect("an argument");
        let name = format!("argument {n}");
        let buffer = match kind.as_str() {
            "inout" | "raw" => device.upload(&name, &bytes(v))?,
            "out" => device.upload(&name, &vec![0u8; number(v) as usize])?,
            "uninit" => device.allocate_uninitialised(&name, number(v))?,
            "u32" => {
                args.push(Arg::U32(number(v) as u32));
                continue;
            }
            other => panic!("argument of kind {other}"),
        };
        buffers.insert(n, buffer);
        args.push(Arg::Buffer(buffer));
    }
    let options =
        CheckOptions { shared_bytes: number(&case["smem"]) as u32, seeds: 0..seeds, ..CheckOptions::default() };
    let report = device.check(&kernel, triple(&case["grid"]), triple(&case["block"]), &args, &options)?;
    Ok((report, buffers.into_iter().map(|(n, b)| (n, device.download(b))).collect()))
}

/// The lines of the file that a label names: of the CUDA file, or of the PTX where that is all there is.
fn lines<'a>(label: &'a Label, file: &'a str) -> impl Iterator<Item = u64> + 'a {
    std::iter::once(&label.at).chain(label.source_places()).filter_map(move |place| match &place.origin {
        Origin::File { path, line } if path.ends_with(file) => Some(u64::from(*line)),
        _ => None,
    })
}

fn is_guilty(case: &Value, d: &Diagnostic) -> bool {
    let file = case["file"].as_str().expect("a path");
    let guilty: Vec<u64> = case["guilty"].as_array().expect("a list").iter().map(|g| number(&g["line"])).collect();
    d.primary.iter().any(|label| lines(label, file).any(|line| guilty.contains(&line)))
}

/// What is wrong with the report on a case; nothing where it is right.
fn judge(case: &Value, report: &CheckReport, buffers: &BTreeMap<usize, Vec<u8>>) -> Option<String> {
    let is_serious = |d: &&Diagnostic| d.kind != Kind::Finding(Severity::Note);
    if case["verdict"] == "fault" {
        let mut kinds = words(&case["also"]);
        kinds.push(case["kind"].as_str().expect("a kind"));
        let right = |d: &&Diagnostic| d.rule.is_some_and(|rule| kinds.contains(&rule));
        let seen: Vec<&str> = report.findings.iter().map(|d| d.rule.unwrap_or("none")).collect();
        return match report.findings.iter().filter(is_serious).find(right) {
            None => Some(format!("expected {kinds:?}, found {seen:?}")),
            Some(_) => (!report.findings.iter().filter(is_serious).filter(right).any(|d| is_guilty(case, d)))
                .then(|| format!("{seen:?} on no guilty line")),
        };
    }
    let notes = words(&case["notes"]);
    let loud = report.findings.iter().find(|d| is_serious(d) || !d.rule.is_some_and(|rule| notes.contains(&rule)));
    if let Some(d) = loud {
        return Some(format!("false alarm: {:?} {}", d.rule, d.message));
    }
    let differs = |(index, want): (&String, &Value)| {
        let index: usize = index.parse().expect("an index");
        (buffers.get(&index) != Some(&bytes(want))).then_some(index)
    };
    let different = case["expect"].as_object().into_iter().flatten().find_map(differs);
    different.map(|index| format!("argument {index} holds something else than on the chip"))
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let seeds = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(64);
    let text = std::fs::read_to_string(folder().join("manifest.json")).expect("the manifest");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let mut table: BTreeMap<String, [u32; 4]> = BTreeMap::new();
    let mut failed = 0;
    for case in &cases {
        let id = case["id"].as_str().expect("an id");
        if !id.contains(&only) {
            continue;
        }
        let topic = id.split_once("-0").map_or(id, |(topic, _)| topic);
        let start = std::time::Instant::now();
        let checked = check(case, seeds);
        let took = start.elapsed();
        if took > SLOW {
            println!("{id}: {:.1} s", took.as_secs_f64());
        }
        let problem = match checked {
            Ok((report, buffers)) => {
                if !only.is_empty() {
                    println!("{id}: {} instructions\n{report}\n", report.steps);
                }
                judge(case, &report, &buffers)
            }
            Err(e) => Some(e.to_string()),
        };
        let is_fault = usize::from(case["verdict"] == "clean") * 2;
        let row = table.entry(topic.to_owned()).or_default();
        row[is_fault + 1] += 1;
        match problem {
            None => row[is_fault] += 1,
            Some(text) => {
                failed += 1;
                println!("{id}: {text}");
            }
        }
    }
    println!("{:<22} {:>7} {:>9}", "kind", "found", "silent");
    for (topic, [found, faults, silent, clean]) in &table {
        println!("{topic:<22} {found:>3}/{faults:<3} {silent:>5}/{clean:<3}");
    }
    let sum = |i: usize| table.values().map(|row| row[i]).sum::<u32>();
    println!("{} of {} faults found, {} of {} twins silent", sum(0), sum(1), sum(2), sum(3));
    assert!(failed == 0 || !only.is_empty(), "{failed} cases are not as they should be");
}
