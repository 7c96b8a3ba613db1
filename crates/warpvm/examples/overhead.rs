//! What a check costs beside a run, by group of rules, and byte differences beside the same loop in Rust. One thread, CPU time, the
//! least of some rounds in each of which everything is measured once.
//!
//!     cargo run --release -p warpvm --example overhead -- [KERNEL] [ROUNDS] [GROUP OF RULES] [SEED]

use std::time::Duration;

use warpvm::{Arg, CheckOptions, Device, Kernel, Levels, Module, Options, Rule, Tier};

/// CPU time of this thread.
fn cpu() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn timed(f: impl FnOnce()) -> Duration {
    let start = cpu();
    f();
    cpu().saturating_sub(start)
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
        timed(|| {
            self.device.launch(&self.kernel, self.grid, self.block, &self.args, &options).expect("a clean launch");
        })
    }

    fn check(&mut self, levels: &Levels, seed: u64) -> Duration {
        let levels = levels.clone();
        let options =
            CheckOptions { seeds: seed..seed + 1, threads: 1, max_steps: 1 << 40, levels, ..CheckOptions::default() };
        timed(|| {
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
    let mut words = std::env::args().skip(1);
    let wanted = words.next().unwrap_or_default();
    let rounds = words.next().map_or(9, |n| n.parse().expect("a number of rounds"));
    let group = words.next().unwrap_or_default();
    let seed = words.next().map_or(0, |n| n.parse().expect("a seed"));
    for w in list.iter_mut().filter(|w| w.name.starts_with(&wanted)) {
        let (mut run, mut plain, mut checks) = (Duration::MAX, Duration::MAX, [Duration::MAX; 4]);
        for _ in 0..rounds {
            run = run.min(w.launch(Tier::Compiled));
            plain = plain.min(w.launch(Tier::Interpreted));
            for (least, (_, dropped)) in checks.iter_mut().zip(GROUPS).filter(|(_, g)| g.0.starts_with(&group)) {
                *least = w.check(&without(dropped), seed).min(*least);
            }
        }
        let checks = checks.map(|time| match time {
            Duration::MAX => format!("{:>16}", "-"),
            _ => format!("{:>10.2} ({:>3.1})", ms(time), ms(time) / ms(plain)),
        });
        println!("{:<10} {:>9.2} {:>12.2} {}", w.name, ms(run), ms(plain), checks.concat());
    }
    if wanted.is_empty() {
        sad(&module);
    }
}

/// Sums of byte differences beside the same loop in Rust.
fn sad(module: &Module) {
    let n = 1 << 20;
    let mut sad = work(module, "sad", "w5", [n as u32 / 256, 1, 1], [256, 1, 1], &[4 * n; 3], &[Arg::I32(n as i32)]);
    let least = |f: &mut dyn FnMut() -> Duration| (0..9).map(|_| f()).min().unwrap_or_default();
    let ours = least(&mut || sad.launch(Tier::Compiled));
    let (a, b): (Vec<[u8; 4]>, Vec<[u8; 4]>) =
        (0..n as u32).map(|i| (i.wrapping_mul(7919).to_le_bytes(), i.wrapping_mul(104_729).to_le_bytes())).unzip();
    let mut out = vec![0u32; n as usize];
    let rust = least(&mut || {
        timed(|| {
            for ((o, a), b) in out.iter_mut().zip(&a).zip(&b) {
                *o = a.iter().zip(b).map(|(x, y)| u32::from(x.abs_diff(*y))).sum();
            }
            std::hint::black_box(&out);
        })
    });
    println!("sad of 2^20 words: {:.2} ms, the same loop in Rust {:.2} ms", ms(ours), ms(rust));
}
