//! The corpora of faulty kernels and their legal twins under the default check.
//!
//! Every faulty kernel must get its finding, with the right rule, on a guilty line; every twin must be silent (but for
//! the notes that its entry allows) and leave in its buffers what the chip left there, or, where no chip was asked, what
//! a plain run leaves there. Prints a table by kind.
//! `cargo test -p warpvm --test bugs -- NAME [SEEDS]` runs the cases whose name contains NAME and prints their reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm::{Arg, Buffer, CheckOptions, CheckReport, Device, Diagnostic, Kind, Module, Options, Severity};
use warpvm_report::{Label, Origin};

/// A check that takes longer is mentioned.
const SLOW: std::time::Duration = std::time::Duration::from_secs(1);

/// The corpora; `WARPVM_BUGS` names another one of the same form.
fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("WARPVM_BUGS") {
        return vec![folder.into()];
    }
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    vec![tests.join("bugs"), tests.join("more_bugs")]
}

/// The cases of a corpus.
fn cases(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("manifest.json")).expect("the manifest");
    serde_json::from_str(&text).expect("JSON")
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

/// A case with its memory.
struct Launch {
    module: Module,
    device: Device,
    args: Vec<Arg>,
    buffers: BTreeMap<usize, Buffer>,
}

impl Launch {
    fn new(folder: &Path, case: &Value) -> Result<Self, warpvm::Error> {
        let path = folder.join(case["ptx"].as_str().expect("a path"));
        let module = Module::from_file(&path.display().to_string())?;
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
        Ok(Launch { module, device, args, buffers })
    }

    fn left(&self) -> Buffers {
        self.buffers.iter().map(|(n, b)| (*n, self.device.download(*b))).collect()
    }
}

/// What buffers hold, by parameter index.
type Buffers = BTreeMap<usize, Vec<u8>>;

/// Launches a case under the check; gives the report and the buffers.
fn check(folder: &Path, case: &Value, seeds: u64) -> Result<(CheckReport, Buffers), warpvm::Error> {
    let mut launch = Launch::new(folder, case)?;
    let kernel = launch.module.kernel(case["entry"].as_str().expect("a name"))?;
    let options =
        CheckOptions { shared_bytes: number(&case["smem"]) as u32, seeds: 0..seeds, ..CheckOptions::default() };
    let (grid, block) = (triple(&case["grid"]), triple(&case["block"]));
    let report = launch.device.check(&kernel, grid, block, &launch.args, &options)?;
    Ok((report, launch.left()))
}

/// What a plain run leaves in the buffers.
fn run(folder: &Path, case: &Value) -> Result<Buffers, warpvm::Error> {
    let mut launch = Launch::new(folder, case)?;
    let kernel = launch.module.kernel(case["entry"].as_str().expect("a name"))?;
    let options = Options { shared_bytes: number(&case["smem"]) as u32, ..Options::default() };
    launch.device.launch(&kernel, triple(&case["grid"]), triple(&case["block"]), &launch.args, &options)?;
    Ok(launch.left())
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
fn judge(folder: &Path, case: &Value, report: &CheckReport, buffers: &Buffers) -> Option<String> {
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
    if case["expect"].is_null() && case["any_order"].is_null() {
        let plain = run(folder, case);
        return match plain {
            Ok(plain) => (plain != *buffers).then(|| "a plain run leaves something else".to_owned()),
            Err(e) => Some(e.to_string()),
        };
    }
    let differs = |(index, want): (&String, &Value)| {
        let index: usize = index.parse().expect("an index");
        (buffers.get(&index) != Some(&bytes(want))).then_some(index)
    };
    let different = case["expect"].as_object().into_iter().flatten().find_map(differs);
    different.map(|index| format!("argument {index} holds something else than on the chip"))
}

/// Runs a case; says what is wrong.
fn problem(folder: &Path, case: &Value, seeds: u64, is_shown: bool) -> Option<String> {
    let id = case["id"].as_str().expect("an id");
    let start = std::time::Instant::now();
    let checked = check(folder, case, seeds);
    let took = start.elapsed();
    if took > SLOW {
        println!("{id}: {:.1} s", took.as_secs_f64());
    }
    match checked {
        Ok((report, buffers)) => {
            if is_shown {
                println!("{id}: {} instructions\n{report}\n", report.steps);
            }
            judge(folder, case, &report, &buffers)
        }
        Err(e) => Some(e.to_string()),
    }
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let seeds = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(64);
    let mut table: BTreeMap<String, [u32; 4]> = BTreeMap::new();
    let mut failed = 0;
    for folder in folders() {
        for case in cases(&folder) {
            let id = case["id"].as_str().expect("an id");
            if !id.contains(&only) {
                continue;
            }
            let row = table.entry(case["topic"].as_str().expect("a topic").to_owned()).or_default();
            let column = usize::from(case["verdict"] == "clean") * 2;
            row[column + 1] += 1;
            match problem(&folder, &case, seeds, !only.is_empty()) {
                None => row[column] += 1,
                Some(text) => {
                    failed += 1;
                    println!("{id}: {text}");
                }
            }
        }
    }
    println!("{:<24} {:>7} {:>9}", "kind", "found", "silent");
    for (topic, [found, faults, silent, clean]) in &table {
        println!("{topic:<24} {found:>3}/{faults:<3} {silent:>5}/{clean:<3}");
    }
    let sum = |i: usize| table.values().map(|row| row[i]).sum::<u32>();
    println!("{} of {} faults found, {} of {} twins silent", sum(0), sum(1), sum(2), sum(3));
    assert!(failed == 0 || !only.is_empty(), "{failed} cases are not as they should be");
}
