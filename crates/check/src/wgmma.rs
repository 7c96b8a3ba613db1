//! Registers of `wgmma.mma_async` that are used while it may still be busy with them.
//!
//! From the instruction to the `wgmma.wait_group` of its group nothing may read or write its accumulators, or write its
//! operand A; and `wgmma.fence` has to stand between what writes such registers and the instruction that takes them over, the
//! first one in any case (PTX ISA, section 9.7.15.7). A compiler moves plain copies about as it likes: `mov` hands on what is known
//! of a register, and is not a use.

use std::collections::{HashMap, HashSet};

use warpvm_isa::Opcode;
use warpvm_machine::observe::Event;
use warpvm_machine::program::{AsyncGroup, CollectiveOp, Inst, Kind, Pc, Program, Role};
use warpvm_machine::slots::{Class, FULL, LaneMask, Slot, lanes};

use crate::states::States;
use crate::{Context, Finding, Part, Related, Rule, Scene, wants};

const WHY_WAIT: &str = "the registers of `wgmma.mma_async` belong to it until `wgmma.wait_group` has waited for its group; PTX ISA, \
section 9.7.15.7 (asynchronous warpgroup matrix operations)";
const WHY_FENCE: &str = "`wgmma.fence` orders what was done with the registers before against `wgmma.mma_async`, and must stand before \
the first one; PTX ISA, section 9.7.15.7.1 (`wgmma.fence`)";

/// How an instruction uses registers that matter.
enum Use {
    /// Not at all.
    Nothing,
    /// `wgmma.mma_async`: accumulators and registers of operand A.
    Product(Vec<Slot>, Vec<Slot>),
    /// A copy: to and from.
    Copy(Slot, Slot),
    /// Another: what it writes and reads.
    Other(Vec<Slot>, Vec<Slot>),
}

/// Who is busy with a register.
#[derive(Clone, Copy)]
struct Busy {
    /// Number of the group.
    group: u64,
    pc: Pc,
    is_result: bool,
}

/// What is known of a register. Lanes may part between two products, but meet at each.
#[derive(Clone, Copy, Default)]
struct State {
    busy: Option<Busy>,
    /// Lanes that have not waited for it.
    busy_lanes: LaneMask,
    /// Who wrote it.
    written: Option<Pc>,
    /// Lanes that did and have passed no fence since.
    written_lanes: LaneMask,
}

impl State {
    fn busy(&self, lanes: LaneMask) -> Option<Busy> {
        self.busy.filter(|_| self.busy_lanes & lanes != 0)
    }
}

#[derive(Default)]
struct Warp {
    /// Number of the group that each lane fills.
    group: [u64; 32],
    is_fenced: bool,
    registers: HashMap<Slot, State>,
}

/// See the module.
pub(crate) struct Wgmma {
    /// How each instruction uses the registers that matter; empty where there is nothing to watch.
    uses: Vec<Use>,
    warps: States<Warp>,
    /// Where the registers of a product were used first.
    used: HashMap<Pc, Pc>,
}

fn key(s: &Scene<'_>) -> u64 {
    u64::from(s.who.cta) << 16 | u64::from(s.who.warp)
}

fn product(program: &Program, pc: Pc) -> bool {
    program.meta[pc as usize].opcode == Opcode::Wgmma
        && matches!(&program.code[pc as usize].kind, Kind::Collective(c) if matches!(c.op, CollectiveOp::Other(_)))
}

/// Registers that an instruction has in a role.
fn having(program: &Program, pc: Pc, role: Role) -> impl Iterator<Item = (Class, Slot)> + '_ {
    program.meta[pc as usize].operands.iter().filter(move |o| o.0 == role).map(|o| (o.1, o.2))
}

/// To and from where a plain copy goes.
fn copy(program: &Program, pc: Pc) -> Option<(Slot, Slot)> {
    let is_copy =
        matches!(&program.code[pc as usize].kind, Kind::Row(_)) && program.meta[pc as usize].opcode == Opcode::Mov;
    let mut to = having(program, pc, Role::Write);
    let mut from = having(program, pc, Role::Read);
    match (is_copy, to.next(), from.next(), to.next(), from.next()) {
        (true, Some(to), Some(from), None, None) if to.0 == from.0 => Some((to.1, from.1)),
        _ => None,
    }
}

