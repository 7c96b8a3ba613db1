//! Files of rows and of input arrays, plain or gzipped.

use super::row::{Inputs, Row, decode};
use crate::Result;
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use warpvm_report::{Diagnostic, Place};

/// Reads a text file, gzipped or not.
///
/// # Errors
/// A file that cannot be read or is no text.
pub fn read_text(path: &Path) -> Result<String> {
    let wrong = |error: &dyn std::fmt::Display| {
        Box::new(Diagnostic::invalid(format!("cannot read `{}`: {error}", path.display())))
    };
    let content = fs::read(path).map_err(|error| wrong(&error))?;
    let content = if content.starts_with(&[0x1f, 0x8b]) { unpack(&content).map_err(|e| wrong(&e))? } else { content };
    String::from_utf8(content).map_err(|_| wrong(&"not UTF-8 text"))
}

fn unpack(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    MultiGzDecoder::new(content).read_to_end(&mut out)?;
    Ok(out)
}

/// Reads rows: one JSON object, an array of them, or one a line.
///
/// # Errors
/// A file that cannot be read, or malformed JSON (located).
pub fn read_rows(path: &Path) -> Result<Vec<Row>> {
    let text = read_text(path)?;
    let name = path.display().to_string();
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).map_err(|error| json_error(&name, &text, &error));
    }
    let mut rows = Vec::new();
    for row in serde_json::Deserializer::from_str(&text).into_iter() {
        rows.push(row.map_err(|error| json_error(&name, &text, &error))?);
    }
    Ok(rows)
}

/// Reads named input arrays: a JSON object of base64 texts.
///
/// # Errors
/// As [`read_rows`].
pub fn read_inputs(path: &Path) -> Result<Inputs> {
    let text = read_text(path)?;
    let name = path.display().to_string();
    let arrays: BTreeMap<String, String> =
        serde_json::from_str(&text).map_err(|error| json_error(&name, &text, &error))?;
    let decoded = arrays.into_iter().map(|(key, value)| match decode(&value) {
        Ok(data) => Ok((key, data)),
        Err(message) => Err(Box::new(Diagnostic::invalid(format!("`{name}`: array `{key}`: {message}")))),
    });
    decoded.collect()
}

/// Picks the row of a launch file: the only one, or the one of that id.
///
/// # Errors
/// None or more than one fits.
pub fn pick(rows: Vec<Row>, path: &Path, id: Option<&str>) -> Result<Row> {
    let count = rows.len();
    let mut fitting = rows.into_iter().filter(|row| id.is_none_or(|id| row.id == id));
    let wrong = |message: String| Err(Box::new(Diagnostic::invalid(message)));
    match (fitting.next(), fitting.next(), id) {
        (Some(row), None, _) => Ok(row),
        (None, _, Some(id)) => wrong(format!("`{}` has no case `{id}`", path.display())),
        (None, _, None) => wrong(format!("`{}` has no case", path.display())),
        (Some(_), Some(_), _) => wrong(format!("`{}` has {count} cases; choose one with --case ID", path.display())),
    }
}

fn json_error(name: &str, text: &str, error: &serde_json::Error) -> Box<Diagnostic> {
    let line = error.line();
    let column = error.column().max(1);
    let mut place = Place::in_file(name, line as u32, column as u32);
    place.text = text.lines().nth(line.saturating_sub(1)).map(str::to_owned);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    Box::new(Diagnostic::invalid(format!("malformed JSON: {message}")).at(place, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    /// What comes of a file, which is removed again.
    fn of_file<T>(name: &str, content: &[u8], f: impl FnOnce(&Path) -> T) -> T {
        let path = std::env::temp_dir().join(format!("warpvm-{}-{name}", std::process::id()));
        fs::write(&path, content).expect("writable");
        let result = f(&path);
        fs::remove_file(&path).expect("there");
        result
    }

    #[test]
    fn rows_come_alone_in_arrays_in_lines_and_gzipped() {
        let ids = |path: &Path| read_rows(path).expect("rows").into_iter().map(|row| row.id).collect::<Vec<_>>();
        assert_eq!(of_file("one.json", b"{\"id\": \"a\"}", ids), ["a"]);
        assert_eq!(of_file("array.json", b"[{\"id\": \"a\"}, {\"id\": \"b\"}]", ids), ["a", "b"]);
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(b"{\"id\": \"a\"}\n{\"id\": \"b\"}\n").expect("to memory");
        assert_eq!(of_file("lines.jsonl.gz", &packed.finish().expect("to memory"), ids), ["a", "b"]);
    }

    #[test]
    fn malformed_json_is_located() {
        let error =
            of_file("bad.json", b"{\"id\": \"a\"}\n{\"id\": 5}\n", |path| read_rows(path).expect_err("malformed"));
        let place = error.primary.expect("located").at;
        assert_eq!(place.text.as_deref(), Some("{\"id\": 5}"));
        assert!(error.message.contains("invalid type"), "{}", error.message);
    }

    #[test]
    fn a_row_is_picked_by_id() {
        of_file("pick.json", b"[{\"id\": \"a\"}, {\"id\": \"b\"}]", |path| {
            let rows = read_rows(path).expect("rows");
            assert_eq!(pick(rows.clone(), path, Some("b")).expect("there").id, "b");
            assert!(pick(rows.clone(), path, None).expect_err("two").message.contains("--case"));
            assert!(pick(rows, path, Some("c")).expect_err("none").message.contains("no case `c`"));
        });
    }
}
