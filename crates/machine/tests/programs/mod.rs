//! Random programs, and what comes of them in each tier.

mod tame;
mod tiles;
mod wild;

use std::sync::Arc;

pub use tame::Maker as Tame;
pub use tiles::{BLOCKS, INPUT as TILE_INPUT, Maker as Tiles, OUTPUT as TILE_OUTPUT};
use warpvm_machine::Random;
use warpvm_machine::fault::Fault;
use warpvm_machine::launch::{self, Config, Dimensions, Launch, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;
use warpvm_machine::program::Program;
pub use wild::{INPUT, Maker as Wild, OUTPUT};

/// Numbers small and large, and floats of all kinds.
fn pick(random: &mut Random) -> u32 {
    const ODD: [u32; 8] =
        [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc1_2345, 0x8000_0000, 1, 0x7f7f_ffff, 0x7fa0_0000];
    match random.below(6) {
        0 => random.below(16) as u32,
        1 => (random.below(1000) as f32 * 0.37 - 100.0).to_bits(),
        2 => ODD[random.below(8)],
        _ => random.below(1 << 32) as u32,
    }
}

/// What a program writes, and how it faults.
fn run(program: &Program, block: [u32; 3], tier: Tier, input: u32, output: u64) -> (Vec<u8>, Option<Box<Fault>>) {
    let mut memory = GlobalMemory::new(1 << 24).expect("memory");
    let mut random = Random::new(7);
    let input: Vec<u8> = (0..input).flat_map(|_| pick(&mut random).to_le_bytes()).collect();
    let data = memory.allocate(input.len() as u64, Origin::Buffer("in".to_owned()), true).expect("memory");
    memory.write(data, &input);
    let out = memory.allocate(output, Origin::Buffer("out".to_owned()), true).expect("memory");
    let params: Vec<u8> = [data, out].into_iter().flat_map(u64::to_le_bytes).collect();
    let dimensions = Dimensions { grid: [3, 1, 1], block, cluster: [1, 1, 1] };
    let config = Config { threads: 1, tier, ..Config::default() };
    let launch = Launch { dimensions, dynamic_shared: 0, params: &params, cancel: None };
    let (outcome, _) = launch::run(program, &memory, &launch, &config, || Nobody).expect("a legal launch");
    (memory.read(out, output).expect("the output").to_vec(), outcome.fault)
}

/// How far two runs of a program must be the same where it faults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Faults {
    /// Both fault; which of several faults comes first depends on the order of lanes that parted.
    Any,
    /// The same fault.
    Same,
}

/// Runs a program in all tiers and compares.
///
/// # Panics
/// Where they differ.
pub fn compare(name: &str, text: &str, block: [u32; 3], input: u32, output: u64, faults: Faults) {
    let tree = warpvm_ptx::parse(text).unwrap_or_else(|e| panic!("{name}: {e:?}\n{text}"));
    let image = Image::new(Arc::new(tree), text.into()).expect("a module");
    let program = image.lower("k").unwrap_or_else(|e| panic!("{name}: {e:?}\n{text}"));
    let (want, want_fault) = run(&program, block, Tier::Interpreted, input, output);
    for tier in [Tier::Compiled, Tier::CompiledNarrow] {
        let (got, got_fault) = run(&program, block, tier, input, output);
        if want_fault.is_some() || got_fault.is_some() {
            let same = if faults == Faults::Same {
                want_fault == got_fault
            } else {
                got_fault.is_some() == want_fault.is_some()
            };
            assert!(same, "{name} block {block:?} {tier:?}: interpreted {want_fault:?} compiled {got_fault:?}\n{text}");
            continue;
        }
        if let Some(at) = (0..want.len()).find(|&i| want[i] != got[i]) {
            let word = |b: &[u8]| u32::from_le_bytes(b[at / 4 * 4..][..4].try_into().expect("four bytes"));
            let (want, got) = (word(&want), word(&got));
            panic!("{name} block {block:?} {tier:?}: byte {at}: interpreted {want:08x} compiled {got:08x}\n{text}");
        }
    }
}