impl Wgmma {
    pub fn new(cx: &Context) -> Self {
        let program = &*cx.program;
        let all = 0..program.code.len() as Pc;
        let mut wgmma = Wgmma { uses: Vec::new(), warps: States::new(), used: HashMap::new() };
        if cx.levels.drop_all(&[Rule::AsyncWait]) || !all.clone().any(|pc| product(program, pc)) {
            return wgmma;
        }
        let presets: HashSet<Slot> = program.presets.iter().map(|p| p.slot).collect();
        let mut watched = HashSet::new();
        for pc in all.clone().filter(|pc| product(program, *pc)) {
            let operands = &program.meta[pc as usize].operands;
            watched.extend(operands.iter().filter(|o| o.1 == Class::R32 && !presets.contains(&o.2)).map(|o| o.2));
        }
        while all.clone().filter_map(|pc| copy(program, pc)).fold(false, |more, (to, from)| {
            let is_new = !presets.contains(&from) && watched.contains(&to) != watched.contains(&from);
            if is_new {
                watched.extend([to, from]);
            }
            more || is_new
        }) {}
        let of = |pc| {
            let list =
                |role| having(program, pc, role).map(|o| o.1).filter(|slot| watched.contains(slot)).collect::<Vec<_>>();
            let (written, read) = (list(Role::Write), list(Role::Read));
            if product(program, pc) {
                let left = read.into_iter().filter(|slot| !written.contains(slot)).collect();
                return Use::Product(written, left);
            }
            match copy(program, pc) {
                _ if written.is_empty() && read.is_empty() => Use::Nothing,
                Some((to, from)) => Use::Copy(to, from),
                None => Use::Other(written, read),
            }
        };
        wgmma.uses = all.map(of).collect();
        wgmma
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, pc: usize) -> u8 {
        let is_wanted = self.uses.get(pc).is_some_and(|u| !matches!(u, Use::Nothing));
        if is_wanted { wants::STEP } else { 0 }
    }

    /// An instruction touches a register that a product is busy with.
    #[cold]
    fn report(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, slot: Slot, busy: Busy, does: &str) {
        let first = *self.used.entry(busy.pc).or_insert(pc);
        if first != pc || s.found.again(Rule::AsyncWait, pc, Some(busy.pc)) {
            return;
        }
        let mut f = Finding::new(Rule::AsyncWait, pc, s.warp.cta, s.who.warp, lanes, WHY_WAIT);
        let what = if busy.is_result { "an accumulator" } else { "operand A" };
        f.message = format!("{what} of `wgmma.mma_async` is used before `wgmma.wait_group`");
        f.here = format!("warp {} {does} {}", s.who.warp, name(s, pc, slot));
        f.related.push(Related::new(busy.pc, "this one may still be busy with it"));
        s.found.add(f);
    }

    #[cold]
    fn report_fence(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, written: Option<(Slot, Pc)>) {
        let other = written.map(|w| w.1);
        if s.found.again(Rule::AsyncWait, pc, other) {
            return;
        }
        let mut f = Finding::new(Rule::AsyncWait, pc, s.warp.cta, s.who.warp, lanes, WHY_FENCE);
        f.message = "`wgmma.mma_async` without `wgmma.fence` before it".into();
        match written {
            Some((slot, at)) => {
                f.here = format!("warp {} hands {} over to it", s.who.warp, name(s, pc, slot));
                f.related.push(Related::new(at, "the register is written here, and no fence follows"));
            }
            None => f.here = format!("it is the first of warp {}, which has passed no fence", s.who.warp),
        }
        s.found.add(f);
    }

    fn warp(&mut self, s: &Scene<'_>) -> &mut Warp {
        self.warps.get_or(key(s), Warp::default)
    }

    fn state(&mut self, s: &Scene<'_>, slot: Slot) -> State {
        self.warp(s).registers.get(&slot).copied().unwrap_or_default()
    }

    fn product(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, results: &[Slot], left: &[Slot]) {
        let is_fenced = std::mem::replace(&mut self.warp(s).is_fenced, true);
        let states: Vec<(Slot, State)> = results.iter().chain(left).map(|&slot| (slot, self.state(s, slot))).collect();
        let writer = |state: &State| state.written.filter(|_| state.written_lanes & lanes != 0);
        let written = states.iter().find_map(|(slot, state)| writer(state).map(|at| (*slot, at)));
        if !is_fenced || written.is_some() {
            self.report_fence(s, pc, lanes, written.filter(|_| is_fenced));
        }
        let warp = self.warp(s);
        let group = warp.group[lanes.trailing_zeros() as usize & 31];
        for (n, (slot, state)) in states.into_iter().enumerate() {
            let busy = Busy { group, pc, is_result: n < results.len() };
            let keeps = !busy.is_result && state.busy(lanes).is_some_and(|b| b.is_result);
            let busy = if keeps { state.busy } else { Some(busy) };
            warp.registers.insert(slot, State { busy, busy_lanes: lanes, ..State::default() });
        }
    }

