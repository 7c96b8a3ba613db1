//! Where undefined bits come from, and findings where they are used.

use std::collections::{HashMap, HashSet};

use warpvm_machine::observe::Who;
use warpvm_machine::program::Pc;
use warpvm_machine::slots::LaneMask;

use super::rows::OriginId;
use crate::{Finding, Findings, Related, Rule, Scene, Severity};

/// Where undefined bits were read first.
#[derive(Clone, Debug)]
struct Origin {
    rule: Rule,
    pc: Pc,
    /// What was read, by whom.
    text: String,
    cta: [u32; 3],
    warp: u32,
    lane: u32,
    callers: Vec<Pc>,
}

/// What is done with a value that must be defined for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Address,
    Branch,
    Guard,
    Output,
    AtomicOutput,
    Comparison,
    Collective,
    Barrier,
    Operand,
}

impl Use {
    fn noun(self) -> &'static str {
        match self {
            Use::Address => "an address",
            Use::Branch => "a branch",
            Use::Guard => "a decision",
            Use::Output | Use::AtomicOutput => "an output",
            Use::Comparison => "the comparison of an atomic operation",
            Use::Collective => "the result of a warp collective",
            Use::Barrier => "a barrier",
            Use::Operand => "an operand that must be defined",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Use::Address => "it is used as an address here",
            Use::Branch => "a branch depends on it here",
            Use::Guard => "whether this takes place depends on it",
            Use::Output => "it is stored to an output here",
            Use::AtomicOutput => "it goes into an output here",
            Use::Comparison => "an atomic operation compares with it here",
            Use::Collective => "a warp collective takes it in here",
            Use::Barrier => "a barrier takes it in here",
            Use::Operand => "it is an operand here",
        }
    }
}

/// An undefined value that was left where the host will look.
pub(super) struct Left {
    pub pc: Pc,
    pub cta: [u32; 3],
    pub who: Who,
    pub lanes: LaneMask,
    /// Where it is.
    pub name: String,
}

/// All origins of a launch and what was reported of them.
pub(super) struct Origins {
    list: Vec<Origin>,
    index: HashMap<(Rule, Pc), OriginId>,
    /// Where each origin was first used: one finding an origin.
    used: HashMap<OriginId, Pc>,
    noted: HashSet<Pc>,
}

fn why(rule: Rule) -> &'static str {
    match rule {
        Rule::SourceLane => {
            "a shuffle from a lane that does not take part gives an undefined value; PTX ISA, section 9.7.9.6 (`shfl.sync`)"
        }
        Rule::UninitGlobal => {
            "memory holds anything until it is written; to copy it is legal, to decide, address or put out by it is not; \
             PTX ISA, section 5.1.4 (global state space)"
        }
        Rule::UninitShared => {
            "shared memory holds anything until the CTA writes it; to copy it is legal, to decide, address or put out by \
             it is not; PTX ISA, section 5.1.7 (shared state space)"
        }
        Rule::UninitLocal => {
            "local memory holds anything until the thread writes it; to copy it is legal, to decide, address or put out \
             by it is not; PTX ISA, section 5.1.5 (local state space)"
        }
        _ => {
            "a register holds anything until it is written; to copy it is legal, to decide, address or put out by it is \
             not; PTX ISA, section 5.1.1 (register state space)"
        }
    }
}

impl Origins {
    pub fn new() -> Self {
        let none = Origin {
            rule: Rule::UninitReg,
            pc: 0,
            text: String::new(),
            cta: [0; 3],
            warp: 0,
            lane: 0,
            callers: vec![],
        };
        Origins { list: vec![none], index: HashMap::new(), used: HashMap::new(), noted: HashSet::new() }
    }

    /// The origin of what is read at an instruction; `text` says what that is.
    pub fn at(&mut self, s: &Scene<'_>, rule: Rule, pc: Pc, lane: usize, text: impl FnOnce() -> String) -> OriginId {
        let list = &mut self.list;
        *self.index.entry((rule, pc)).or_insert_with(|| {
            let (cta, warp) = (s.warp.cta, s.who.warp);
            let callers = s.calls.of(&s.cx.program, s.who, 1 << lane, pc);
            list.push(Origin { rule, pc, text: text(), cta, warp, lane: lane as u32, callers });
            list.len() as OriginId - 1
        })
    }

    /// Were the bits read from memory?
    pub fn is_memory(&self, origin: OriginId) -> bool {
        matches!(self.list[origin as usize].rule, Rule::UninitGlobal | Rule::UninitShared | Rule::UninitLocal)
    }

    /// Where the bits were read first.
    pub fn place(&self, origin: OriginId) -> Pc {
        self.list[origin as usize].pc
    }

    /// Undefined bits were left in a buffer that nobody reads: a warning, since only the host knows what it wants of it.
    pub fn report_left(&mut self, found: &mut Findings, origin: OriginId, left: &Left) {
        let o = &self.list[origin as usize];
        if self.used.contains_key(&origin) {
            return;
        }
        self.used.insert(origin, left.pc);
        let is_same = (o.cta, o.warp) == (left.cta, left.who.warp);
        found.add(Finding {
            severity: Severity::Warning,
            message: "an undefined value is left in an output".to_owned(),
            here: format!("lane {} of warp {} {}", o.lane, o.warp, o.text),
            related: vec![Related::new(
                left.pc,
                format!("it is stored here and left in {}, which is not used otherwise", left.name),
            )],
            callers: o.callers.clone(),
            ..Finding::new(o.rule, o.pc, o.cta, o.warp, if is_same { left.lanes } else { 1 << o.lane }, why(o.rule))
        });
    }

    /// Undefined bits reach a place where they matter.
    pub fn report(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, origin: OriginId, what: Use) {
        let o = &self.list[origin as usize];
        let is_new = !self.used.contains_key(&origin);
        let place = *self.used.entry(origin).or_insert(pc);
        if !is_new && s.found.again(o.rule, o.pc, Some(place)) {
            return;
        }
        s.found.add(Finding {
            rule: o.rule,
            severity: Severity::Error,
            message: format!("an undefined value reaches {}", what.noun()),
            pc: o.pc,
            here: format!("lane {} of warp {} {}", o.lane, o.warp, o.text),
            cta: o.cta,
            warp: o.warp,
            lanes: if o.warp == s.who.warp && o.cta == s.warp.cta { lanes } else { 1 << o.lane },
            related: vec![Related::new(pc, what.verb().to_owned())],
            why: why(o.rule),
            callers: o.callers.clone(),
            count: 1,
        });
    }

    /// A shuffle takes a value from a lane that takes no part: a note, until the value is used.
    pub fn note_source(&mut self, s: &mut Scene<'_>, pc: Pc, lane: usize, from: u32) {
        if !self.noted.insert(pc) {
            s.found.again(Rule::SourceLane, pc, None);
            return;
        }
        s.found.add(Finding {
            rule: Rule::SourceLane,
            severity: Severity::Note,
            message: "a shuffle takes a value from a lane that does not take part".to_owned(),
            pc,
            here: format!("lane {lane} of warp {} reads lane {from}", s.who.warp),
            cta: s.warp.cta,
            warp: s.who.warp,
            lanes: 1 << lane,
            related: Vec::new(),
            why: why(Rule::SourceLane),
            callers: Vec::new(),
            count: 1,
        });
    }
}
