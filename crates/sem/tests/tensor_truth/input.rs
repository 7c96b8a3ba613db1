//! Reading recorded cases.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use warpvm_isa::{Modifier, Opcode, Word};
use warpvm_sem::Form;

/// A file of `tests/truth`, unpacked.
pub fn open(name: &str) -> BufReader<GzDecoder<File>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth").join(name);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(GzDecoder::new(file))
}

/// The JSON objects of a file, one a line.
pub fn rows(name: &str) -> impl Iterator<Item = Value> {
    open(name).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

/// A text field.
pub fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("no text `{field}` in {row}"))
}

/// A number field.
pub fn number(row: &Value, field: &str) -> u64 {
    row[field].as_u64().unwrap_or_else(|| panic!("no number `{field}` in {row}"))
}

/// A buffer.
pub fn bytes(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap()).unwrap()
}

/// An instruction without its operands.
pub struct Instruction {
    pub opcode: Opcode,
    pub modifiers: Vec<Modifier>,
}

impl Instruction {
    /// From its text, e.g. `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`.
    pub fn parse(text: &str) -> Self {
        let mut words = text.split('.');
        let opcode = Opcode::from_text(words.next().unwrap()).unwrap();
        let modifier = |word: &str| match Word::from_text(word) {
            Some(word) => Modifier::Word(word),
            None => shape(word).unwrap_or_else(|| panic!("{word} in {text}")),
        };
        Instruction { opcode, modifiers: words.map(modifier).collect() }
    }

    /// As `sem` wants it.
    pub fn form(&self) -> Form<'_> {
        Form { opcode: self.opcode, modifiers: &self.modifiers, selectors: &[], negated: &[], operands: 4 }
    }
}

fn shape(word: &str) -> Option<Modifier> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k').unwrap_or((rest, "0"));
    Some(Modifier::Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? })
}
