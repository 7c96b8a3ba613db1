//! Recorded cases: reading, running and comparing them.
#![allow(dead_code)] // each test uses a part

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use warpvm::tensor_map::{Fill, Interleave, L2Promotion, MapType, Swizzle, TensorMap};
use warpvm::{Arg, Buffer, Device, Module, Options};

/// The files of `tests/truth` with cases that have an answer.
pub const FILES: [&str; 8] = ["instructions", "kernels", "triton", "random", "deviations", "more", "tma", "sweep"];

/// What came of a case.
pub enum Outcome {
    /// Every buffer as recorded.
    Equal,
    /// The first difference.
    Different(String),
    /// The error.
    Failed(String),
}

/// A recorded case with the family it counts for.
pub struct Case {
    pub id: String,
    pub family: String,
    pub row: Value,
}

pub fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file");
    text
}

pub fn inputs() -> Value {
    serde_json::from_str(&read("inputs.json.gz")).expect("JSON")
}

/// Every case whose id contains `filter`.
pub fn cases(filter: &str) -> Vec<Case> {
    let mut list = Vec::new();
    for file in FILES {
        for line in read(&format!("{file}.jsonl.gz")).lines() {
            let row: Value = serde_json::from_str(line).expect("JSON");
            let id = row["id"].as_str().expect("an id").to_owned();
            let family = if file == "deviations" { file } else { id.split('/').next().expect("a family") };
            let family = family.to_owned();
            if id.contains(filter) {
                list.push(Case { id, family, row });
            }
        }
    }
    list
}

/// Runs `f` for every case on all cores; results in order.
pub fn each<T: Send>(cases: &[Case], f: impl Fn(&Case) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut mine = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(i) else { return mine };
            mine.push((i, f(case)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().flat_map(|h| h.join().expect("a worker")).collect()
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, t)| t).collect()
}

fn bytes(v: &Value) -> Vec<u8> {
    STANDARD.decode(v.as_str().expect("base64 text")).expect("base64")
}

pub fn triple(v: &Value) -> [u32; 3] {
    std::array::from_fn(|i| v[i].as_u64().expect("a number") as u32)
}

/// Loads and runs a case. `order_free` leaves out the buffers that depend on the order of lanes by nature.
pub fn run(case: &Case, inputs: &Value, options: Options) -> Outcome {
    let row = &case.row;
    let fail = |e: warpvm::Error| Outcome::Failed(e.to_string());
    let module = match Module::from_ptx("case.ptx", row["ptx"].as_str().expect("text")) {
        Ok(m) => m,
        Err(e) => return fail(e),
    };
    let kernel = match module.kernel(row["entry"].as_str().expect("text")) {
        Ok(k) => k,
        Err(e) => return fail(e),
    };
    let mut device = Device::new(&module).expect("memory");
    let mut buffers: BTreeMap<usize, Buffer> = BTreeMap::new();
    let mut args = Vec::new();
    for (n, a) in row["args"].as_array().expect("a list").iter().enumerate() {
        let (kind, v) = a.as_object().and_then(|o| o.iter().next()).expect("an argument");
        args.push(argument(&mut device, &mut buffers, n, kind, v, inputs));
    }
    let options = Options { shared_bytes: row["smem"].as_u64().unwrap_or(0) as u32, ..options };
    if let Err(e) = device.launch(&kernel, triple(&row["grid"]), triple(&row["block"]), &args, &options) {
        return fail(e);
    }
    for (index, want) in row["expect"].as_object().expect("answers") {
        // Only the sum in the last buffer is determined.
        if case.id == "kernel/spinlock_list" && index != "3" {
            continue;
        }
        let want = bytes(want);
        let got: Vec<u8> = device.download(buffers[&index.parse().expect("an index")]);
        if let Some(at) = (0..want.len()).find(|&i| want[i] != got[i]) {
            return Outcome::Different(difference(index, at / 4 * 4, &want, &got));
        }
    }
    Outcome::Equal
}

