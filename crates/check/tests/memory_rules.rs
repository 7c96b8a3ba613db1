//! The rules on memory over the corpora: every faulty kernel of `tests/bugs` gets its finding on a guilty line, every
//! legal one and everything recorded as defined in `tests/truth` stays silent.
//!
//! `CASE=text` takes only the cases whose name has the text in it.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm_check::{Checker, Context, Finding, Levels, Rule, Severity, Sites};
use warpvm_machine::launch::{self, Config, Dimensions, Launch, Schedule};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::program::{Pc, Program};

/// The kinds of `tests/bugs` that rules on memory find.
const KINDS: [&str; 15] = [
    "race-warp",
    "race-block",
    "race-global",
    "race-scope",
    "race-same-value",
    "uninit-reg",
    "uninit-global",
    "uninit-shared",
    "uninit-local",
    "source-lane",
    "div-zero",
    "async-wait",
    "mbarrier-init",
    "mbarrier-count",
    "mbarrier-phase",
];

fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn unzip(path: &str) -> String {
    let file = std::fs::File::open(root(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
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

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_default()
}

fn strings<'a>(v: &'a Value, key: &str) -> Vec<&'a str> {
    v[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn only() -> String {
    std::env::var("CASE").unwrap_or_default()
}

/// A kernel with its memory as it is before the launch.
struct Case {
    program: Arc<Program>,
    memory: GlobalMemory,
    params: Vec<u8>,
    dimensions: Dimensions,
    shared: u32,
}

/// The case, or why it cannot be run.
fn load(case: &Value, ptx: &str, inputs: &Value) -> Result<Case, String> {
    let tree = warpvm_ptx::parse(ptx).map_err(|e| format!("{e:?}"))?;
    let image = Image::new(Arc::new(tree), ptx.into()).map_err(|e| format!("{e:?}"))?;
    let program = image.lower(text(case, "entry")).map_err(|e| format!("{e:?}"))?;
    let mut memory = GlobalMemory::new(1 << 30).expect("memory");
    image.instantiate(&mut memory).expect("room for variables");
    let mut params = vec![0; program.param_bytes as usize];
    for (n, a) in case["args"].as_array().expect("a list").iter().enumerate() {
        let (kind, v) = a.as_object().and_then(|o| o.iter().next()).expect("an argument");
        let buffer = |memory: &mut GlobalMemory, data: &[u8], is_written: bool| {
            let origin = Origin::Buffer(format!("arg{n}"));
            let base = memory.allocate(data.len() as u64, origin, is_written).expect("room for buffers");
            if is_written {
                memory.write(base, data);
            }
            base.to_le_bytes().to_vec()
        };
        let zeros = || vec![0; v.as_u64().expect("a number") as usize];
        let value = match kind.as_str() {
            "bytes" => bytes(v),
            "u32" | "i32" => (v.as_i64().expect("a number") as u32).to_le_bytes().to_vec(),
            "u64" => v.as_u64().expect("a number").to_le_bytes().to_vec(),
            "f32" => (v.as_f64().expect("a number") as f32).to_le_bytes().to_vec(),
            "f64" => v.as_f64().expect("a number").to_le_bytes().to_vec(),
            "in" => buffer(&mut memory, &bytes(&inputs[v.as_str().expect("a name")]), true),
            "inout" | "raw" => buffer(&mut memory, &bytes(v), true),
            "out" => buffer(&mut memory, &zeros(), true),
            "uninit" => buffer(&mut memory, &zeros(), false),
            other => panic!("an argument of kind {other}"),
        };
        let at = program.params[n].offset as usize;
        params[at..at + value.len()].copy_from_slice(&value);
    }
    let (grid, block) = (triple(&case["grid"]), triple(&case["block"]));
    let dimensions = Dimensions { grid, block, cluster: program.cluster.unwrap_or([1, 1, 1]) };
    let shared = case["smem"].as_u64().unwrap_or(0) as u32;
    Ok(Case { program: Arc::new(program), memory, params, dimensions, shared })
}

/// The findings of one schedule.
fn check(case: &Case, seed: u64, max_steps: u64) -> Vec<Finding> {
    let memory = case.memory.duplicate().expect("memory");
    let launch =
        Launch { dimensions: case.dimensions, dynamic_shared: case.shared, params: &case.params, cancel: None };
    let config = Config { schedule: Schedule::Seeded(seed), max_steps, ..Config::default() };
    let context = Context {
        program: case.program.clone(),
        threads: case.dimensions.threads() as u32,
        grid: case.dimensions.grid,
        allocations: memory.allocations().into(),
        sites: Arc::new(Sites::of(&case.program)),
        levels: Levels::default(),
    };
    let observer = || Checker::new(context.clone());
    let (outcome, observers) = launch::run(&case.program, &memory, &launch, &config, observer).expect("a launch");
    if std::env::var("CASE").is_ok() {
        println!(
            "seed {seed}: {} steps, {:?}",
            outcome.steps,
            outcome.fault.map(|f| format!("{f:?}").chars().take(100).collect::<String>())
        );
    }
    let all = observers.into_iter().flat_map(|o| o.found.list().to_vec());
    all.filter(|f| KINDS.contains(&f.rule.name())).collect()
}

/// Where the `.loc` of a place says that it was inlined; not every `.loc` belongs to an instruction.
fn inlined_at(source: &str, place: [u32; 3]) -> Option<(u32, u32, u32)> {
    let numbers = |text: &str| -> Vec<u32> { text.split_whitespace().map_while(|w| w.parse().ok()).collect() };
    let locs = source.lines().filter_map(|line| line.trim().strip_prefix(".loc"));
    let mut outer = locs.filter_map(|text| {
        let (own, rest) = text.split_once(',')?;
        let at = numbers(rest.split_once("inlined_at")?.1);
        (numbers(own) == place).then(|| (at[0], at[1], at[2]))
    });
    outer.next()
}

/// Lines of the CUDA file that an instruction comes from: its own and those that it was inlined at.
fn lines(program: &Program, pc: Pc) -> Vec<u64> {
    let Some(loc) = program.meta[pc as usize].loc else { return Vec::new() };
    let mut list = vec![(loc.file, loc.line)];
    let mut next = loc.inlined_at;
    while let Some((file, line, column)) = next
        && list.len() < 16
    {
        list.push((file, line));
        next = inlined_at(&program.source, [file, line, column]);
    }
    let is_cuda = |file: &u32| {
        program.files.get(file).is_some_and(|path| std::path::Path::new(path).extension().is_some_and(|e| e == "cu"))
    };
    list.iter().filter(|(file, _)| is_cuda(file)).map(|(_, line)| u64::from(*line)).collect()
}

fn show(case: &Case, f: &Finding) -> String {
    let place = |pc: Pc| {
        let span = case.program.meta[pc as usize].span;
        let source = &case.program.source[span.start as usize..span.end as usize];
        format!("line {:?} `{}`", lines(&case.program, pc), source.lines().next().unwrap_or_default())
    };
    let related: Vec<String> = f.related.iter().map(|r| format!("{} @ {}", r.message, place(r.pc))).collect();
    let (severity, rule) = (f.severity, f.rule.name());
    format!("{severity:?}[{rule}] {}: {} @ {}; {}", f.message, f.here, place(f.pc), related.join("; "))
}

fn manifest() -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(&read("bugs/manifest.json")).expect("JSON");
    all.into_iter().filter(|c| text(c, "id").contains(&only())).collect()
}

fn load_bug(case: &Value) -> Case {
    let ptx = read(&format!("bugs/{}", text(case, "ptx")));
    load(case, &ptx, &Value::Null).unwrap_or_else(|e| panic!("{}: {e}", text(case, "id")))
}

/// A fault of our kinds. Lanes that spin for ever are found where the launch ends, not by an observer.
fn is_ours(case: &Value) -> bool {
    let hangs = case["hangs_on_hw"].as_bool().unwrap_or(false);
    text(case, "verdict") == "fault" && KINDS.contains(&text(case, "kind")) && !hangs
}

#[test]
fn faults_are_found() {
    let mut missed = Vec::new();
    for case in manifest().iter().filter(|c| is_ours(c)) {
        let id = text(case, "id");
        let loaded = load_bug(case);
        let mut rules = strings(case, "also");
        rules.push(text(case, "kind"));
        let guilty = case["guilty"].as_array().into_iter().flatten();
        let guilty: Vec<u64> = guilty.filter_map(|g| g["line"].as_u64()).collect();
        let mut seen = Vec::new();
        let found = (0..64).find(|&seed| {
            let list = check(&loaded, seed, 1 << 18);
            let is_right = |f: &Finding| {
                let is_there = lines(&loaded.program, f.pc).iter().any(|l| guilty.contains(l));
                f.severity > Severity::Note && rules.contains(&f.rule.name()) && is_there
            };
            seen.extend(list.iter().map(|f| show(&loaded, f)));
            list.iter().any(is_right)
        });
        seen.sort();
        seen.dedup();
        println!("{id}: seed {found:?}\n    {}", seen.join("\n    "));
        if found.is_none() {
            missed.push(id.to_owned());
        }
    }
    assert!(missed.is_empty(), "no finding for {missed:?}");
}

#[test]
fn twins_are_silent() {
    let mut loud = Vec::new();
    for case in manifest().iter().filter(|c| text(c, "verdict") == "clean") {
        let loaded = load_bug(case);
        let notes = strings(case, "notes");
        for seed in 0..16 {
            let is_wrong = |f: &&Finding| f.severity > Severity::Note || !notes.contains(&f.rule.name());
            let list = check(&loaded, seed, 1 << 20);
            let wrong: Vec<String> = list.iter().filter(is_wrong).map(|f| show(&loaded, f)).collect();
            if !wrong.is_empty() {
                loud.push(format!("{} seed {seed}: {}", text(case, "id"), wrong.join("\n    ")));
                break;
            }
        }
    }
    assert!(loud.is_empty(), "findings in legal kernels:\n{}", loud.join("\n"));
}

/// Findings in the defined programs of a file.
fn findings_in(file: &str, seeds: u64) -> Vec<String> {
    let inputs: Value = serde_json::from_str(&unzip("truth/inputs.json.gz")).expect("JSON");
    let mut loud = Vec::new();
    for line in unzip(&format!("truth/{file}.jsonl.gz")).lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        if !text(&case, "id").contains(&only()) {
            continue;
        }
        let loaded = match load(&case, text(&case, "ptx"), &inputs) {
            Ok(loaded) => loaded,
            Err(e) => {
                loud.push(format!("{}: {e}", text(&case, "id")));
                continue;
            }
        };
        for seed in 0..seeds {
            let list = check(&loaded, seed, 1 << 22);
            let wrong = list.iter().filter(|f: &&Finding| f.severity > Severity::Note && f.rule != Rule::Activemask);
            let wrong: Vec<String> = wrong.map(|f| show(&loaded, f)).collect();
            if !wrong.is_empty() {
                loud.push(format!("{} seed {seed}: {}", text(&case, "id"), wrong.join("\n    ")));
                break;
            }
        }
    }
    loud
}

#[test]
fn defined_kernels_are_silent() {
    let mut loud = findings_in("kernels", 2);
    loud.extend(findings_in("triton", 2));
    assert!(loud.is_empty(), "findings in defined kernels:\n{}", loud.join("\n"));
}

#[test]
fn defined_programs_are_silent() {
    let mut loud = findings_in("random", 2);
    loud.extend(findings_in("deviations", 2));
    assert!(loud.is_empty(), "findings in defined programs:\n{}", loud.join("\n"));
}

#[test]
fn defined_instructions_are_silent() {
    let loud = findings_in("instructions", 1);
    assert!(loud.is_empty(), "findings in {} defined instructions:\n{}", loud.len(), loud.join("\n"));
}
