//! A grid of 2^31 threads: memory and registers are those of the warps that run, not of the grid.
#![cfg(target_os = "linux")]

use std::sync::Arc;

use warpvm_machine::launch::{self, Config, Dimensions, Launch, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;

/// The last thread of the grid leaves its mark; all others return.
const LAST: &str = "
.version 9.0
.target sm_90
.address_size 64
.visible .entry last(.param .u64 out)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    mov.u32 %r0, %ctaid.x;
    setp.ne.u32 %p0, %r0, 2097151;
    @%p0 ret;
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 1023;
    @%p1 ret;
    ld.param.u64 %rd0, [out];
    atom.global.add.u32 %r2, [%rd0], 1;
    ret;
}
";

/// Kilobytes that this process holds.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find(|l| l.starts_with("VmHWM")).expect("peak of resident memory");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

#[test]
fn a_grid_of_two_to_the_31_threads_needs_little_memory() {
    let image = Image::new(Arc::new(warpvm_ptx::parse(LAST).expect("PTX")), LAST.into()).expect("a module");
    let program = image.lower("last").expect("a kernel");
    let mut memory = GlobalMemory::new(1 << 20).expect("memory");
    let out = memory.allocate(4, Origin::Buffer("out".into()), true).expect("memory");
    let params = out.to_le_bytes();
    let dimensions = Dimensions { grid: [1 << 21, 1, 1], block: [1 << 10, 1, 1], cluster: [1, 1, 1] };
    let before = resident();
    let launch = Launch { dimensions, dynamic_shared: 0, params: &params, cancel: None };
    let config = Config { tier: Tier::Compiled, ..Config::default() };
    let (outcome, _) = launch::run(&program, &memory, &launch, &config, || Nobody).expect("a legal launch");
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    assert_eq!(memory.read(out, 4), Some(&1u32.to_le_bytes()[..]));
    assert!(resident() - before < 32 << 10, "{} KiB more", resident() - before);
}
