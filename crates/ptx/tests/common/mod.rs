//! The modules that the tests read.

#![allow(dead_code)] // each test binary uses some of it

use std::io::Read;
use std::path::{Path, PathBuf};

/// A module with the name that a failing test prints.
pub struct Case {
    pub id: String,
    pub ptx: String,
    /// What the vendor's assembler says, for refused modules.
    pub why: Option<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// Text of a gzipped file.
pub fn gunzip(path: &Path) -> String {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip of UTF-8");
    text
}

/// The modules of one truth file.
pub fn truth(name: &str) -> Vec<Case> {
    let text = gunzip(&root().join(format!("truth/{name}.jsonl.gz")));
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let field = |key: &str| row[key].as_str().map(str::to_owned);
        Case { id: field("id").expect("id"), ptx: field("ptx").expect("ptx"), why: field("why") }
    };
    text.lines().map(row).collect()
}

/// Every legal module of the truth files.
pub fn legal() -> Vec<Case> {
    let files = ["kernels", "triton", "instructions", "random", "deviations", "undefined"];
    files.iter().flat_map(|name| truth(name)).collect()
}
