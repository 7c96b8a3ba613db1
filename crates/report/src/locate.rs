//! From an instruction to places people know: its line in the PTX, and the lines it was compiled from.
//!
//! A compiler writes `.loc` before instructions. Where a function was inlined, `.loc` names the place inside of it and
//! `inlined_at` the call; if that call was itself inlined, another `.loc` says where to (PTX ISA, section 11.5.2).

use crate::diagnostic::{Label, Place, SourcePlace};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use warpvm_ptx::tree::{Item, Loc, Module, Span, Statement};

/// How deep inlining is followed.
const DEEPEST: usize = 64;

/// A source file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Where, for the reader.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Finds the source file that line information names.
pub type ReadSource<'a> = dyn Fn(&str) -> Option<SourceFile> + 'a;

/// A place of `.loc`: file index, line, column.
type Point = (u32, u32, u32);

/// Finds the places of a module's instructions.
pub struct Locator<'a> {
    name: &'a str,
    source: &'a str,
    files: HashMap<u32, String>,
    /// Where a place was inlined.
    callers: HashMap<Point, Point>,
    read: &'a ReadSource<'a>,
    found: RefCell<HashMap<u32, Option<Rc<SourceFile>>>>,
}

impl<'a> Locator<'a> {
    /// For a module whose text is `source`, called `name` in reports.
    pub fn new(name: &'a str, source: &'a str, module: &Module, read: &'a ReadSource<'a>) -> Self {
        let mut locator =
            Locator { name, source, files: HashMap::new(), callers: HashMap::new(), read, found: RefCell::default() };
        for item in &module.items {
            match item {
                Item::File { index, path, .. } => {
                    locator.files.insert(*index, path.clone());
                }
                Item::Function(function) => locator.collect(function.body.as_deref().unwrap_or_default()),
                _ => {}
            }
        }
        locator
    }

    fn collect(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Block(inner) => self.collect(inner),
                Statement::Loc(loc) => {
                    if let Some(caller) = loc.inlined_at {
                        self.callers.insert((loc.file, loc.line, loc.column), caller);
                    }
                }
                _ => {}
            }
        }
    }

    /// A label on a piece of the PTX, with what `.loc` says about it.
    pub fn label(&self, span: Span, loc: Option<&Loc>, message: impl Into<String>) -> Label {
        let mut label = Label::new(self.place(span), message);
        label.source = loc.and_then(|loc| self.source_place(loc));
        label
    }

    /// A piece of the PTX.
    pub fn place(&self, span: Span) -> Place {
        Place::of_span(self.name, self.source, span.start as usize, span.end as usize)
    }

    fn source_place(&self, loc: &Loc) -> Option<SourcePlace> {
        if loc.line == 0 {
            return None;
        }
        let innermost = (loc.file, loc.line, loc.column);
        let place = self.point(innermost)?;
        let mut inlined_at = Vec::new();
        let mut next = loc.inlined_at.or_else(|| self.callers.get(&innermost).copied());
        while let Some(point) = next.filter(|_| inlined_at.len() < DEEPEST) {
            inlined_at.push(self.point(point)?);
            next = self.callers.get(&point).copied();
        }
        Some(SourcePlace { place, inlined_at })
    }

    fn point(&self, (file, line, column): Point) -> Option<Place> {
        let path = self.files.get(&file)?;
        let Some(found) = self.find(file, path) else { return Some(Place::in_file(path, line, column)) };
        let mut place = Place::in_file(&found.path, line, column);
        if let Some(text) = found.text.lines().nth(line.saturating_sub(1) as usize) {
            place.length = word_length(text, column);
            place.text = Some(text.to_owned());
        }
        Some(place)
    }

    fn find(&self, file: u32, path: &str) -> Option<Rc<SourceFile>> {
        self.found.borrow_mut().entry(file).or_insert_with(|| (self.read)(path).map(Rc::new)).clone()
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
    use crate::diagnostic::Origin;

    const PTX: &str = ".version 8.6 .target sm_90 .address_size 64
.entry k() { .reg .b32 %r;
  .loc 1 3 1
  mov.u32 %r, 1;
  .loc 1 2 3
  .loc 2 9 5, function_name $L__info_string0, inlined_at 1 2 3
  .loc 3 7 1, function_name $L__info_string1, inlined_at 2 9 5
  mov.u32 %r, 2;
  ret; }
.file 1 \"k.cu\"
.file 2 \"lib/mid.h\"
.file 3 \"lib/low.h\"
";

    fn locs(module: &Module) -> Vec<(Span, Loc)> {
        let mut out = Vec::new();
        let mut current = None;
        for item in &module.items {
            let Item::Function(function) = item else { continue };
            for statement in function.body.as_deref().unwrap_or_default() {
                match statement {
                    Statement::Loc(loc) => current = Some(*loc),
                    Statement::Instruction(i) => out.extend(current.map(|loc| (i.span, loc))),
                    _ => {}
                }
            }
        }
        out
    }

    #[test]
    fn the_chain_of_inlining_is_followed() {
        let module = warpvm_ptx::parse(PTX).expect("good PTX");
        let text = "one\n  call(x);\nthree\n";
        let read =
            |path: &str| (path == "k.cu").then(|| SourceFile { path: "src/k.cu".to_owned(), text: text.to_owned() });
        let locator = Locator::new("k.ptx", PTX, &module, &read);
        let locs = locs(&module);
        let plain = locator.label(locs[0].0, Some(&locs[0].1), "");
        assert_eq!(plain.at.origin, Origin::File { path: "k.ptx".into(), line: 4 });
        let source = plain.source.expect("a source");
        assert_eq!((source.place.text.as_deref(), source.place.length), (Some("three"), 5));
        let inlined = locator.label(locs[1].0, Some(&locs[1].1), "").source.expect("a source");
        let lines: Vec<_> = std::iter::once(&inlined.place).chain(&inlined.inlined_at).map(|p| &p.origin).collect();
        let file = |path: &str, line| Origin::File { path: path.into(), line };
        assert_eq!(lines, [&file("lib/low.h", 7), &file("lib/mid.h", 9), &file("src/k.cu", 2)]);
        assert_eq!(inlined.inlined_at[1].text.as_deref(), Some("  call(x);"));
        assert_eq!(inlined.inlined_at[1].length, 4);
    }
}
