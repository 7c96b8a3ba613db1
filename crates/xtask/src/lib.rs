//! Long checks that are too slow for the default tests.
//!
//! `cargo xtask special [--function NAME] [--threads N] [--chunks A..B]` runs every answer of the special-function unit
//! against the recorded sums. With `RUSTFLAGS="-C target-cpu=native"` it is several times faster where the processor has
//! AVX-512.

pub mod special;
