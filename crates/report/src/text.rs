//! Diagnostics as text: the human form with source excerpts, and the short form of one line each.

use crate::diagnostic::{Diagnostic, Kind, Label, Note, NoteKind, Origin, Place, Scope, Severity};
use std::fmt::Write;

/// Whether to colour the text with ANSI escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// Plain text.
    #[default]
    Off,
    /// ANSI escapes.
    On,
}

/// The longest excerpt that is shown whole, in columns.
const LONGEST_LINE: usize = 140;
/// How many columns before the mark stay in a longer one.
const LEAD: usize = 50;
const TAB: usize = 4;

/// The human form: headline, excerpts, notes.
///
/// ```text
/// error[race-block]: unordered write and write to shared memory
///   --> reduce.cu:12:5  (reduce.ptx:41:5)
/// 12 |     tile[i] = x;
///    |     ^^^^^^^ (2) lane 17 of warp 0 writes 4 bytes at tile+0x40
///    = where: CTA (2,0,0), warp 0, lane 17
///    = replay: --seed 7
/// ```
pub fn render(diagnostic: &Diagnostic, color: Color) -> String {
    let paint = Paint { color, accent: accent(diagnostic.kind) };
    let mut out = paint.headline(diagnostic);
    out.push('\n');
    let labels: Vec<&Label> = diagnostic.primary.iter().chain(&diagnostic.related).collect();
    let width = labels.iter().map(|label| line_number(label.best()).len()).max().unwrap_or(1).max(1);
    for (index, label) in labels.iter().enumerate() {
        let mark = if index == 0 && diagnostic.primary.is_some() { Mark::Primary } else { Mark::Related };
        paint.label(&mut out, label, mark, width);
    }
    for note in all_notes(diagnostic) {
        paint.note(&mut out, &note, width);
    }
    out
}

/// The short form: one line that editors and `grep` understand.
pub fn render_short(diagnostic: &Diagnostic) -> String {
    let mut line = String::new();
    if let Some(label) = &diagnostic.primary {
        let _ = write!(line, "{}: ", position(label.best()));
    }
    let _ = write!(line, "{}: {}", title(diagnostic), diagnostic.message);
    let mut details = Vec::new();
    details.extend(diagnostic.scope.as_ref().map(describe_scope));
    details.extend(diagnostic.seed.map(|seed| format!("seed {seed}")));
    if !details.is_empty() {
        let _ = write!(line, " ({})", details.join("; "));
    }
    line
}

/// `error[rule]`, `unsupported`, ...
fn title(diagnostic: &Diagnostic) -> String {
    let word = match diagnostic.kind {
        Kind::Finding(Severity::Error) | Kind::Invalid => "error",
        Kind::Finding(Severity::Warning) => "warning",
        Kind::Finding(Severity::Note) => "note",
        Kind::Unsupported => "unsupported",
        Kind::Exhausted => "limit",
        Kind::Bug => "internal error",
    };
    diagnostic.rule.map_or_else(|| word.to_owned(), |rule| format!("{word}[{rule}]"))
}

fn accent(kind: Kind) -> &'static str {
    match kind {
        Kind::Finding(Severity::Warning) | Kind::Exhausted => "1;33",
        Kind::Finding(Severity::Note) => "1;36",
        Kind::Unsupported => "1;35",
        Kind::Finding(Severity::Error) | Kind::Invalid | Kind::Bug => "1;31",
    }
}