    fn copy(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, to: Slot, from: Slot) {
        let (mut old, new) = (self.state(s, to), self.state(s, from));
        if let Some(busy) = old.busy(lanes).filter(|b| b.is_result && new.busy(lanes).is_none()) {
            self.report(s, pc, lanes, to, busy, "writes");
        }
        old.busy = new.busy(lanes).or(old.busy);
        old.busy_lanes = old.busy_lanes & !lanes | new.busy_lanes & lanes;
        old.written = new.written.filter(|_| new.written_lanes & lanes != 0).or(old.written);
        old.written_lanes = old.written_lanes & !lanes | new.written_lanes & lanes;
        self.warp(s).registers.insert(to, old);
    }

    fn other(&mut self, s: &mut Scene<'_>, pc: Pc, lanes: LaneMask, written: &[Slot], read: &[Slot]) {
        for &slot in read {
            if let Some(busy) = self.state(s, slot).busy(lanes).filter(|b| b.is_result) {
                self.report(s, pc, lanes, slot, busy, "reads");
            }
        }
        for &slot in written {
            let mut state = self.state(s, slot);
            if let Some(busy) = state.busy(lanes) {
                self.report(s, pc, lanes, slot, busy, "writes");
            }
            state.busy_lanes &= !lanes;
            (state.written, state.written_lanes) = (Some(pc), state.written_lanes | lanes);
            self.warp(s).registers.insert(slot, state);
        }
    }

    fn group(&mut self, s: &Scene<'_>, what: AsyncGroup, mask: LaneMask) {
        let warp = self.warp(s);
        match what {
            AsyncGroup::WgmmaFence => {
                warp.is_fenced = true;
                warp.registers.values_mut().for_each(|r| r.written_lanes &= !mask);
            }
            AsyncGroup::WgmmaCommit => lanes(mask).for_each(|l| warp.group[l] += 1),
            AsyncGroup::WgmmaWait(left) => {
                let open = warp.group[mask.trailing_zeros() as usize & 31].saturating_sub(u64::from(left));
                for r in warp.registers.values_mut().filter(|r| r.busy.is_some_and(|b| b.group < open)) {
                    r.busy_lanes &= !mask;
                }
            }
            _ => {}
        }
    }
}

/// What a register is called in the PTX.
fn name(s: &Scene<'_>, pc: Pc, slot: Slot) -> String {
    let function = s.cx.program.meta[pc as usize].function;
    let found = s.cx.program.registers.iter().find(|r| r.slot == slot && r.function == function);
    found.map_or("a register".to_owned(), |r| format!("`{}`", r.name))
}

impl Part for Wgmma {
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, _inst: &Inst, _split: LaneMask, lanes: LaneMask) {
        if lanes == 0 || !self.uses.get(pc as usize).is_some_and(|u| !matches!(u, Use::Nothing)) {
            return;
        }
        let uses = std::mem::take(&mut self.uses);
        match &uses[pc as usize] {
            // See the event: lanes may come here one after the other.
            Use::Nothing | Use::Product(..) => {}
            Use::Copy(to, from) => self.copy(s, pc, lanes, *to, *from),
            Use::Other(written, read) => self.other(s, pc, lanes, written, read),
        }
        self.uses = uses;
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        if self.uses.is_empty() {
            return;
        }
        match *event {
            Event::Collective { pcs, lanes, .. } => {
                let uses = std::mem::take(&mut self.uses);
                if let [(pc, _), ..] = pcs
                    && let Use::Product(results, left) = &uses[*pc as usize]
                {
                    self.product(s, *pc, lanes, results, left);
                }
                self.uses = uses;
            }
            Event::AsyncGroup { what, lanes, .. } => self.group(s, what, lanes),
            // A warp of a warpgroup ends as one.
            Event::Exit { lanes: FULL, .. } => drop(self.warps.remove(key(s))),
            _ => {}
        }
    }
}
