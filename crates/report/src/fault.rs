//! Faults of a launch in words: what, where, who, why.

use std::fmt::Write;

use warpvm_machine::fault::{AccessKind, Fault, FaultKind, WaitReason, Waiting};
use warpvm_machine::memory::{GlobalMemory, Lookup, Origin as Owner, Space};
use warpvm_machine::program::{Pc, Program};

use crate::inlining;
use crate::lanes::Lanes;
use crate::{Diagnostic, Kind, Label, NoteKind, Place, Scope, Severity, SourcePlace};

/// A label on an instruction of a program, in the PTX and, where `.loc` says so, in the source behind it.
pub fn label(program: &Program, path: &str, pc: Pc, message: impl Into<String>) -> Label {
    let Some(meta) = program.meta.get(pc as usize) else {
        return Label::new(Place::in_file(path, 1, 1), message);
    };
    let at = Place::of_span(path, &program.source, meta.span.start as usize, meta.span.end as usize);
    let file = |index: u32| program.files.get(&index).cloned().unwrap_or_else(|| format!("file {index}"));
    // Line 0 is code that the compiler made up.
    let source = meta.loc.filter(|loc| loc.line > 0).map(|loc| SourcePlace {
        place: Place::in_file(file(loc.file), loc.line, loc.column),
        inlined_at: inlining::chain(&program.source, loc.inlined_at)
            .into_iter()
            .map(|(f, line, column)| Place::in_file(file(f), line, column))
            .collect(),
    });
    Label { at, source, message: message.into() }
}

/// Whose address it is: allocation plus offset rather than a bare number.
pub fn describe_address(program: &Program, global: &GlobalMemory, space: Space, address: u64) -> String {
    match space {
        Space::Global => match global.lookup(address) {
            Lookup::Live(a) => format!("{}+{:#x}", owner(&a.origin), address - a.base),
            Lookup::Freed(a) => format!("{}+{:#x} (freed)", owner(&a.origin), address - a.base),
            Lookup::Outside(Some(a)) if address - a.base < a.len + (1 << 20) => {
                format!("{}+{:#x}, past its end at {:#x}", owner(&a.origin), address - a.base, a.len)
            }
            Lookup::Outside(_) => format!("{address:#x}, which is in no allocation"),
        },
        Space::Shared => variable(&program.shared_vars, address).unwrap_or_else(|| {
            if address >= u64::from(program.dynamic_shared_start) {
                format!("dynamic shared memory+{:#x}", address - u64::from(program.dynamic_shared_start))
            } else {
                format!("shared memory at {address:#x}")
            }
        }),
        Space::Local => {
            variable(&program.local_vars, address).unwrap_or_else(|| format!("local memory at {address:#x}"))
        }
        Space::Param => format!("the kernel's parameters at {address:#x}"),
    }
}

fn owner(origin: &Owner) -> String {
    match origin {
        Owner::Variable(name) => format!("`{name}`"),
        Owner::Buffer(name) => format!("buffer `{name}`"),
        Owner::Heap => "a block of the device heap".to_owned(),
    }
}

fn variable(vars: &[warpvm_machine::program::Variable], address: u64) -> Option<String> {
    let v = vars.iter().filter(|v| u64::from(v.offset) <= address).max_by_key(|v| v.offset)?;
    let offset = address - u64::from(v.offset);
    Some(if offset < u64::from(v.len) {
        format!("`{}`+{offset:#x}", v.name)
    } else {
        format!("`{}`+{offset:#x}, past its end at {:#x}", v.name, v.len)
    })
}

/// The rule that a fault breaks, if it is a finding.
pub fn rule(fault: &Fault, global: &GlobalMemory) -> Option<&'static str> {
    Some(match &fault.kind {
        FaultKind::Address { space: Space::Global, address, .. } => match global.lookup(*address) {
            Lookup::Freed(_) => "use-after-free",
            _ => "oob-global",
        },
        FaultKind::Address { space: Space::Shared, .. } => "oob-shared",
        FaultKind::Address { .. } => "oob-local",
        FaultKind::Misaligned { .. } => "misaligned",
        FaultKind::OwnLane { .. } => "own-lane",
        FaultKind::Deadlock(_) | FaultKind::StepLimit { .. } => "deadlock",
        FaultKind::Barrier(text) if text.contains("at the same time") && text.contains("for `") => "barrier-mix",
        FaultKind::Barrier(_) => "barrier-count",
        FaultKind::Mbarrier(_) => "mbarrier-count",
        FaultKind::BadFree(_) => "use-after-free",
        _ => return None,
    })
}

/// How many groups of waiting lanes are shown.
const SHOWN: usize = 8;

