//! What can go wrong, as plain data.
//!
//! Five kinds are never mixed: the kernel is wrong ([`Kind::Finding`]), we are incomplete ([`Kind::Unsupported`]), the
//! input is malformed ([`Kind::Invalid`]), a limit was reached ([`Kind::Exhausted`]), we are wrong ([`Kind::Bug`]).

use crate::Lanes;

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Legal but worth a word; never changes the exit code.
    Note,
    /// Works by luck or against a stated assumption.
    Warning,
    /// Undefined by the manual, even if this schedule gave the right answer.
    Error,
}

/// Which kind of failure a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The kernel is wrong.
    Finding(Severity),
    /// The program is fine, this version cannot run it.
    Unsupported,
    /// The PTX, the launch or the command line is malformed.
    Invalid,
    /// A limit on steps, time or memory was reached.
    Exhausted,
    /// This program is wrong.
    Bug,
}

/// Where a [`Place`] is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A line of a file; lines count from 1.
    File {
        /** Its path as the user wrote it. */
        path: String,
        /** The line. */
        line: u32,
    },
    /// A command-line argument, which has no lines.
    Argument {
        /** What to call it, e.g. `argument 2`. */
        name: String,
    },
}

/// A stretch of one line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file and line, or the argument.
    pub origin: Origin,
    /// First character, counted from 1.
    pub column: u32,
    /// How many characters; 0 is shown as 1.
    pub length: u32,
    /// The whole line, where it is at hand.
    pub text: Option<String>,
}

impl Place {
    /// A place in a file without its text.
    pub fn in_file(path: impl Into<String>, line: u32, column: u32) -> Self {
        Place { origin: Origin::File { path: path.into(), line }, column, length: 1, text: None }
    }

    /// Is it in a header that comes with CUDA?
    pub fn is_in_toolkit(&self) -> bool {
        const PARTS: [&str; 7] = ["cccl", "cub", "thrust", "cuda", "nv", "crt", "cooperative_groups"];
        const STARTS: [&str; 6] = ["sm_", "device_", "cuda_", "cooperative_", "math_", "vector_"];
        let Origin::File { path, .. } = &self.origin else { return false };
        let Some((before, after)) = path.rsplit_once("/include/") else { return false };
        let before = before.to_ascii_lowercase();
        let first = after.split('/').next().unwrap_or_default();
        let is_known = PARTS.contains(&first) || STARTS.iter().any(|start| first.starts_with(start));
        is_known && (before.contains("cuda") || before.contains("nvidia"))
    }

    /// A stretch of bytes of a source text; the line and column are counted here.
    ///
    /// Offsets past the end, or inside a character, are moved back to the nearest start of a character.
    pub fn of_span(path: impl Into<String>, source: &str, start: usize, end: usize) -> Self {
        let start = floor_char(source, start);
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let end = floor_char(source, end).clamp(start, line_end);
        let line = source[..line_start].matches('\n').count() as u32 + 1;
        Place {
            origin: Origin::File { path: path.into(), line },
            column: source[line_start..start].chars().count() as u32 + 1,
            length: source[start..end].trim_end().chars().count() as u32,
            text: Some(source[line_start..line_end].trim_end_matches('\r').to_owned()),
        }
    }
}

fn floor_char(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Where in the program that PTX was made of, with the calls that were inlined on the way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourcePlace {
    /// The innermost place.
    pub place: Place,
    /// The places it was inlined at, innermost first.
    pub inlined_at: Vec<Place>,
    /// The calls that led to the function that it is in, innermost first.
    pub called_from: Vec<Place>,
}

/// A place with a word about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The place in the PTX (or in whatever file is at fault).
    pub at: Place,
    /// The place in the source the PTX was compiled from, if its line information says so.
    pub source: Option<SourcePlace>,
    /// What is to be said there; may be empty.
    pub message: String,
}

impl Label {
    /// A label on one place.
    pub fn new(at: Place, message: impl Into<String>) -> Self {
        Label { at, source: None, message: message.into() }
    }

    /// The place to show first: the innermost one in a source whose text is at hand, and not in a toolkit's header that
    /// the reader never wrote; else the PTX.
    pub fn best(&self) -> &Place {
        let is_own = |place: &&Place| place.text.is_some() && !place.is_in_toolkit();
        let own = self.source_places().find(is_own);
        own.or_else(|| self.source_places().find(|place| place.text.is_some())).unwrap_or(&self.at)
    }

    /// The place in the source, those it was inlined at and the calls that led there, innermost first.
    pub fn source_places(&self) -> impl Iterator<Item = &Place> {
        self.source
            .iter()
            .flat_map(|source| std::iter::once(&source.place).chain(&source.inlined_at).chain(&source.called_from))
    }
}

