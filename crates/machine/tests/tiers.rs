//! Machine code against the interpreter: the same programs, the same inputs, the same bytes and faults.
//!
//! Programs are made by fixed-seed generators; `WARPVM_PROGRAMS` says how many of each.

mod programs;

use programs::{BLOCKS, Faults, TILE_INPUT, TILE_OUTPUT, Tame, Tiles, Wild, compare};

fn count(usual: u64) -> u64 {
    std::env::var("WARPVM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn tiers_agree_on_random_programs() {
    for seed in 0..count(300) {
        let text = Tame::new(seed).program();
        for block in [64, 96] {
            compare(&format!("seed {seed}"), &text, [block, 1, 1], 4096, 1 << 17, Faults::Any);
        }
    }
}

#[test]
fn tiers_agree_on_wild_addresses() {
    for seed in 0..count(600) {
        let maker = Wild::new(seed);
        let faults = if maker.parts() { Faults::Any } else { Faults::Same };
        let text = maker.program();
        for block in [64, 32] {
            compare(&format!("wild seed {seed}"), &text, [block, 1, 1], programs::INPUT / 4, programs::OUTPUT, faults);
        }
    }
}

#[test]
fn tiers_agree_on_tiles_and_histograms() {
    for seed in 0..count(600) {
        let text = Tiles::new(seed).program();
        let block = BLOCKS[seed as usize % BLOCKS.len()];
        compare(&format!("tiles seed {seed}"), &text, block, TILE_INPUT / 4, TILE_OUTPUT, Faults::Any);
    }
}
