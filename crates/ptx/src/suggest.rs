//! "Did you mean": the nearest known spelling.

use crate::error::Error;

/// Adds the nearest of `known` to an error about `text`, if one is near.
pub(crate) fn add(error: Error, text: &str, known: impl Iterator<Item = &'static str>, dot: &str) -> Error {
    // The usual mistake swaps two letters, which counts once.
    let limit = match text.len() {
        0..=3 => 1,
        4..=5 => 2,
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

/// Edit distance in bytes; two neighbours that changed places count once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let change = row[j] + usize::from(x != y);
            let mut best = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