/// The places that are only named, as `reduce.ptx:41:5, inlined at reduce.cu:40`.
fn named(label: &Label) -> Option<String> {
    let best = label.best();
    let mut names = Vec::new();
    if best != &label.at {
        names.push(position(&label.at));
    }
    // What leads from the best place inwards is where it is; what leads outwards, how it came there.
    let mut is_outside = best == &label.at;
    let inlined = label.source.as_ref().map_or(0, |source| source.inlined_at.len());
    for (index, place) in label.source_places().enumerate() {
        if place == best {
            is_outside = true;
            continue;
        }
        let word = match (index, is_outside) {
            (0, true) => "",
            (_, false) => "in ",
            (_, true) if index <= inlined => "inlined at ",
            (_, true) => "called at ",
        };
        names.push(format!("{word}{}", position(place)));
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// `file:line:column`, or the name of an argument.
pub fn position(place: &Place) -> String {
    match &place.origin {
        Origin::File { path, line } if place.column > 0 => format!("{path}:{line}:{}", place.column),
        Origin::File { path, line } => format!("{path}:{line}"),
        Origin::Argument { name } => name.clone(),
    }
}

fn line_number(place: &Place) -> String {
    match &place.origin {
        Origin::File { line, .. } => line.to_string(),
        Origin::Argument { .. } => String::new(),
    }
}

fn describe_scope(scope: &Scope) -> String {
    let [x, y, z] = scope.cta;
    let mut text = format!("CTA ({x},{y},{z}), warp {}", scope.warp);
    match scope.lanes.count() {
        0 => {}
        1 => {
            let _ = write!(text, ", lane {}", scope.lanes);
        }
        _ => {
            let _ = write!(text, ", lanes {}", scope.lanes);
        }
    }
    if let Some(active) = scope.active {
        let _ = write!(text, ", active mask {active:#010x}");
    }
    text
}

/// The notes made of the fields of the diagnostic, then its own, in the order where, why, help, replay.
fn all_notes(diagnostic: &Diagnostic) -> Vec<Note> {
    let made = |kind, text| Note { kind, text };
    let mut notes: Vec<Note> = Vec::new();
    notes.extend(diagnostic.scope.as_ref().map(|scope| made(NoteKind::Where, describe_scope(scope))));
    if diagnostic.count > 1 {
        notes.push(made(NoteKind::Where, format!("{} times in all", diagnostic.count)));
    }
    notes.extend(diagnostic.notes.iter().cloned());
    notes.extend(diagnostic.seed.map(|seed| made(NoteKind::Replay, format!("--seed {seed}"))));
    notes.sort_by_key(|note| note.kind as u8);
    notes
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Primary,
    Related,
}

struct Paint {
    color: Color,
    accent: &'static str,
}

impl Paint {
    fn style(&self, code: &str, text: &str) -> String {
        match self.color {
            Color::On if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }

    fn frame(&self, text: &str) -> String {
        self.style("1;34", text)
    }

    fn headline(&self, diagnostic: &Diagnostic) -> String {
        let title = self.style(self.accent, &title(diagnostic));
        format!("{title}{}", self.style("1", &format!(": {}", diagnostic.message)))
    }

    fn label(&self, out: &mut String, label: &Label, mark: Mark, width: usize) {
        let place = label.best();
        let _ = write!(out, "{:width$}{} {}", "", self.frame("-->"), position(place));
        if let Some(named) = named(label) {
            let _ = write!(out, "  ({named})");
        }
        out.push('\n');
        let bar = self.frame("|");
        let Some(text) = &place.text else {
            if !label.message.is_empty() {
                let _ = writeln!(out, "{:width$} {bar} {}", "", self.marked(mark, &label.message));
            }
            return;
        };
        let (text, start, length) = excerpt(text, place.column, place.length);
        let _ = writeln!(out, "{} {bar} {text}", self.frame(&format!("{:>width$}", line_number(place))));
        let sign = match mark {
            Mark::Primary => "^",
            Mark::Related => "-",
        };
        let words = format!("{} {}", sign.repeat(length), label.message);
        let _ = writeln!(out, "{:width$} {bar} {:start$}{}", "", "", self.marked(mark, words.trim_end()));
    }

    fn marked(&self, mark: Mark, text: &str) -> String {
        match mark {
            Mark::Primary => self.style(self.accent, text),
            Mark::Related => self.frame(text),
        }
    }

    fn note(&self, out: &mut String, note: &Note, width: usize) {
        let word = match note.kind {
            NoteKind::Where => "where",
            NoteKind::Why => "why",
            NoteKind::Help => "help",
            NoteKind::Replay => "replay",
            NoteKind::Note => "note",
        };
        let indent = width + 4 + word.len() + 1;
        let _ = write!(out, "{:width$} {} {}: ", "", self.frame("="), self.style("1", word));
        for (index, line) in note.text.lines().enumerate() {
            let indent = if index == 0 || line.is_empty() { 0 } else { indent };
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    }
}

/// A line fit to print: tabs spread, control characters replaced, cut to length around the mark. Also the column
/// (from 0) and the length of the mark in it.
fn excerpt(text: &str, column: u32, length: u32) -> (String, usize, usize) {
    let first = column.saturating_sub(1) as usize;
    let last = first + length.max(1) as usize;
    let mut shown: Vec<char> = Vec::new();
    let (mut start, mut end) = (None, None);
    for (index, c) in text.chars().enumerate() {
        if index == first {
            start = Some(shown.len());
        }
        if index == last {
            end = Some(shown.len());
        }
        match c {
            '\t' => shown.extend(std::iter::repeat_n(' ', TAB - shown.len() % TAB)),
            c if c.is_control() => shown.push('\u{fffd}'),
            c => shown.push(c),
        }
    }
    let start = start.unwrap_or(shown.len());
    let end = end.unwrap_or(shown.len()).max(start + 1);
    window(&shown, start, end)
}

fn window(line: &[char], start: usize, end: usize) -> (String, usize, usize) {
    if line.len() <= LONGEST_LINE {
        return (line.iter().collect(), start, end - start);
    }
    let from = start.saturating_sub(LEAD).min(line.len() - LONGEST_LINE);
    let to = from + LONGEST_LINE;
    let dots = |yes: bool| if yes { "…" } else { "" };
    let text: String = line[from..to].iter().collect();
    let shift = usize::from(from > 0);
    let length = end.min(to).saturating_sub(start).max(1);
    (format!("{}{text}{}", dots(from > 0), dots(to < line.len())), start - from + shift, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lanes, SourcePlace};

    fn race() -> Diagnostic {
        let cu = "__global__ void k() {\n\ttile[i] = x;\n}\n";
        let ptx = "    st.shared.u32 [%r3], %r7;\n";
        let mut second =
            Label::new(Place::of_span("reduce.ptx", ptx, 4, 17), "(1) lane 3 of warp 0 wrote the same bytes");
        let mut first =
            Label::new(Place::in_file("reduce.ptx", 41, 5), "(2) lane 17 of warp 0 writes 4 bytes at tile+0x40");
        let source = Place::of_span("reduce.cu", cu, 23, 30);
        first.source = Some(SourcePlace {
            place: source,
            inlined_at: vec![Place::in_file("reduce.cu", 40, 3)],
            called_from: vec![],
        });
        second.source =
            Some(SourcePlace { place: Place::in_file("gone.cu", 9, 0), inlined_at: vec![], called_from: vec![] });
        let mut finding = Diagnostic::new(Kind::Finding(Severity::Error), "unordered write and write to shared memory")
            .note(NoteKind::Why, "no barrier or fence orders (1) before (2);\nPTX ISA, memory consistency model");
        finding.rule = Some("race-block");
        finding.primary = Some(first);
        finding.related = vec![second];
        finding.scope = Some(Scope { cta: [2, 0, 0], warp: 0, lanes: Lanes(1 << 17), active: Some(0xffff_0000) });
        finding.seed = Some(7);
        finding.count = 64;
        finding
    }

    #[test]
    fn human_form() {
        let expected = "\
error[race-block]: unordered write and write to shared memory
 --> reduce.cu:2:2  (reduce.ptx:41:5, inlined at reduce.cu:40:3)
2 |     tile[i] = x;
  |     ^^^^^^^ (2) lane 17 of warp 0 writes 4 bytes at tile+0x40
 --> reduce.ptx:1:5  (gone.cu:9)
1 |     st.shared.u32 [%r3], %r7;
  |     ------------- (1) lane 3 of warp 0 wrote the same bytes
  = where: CTA (2,0,0), warp 0, lane 17, active mask 0xffff0000
  = where: 64 times in all
  = why: no barrier or fence orders (1) before (2);
         PTX ISA, memory consistency model
  = replay: --seed 7
";
        assert_eq!(render(&race(), Color::Off), expected);
    }

    #[test]
    fn short_form_is_one_line() {
        assert_eq!(
            render_short(&race()),
            "reduce.cu:2:2: error[race-block]: unordered write and write to shared memory (CTA (2,0,0), warp 0, lane 17, \
             active mask 0xffff0000; seed 7)"
        );
    }

    #[test]
    fn an_argument_has_no_line() {
        let place = Place {
            origin: Origin::Argument { name: "argument 2".into() },
            column: 13,
            length: 2,
            text: Some("in:u32=[1,2,x3]".into()),
        };
        let error = Diagnostic::invalid("expected a number").at(place, "not a `u32`").help("write 0x3 for hex");
        let expected = "\
error: expected a number
 --> argument 2
  | in:u32=[1,2,x3]
  |             ^^ not a `u32`
  = help: write 0x3 for hex
";
        assert_eq!(render(&error, Color::Off), expected);
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let text = format!("{}MARK{}", "a".repeat(300), "b".repeat(300));
        let (shown, start, length) = excerpt(&text, 301, 4);
        assert_eq!(shown.chars().count(), LONGEST_LINE + 2);
        assert_eq!(shown.chars().skip(start).take(length).collect::<String>(), "MARK");
    }

    #[test]
    fn a_mark_past_the_end_is_shown_there() {
        assert_eq!(excerpt("ab", 9, 3), ("ab".to_owned(), 2, 1));
    }

    #[test]
    fn colour_adds_only_escapes() {
        let colored = render(&race(), Color::On);
        let mut plain = String::new();
        let mut rest = colored.as_str();
        while let Some(at) = rest.find('\x1b') {
            plain.push_str(&rest[..at]);
            rest = rest[at..].split_once('m').map_or("", |(_, tail)| tail);
        }
        plain.push_str(rest);
        assert_eq!(plain, render(&race(), Color::Off));
    }
}
