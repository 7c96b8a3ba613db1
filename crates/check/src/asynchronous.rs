//! mbarriers used as the manual does not define it.
//!
//! What has to do with order is found by the races: accesses that an asynchronous copy may still be busy with, an
//! initialisation that is not ordered before other uses, a count or phase that lets threads go too early. Lanes that
//! wait for ever are found where the launch ends. Here is what the object itself shows: a use before any
//! initialisation, and an arrival beyond the count.

use std::collections::HashMap;

use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Event, MbarrierEvent};
use warpvm_machine::program::Pc;

use crate::place::describe;
use crate::{Finding, Part, Rule, Scene, Severity};

/// See the module.
#[derive(Default)]
pub(crate) struct Asynchronous {
    /// mbarriers that somebody has misused, by CTA and address: by which rule, and where. One object, one cause.
    known: HashMap<(Rule, u32, u64), Pc>,
}

impl Part for Asynchronous {
    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        let Event::Mbarrier { pc, lane, shared_cta, address, what } = *event else { return };
        let (rule, message, text, why) = match what {
            MbarrierEvent::NotInitialised => (
                Rule::MbarrierInit,
                "an mbarrier is used that is not initialised",
                "uses",
                "any operation but `mbarrier.init` needs an initialised object; PTX ISA, section 9.7.13.15",
            ),
            MbarrierEvent::Overflow => (
                Rule::MbarrierCount,
                "an arrival takes more than a phase of an mbarrier still waits for",
                "arrives at",
                "the pending count of a phase must not pass below 0; PTX ISA, section 9.7.13.15.3",
            ),
            _ => return,
        };
        let first = *self.known.entry((rule, shared_cta, address)).or_insert(pc);
        if s.found.again(rule, first, None) || s.found.again(rule, pc, None) {
            return;
        }
        let place = describe(s.cx, s.warp, Space::Shared, address);
        s.found.add(Finding {
            rule,
            severity: Severity::Error,
            message: message.to_owned(),
            pc,
            here: format!("lane {lane} of warp {} {text} {place}", s.who.warp),
            cta: s.warp.cta,
            warp: s.who.warp,
            lanes: 1 << lane,
            related: Vec::new(),
            why,
            callers: Vec::new(),
            count: 1,
        });
    }
}
