//! A sample of what `cargo xtask special` checks: 64 chunks of 65,536 answers a function.

use xtask::special::{Truth, chunk_sums, named, sample, sampled_chunks};

/// Compares every eighth sampled chunk of a function, from the `part`-th on.
fn check(truth: &Truth, name: &str, part: usize) {
    let function = named(name).expect("a name of the recording");
    let chunks: Vec<u32> = sampled_chunks().into_iter().skip(part).step_by(8).collect();
    let sums = chunk_sums(&function, &chunks, 1).expect("a meaning");
    for (chunk, sum) in chunks.into_iter().zip(sums) {
        assert_eq!(Some(sum), truth.sum(name, chunk), "{name}: chunk {chunk:#06x}: sum, and sum expected");
    }
}

#[test]
fn sampled_sums_agree() {
    let truth = sample().expect("the sample is in the repository");
    std::thread::scope(|scope| {
        for part in 0..8 {
            let truth = &truth;
            scope.spawn(move || truth.names().for_each(|name| check(truth, name, part)));
        }
    });
}