/// Which threads a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scope {
    /// The block (CTA).
    pub cta: [u32; 3],
    /// The warp inside the block.
    pub warp: u32,
    /// The lanes at fault.
    pub lanes: Lanes,
    /// The lanes that were active, where that matters.
    pub active: Option<u32>,
}

/// What a [`Note`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoteKind {
    /// More about where.
    Where,
    /// Why it is a rule.
    Why,
    /// Anything else.
    Note,
    /// How to mend it.
    Help,
    /// How to see it again.
    Replay,
}

/// A line after the excerpts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    /// What it tells.
    pub kind: NoteKind,
    /// The text; lower case, no final period.
    pub text: String,
}

/// One thing to tell the user.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The kind of failure.
    pub kind: Kind,
    /// The rule, of a finding.
    pub rule: Option<&'static str>,
    /// One line; lower case, no final period.
    pub message: String,
    /// Where it happened.
    pub primary: Option<Label>,
    /// Other places that have to do with it.
    pub related: Vec<Label>,
    /// Who did it.
    pub scope: Option<Scope>,
    /// The seed of the schedule under which it showed.
    pub seed: Option<u64>,
    /// How many times it happened; one cause is one finding.
    pub count: u64,
    /// What else to say.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// A diagnostic with nothing but its message.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic {
            kind,
            rule: None,
            message,
            primary: None,
            related: Vec::new(),
            scope: None,
            seed: None,
            count: 1,
            notes: Vec::new(),
        }
    }

    /// The input is malformed.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    /// This version cannot do it.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// Sets the main label.
    #[must_use]
    pub fn at(mut self, place: Place, message: impl Into<String>) -> Self {
        self.primary = Some(Label::new(place, message));
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, kind: NoteKind, text: impl Into<String>) -> Self {
        self.notes.push(Note { kind, text: text.into() });
        self
    }

    /// Adds a hint how to mend it.
    #[must_use]
    pub fn help(self, text: impl Into<String>) -> Self {
        self.note(NoteKind::Help, text)
    }
}

/// What a whole run amounts to; the exit code follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Nothing worse than a note.
    Clean,
    /// An error or a warning was found.
    Findings,
    /// The input was malformed.
    Invalid,
    /// Something is not supported.
    Unsupported,
    /// A limit was reached.
    Limit,
    /// This program is wrong.
    Bug,
}

/// The outcome of a run that said `all`: what is least to be doubted wins. A bug of ours casts doubt on everything;
/// a malformed input was not run at all; a finding stands even if the run was cut short later.
pub fn outcome<'a>(all: impl IntoIterator<Item = &'a Diagnostic>) -> Outcome {
    const ORDER: [Outcome; 6] =
        [Outcome::Bug, Outcome::Invalid, Outcome::Findings, Outcome::Unsupported, Outcome::Limit, Outcome::Clean];
    let rank = |outcome| ORDER.iter().position(|&o| o == outcome).unwrap_or(ORDER.len() - 1);
    let best = all.into_iter().map(|d| rank(outcome_of(d.kind))).min().unwrap_or(ORDER.len() - 1);
    ORDER[best]
}

fn outcome_of(kind: Kind) -> Outcome {
    match kind {
        Kind::Finding(Severity::Note) => Outcome::Clean,
        Kind::Finding(Severity::Warning | Severity::Error) => Outcome::Findings,
        Kind::Unsupported => Outcome::Unsupported,
        Kind::Invalid => Outcome::Invalid,
        Kind::Exhausted => Outcome::Limit,
        Kind::Bug => Outcome::Bug,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_knows_its_line_and_columns_in_characters() {
        let place = Place::of_span("a.ptx", "one\n\tzwö drei  ;\r\n", 10, 16);
        assert_eq!(place.origin, Origin::File { path: "a.ptx".into(), line: 2 });
        assert_eq!((place.column, place.length), (6, 4));
        assert_eq!(place.text.as_deref(), Some("\tzwö drei  ;"));
    }

    #[test]
    fn a_span_outside_the_text_is_its_end() {
        let place = Place::of_span("a.ptx", "ab", 7, 9);
        assert_eq!((place.column, place.length), (3, 0));
    }

    #[test]
    fn notes_keep_a_run_clean_and_findings_win_over_limits() {
        let note = Diagnostic::new(Kind::Finding(Severity::Note), "n");
        let warning = Diagnostic::new(Kind::Finding(Severity::Warning), "w");
        let limit = Diagnostic::new(Kind::Exhausted, "l");
        assert_eq!(outcome([&note]), Outcome::Clean);
        assert_eq!(outcome([&note, &limit]), Outcome::Limit);
        assert_eq!(outcome([&limit, &warning]), Outcome::Findings);
        assert_eq!(outcome([&warning, &Diagnostic::invalid("i")]), Outcome::Invalid);
    }
}
