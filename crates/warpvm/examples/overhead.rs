//! What a check costs beside a run, by group of rules, and byte differences beside the same loop in Rust. One thread, medians of wall time.
//!
//!     cargo run --release -p warpvm --example overhead

use std::time::{Duration, Instant};

use warpvm::{Arg, CheckOptions, Device, Kernel, Levels, Module, Options, Rule, Tier};

const RUNS: usize = 5;

fn median(mut f: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            f();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}

struct Work {
    name: &'static str,
    device: Device,
    kernel: Kernel,
    grid: [u32; 3],
    block: [u32; 3],
    args: Vec<Arg>,
}

impl Work {
    fn launch(&mut self, tier: Tier) -> Duration {
        let options = Options { threads: 1, tier, ..Options::default() };
        median(|| {
            self.device.launch(&self.kernel, self.grid, self.block, &self.args, &options).expect("a clean launch");
        })
    }

    fn check(&mut self, levels: &Levels) -> Duration {
        let levels = levels.clone();
        let options = CheckOptions { seeds: 0..1, threads: 1, max_steps: 1 << 40, levels, ..CheckOptions::default() };
        median(|| {
            let report =
                self.device.check(&self.kernel, self.grid, self.block, &self.args, &options).expect("a launch");
            report.assert_clean();
        })
    }
}

fn buffers(device: &mut Device, sizes: &[u64]) -> Vec<Arg> {
    let mut args = Vec::new();
    for (n, &bytes) in sizes.iter().enumerate() {
        let data: Vec<u8> =
            (0..bytes).map(|i| ((i * 2_654_435_761) >> 13) as u8 & if i % 4 < 2 { 0xff } else { 0 }).collect();
        args.push(Arg::Buffer(device.upload(&format!("b{n}"), &data).expect("memory")));
    }
    args
}

fn work(
    module: &Module,
    name: &'static str,
    entry: &str,
    grid: [u32; 3],
    block: [u32; 3],
    sizes: &[u64],
    rest: &[Arg],
) -> Work {
    let mut device = Device::new(module).expect("memory");
    let mut args = buffers(&mut device, sizes);
    args.extend_from_slice(rest);
    Work { name, device, kernel: module.kernel(entry).expect("a kernel"), grid, block, args }
}

/// Groups of rules, each by the beginnings of the rules that are left out.
const GROUPS: [(&str, &[&str]); 4] = [
    ("all rules", &[]),
    ("races", &["uninit", "source", "div"]),
    ("values", &["race", "async", "mbarrier"]),
    ("the others", &["race", "async", "mbarrier", "uninit", "source", "div"]),
];

/// All rules but those that begin so.
fn without(starts: &[&str]) -> Levels {
    let dropped = Rule::ALL.iter().filter(|rule| starts.iter().any(|s| rule.name().starts_with(s)));
    dropped.fold(Levels::default(), |levels, &rule| levels.allow(rule))
}

fn ms(d: Duration) -> f64 {
    d.as_secs_f64() * 1e3
}

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/kernels.ptx");
    let module = Module::from_file(path).expect("the kernels of bench/");
    let n = 1 << 14;
    let bytes = 4 * n;
    let count = Arg::I32(n as i32);
    let blocks = [n as u32 / 256, 1, 1];
    let mut list = [
        work(&module, "collatz", "w1", blocks, [256, 1, 1], &[bytes, bytes], std::slice::from_ref(&count)),
        work(&module, "butterfly", "w2", blocks, [256, 1, 1], &[bytes, bytes], std::slice::from_ref(&count)),
        work(&module, "sgemm", "w4", [8, 8, 1], [16, 16, 1], &[bytes * 4; 3], &[Arg::I32(128)]),
        work(&module, "histogram", "w6", [16, 1, 1], [256, 1, 1], &[bytes * 4, 1024], &[Arg::I32(4 * n as i32)]),
    ];
    println!("milliseconds; in brackets the ratio to the interpreted run");
    println!(
        "{:<10} {:>9} {:>12} {}",
        "kernel",
        "compiled",
        "interpreted",
        GROUPS.map(|g| format!("{:>16}", g.0)).concat()
    );
    for w in &mut list {
        let (run, plain) = (w.launch(Tier::Compiled), w.launch(Tier::Interpreted));
        let checks = GROUPS.map(|(_, dropped)| {
            let time = w.check(&without(dropped));
            format!("{:>10.2} ({:>3.1})", ms(time), ms(time) / ms(plain))
        });
        println!("{:<10} {:>9.2} {:>12.2} {}", w.name, ms(run), ms(plain), checks.concat());
    }
    let n = 1 << 20;
    let mut sad = work(&module, "sad", "w5", [n as u32 / 256, 1, 1], [256, 1, 1], &[4 * n; 3], &[Arg::I32(n as i32)]);
    let ours = sad.launch(Tier::Compiled);
    let (a, b): (Vec<[u8; 4]>, Vec<[u8; 4]>) =
        (0..n as u32).map(|i| (i.wrapping_mul(7919).to_le_bytes(), i.wrapping_mul(104_729).to_le_bytes())).unzip();
    let mut out = vec![0u32; n as usize];
    let rust = median(|| {
        for ((o, a), b) in out.iter_mut().zip(&a).zip(&b) {
            *o = a.iter().zip(b).map(|(x, y)| u32::from(x.abs_diff(*y))).sum();
        }
        std::hint::black_box(&out);
    });
    println!("sad of 2^20 words: {:.2} ms, the same loop in Rust {:.2} ms", ms(ours), ms(rust));
}
