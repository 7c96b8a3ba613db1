//! Faults of a launch in words: what, where, who, why.

use warpvm_machine::fault::{Fault, FaultKind, Waiting};
use warpvm_machine::memory::GlobalMemory;
use warpvm_machine::program::{Pc, Program};

use crate::inlining;
use crate::names::readable;
use crate::{Diagnostic, Kind, Label, Lanes, NoteKind, Place, Scope, Severity, SourcePlace};

/// A label on an instruction of a program, in the PTX and, where `.loc` says so, in the source behind it.
pub fn label(program: &Program, path: &str, pc: Pc, message: impl AsRef<str>) -> Label {
    let message = readable(message.as_ref());
    let Some(meta) = program.meta.get(pc as usize) else {
        return Label::new(Place::in_file(path, 1, 1), message);
    };
    let at = Place::of_span(path, &program.source, meta.span.start as usize, meta.span.end as usize);
    let file = |index: u32| program.files.get(&index).cloned().unwrap_or_else(|| format!("file {index}"));
    // Line 0 is code that the compiler made up or moved.
    let home = &program.meta[warpvm_check::located(program, pc) as usize];
    let source = home.loc.filter(|loc| loc.line > 0).map(|loc| SourcePlace {
        place: Place::in_file(file(loc.file), loc.line, loc.column),
        inlined_at: inlined_at(program, loc.file, loc.inlined_at, home.span.start as usize)
            .into_iter()
            .map(|(f, line, column)| Place::in_file(file(f), line, column))
            .collect(),
        called_from: Vec::new(),
    });
    Label { at, source, message: message.into_owned() }
}

/// Where the code of a place was inlined: as its `.loc` says, or as those above it suggest.
fn inlined_at(program: &Program, file: u32, first: Option<inlining::Point>, at: usize) -> Vec<inlining::Point> {
    match first {
        Some(_) => inlining::chain(&program.source, first, at),
        None => inlining::statement(&program.source, file, at).into_iter().collect(),
    }
}

/// The same with the calls that led there, innermost first.
pub(crate) fn label_of_call(program: &Program, path: &str, pc: Pc, callers: &[Pc], message: &str) -> Label {
    let mut it = label(program, path, pc, message);
    // Code of a library often has no places of its own.
    let mut calls = callers.iter().filter_map(|call| label(program, path, *call, "").source);
    if it.source.is_none() {
        it.source = calls.next();
    }
    if let Some(source) = &mut it.source {
        source.called_from = calls.flat_map(|call| std::iter::once(call.place).chain(call.inlined_at)).collect();
    }
    it
}

/// The rule that a fault breaks, if it is a finding.
pub fn rule(program: &Program, global: &GlobalMemory, fault: &Fault) -> Option<&'static str> {
    warpvm_check::faults::finding(program, global, fault).map(|f| f.rule.name())
}

/// How many groups of lanes are shown that were still running.
const SHOWN: usize = 8;

/// A fault as a diagnostic.
pub fn diagnostic(program: &Program, global: &GlobalMemory, path: &str, fault: &Fault) -> Diagnostic {
    if let Some(finding) = warpvm_check::faults::finding(program, global, fault) {
        return crate::finding::diagnostic(program, path, &finding);
    }
    let (message, here) = words(fault);
    let kind = match fault.kind {
        FaultKind::StepLimit { .. } | FaultKind::StackOverflow => Kind::Exhausted,
        _ => Kind::Finding(Severity::Error),
    };
    let mut d = Diagnostic::new(kind, readable(&message));
    let spinning: &[Waiting] = match &fault.kind {
        FaultKind::StepLimit { spinning, .. } => spinning,
        _ => &[],
    };
    // The lanes of one group are at the first place, the others at the related ones.
    let mut labels = spinning.iter().map(|w| label(program, path, w.pc, warpvm_check::faults::doing(w)));
    d.primary = labels.next();
    d.related = labels.take(SHOWN - 1).collect();
    if spinning.len() > SHOWN {
        d = d.note(NoteKind::Note, format!("{} more groups of lanes", spinning.len() - SHOWN));
    }
    if d.primary.is_none() {
        d.primary = Some(label(program, path, fault.pc, here));
        let lanes = Lanes(fault.lanes);
        d.scope = Some(Scope { cta: fault.cta, warp: fault.warp, lanes, active: None });
    }
    d
}

/// The message, and what to say at the place, of a fault that breaks no rule.
fn words(fault: &Fault) -> (String, String) {
    match &fault.kind {
        FaultKind::StepLimit { limit, .. } => {
            (format!("the limit of {limit} warp instructions was reached"), "still running here".to_owned())
        }
        FaultKind::Trap => ("`trap` was executed".to_owned(), String::new()),
        FaultKind::Breakpoint => ("`brkpt` was executed".to_owned(), String::new()),
        FaultKind::Assert { message, file, line, function } => {
            (format!("assertion `{message}` failed"), format!("{file}:{line}, in `{function}`"))
        }
        FaultKind::BadOperand(text) | FaultKind::BadCall(text) => (text.clone(), String::new()),
        FaultKind::BadCallee(value) => {
            ("call through a pointer that is not a function".to_owned(), format!("{value:#x}"))
        }
        FaultKind::BadIndex { index, len } => {
            ("`brx.idx` past its list of targets".to_owned(), format!("index {index} of {len} targets"))
        }
        FaultKind::StackOverflow => ("a thread's stack is used up".to_owned(), "this call".to_owned()),
        _ => ("the kernel faulted".to_owned(), String::new()),
    }
}
