//! Machine code against the interpreter: programs of a seed, with addresses that stay inside and with wild ones.
#![no_main]

#[path = "../../crates/machine/tests/programs/mod.rs"]
mod programs;

use programs::{Faults, INPUT, OUTPUT, Tame, Wild, compare};

libfuzzer_sys::fuzz_target!(|seed: u64| {
    compare("tame", &Tame::new(seed).program(), 64, 4096, 1 << 17, Faults::Any);
    let maker = Wild::new(seed);
    let faults = if maker.parts() { Faults::Any } else { Faults::Same };
    compare("wild", &maker.program(), 64, INPUT / 4, OUTPUT, faults);
});
