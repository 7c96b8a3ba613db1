//! "Did you mean": the nearest known spelling.

use crate::error::Error;

/// Adds the nearest of `known` to an error about `text`, if one is near.
pub(crate) fn add(error: Error, text: &str, known: impl Iterator<Item = &'static str>, dot: &str) -> Error {
    let limit = match text.len() {
        0..=2 => 1,
        3..=5 => 2,
        6..=40 => 3,
        // Not a typing mistake; and the distance takes quadratic time.
        _ => return error,
    };
    let nearest = known.map(|word| (distance(text, word), word)).filter(|(far, _)| *far <= limit).min();
    match nearest {
        Some((_, word)) => error.with_help(format!("did you mean `{dot}{word}`?")),
        None => error,
    }
}

/// Edit distance in bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