/// A fault as a diagnostic.
pub fn diagnostic(program: &Program, global: &GlobalMemory, path: &str, fault: &Fault) -> Diagnostic {
    let (message, here, why) = words(program, global, fault);
    let kind = match fault.kind {
        FaultKind::StepLimit { .. } | FaultKind::StackOverflow => Kind::Exhausted,
        _ => Kind::Finding(Severity::Error),
    };
    let mut d = Diagnostic::new(kind, message);
    d.rule = rule(fault, global).filter(|_| matches!(kind, Kind::Finding(_)));
    match &fault.kind {
        FaultKind::Deadlock(list) | FaultKind::StepLimit { spinning: list, .. } if !list.is_empty() => {
            // The lanes of one group are at the first place, the others at the related ones.
            let mut labels = list.iter().map(|w| label(program, path, w.pc, waiting(w)));
            d.primary = labels.next();
            d.related = labels.take(SHOWN - 1).collect();
            if list.len() > SHOWN {
                d = d.note(NoteKind::Note, format!("{} more groups of lanes", list.len() - SHOWN));
            }
        }
        _ => {
            d.primary = Some(label(program, path, fault.pc, here));
            let lanes = Lanes(fault.lanes);
            d.scope = Some(Scope { cta: fault.cta, warp: fault.warp, lanes, active: None });
        }
    }
    match why {
        Some(why) => d.note(NoteKind::Why, why),
        None => d,
    }
}

fn waiting(w: &Waiting) -> String {
    let [x, y, z] = w.cta;
    let (who, wait, run) = match Lanes(w.lanes).count() {
        1 => ("lane", "waits", "runs"),
        _ => ("lanes", "wait", "run"),
    };
    let mut text = format!("{who} {} of warp {} in CTA ({x},{y},{z}) ", Lanes(w.lanes), w.warp);
    let _ = match &w.reason {
        WaitReason::Collective { mask, missing } => {
            write!(text, "{wait} for lanes {} of mask {mask:#010x}", Lanes(*missing))
        }
        WaitReason::Barrier { id, needed, arrived } => {
            write!(text, "{wait} at barrier {id}: {arrived} of {needed} threads have arrived")
        }
        WaitReason::ClusterBarrier => write!(text, "{wait} at the cluster barrier"),
        WaitReason::Reconvergence => write!(text, "{wait} for the other lanes of the branch"),
        WaitReason::Running => write!(text, "{run} here"),
    };
    text
}

type Words = (String, String, Option<&'static str>);

fn words(program: &Program, global: &GlobalMemory, fault: &Fault) -> Words {
    let verb = |a: &AccessKind| match a {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::Atomic => "updates",
    };
    let memory = |s: &Space| match s {
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Param => "parameter",
    };
    match &fault.kind {
        FaultKind::Address { space, address, size, access, lane } => (
            format!("access outside of {} memory", memory(space)),
            format!(
                "lane {lane} {} {size} bytes at {}",
                verb(access),
                describe_address(program, global, *space, *address)
            ),
            Some("every byte of an access must lie in one live variable or allocation; PTX ISA, state spaces"),
        ),
        FaultKind::Misaligned { space, address, align, lane } => (
            format!("misaligned access to {} memory", memory(space)),
            format!("lane {lane} uses address {address:#x}, {}", describe_address(program, global, *space, *address)),
            Some(if *align == 16 {
                "the address must be a multiple of the access size, here 16 bytes; PTX ISA, addresses as operands"
            } else {
                "the address must be a multiple of the access size; PTX ISA, addresses as operands"
            }),
        ),
        FaultKind::OwnLane { mask } => (
            "a lane calls a collective with a mask that lacks its own bit".to_owned(),
            match Lanes(fault.lanes).count() {
                1 => format!("lane {} passes the mask {mask:#010x}", Lanes(fault.lanes)),
                _ => format!("lanes {} pass the mask {mask:#010x}", Lanes(fault.lanes)),
            },
            Some("the executing thread must be in the membermask; PTX ISA, parallel synchronization"),
        ),
        FaultKind::Deadlock(_) => (
            "nothing can run and lanes remain".to_owned(),
            String::new(),
            Some("a collective or barrier waits for every thread that it names and that has not exited"),
        ),
        FaultKind::StepLimit { limit, .. } => {
            (format!("the limit of {limit} warp instructions was reached"), "still running here".to_owned(), None)
        }
        FaultKind::Trap => ("`trap` was executed".to_owned(), String::new(), None),
        FaultKind::Breakpoint => ("`brkpt` was executed".to_owned(), String::new(), None),
        FaultKind::Assert { message, file, line, function } => {
            (format!("assertion `{message}` failed"), format!("{file}:{line}, in `{function}`"), None)
        }
        FaultKind::Barrier(text)
        | FaultKind::Mbarrier(text)
        | FaultKind::BadOperand(text)
        | FaultKind::BadCall(text) => (text.clone(), String::new(), None),
        FaultKind::BadCallee(value) => {
            ("call through a pointer that is not a function".to_owned(), format!("{value:#x}"), None)
        }
        FaultKind::BadIndex { index, len } => {
            ("`brx.idx` past its list of targets".to_owned(), format!("index {index} of {len} targets"), None)
        }
        FaultKind::BadFree(address) => (
            "`free` of what `malloc` did not give".to_owned(),
            describe_address(program, global, Space::Global, *address),
            None,
        ),
        FaultKind::StackOverflow => ("a thread's stack is used up".to_owned(), "this call".to_owned(), None),
    }
}
