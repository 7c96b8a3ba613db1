//! What each phase costs, from text to result: `cargo bench -p warpvm-machine --bench phases -- [FILTER]`.
//!
//! Parsing and loading are counted in bytes of PTX, runs in thread-instructions (PTX instructions that warps execute,
//! times 32).

#[allow(dead_code, reason = "the other benchmark uses the rest")]
mod common;
#[path = "common/modules.rs"]
mod modules;

use std::sync::Arc;

use common::{Ready, kernels, program, workloads};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use warpvm_machine::launch::{self, Config, Dimensions, Launch, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;

const LARGE: usize = 10 << 20;
const NAMES: [&str; 6] = ["w1", "w2", "w3", "w4", "w5", "w6"];
/// Those of which one block is a small part of the work.
const SMALL: [&str; 5] = ["w1", "w2", "w3", "w4", "w5"];

fn main() {
    divan::main();
}

fn image(text: &str) -> Image {
    let tree = warpvm_ptx::parse(text).expect("PTX");
    Image::new(Arc::new(tree), text.into()).expect("a module")
}

/// Text to tree.
#[divan::bench(sample_count = 10)]
fn parse(bencher: Bencher) {
    let text = modules::library(&kernels(), LARGE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| warpvm_ptx::parse(black_box(&text)).expect("PTX"));
}

/// The tree against the table of forms.
#[divan::bench(sample_count = 10)]
fn check_forms(bencher: Bencher) {
    let text = modules::library(&kernels(), LARGE);
    let tree = warpvm_ptx::parse(&text).expect("PTX");
    bencher.counter(BytesCount::of_str(&text)).bench(|| warpvm_ptx::check(black_box(&tree)).len());
}

/// Text to a kernel that can be launched, of a module of 10 MB.
#[divan::bench(sample_count = 10)]
fn load(bencher: Bencher) {
    let text = modules::library(&kernels(), LARGE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let tree = warpvm_ptx::parse(black_box(&text)).expect("PTX");
        assert!(warpvm_ptx::check(&tree).is_empty());
        let image = Image::new(Arc::new(tree), text.as_str().into()).expect("a module");
        image.lower("w4_7").expect("a kernel")
    });
}

/// One kernel, tree to program.
#[divan::bench(args = NAMES, sample_count = 20)]
fn lower(bencher: Bencher, name: &str) {
    let image = image(&kernels());
    bencher.bench(|| image.lower(name).expect("a kernel"));
}

/// A kernel of `n` instructions without a branch.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn lower_straight(bencher: Bencher, n: usize) {
    let image = image(&modules::straight(n));
    bencher.counter(ItemsCount::new(n)).bench(|| image.lower("k").expect("a kernel"));
}

/// A kernel of `n` basic blocks.
#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn lower_branches(bencher: Bencher, n: usize) {
    let image = image(&modules::branches(n));
    bencher.counter(ItemsCount::new(n)).bench(|| image.lower("k").expect("a kernel"));
}

/// Program to machine code, and one block.
#[divan::bench(args = SMALL, sample_count = 20)]
fn compile(bencher: Bencher, name: &str) {
    first_launch(bencher, name, Tier::Compiled);
}

/// The same block without a compiler, to be taken off.
#[divan::bench(args = SMALL, sample_count = 20)]
fn first_block(bencher: Bencher, name: &str) {
    first_launch(bencher, name, Tier::Interpreted);
}

/// First launches of large kernels: `n` instructions without a branch.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3)]
fn compile_straight(bencher: Bencher, n: usize) {
    first_large(bencher, n, &modules::straight(n));
}

/// First launches of large kernels: `n` basic blocks.
#[divan::bench(args = [1_000, 4_000, 10_000], sample_count = 3)]
fn compile_branches(bencher: Bencher, n: usize) {
    first_large(bencher, n, &modules::branches(n));
}

fn first_large(bencher: Bencher, n: usize, text: &str) {
    let mut memory = GlobalMemory::new(1 << 20).expect("memory");
    let out = memory.allocate(4, Origin::Buffer(String::new()), true).expect("memory").to_le_bytes();
    let dimensions = Dimensions { grid: [1, 1, 1], block: [32, 1, 1], cluster: [1, 1, 1] };
    let config = Config { threads: 1, ..Config::default() };
    let image = image(text);
    bencher.counter(ItemsCount::new(n)).with_inputs(|| image.lower("k").expect("a kernel")).bench_local_values(
        |program| {
            let launch = Launch { dimensions, dynamic_shared: 0, params: &out, cancel: None };
            let (outcome, _) = launch::run(&program, &memory, &launch, &config, || Nobody).expect("a legal launch");
            assert!(outcome.fault.is_none());
        },
    );
}

fn first_launch(bencher: Bencher, name: &str, tier: Tier) {
    let text = kernels();
    let mut w = workloads().into_iter().find(|w| w.name == name).expect("a workload");
    w.grid = [1, 1, 1];
    let ready = std::cell::RefCell::new(Ready::new(&w, &text));
    let config = Config { threads: 1, tier, ..Config::default() };
    bencher.with_inputs(|| ready.borrow_mut().program = program(&text, name)).bench_local_values(|()| {
        ready.borrow().launch(&config);
    });
}

fn run(bencher: Bencher, name: &str, tier: Tier, threads: usize) {
    let w = workloads().into_iter().find(|w| w.name == name).expect("a workload");
    let ready = std::cell::RefCell::new(Ready::new(&w, &kernels()));
    let config = Config { threads, tier, ..Config::default() };
    let steps = ready.borrow().launch(&config).steps;
    bencher.counter(ItemsCount::new(steps * 32)).with_inputs(|| ready.borrow_mut().prepare()).bench_local_values(
        |()| {
            ready.borrow().launch(&config);
        },
    );
}

/// The interpreter.
#[divan::bench(args = NAMES, sample_count = 5)]
fn run_interpreted(bencher: Bencher, name: &str) {
    run(bencher, name, Tier::Interpreted, 1);
}

/// The interpreter on two threads.
#[divan::bench(args = NAMES, sample_count = 5)]
fn run_interpreted_2(bencher: Bencher, name: &str) {
    run(bencher, name, Tier::Interpreted, 2);
}

/// Machine code.
#[divan::bench(args = NAMES, sample_count = 10)]
fn run_compiled(bencher: Bencher, name: &str) {
    run(bencher, name, Tier::Compiled, 1);
}

/// Machine code on two threads.
#[divan::bench(args = NAMES, sample_count = 10)]
fn run_compiled_2(bencher: Bencher, name: &str) {
    run(bencher, name, Tier::Compiled, 2);
}
