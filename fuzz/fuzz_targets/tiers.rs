//! Machine code against the interpreter: programs of a seed, with addresses that stay inside, with wild ones, with collectives.
#![no_main]

#[path = "../../crates/machine/tests/programs/mod.rs"]
mod programs;

use programs::{
    BLOCKS, Collectives, Faults, INPUT, OPERATION_INPUT, OPERATION_OUTPUT, OUTPUT, Operations, TILE_INPUT, TILE_OUTPUT,
    Tame, Tiles, Wild, compare,
};

libfuzzer_sys::fuzz_target!(|seed: u64| {
    compare("tame", &Tame::new(seed).program(), [64, 1, 1], 4096, 1 << 17, Faults::Any);
    let maker = Wild::new(seed);
    let faults = if maker.parts() { Faults::Any } else { Faults::Same };
    compare("wild", &maker.program(), [64, 1, 1], INPUT / 4, OUTPUT, faults);
    let threads = [64, 32, 45, 100][(seed % 4) as usize];
    compare("collectives", &Collectives::new(seed, threads).program(), [threads, 1, 1], 4096, 1 << 16, Faults::Any);
    let block = BLOCKS[(seed % BLOCKS.len() as u64) as usize];
    let (input, output) = (OPERATION_INPUT / 4, OPERATION_OUTPUT);
    compare("operations", &Operations::new(seed).program(), [64, 1, 1], input, output, Faults::Any);
    compare("tiles", &Tiles::new(seed).program(), block, TILE_INPUT / 4, TILE_OUTPUT, Faults::Any);
});
