//! One recorded case: run it and compare.

use crate::buffers::compare::{Difference, describe, differences};
use crate::element::ElementType;
use crate::launch::Launch;
use crate::launch::row::{Inputs, Row};
use crate::module::{self, Source};
use crate::{target, vm};
use std::fmt::Write;
use std::path::Path;
use warpvm::Options;
use warpvm_report::{Diagnostic, Kind, NoteKind, Severity};

/// What became of a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Every buffer holds what was recorded, or the module was refused as it must be.
    Equal,
    /// Something differs.
    Different(Vec<Diagnostic>),
    /// Something is not supported.
    Unsupported(Vec<Diagnostic>),
    /// It could not be run to its end.
    Failed(Vec<Diagnostic>),
    /// The program is faulty; no answer is required of it.
    Faulty,
}

impl Outcome {
    /// What there is to say.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Outcome::Equal | Outcome::Faulty => Vec::new(),
            Outcome::Different(all) | Outcome::Failed(all) => all,
            // The first says that the case did not run; the table counts it.
            Outcome::Unsupported(mut all) => {
                all.truncate(1);
                all
            }
        }
    }
}

/// Runs a case. Relative paths in it start at `folder`.
pub fn run_case(row: &Row, inputs: &Inputs, folder: &Path, options: Options) -> Outcome {
    if !row.clean {
        return Outcome::Faulty;
    }
    match &row.why {
        Some(why) => refused(row, why),
        None => answered(row, inputs, folder, options).unwrap_or_else(failure),
    }
}

/// What a launch that failed counts as.
fn failure(all: Vec<Diagnostic>) -> Outcome {
    match warpvm_report::outcome(&all) {
        warpvm_report::Outcome::Unsupported => Outcome::Unsupported(all),
        _ => Outcome::Failed(all),
    }
}

fn source(row: &Row, folder: &Path) -> Result<Source, Vec<Diagnostic>> {
    let ptx = row.ptx.as_deref().unwrap_or_default();
    if target::is_path(ptx) {
        let text = crate::launch::file::read_text(&folder.join(ptx)).map_err(|error| vec![*error])?;
        return Ok(module::Source { name: ptx.to_owned(), ptx: text, entry: row.entry.clone() });
    }
    Ok(Source { name: format!("{}.ptx", row.id), ptx: ptx.to_owned(), entry: row.entry.clone() })
}

/// A module that the vendor's assembler refuses must be refused here, with a place.
fn refused(row: &Row, why: &str) -> Outcome {
    let Ok(source) = source(row, Path::new("")) else { return Outcome::Faulty };
    let difference =
        |message: String| Outcome::Different(vec![Diagnostic::new(Kind::Finding(Severity::Error), message)]);
    let loaded = vm::load(&source).and_then(|module| {
        let each = |name| vm::kernel(&module, &Source { entry: Some(name), ..source.clone() }).map(|_| ());
        module.kernels().into_iter().try_for_each(each)
    });
    match loaded {
        Ok(()) => difference(format!("was accepted, but the vendor's assembler says: {why}")),
        Err(all) if warpvm_report::outcome(&all) == warpvm_report::Outcome::Unsupported => Outcome::Unsupported(all),
        Err(all) if all.iter().any(|d| d.kind == Kind::Invalid && d.primary.is_some()) => Outcome::Equal,
        Err(_) => difference("was refused without a place".to_owned()),
    }
}

fn answered(row: &Row, inputs: &Inputs, folder: &Path, options: Options) -> vm::Result<Outcome> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let launch = row.launch(inputs).map_err(one)?;
    let expected = row.expected(&launch).map_err(one)?;
    let source = source(row, folder)?;
    let module = vm::load(&source)?;
    let kernel = vm::kernel(&module, &source)?;
    let answer = vm::launch(&module, &kernel, &source, &launch, options);
    if !vm::is_good(&answer) {
        return Err(answer.diagnostics);
    }
    let parameters = kernel.parameters();
    let mut all = Vec::new();
    for (index, wanted) in &expected {
        let held = answer.buffers.get(*index).and_then(Option::as_deref).unwrap_or_default();
        let name = parameters.get(*index).map_or("?", |parameter| parameter.name.as_str());
        all.extend(compare(row, &launch, (*index, name), wanted, held));
    }
    Ok(if all.is_empty() { Outcome::Equal } else { Outcome::Different(all) })
}

/// The first difference of a buffer, with the inputs of the thread that made it.
fn compare(
    row: &Row,
    launch: &Launch,
    (index, name): (usize, &str),
    expected: &[u8],
    actual: &[u8],
) -> Option<Diagnostic> {
    let finding = |message: String| Diagnostic::new(Kind::Finding(Severity::Error), message);
    if expected.len() != actual.len() {
        return Some(finding(format!("`{name}` has {} bytes, {} were recorded", actual.len(), expected.len())));
    }
    let ty = element_type(launch, index, expected.len());
    let all = differences(ty, expected, actual, None);
    let first = *all.first()?;
    let message = format!("`{name}` differs in {} of {} elements", all.len(), expected.len() / ty.bytes);
    let place = format!("element {}: {}", first.index, describe(ty, first));
    let mut finding = finding(message).note(NoteKind::Where, place);
    if let Some(text) = inputs_of(row, launch, ty, expected.len(), first) {
        finding = finding.note(NoteKind::Note, text);
    }
    Some(finding)
}

fn threads(launch: &Launch) -> usize {
    launch.grid.iter().chain(&launch.block).map(|&n| n as usize).product()
}

/// Recorded buffers have no type. Where each thread writes 1, 2, 4 or 8 bytes, that is taken as the element.
fn element_type(launch: &Launch, index: usize, bytes: usize) -> ElementType {
    let given = launch.args.get(index).and_then(|arg| arg.buffer()).map(|buffer| buffer.ty);
    let threads = threads(launch);
    let each = if bytes.is_multiple_of(threads) { bytes / threads } else { 0 };
    match given {
        Some(ty) if ty != ElementType::bits(4) => ty,
        _ if matches!(each, 1 | 2 | 8) => ElementType::bits(each),
        _ if bytes.is_multiple_of(4) => ElementType::bits(4),
        _ => ElementType::bits(1),
    }
}

/// The elements of the input arrays that belong to the thread which wrote an element.
fn inputs_of(row: &Row, launch: &Launch, ty: ElementType, bytes: usize, first: Difference) -> Option<String> {
    let each = bytes / threads(launch);
    if each == 0 || !bytes.is_multiple_of(threads(launch)) {
        return None;
    }
    let thread = first.index * ty.bytes / each;
    let mut out = format!("thread {thread}");
    for (index, arg) in launch.args.iter().enumerate() {
        let (Some(name), Some(buffer)) = (row.input_name(index), arg.buffer()) else { continue };
        let data = buffer.data.as_deref().unwrap_or_default();
        if let Some(bits) = buffer.ty.elements(data).nth(thread) {
            let (value, hex) = (buffer.ty.show(bits), buffer.ty.show_bits(bits));
            let _ = write!(out, "; {name}[{thread}] = {value}");
            if value != hex {
                let _ = write!(out, " ({hex})");
            }
        }
    }
    Some(out)
}
