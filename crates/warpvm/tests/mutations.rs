//! No input may panic, hang or exhaust memory: real modules, broken at random places from a fixed seed, are parsed,
//! checked and lowered. What comes out is either a module or an error with a message.

mod common;

use std::time::{Duration, Instant};

use warpvm::Module;

/// Broken texts a module.
const ROUNDS: usize = 100;
/// No text of these sizes may take longer, on a slow machine and without optimisation.
const LIMIT: Duration = Duration::from_secs(20);

/// xorshift64*: the same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}

/// Words that mean something somewhere.
const WORDS: [&str; 24] = [
    "}",
    "{",
    ";",
    ",",
    "[",
    "]",
    "(",
    ")",
    ".reg .b32 %z<4000000000>;",
    "bra k;",
    "%p",
    "-1",
    "0f3F800000",
    "0x",
    "ret;",
    "call k;",
    ".entry",
    ".func f()",
    "mov.b64 {%a,%b}, %c;",
    "@!%p",
    "|",
    "ld.param.u64",
    "18446744073709551616",
    "// \u{1F980}",
];

fn broken(text: &str, numbers: &mut Numbers) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len());
        let end = (at + 1 + numbers.below(40)).min(bytes.len());
        match numbers.below(6) {
            0 => bytes[at] = numbers.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = numbers.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            3 => drop(bytes.splice(at..at, WORDS[numbers.below(WORDS.len())].bytes())),
            4 => bytes.truncate(at),
            _ => bytes.swap(at, end - 1),
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn broken_modules_are_errors() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut refused) = (0, 0);
    for case in common::cases("").iter().step_by(23) {
        let text = case.row["ptx"].as_str().expect("text");
        if text.len() > 60_000 {
            continue;
        }
        for _ in 0..ROUNDS {
            let text = broken(text, &mut numbers);
            let start = Instant::now();
            let result = Module::from_ptx("broken.ptx", &text)
                .and_then(|module| module.kernels().iter().try_for_each(|name| module.kernel(name).map(drop)));
            assert!(start.elapsed() < LIMIT, "{:?} for\n{text}", start.elapsed());
            match result {
                Ok(()) => accepted += 1,
                Err(e) => {
                    assert!(!e.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(refused > accepted, "breaking a module mostly breaks it");
}
