//! Random programs, and what comes of them in each tier.

mod collectives;
mod operations;
mod tame;
mod tiles;
mod wild;

use std::sync::Arc;

pub use collectives::Maker as Collectives;
pub use operations::{INPUT as OPERATION_INPUT, Maker as Operations, OUTPUT as OPERATION_OUTPUT};
pub use tame::Maker as Tame;
pub use tiles::{BLOCKS, INPUT as TILE_INPUT, Maker as Tiles, OUTPUT as TILE_OUTPUT};
use warpvm_machine::Random;
use warpvm_machine::fault::Fault;
use warpvm_machine::launch::{self, Config, Dimensions, Launch, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::{Nobody, Observer};
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

/// Somebody who looks at every instruction: it is then run by itself, as it is written.
struct Looker;

impl Observer for Looker {
    const ACTIVE: bool = true;
}

/// What a program writes, how it faults, and how many instructions it ran.
struct Ran {
    bytes: Vec<u8>,
    fault: Option<Box<Fault>>,
    steps: u64,
}

fn run<O: Observer>(
    program: &Program,
    block: [u32; 3],
    tier: Tier,
    input: u32,
    output: u64,
    observer: impl Fn() -> O + Sync,
) -> Ran {
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
    let (outcome, _) = launch::run(program, &memory, &launch, &config, observer).expect("a legal launch");
    let bytes = memory.read(out, output).expect("the output").to_vec();
    Ran { bytes, fault: outcome.fault, steps: outcome.steps }
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
    let want = run(&program, block, Tier::Interpreted, input, output, || Nobody);
    let seen = run(&program, block, Tier::Interpreted, input, output, || Looker);
    if want.fault.is_none() {
        assert_eq!(want.steps, seen.steps, "{name} block {block:?}: instructions, with an observer too\n{text}");
    }
    same(&format!("{name} block {block:?} observed"), text, &want, &seen, faults);
    for tier in [Tier::Compiled, Tier::CompiledNarrow] {
        let got = run(&program, block, tier, input, output, || Nobody);
        same(&format!("{name} block {block:?} {tier:?}"), text, &want, &got, faults);
    }
}

/// # Panics
/// Where two runs differ.
fn same(name: &str, text: &str, want: &Ran, got: &Ran, faults: Faults) {
    if want.fault.is_some() || got.fault.is_some() {
        let same =
            if faults == Faults::Same { want.fault == got.fault } else { got.fault.is_some() == want.fault.is_some() };
        assert!(same, "{name}: interpreted {:?}, here {:?}\n{text}", want.fault, got.fault);
        return;
    }
    if let Some(at) = (0..want.bytes.len()).find(|&i| want.bytes[i] != got.bytes[i]) {
        let word = |b: &[u8]| u32::from_le_bytes(b[at / 4 * 4..][..4].try_into().expect("four bytes"));
        let (want, got) = (word(&want.bytes), word(&got.bytes));
        panic!("{name}: byte {at}: interpreted {want:08x}, here {got:08x}\n{text}");
    }
}
