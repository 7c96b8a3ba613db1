//! The calls that each lane is in.

use std::collections::HashMap;

use warpvm_machine::fault::Fault;
use warpvm_machine::observe::{Event, Who};
use warpvm_machine::program::{Callee, Inst, Kind, Pc};
use warpvm_machine::slots::{LaneMask, lanes};

use crate::{Context, Part, Scene};

/// See the module.
pub(crate) struct Calls {
    /// Does the program call anything but built-in functions?
    is_used: bool,
    stacks: HashMap<Who, Vec<Vec<Pc>>>,
}

impl Calls {
    pub fn new(cx: &Context) -> Self {
        let calls = |inst: &Inst| matches!(&inst.kind, Kind::Call(c) if !matches!(c.callee, Callee::Builtin(_)));
        Calls { is_used: cx.program.code.iter().any(calls), stacks: HashMap::new() }
    }

    /// The calls that led to a fault.
    pub fn at(&self, grid: [u32; 3], fault: &Fault) -> Vec<Pc> {
        let [x, y, z] = fault.cta;
        let who = Who { cta: x + grid[0] * (y + grid[1] * z), warp: fault.warp };
        self.of(who, fault.lanes.trailing_zeros() as usize)
    }

    /// The calls that led a lane to where it is, innermost first.
    pub fn of(&self, who: Who, lane: usize) -> Vec<Pc> {
        let stack = self.stacks.get(&who).and_then(|list| list.get(lane));
        stack.map(|stack| stack.iter().rev().copied().collect()).unwrap_or_default()
    }
}

impl Part for Calls {
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, _split: LaneMask, here: LaneMask) {
        if !self.is_used {
            return;
        }
        match &inst.kind {
            Kind::Call(call) if !matches!(call.callee, Callee::Builtin(_)) => {
                let list = self.stacks.entry(s.who).or_insert_with(|| vec![Vec::new(); 32]);
                lanes(here).for_each(|l| list[l].push(pc));
            }
            Kind::Return => {
                let Some(list) = self.stacks.get_mut(&s.who) else { return };
                for lane in lanes(here) {
                    list[lane].pop();
                }
            }
            _ => {}
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        if let Event::Exit { lanes, .. } = event
            && self.is_used
            && s.warp.live & !lanes == 0
        {
            self.stacks.remove(&s.who);
        }
    }
}
