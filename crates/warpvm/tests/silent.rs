//! Everything defined that was recorded on a real chip, under the check with a few seeds: nothing may be found, and
//! what the buffers hold under each schedule is what the chip left there. The undefined rows must each give a finding.
//!
//! `cargo test -p warpvm --test silent -- NAME [SEEDS]` runs the cases whose name contains NAME.

mod common;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm::{Arg, Buffer, CheckOptions, CheckReport, Device, Kind, Module, Outcome, Severity};

fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file");
    text
}

fn bytes(v: &Value) -> Vec<u8> {
    STANDARD.decode(v.as_str().expect("base64 text")).expect("base64")
}

fn triple(v: &Value) -> [u32; 3] {
    std::array::from_fn(|i| v[i].as_u64().expect("a number") as u32)
}

/// The buffers of a case after a check, by parameter index.
type Buffers = BTreeMap<usize, Vec<u8>>;

fn check(case: &Value, inputs: &Value, seeds: u64) -> Result<(CheckReport, Buffers), warpvm::Error> {
    let module = Module::from_ptx("case.ptx", case["ptx"].as_str().expect("text"))?;
    let kernel = module.kernel(case["entry"].as_str().expect("text"))?;
    let mut device = Device::new(&module)?;
    let mut args = Vec::new();
    let mut buffers: BTreeMap<usize, Buffer> = BTreeMap::new();
    for (n, a) in case["args"].as_array().expect("a list").iter().enumerate() {
        let (kind, v) = a.as_object().and_then(|o| o.iter().next()).expect("an argument");
        let data = match kind.as_str() {
            "in" => bytes(&inputs[v.as_str().expect("a name")]),
            "inout" | "raw" => bytes(v),
            "out" => vec![0; v.as_u64().expect("a number") as usize],
            _ => Vec::new(),
        };
        args.push(match kind.as_str() {
            "bytes" => Arg::Bytes(bytes(v)),
            "tensormap" => {
                let buffer = buffers[&(v["buffer"].as_u64().expect("an index") as usize)];
                Arg::tensor_map(&common::tensor_map(buffer.address, v))?
            }
            "u32" => Arg::U32(v.as_u64().expect("a number") as u32),
            "i32" => Arg::I32(v.as_i64().expect("a number") as i32),
            "u64" => Arg::U64(v.as_u64().expect("a number")),
            "f32" => Arg::F32(v.as_f64().expect("a number") as f32),
            "f64" => Arg::F64(v.as_f64().expect("a number")),
            _ => {
                let buffer = device.upload(&format!("argument {n}"), &data)?;
                buffers.insert(n, buffer);
                Arg::Buffer(buffer)
            }
        });
    }
    let options = CheckOptions {
        shared_bytes: case["smem"].as_u64().unwrap_or(0) as u32,
        seeds: 0..seeds,
        ..CheckOptions::default()
    };
    let report = device.check(&kernel, triple(&case["grid"]), triple(&case["block"]), &args, &options)?;
    Ok((report, buffers.into_iter().map(|(n, b)| (n, device.download(b))).collect()))
}

/// Order-dependent by nature: only the last buffer is determined.
fn is_determined(id: &str, index: &str) -> bool {
    id != "kernel/spinlock_list" || index == "3"
}

fn main() {
    let inputs: Value = serde_json::from_str(&read("inputs.json.gz")).expect("JSON");
    let only = std::env::args().nth(1).unwrap_or_default();
    let seeds = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(3);
    let (mut silent, mut loud, mut notes, mut unsupported) = (0, 0, 0, 0);
    for file in ["instructions", "kernels", "triton", "random", "deviations", "tma", "undefined"] {
        for line in read(&format!("{file}.jsonl.gz")).lines() {
            let case: Value = serde_json::from_str(line).expect("JSON");
            let id = case["id"].as_str().expect("an id");
            if !id.contains(&only) {
                continue;
            }
            let (report, buffers) = match check(&case, &inputs, if file == "undefined" { 64 } else { seeds }) {
                Ok(done) => done,
                Err(e) if e.outcome() == Outcome::Unsupported => {
                    unsupported += 1;
                    println!("{id}: {e}");
                    continue;
                }
                Err(e) => panic!("{id}: {e}"),
            };
            if !only.is_empty() {
                println!("{id}\n{report}\n");
            }
            let is_fault = case["clean"] == false;
            let different = case["expect"].as_object().into_iter().flatten().find(|(index, want)| {
                !is_fault && is_determined(id, index) && buffers[&index.parse().expect("an index")] != bytes(want)
            });
            let is_wrong = if is_fault { report.findings.is_empty() } else { !report.is_clean() };
            let is_note = |d: &&warpvm::Diagnostic| d.kind == Kind::Finding(Severity::Note);
            notes += report.findings.iter().filter(is_note).count();
            if is_wrong || different.is_some() {
                loud += 1;
                let first = report.findings.first().map(|d| format!("{:?} {}", d.rule, d.message));
                println!("{id}: {first:?} different: {:?}", different.map(|(index, _)| index));
            } else {
                silent += 1;
            }
        }
    }
    println!("{silent} cases as they should be, {loud} not, {unsupported} unsupported; {notes} notes");
    assert!(loud == 0 || !only.is_empty());
}
