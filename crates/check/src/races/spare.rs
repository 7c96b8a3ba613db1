//! Loads that a compiler makes for all lanes although some throw the value away.
//!
//! `r = t == 0 ? shared_word : x` is a load by every lane and a `selp`. A lane that does not select what it has loaded has
//! not read it in the source, and no race of that load does any harm. So where the value of a load goes through lane-wise
//! operations into one `selp` and nowhere else, the load counts when the `selp` runs, for the lanes that select it. No
//! access that orders anything lies between the two.

use std::collections::HashMap;

use warpvm_isa::Opcode;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Addresses, Spread, Who};
use warpvm_machine::program::{AddressSpace, Inst, Kind, Ordering, Pc, Place, Program, Role};
use warpvm_machine::slots::{LaneMask, Slot};

use super::Races;
use super::clock::Agent;
use crate::Scene;
use crate::flow::successors;

/// Instructions between a load and its `selp`, at most.
const FAR: usize = 32;

/// A `selp` that a loaded value ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Select {
    pc: Pc,
    predicate: Slot,
    /// What the predicate is where the value is selected.
    when: bool,
}

/// A load that does not count yet.
struct Held {
    select: Select,
    pc: Pc,
    lanes: LaneMask,
    space: Space,
    shared_cta: u32,
    addresses: Box<[u64; 32]>,
    size: u32,
}

/// See the module.
pub(super) struct Spare {
    loads: HashMap<Pc, Select>,
    held: HashMap<Who, Vec<Held>>,
}

impl Spare {
    pub fn new(program: &Program) -> Self {
        let of = |pc: Pc| Some((pc, select_of(program, pc)?));
        Spare { loads: (0..program.code.len() as Pc).filter_map(of).collect(), held: HashMap::new() }
    }

    /// Is an instruction the end of such a load?
    pub fn ends_at(&self, pc: Pc) -> bool {
        self.loads.values().any(|s| s.pc == pc)
    }

    /// Is an instruction such a load?
    #[inline]
    pub fn is_load(&self, pc: Pc) -> bool {
        !self.loads.is_empty() && self.loads.contains_key(&pc)
    }

    /// Is there a load that does not count yet?
    #[inline]
    pub fn is_any_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// Puts an access aside, where it is one of such a load.
    #[inline]
    pub fn holds(&mut self, s: &Scene<'_>, access: &Access<'_>) -> bool {
        if self.loads.is_empty() {
            return false;
        }
        let Some(&select) = self.loads.get(&access.pc) else { return false };
        self.held.entry(s.who).or_default().push(Held {
            select,
            pc: access.pc,
            lanes: access.lanes,
            space: access.space,
            shared_cta: access.shared_cta,
            addresses: Box::new(access.addresses.all()),
            size: access.size,
        });
        true
    }
}

impl Races {
    /// Lanes come to a `selp`: the loads that end there count for those that select them.
    pub(super) fn count_loads(&mut self, s: &mut Scene<'_>, pc: Pc, here: LaneMask) {
        let Some(list) = self.spare.held.get_mut(&s.who) else { return };
        let mut counted = Vec::new();
        for held in list.iter_mut().filter(|h| h.select.pc == pc) {
            let predicate = s.warp.regs.pred(held.select.predicate);
            let selecting = if held.select.when { predicate } else { !predicate };
            let lanes = held.lanes & here & selecting;
            held.lanes &= !here;
            if lanes != 0 {
                counted.push((held.pc, lanes, held.space, held.shared_cta, held.addresses.clone(), held.size));
            }
        }
        list.retain(|h| h.lanes != 0);
        if list.is_empty() {
            self.spare.held.remove(&s.who);
        }
        for (pc, lanes, space, shared_cta, addresses, size) in counted {
            let Kind::Load(load) = &s.cx.program.code[pc as usize].kind else { continue };
            let spread = Spread::of(&addresses, lanes);
            let access = Access {
                pc,
                lanes,
                space,
                addresses: Addresses::new(&addresses),
                spread: &spread,
                shared_cta,
                size,
                kind: warpvm_machine::fault::AccessKind::Read,
                ordering: load.ordering,
                scope: load.scope,
                asynchronous: false,
            };
            self.record(s, &access, Agent::Thread, self.flags[pc as usize]);
        }
    }
}

/// The `selp` that a load's value ends in, and nowhere else.
fn select_of(program: &Program, load: Pc) -> Option<Select> {
    let inst = &program.code[load as usize];
    let Kind::Load(l) = &inst.kind else { return None };
    let [(_, slot)] = l.results[..] else { return None };
    let is_shared = matches!(l.address.space, AddressSpace::Global | AddressSpace::Shared | AddressSpace::Generic);
    if inst.guard.is_some() || l.ordering != Ordering::Weak || !is_shared || !slot.is_some() {
        return None;
    }
    let mut values = vec![slot];
    let mut pc = load + 1;
    for _ in 0..FAR {
        let inst = program.code.get(pc as usize)?;
        let reads = |role: Role| operands(program, pc, role);
        let is_read = reads(Role::Read).any(|s| values.contains(&s));
        match &inst.kind {
            Kind::Converge | Kind::Nothing => {}
            Kind::Branch { target, .. } if inst.guard.is_none() && *target > pc => {
                pc = *target;
                continue;
            }
            Kind::Row(_) if is_read && inst.guard.is_none() => {
                if let Some(select) = ends(program, pc, inst, &values) {
                    values.retain(|v| reads(Role::Write).all(|w| w != *v));
                    return is_dead(program, load, pc, &values).then_some(select);
                }
                values.extend(reads(Role::Write));
            }
            Kind::Row(_) | Kind::Load(_) if !is_read => {
                if inst.guard.is_none() {
                    values.retain(|v| reads(Role::Write).all(|w| w != *v));
                }
            }
            _ => return None,
        }
        if values.is_empty() {
            return None;
        }
        pc += 1;
    }
    None
}

/// Is this a `selp` that takes a value or leaves it?
fn ends(program: &Program, pc: Pc, inst: &Inst, values: &[Slot]) -> Option<Select> {
    let Kind::Row(op) = &inst.kind else { return None };
    if program.meta[pc as usize].opcode != Opcode::Selp {
        return None;
    }
    let [a, b, predicate] = [2, 3, 4].map(|i| op.slots.get(i).copied());
    let (a, b, predicate) = (a?, b?, predicate?);
    let is_one = values.contains(&a) != values.contains(&b) && !values.contains(&predicate);
    is_one.then_some(Select { pc, predicate, when: values.contains(&a) })
}

fn operands(program: &Program, pc: Pc, role: Role) -> impl Iterator<Item = Slot> + '_ {
    program.meta[pc as usize].operands.iter().filter(move |o| o.0 == role).map(|o| o.2)
}

/// Does nobody read these values after an instruction, up to where the load makes them anew?
fn is_dead(program: &Program, load: Pc, after: Pc, values: &[Slot]) -> bool {
    let function = &program.functions[program.meta[after as usize].function as usize];
    let is_result = |p: &Place| matches!(p, Place::Register(_, slot) if values.contains(slot));
    if function.results.iter().any(is_result) {
        return false;
    }
    let (start, end) = (function.start, function.end);
    let mut seen = vec![false; (end - start) as usize];
    let mut open = vec![(after - start) as usize + 1];
    while let Some(at) = open.pop() {
        let pc = start + at as Pc;
        if pc >= end || pc == load || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if operands(program, pc, Role::Read).any(|s| values.contains(&s)) {
            return false;
        }
        open.extend(successors(&program.code[pc as usize], at, start));
    }
    true
}