pub fn argument(
    device: &mut Device,
    buffers: &mut BTreeMap<usize, Buffer>,
    n: usize,
    kind: &str,
    v: &Value,
    inputs: &Value,
) -> Arg {
    let data = match kind {
        "in" => bytes(&inputs[v.as_str().expect("a name")]),
        "inout" | "raw" => bytes(v),
        "out" => vec![0; v.as_u64().expect("a number") as usize],
        "bytes" => return Arg::Bytes(bytes(v)),
        "tensormap" => {
            let buffer = buffers[&(v["buffer"].as_u64().expect("an index") as usize)];
            return Arg::tensor_map(&tensor_map(buffer.address, v)).expect("a good tensor map");
        }
        "u32" => return Arg::U32(v.as_u64().expect("a number") as u32),
        "i32" => return Arg::I32(v.as_i64().expect("a number") as i32),
        "u64" => return Arg::U64(v.as_u64().expect("a number")),
        "f32" => return Arg::F32(v.as_f64().expect("a number") as f32),
        "f64" => return Arg::F64(v.as_f64().expect("a number")),
        other => panic!("unknown argument `{other}`"),
    };
    let buffer = device.upload(&format!("argument {n}"), &data).expect("memory");
    buffers.insert(n, buffer);
    Arg::Buffer(buffer)
}

/// A tensor map as a recorded case describes it.
pub fn tensor_map(address: u64, v: &Value) -> TensorMap {
    let numbers = |name: &str| -> Vec<u64> {
        let list = v[name].as_array().expect("a list");
        list.iter().map(|x| x.as_u64().expect("a number")).collect()
    };
    let narrow = |name: &str| -> Vec<u32> { numbers(name).iter().map(|&x| x as u32).collect() };
    let corner = |name: &str| -> Vec<i32> {
        let list = v[name].as_array().expect("a list");
        list.iter().map(|x| x.as_i64().expect("a number") as i32).collect()
    };
    let ty = MapType::from_name(v["type"].as_str().expect("a type")).expect("a type");
    let (dims, strides) = (numbers("dims"), numbers("strides"));
    let number = |name: &str| v[name].as_u64().expect("a number") as u32;
    let mut map = if v.get("box").is_some() {
        TensorMap::tiled(ty, address, &dims, &strides, &narrow("box"))
    } else {
        let (lower, upper) = (corner("lower"), corner("upper"));
        TensorMap::im2col(ty, address, &dims, &strides, (&lower, &upper), number("channels"), number("pixels"))
    };
    if v.get("element_strides").is_some() {
        map = map.with_element_strides(&narrow("element_strides"));
    }
    let word = |name: &str| v.get(name).and_then(Value::as_str);
    map.interleave = word("interleave").map_or(map.interleave, |w| Interleave::from_name(w).expect("a word"));
    map.swizzle = word("swizzle").map_or(map.swizzle, |w| Swizzle::from_name(w).expect("a word"));
    map.l2_promotion = word("l2").map_or(map.l2_promotion, |w| L2Promotion::from_name(w).expect("a word"));
    map.fill = word("fill").map_or(map.fill, |w| Fill::from_name(w).expect("a word"));
    map
}

fn difference(index: &str, at: usize, want: &[u8], got: &[u8]) -> String {
    let word = |b: &[u8]| {
        let bytes: Vec<String> = b[at..(at + 4).min(b.len())].iter().rev().map(|x| format!("{x:02x}")).collect();
        bytes.concat()
    };
    format!("buffer {index}, byte {at}: expected {}, got {}", word(want), word(got))
}

/// A list of ids with reasons, one a line: `id  reason`. Lines that start with `#` are comments.
pub fn listed(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .filter_map(|l| l.split_once(' '))
        .map(|(id, reason)| (id.to_owned(), reason.trim().to_owned()))
        .collect()
}
