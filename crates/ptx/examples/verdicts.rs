//! Says of each instruction on standard input whether it is legal, one line for one.
//!
//! Usage: `verdicts VERSION TARGET < instructions`; an empty line in the answer means legal.

use std::io::{BufRead, Write};
use warpvm_ptx::{LineMap, check, parse};

const DECLARATIONS: &str = include_str!("../tests/declarations.txt");

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, version, target] = arguments.as_slice() else {
        eprintln!("usage: verdicts VERSION TARGET < instructions");
        return;
    };
    let lines: Vec<String> = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for chunk in lines.chunks(500) {
        for verdict in verdicts(chunk, version, target) {
            if writeln!(out, "{verdict}").is_err() {
                return;
            }
        }
    }
}

/// A message for each line; the parser stops at its first error, so lines that it refuses are taken out in turn.
fn verdicts(lines: &[String], version: &str, target: &str) -> Vec<String> {
    let mut verdicts = vec![String::new(); lines.len()];
    loop {
        let head = format!(".version {version}\n.target {target}\n.address_size 64\n{DECLARATIONS}");
        let first = head.lines().count() + 1;
        let mut text = format!("{head}\n");
        text.truncate(text.trim_end().len());
        text.push('\n');
        for (line, verdict) in lines.iter().zip(&verdicts) {
            let line = if verdict.is_empty() { line.as_str() } else { "" };
            text.extend(["{ ", line, " }\n"]);
        }
        text.push_str("ret; }\n");
        let map = LineMap::new(&text);
        let mut note = |error: &warpvm_ptx::Error, parsed: bool| {
            let line = map.position(error.span.start).0 as usize;
            match verdicts.get_mut(line.wrapping_sub(first)) {
                Some(verdict) => *verdict = error.to_string(),
                None if parsed => eprintln!("{error} at line {line}"),
                None => panic!("{error} at line {line}"),
            }
        };
        match parse(&text) {
            Err(error) => note(&error, false),
            Ok(module) => {
                check(&module).iter().rev().for_each(|error| note(error, true));
                return verdicts;
            }
        }
    }
}
