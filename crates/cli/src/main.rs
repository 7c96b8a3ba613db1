//! The warpvm command.

fn main() {}
