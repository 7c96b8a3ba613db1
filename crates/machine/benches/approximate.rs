//! The exact approximate functions of the special-function unit beside the host's libm, in CPU time a lane.
//!
//! `cargo bench -p warpvm-machine --bench approximate -- [NAME]`. A kernel runs many of one instruction, interpreted, on operands
//! of many exponents; what the same kernel with `add.f32` in its place takes is shown first. libm is called for one number
//! after the other, as a program does.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use warpvm_machine::launch::{self, Config, Dimensions, Launch, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;

/// CPU time of this thread.
fn cpu() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Instructions in the loop, and rounds of it.
const UNROLLED: usize = 64;
const ROUNDS: usize = 2000;

/// The operands: 32 numbers of many exponents, all in the domain of every function.
fn operands() -> Vec<f32> {
    (0..32).map(|i| (1.0 + i as f32 / 37.0) * 2f32.powi(i % 7 - 4)).collect()
}

/// Nanoseconds a lane of a kernel that consists of one instruction.
fn chip(instruction: &str) -> f64 {
    let (ty, bits) = if instruction.contains("f64") { ("b64", 8) } else { ("b32", 4) };
    let sources = if instruction.contains("div") || instruction.contains("add") { "%x, %x" } else { "%x" };
    let lines: Vec<String> = (0..UNROLLED).map(|i| format!("{instruction} %d{}, {sources};\n", i % 8)).collect();
    let body = lines.concat();
    let ptx = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n.reg .{ty} %x, %d<8>; .reg .b64 %a, %t; .reg .b32 %n, %l; .reg .pred %q;\n\
         ld.param.u64 %a, [p];\nmov.u32 %l, %tid.x;\nmul.wide.u32 %t, %l, {bits};\nadd.s64 %a, %a, %t;\nld.global.{ty} %x, [%a];\nmov.u32 %n, {ROUNDS};\n\
         L: {body}sub.u32 %n, %n, 1;\nsetp.ne.u32 %q, %n, 0;\n@%q bra L;\nst.global.{ty} [%a], %d0;\nret;\n}}\n"
    );
    let module = warpvm_ptx::parse(&ptx).expect("PTX");
    let image = Image::new(Arc::new(module), ptx.into()).expect("a module");
    let program = image.lower("k").expect("a kernel");
    let mut memory = GlobalMemory::new(1 << 20).expect("memory");
    let base = memory.allocate(256, Origin::Buffer("x".to_owned()), true).expect("memory");
    let data: Vec<u8> = if bits == 8 {
        operands().iter().flat_map(|x| f64::from(*x).to_le_bytes()).collect()
    } else {
        operands().iter().flat_map(|x| x.to_le_bytes()).collect()
    };
    let dimensions = Dimensions { grid: [1; 3], block: [32, 1, 1], cluster: [1; 3] };
    let config = Config { tier: Tier::Interpreted, threads: 1, ..Config::default() };
    let mut once = || {
        memory.write(base, &data);
        let launch = Launch { dimensions, dynamic_shared: 0, params: &base.to_le_bytes(), cancel: None };
        let start = cpu();
        let (outcome, _) = launch::run(&program, &memory, &launch, &config, || Nobody).expect("a launch");
        assert!(outcome.fault.is_none());
        cpu().saturating_sub(start)
    };
    let best = (0..7).map(|_| once()).min().expect("seven");
    best.as_secs_f64() * 1e9 / (UNROLLED * ROUNDS * 32) as f64
}

/// Nanoseconds a number of the host's function.
fn host(f: impl Fn(f32) -> f32) -> f64 {
    let operands = operands();
    let once = || {
        let start = cpu();
        for _ in 0..20_000 {
            let operands = black_box(&operands);
            black_box(operands.iter().map(|&x| f(black_box(x))).fold(0.0, |a: f32, b| a + b));
        }
        cpu().saturating_sub(start)
    };
    let best = (0..7).map(|_| once()).min().expect("seven");
    best.as_secs_f64() * 1e9 / (20_000.0 * 32.0)
}

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    type Host = fn(f32) -> f32;
    let rows: [(&str, Option<Host>); 17] = [
        ("add.f32", Some(|x| x + x)),
        ("rcp.approx.f32", Some(|x| 1.0 / x)),
        ("rcp.approx.ftz.f32", Some(|x| 1.0 / x)),
        ("rsqrt.approx.f32", Some(|x| 1.0 / x.sqrt())),
        ("sqrt.approx.f32", Some(f32::sqrt)),
        ("lg2.approx.f32", Some(f32::log2)),
        ("ex2.approx.f32", Some(f32::exp2)),
        ("ex2.approx.ftz.f32", Some(f32::exp2)),
        ("sin.approx.f32", Some(f32::sin)),
        ("cos.approx.f32", Some(f32::cos)),
        ("tanh.approx.f32", Some(f32::tanh)),
        ("div.approx.f32", Some(|x| x / black_box(x))),
        ("div.full.f32", Some(|x| x / black_box(x))),
        ("ex2.approx.f16x2", None),
        ("tanh.approx.bf16x2", None),
        ("rcp.approx.ftz.f64", None),
        ("rsqrt.approx.f64", None),
    ];
    println!("{:<22} {:>9} {:>9}   ns a lane, ns a number", "instruction", "here", "libm");
    for (name, libm) in rows.into_iter().filter(|(name, _)| name.contains(&only)) {
        let libm = libm.map_or("-".to_owned(), |f| format!("{:.2}", host(f)));
        println!("{name:<22} {:>9.2} {libm:>9}", chip(name));
    }
}
