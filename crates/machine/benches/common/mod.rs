//! The six workloads of `bench/`, and what they do not have, with memory and parameters ready to launch.

use std::sync::Arc;

use warpvm_machine::launch::{self, Config, Dimensions, Launch, Outcome};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;
use warpvm_machine::program::Program;

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/kernels.ptx");
const PATTERNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/patterns.ptx");
const EMPTY: &str = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n";

/// The xorshift numbers of the yardstick.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

pub fn checksum(bytes: &[u8]) -> u32 {
    let words = bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("four bytes")));
    words.fold(2166136261, |h, w| (h ^ w).wrapping_mul(16777619))
}

fn words(n: usize, f: impl FnMut(usize) -> u32) -> Vec<u8> {
    (0..n).map(f).flat_map(u32::to_le_bytes).collect()
}

pub enum Arg {
    In(Vec<u8>),
    Out(usize),
    F32(f32),
    I32(i32),
}

pub struct Workload {
    pub name: &'static str,
    /// What one launch does, in the unit of the yardstick.
    pub work: f64,
    pub grid: [u32; 3],
    block: [u32; 3],
    args: Vec<Arg>,
    /// Is the output to be cleared before each run?
    accumulates: bool,
}

pub fn workloads() -> Vec<Workload> {
    use Arg::{F32, I32, In, Out};
    const N1: usize = 262144;
    const N3: usize = 4 << 20;
    let x = words(N3, |i| ((i % 1000) as f32 * 0.25).to_bits());
    let y = words(N3, |i| ((i % 777) as f32 * 0.5).to_bits());
    let a = words(512 * 512, |i| ((i % 13) as f32 - 6.0).to_bits());
    let b = words(512 * 512, |i| ((i % 17) as f32 - 8.0).to_bits());
    let mut numbers = Numbers(12345);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for _ in 0..N3 {
        left.extend(numbers.next().to_le_bytes());
        right.extend(numbers.next().to_le_bytes());
    }
    let line = |n: usize| [n as u32 / 256, 1, 1];
    let one = |name, work, n: usize, args| Workload {
        name,
        work,
        grid: line(n),
        block: [256, 1, 1],
        args,
        accumulates: false,
    };
    let n3 = N3 as i32;
    vec![
        one("w1", 30800213.0, N1, vec![In(words(N1, |i| i as u32 + 1)), Out(N1 * 4), I32(N1 as i32)]),
        one(
            "w2",
            N1 as f64 * 320.0,
            N1,
            vec![In(words(N1, |i| (i as u32).wrapping_mul(2654435761))), Out(N1 * 4), I32(N1 as i32)],
        ),
        one("w3", N3 as f64, N3, vec![F32(2.0), In(x), In(y), Out(N3 * 4), I32(n3)]),
        Workload {
            name: "w4",
            work: 512.0 * 512.0 * 512.0,
            grid: [32, 32, 1],
            block: [16, 16, 1],
            args: vec![In(a), In(b), Out(512 * 512 * 4), I32(512)],
            accumulates: false,
        },
        one("w5", N3 as f64, N3, vec![In(left.clone()), In(right.clone()), Out(N3 * 4), I32(n3)]),
        one("w5s", N3 as f64, N3, vec![In(left.clone()), In(right), Out(N3 * 4), I32(n3)]),
        Workload {
            name: "w6",
            work: N3 as f64,
            grid: [64, 1, 1],
            block: [256, 1, 1],
            args: vec![In(left[..N3].to_vec()), Out(1024), I32(n3)],
            accumulates: true,
        },
        one("empty", 1048576.0, 1 << 20, vec![]),
    ]
    .into_iter()
    .chain(patterns())
    .collect()
}

