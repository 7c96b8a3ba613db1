//! Runs the command lines in `tests/commands/*.txt` and compares what they print.
//!
//! A file holds blocks like this one, run in the repository's root:
//!
//! ```text
//! $ warpvm explain absent-lan
//! error: there is no rule `absent-lan`
//!   = help: is it `absent-lane`?
//!
//! [exit code 2]
//! ```
//!
//! Standard output comes first, then standard error; `[exit code N]` is left out for 0. Text outside of blocks (lines
//! before the first `$`) is a comment. `WARPVM_BLESS=1 cargo test -p warpvm-cli --test commands` writes the files anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn command_lines_print_what_is_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let bless = env::var_os("WARPVM_BLESS").is_some_and(|value| value == "1");
    let mut failed = Vec::new();
    for file in files {
        let recorded = fs::read_to_string(&file).expect("readable");
        let now = rerun(&recorded);
        if now == recorded {
            continue;
        }
        if bless {
            fs::write(&file, now).expect("writable");
        } else {
            failed.push(format!("{}:\n--- recorded\n{recorded}\n--- now\n{now}", file.display()));
        }
    }
    assert!(failed.is_empty(), "{}\nWARPVM_BLESS=1 writes the files anew", failed.join("\n"));
}

/// The file as it would be recorded now.
fn rerun(recorded: &str) -> String {
    let comment = recorded.lines().take_while(|line| !line.starts_with("$ "));
    let mut out: String = comment.fold(String::new(), |all, line| all + line + "\n");
    for line in recorded.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let _ = write!(out, "$ {line}\n{}\n", run(line));
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

fn run(line: &str) -> String {
    let words = split(line);
    assert_eq!(words.first().map(String::as_str), Some("warpvm"), "{line}");
    let output = Command::new(env!("CARGO_BIN_EXE_warpvm"))
        .args(&words[1..])
        .current_dir(root())
        .env_remove("CUDA_HOME")
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => {}
        code => {
            let _ = writeln!(text, "[exit code {}]", code.map_or("none".to_owned(), |code| code.to_string()));
        }
    }
    text
}

/// Words between blanks; single quotes keep blanks together.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
