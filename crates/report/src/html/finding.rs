//! Findings as the page shows them: tied to an instruction, a warp and a moment of its trace.

use warpvm_machine::fault::{Fault, FaultKind, WaitReason};
use warpvm_profile::{Profile, Trace};

use crate::diagnostic::{Diagnostic, Kind, Label, Origin};
use crate::json::severity_word;
use crate::places::Places;

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageFinding {
    /// The rule, or the kind of failure.
    pub rule: String,
    /// `error`, `warning`, `note`.
    pub severity: String,
    /// One line.
    pub message: String,
    /// What is said at its place.
    pub here: String,
    /// Further lines: kind and text.
    pub notes: Vec<String>,
    /// Coordinates of the CTA and the warp in it, where it is about one.
    pub warp: Option<([u32; 3], u32)>,
    /// The lanes to mark: those at fault, or that are missing.
    pub lanes: u32,
    /// The instruction.
    pub instruction: Option<usize>,
    /// The step of the warp's trace; looked for where it is not given.
    pub step: Option<u64>,
    /// Other places: instruction and what is said there.
    pub related: Vec<(Option<usize>, String)>,
}

impl PageFinding {
    /// From a diagnostic.
    pub fn new(diagnostic: &Diagnostic, profile: &Profile, places: &Places) -> Self {
        let label = |l: &Label| (instruction_at(l, places), l.message.clone());
        let (instruction, here) = diagnostic.primary.as_ref().map(label).unwrap_or_default();
        let severity = match diagnostic.kind {
            Kind::Finding(severity) => severity_word(severity),
            _ => "error",
        };
        let mut finding = PageFinding {
            rule: diagnostic.rule.unwrap_or("stopped").to_owned(),
            severity: severity.to_owned(),
            message: diagnostic.message.clone(),
            here,
            notes: diagnostic.notes.iter().map(|n| n.text.clone()).collect(),
            warp: diagnostic.scope.map(|s| (s.cta, s.warp)),
            lanes: diagnostic.scope.map_or(0, |s| s.lanes.0),
            instruction,
            step: None,
            related: diagnostic.related.iter().map(label).collect(),
        };
        finding.find_step(profile);
        finding
    }

    /// Adds what the fault that ended the launch knows: who waits, and for which lanes.
    #[must_use]
    pub fn with_fault(mut self, fault: &Fault, profile: &Profile) -> Self {
        if let FaultKind::Deadlock(list) | FaultKind::Livelock(list) | FaultKind::StepLimit { spinning: list, .. } =
            &fault.kind
            && let Some(first) = list.first()
        {
            self.warp = Some((first.cta, first.warp));
            self.lanes = 0;
            for waiting in list.iter().filter(|w| (w.cta, w.warp) == (first.cta, first.warp)) {
                // Two groups that wait for each other: the first one's absent lanes tell the story.
                if let (WaitReason::Collective { missing, .. }, 0) = (&waiting.reason, self.lanes) {
                    self.lanes = *missing;
                    self.instruction = Some(profile.map.instruction(waiting.pc));
                }
            }
        }
        if self.instruction.is_none() && (fault.pc as usize) < profile.map.program.code.len() {
            self.instruction = Some(profile.map.instruction(fault.pc));
        }
        self.find_step(profile);
        self
    }

    /// The last time that the warp issued the instruction; else the end of its trace.
    fn find_step(&mut self, profile: &Profile) {
        let Some((cta, warp)) = self.warp else { return };
        let trace = profile.traces.iter().find(|t| t.cta_id == cta && t.warp == warp);
        if let (Some(trace), None) = (trace, self.step) {
            let last = self.instruction.and_then(|i| last_issue(trace, i as u32));
            self.step = Some(last.unwrap_or(trace.steps.saturating_sub(1)));
        }
    }
}

fn last_issue(trace: &Trace, instruction: u32) -> Option<u64> {
    let covering = trace.steps().filter(|(_, run)| (run.first..run.first + run.len).contains(&instruction));
    covering.last().map(|(at, run)| at + u64::from(instruction - run.first))
}

fn instruction_at(label: &Label, places: &Places) -> Option<usize> {
    let Origin::File { path, line } = &label.at.origin else { return None };
    if *path != places.ptx_path {
        return None;
    }
    places.ptx_line.iter().position(|l| l == line)
}