/// What the six do not have, a million threads each (p11: a quarter of that).
fn patterns() -> Vec<Workload> {
    use Arg::{I32, In, Out};
    const N: usize = 1 << 20;
    // A permutation of each 4096: what lies in the caches of a core.
    let index = |i: usize| (i & !4095 | i.wrapping_mul(2_654_435_761) >> 3 & 4095) as u32;
    let number = |i: usize| ((i % 1000) as f32 * 0.25).to_bits();
    let starts = words(N + 1, |i| (i * 6 + (i * 7) % 4) as u32);
    let rows = || words(6 * N + 4, number);
    let gather = || vec![In(words(N, index)), In(words(N, number)), Out(4 * N), I32(N as i32)];
    let mixed = || In(words(N, |i| (i as u32).wrapping_mul(2_654_435_761)));
    let long = || In(words(2 * N, |i| (i as u32).wrapping_mul(2_654_435_761)));
    let small = || In(words(2 * N, |i| ((i % 1000) as f32 * 0.001).to_bits()));
    let doubles = || In((0..N).flat_map(|i| ((i % 1000) as f64 * 0.001).to_le_bytes()).collect());
    let size = || I32(N as i32);
    let list: [(&'static str, Vec<Arg>); 29] = [
        ("p1", gather()),
        ("p2", gather()),
        ("p3", vec![In(words(4 * N, number)), Out(16 * N), I32(N as i32)]),
        ("p4", vec![In(words(N, number)), Out(4 * N), I32(1024)]),
        (
            "p5",
            vec![
                In(starts),
                In(words(6 * N + 4, |i| index(i / 6))),
                In(rows()),
                In(words(N, number)),
                Out(4 * N),
                I32(N as i32),
            ],
        ),
        ("p6", vec![mixed(), In(words(256, |i| i as u32)), Out(4 * N), size()]),
        ("p7", vec![In(words(N, number)), Out(N / 64), size()]),
        ("p8", vec![mixed(), Out(4 * N), size()]),
        ("p9", vec![mixed(), Out(4 * N + 4), size()]),
        ("p10", vec![In(words(8 * N, number)), Out(32 * N), size()]),
        ("p11", vec![small(), Out(4 * N), size()]),
        ("p12", vec![doubles(), Out(8 * N), size()]),
        (
            "p13",
            vec![
                In(words(N, |i| 0x3c00_3800 + i as u32 % 1000)),
                In(words(N, |i| 0x3400_3000 + i as u32 % 777)),
                Out(4 * N),
                size(),
            ],
        ),
        ("p14", vec![mixed(), Out(64), size()]),
        ("p15", vec![long(), Out(8 * N), size()]),
        ("p16", vec![mixed(), Out(4 * N), size()]),
        ("p17", vec![mixed(), Out(4 * N), size()]),
        ("p18", vec![doubles(), Out(8 * N), size()]),
        ("p19", vec![In(words(N, number)), Out(4 * N), size()]),
        ("p20", vec![mixed(), Out(4 * N), size()]),
        ("p21", vec![mixed(), Out(4096), size()]),
        ("p22", vec![mixed(), Out(4 * N), size()]),
        ("p23", vec![In(words(N, number)), Out(4 * N), size()]),
        ("p24", vec![mixed(), Out(64 + (4 << 20)), size()]),
        ("p25", vec![mixed(), Out(N / 256), size()]),
        ("p26", vec![mixed(), Out(4 * N), size()]),
        ("p27", vec![mixed(), Out(4 * N + 4), size()]),
        ("p28", vec![mixed(), Out(4 * N), size()]),
        ("p29", vec![In(words(N, number)), Out(N / 64), size()]),
    ];
    let shape = |name| match name {
        "p4" => ([32, 32, 1], [32, 8, 1]),
        "p27" => ([64, 1, 1], [256, 1, 1]),
        "p11" => ([(N / 1024) as u32, 1, 1], [256, 1, 1]),
        _ => ([(N / 256) as u32, 1, 1], [256, 1, 1]),
    };
    list.into_iter()
        .map(|(name, args)| {
            let (grid, block) = shape(name);
            let work = f64::from(grid[0] * grid[1]) * f64::from(block[0] * block[1]);
            Workload {
                name,
                work,
                grid,
                block,
                args,
                accumulates: matches!(name, "p9" | "p14" | "p21" | "p24" | "p25" | "p26" | "p27"),
            }
        })
        .collect()
}

/// The text of the kernels.
pub fn kernels() -> String {
    read(KERNELS)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("kernels")
}

/// A kernel of a text, lowered.
pub fn program(text: &str, entry: &str) -> Program {
    let tree = warpvm_ptx::parse(text).expect("PTX");
    let image = Image::new(Arc::new(tree), text.into()).expect("a module");
    image.lower(entry).expect("a kernel")
}

/// A workload with its kernel, its memory and its parameters.
pub struct Ready {
    pub program: Program,
    memory: GlobalMemory,
    params: Vec<u8>,
    out: Option<(u64, usize)>,
    dimensions: Dimensions,
    accumulates: bool,
}

impl Ready {
    pub fn new(w: &Workload, text: &str) -> Self {
        let program = match w.name {
            "empty" => program(EMPTY, w.name),
            name if name.starts_with('p') => program(&read(PATTERNS), name),
            name => program(text, name),
        };
        let mut memory = GlobalMemory::new(1 << 30).expect("memory");
        let mut params = Vec::new();
        let mut out = None;
        for arg in &w.args {
            let size = if matches!(arg, Arg::F32(_) | Arg::I32(_)) { 4usize } else { 8 };
            params.resize(params.len().next_multiple_of(size), 0);
            let mut buffer = |len: usize, data: &[u8]| {
                let address = memory.allocate(len as u64, Origin::Buffer(String::new()), true).expect("memory");
                memory.write(address, data);
                params.extend(address.to_le_bytes());
                address
            };
            match arg {
                Arg::In(data) => {
                    buffer(data.len(), data);
                }
                Arg::Out(len) => out = Some((buffer(*len, &vec![0; *len]), *len)),
                Arg::F32(v) => params.extend(v.to_le_bytes()),
                Arg::I32(v) => params.extend(v.to_le_bytes()),
            }
        }
        let dimensions = Dimensions { grid: w.grid, block: w.block, cluster: [1, 1, 1] };
        Ready { program, memory, params, out, dimensions, accumulates: w.accumulates }
    }

    /// Puts the output back to what it was where a launch adds to it.
    pub fn prepare(&mut self) {
        if let (true, Some((address, len))) = (self.accumulates, self.out) {
            self.memory.write(address, &vec![0; len]);
        }
    }

    /// Runs the kernel.
    pub fn launch(&self, config: &Config) -> Outcome {
        let launch = Launch { dimensions: self.dimensions, dynamic_shared: 0, params: &self.params, cancel: None };
        let (outcome, _) =
            launch::run(&self.program, &self.memory, &launch, config, || Nobody).expect("a legal launch");
        assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
        outcome
    }

    /// What the C yardstick prints of the output.
    pub fn checksum(&self) -> u32 {
        self.out.map_or(0, |(address, len)| checksum(self.memory.read(address, len as u64).expect("the output")))
    }
}
