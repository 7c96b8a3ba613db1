//! Puts the text of source files into diagnostics, so that they can be shown with excerpts.
//!
//! Line information only names files. Whoever can read them (the command, a Python session) passes a way to do so.

use crate::diagnostic::{Diagnostic, Origin, Place};
use std::collections::HashMap;

/// A source file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Where, for the reader.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Fills in the lines of the sources that diagnostics name; `find` is asked once for each file.
pub fn attach(diagnostics: &mut [Diagnostic], find: &dyn Fn(&str) -> Option<SourceFile>) {
    let mut known: HashMap<String, Option<SourceFile>> = HashMap::new();
    let labels = diagnostics.iter_mut().flat_map(|d| d.primary.iter_mut().chain(&mut d.related));
    for source in labels.filter_map(|label| label.source.as_mut()) {
        for place in std::iter::once(&mut source.place).chain(&mut source.inlined_at).chain(&mut source.called_from) {
            let Origin::File { path, .. } = &place.origin else { continue };
            let found = known.entry(path.clone()).or_insert_with_key(|path| find(path));
            if let (Some(file), None) = (found, &place.text) {
                fill(place, file);
            }
        }
    }
}

fn fill(place: &mut Place, file: &SourceFile) {
    let Origin::File { path, line } = &mut place.origin else { return };
    path.clone_from(&file.path);
    if let Some(text) = file.text.lines().nth(line.saturating_sub(1) as usize) {
        place.length = word_length(text, place.column);
        place.text = Some(text.to_owned());
    }
}

/// How many characters the word at a column has; `.loc` gives no ends.
fn word_length(text: &str, column: u32) -> u32 {
    let rest = text.chars().skip(column.saturating_sub(1) as usize);
    rest.take_while(|c| c.is_alphanumeric() || *c == '_').count().max(1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Label, SourcePlace};

    #[test]
    fn lines_and_paths_are_filled_in() {
        let mut label = Label::new(Place::in_file("k.ptx", 41, 5), "");
        let inlined_at = vec![Place::in_file("k.cu", 2, 3)];
        label.source = Some(SourcePlace { place: Place::in_file("low.h", 7, 1), inlined_at, called_from: vec![] });
        let mut all = [Diagnostic::invalid("m")];
        all[0].primary = Some(label);
        let text = "one\n  call(x);\n".to_owned();
        attach(&mut all, &|path| (path == "k.cu").then(|| SourceFile { path: "src/k.cu".into(), text: text.clone() }));
        let label = all[0].primary.as_ref().expect("still there");
        let best = label.best();
        assert_eq!(best.origin, Origin::File { path: "src/k.cu".into(), line: 2 });
        assert_eq!((best.text.as_deref(), best.length), (Some("  call(x);"), 4));
        assert_eq!(label.source.as_ref().and_then(|s| s.place.text.as_deref()), None);
    }
}
