//! The calls that each lane is in.

use std::collections::HashMap;

use warpvm_machine::exec::WarpView;
use warpvm_machine::fault::Fault;
use warpvm_machine::observe::{Event, Who};
use warpvm_machine::program::{Call, Callee, Inst, Kind, Pc, Program};
use warpvm_machine::slots::{LaneMask, lanes};

use crate::Context;

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

    /// What an instruction is wanted for.
    pub fn wants(&self, inst: &Inst) -> u8 {
        let is_wanted = self.is_used && matches!(inst.kind, Kind::Call(_) | Kind::Return);
        if is_wanted { crate::wants::STEP } else { 0 }
    }

    /// The calls that led to a fault.
    pub fn at(&self, cx: &Context, fault: &Fault) -> Vec<Pc> {
        let ([x, y, z], grid) = (fault.cta, cx.grid);
        let who = Who { cta: x + grid[0] * (y + grid[1] * z), warp: fault.warp };
        self.of(&cx.program, who, fault.lanes, fault.pc)
    }

    /// The calls that led lanes to a place, innermost first. Nothing where they are in another function by now.
    pub fn of(&self, program: &Program, who: Who, lanes: LaneMask, pc: Pc) -> Vec<Pc> {
        let stack = self.stacks.get(&who).and_then(|list| list.get(lanes.trailing_zeros() as usize));
        let Some((last, stack)) = stack.and_then(|stack| Some((stack.last()?, stack))) else { return Vec::new() };
        let function = program.meta[pc as usize].function;
        let is_there = match &program.code[*last as usize].kind {
            Kind::Call(Call { callee: Callee::Function(callee), .. }) => *callee == function,
            _ => program.meta[*last as usize].function != function,
        };
        if is_there { stack.iter().rev().copied().collect() } else { Vec::new() }
    }
}

/// It is told as the parts are, but after them: they may ask what led to where they are.
impl Calls {
    #[inline]
    pub fn step(&mut self, who: Who, pc: Pc, inst: &Inst, here: LaneMask) {
        if !self.is_used {
            return;
        }
        match &inst.kind {
            Kind::Call(call) if !matches!(call.callee, Callee::Builtin(_)) => {
                let list = self.stacks.entry(who).or_insert_with(|| vec![Vec::new(); 32]);
                lanes(here).for_each(|l| list[l].push(pc));
            }
            Kind::Return => {
                let Some(list) = self.stacks.get_mut(&who) else { return };
                for lane in lanes(here) {
                    list[lane].pop();
                }
            }
            _ => {}
        }
    }

    #[inline]
    pub fn event(&mut self, warp: &WarpView<'_>, who: Who, event: &Event<'_>) {
        if let Event::Exit { lanes, .. } = event
            && self.is_used
            && warp.live & !lanes == 0
        {
            self.stacks.remove(&who);
        }
    }
}
