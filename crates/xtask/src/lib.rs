//! Long checks that are too slow for the default tests: `cargo xtask special`.

pub mod special;
