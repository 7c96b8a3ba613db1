//! Two warps at once, with AVX-512, where warps do nothing between two barriers but read shared memory and compute.
//!
//! A row that both read the same way is loaded once, and one warp computes while the other waits for its results. Nothing
//! that others see happens before the barrier, so whatever a check refuses starts again a warp at a time.

use super::registers::{Item, scan};
use super::*;

/// Fewest instructions that are worth it.
const FEWEST: Pc = 16;

impl Emitter<'_> {
    /// The warp of a pair that chunk `k` is of, and its number there.
    pub(super) fn warp_of(&self, k: usize) -> (usize, usize) {
        if self.is_twin { (k / self.own_width(), k % self.own_width()) } else { (0, k) }
    }

    /// Chunks of one group.
    pub(super) fn own_width(&self) -> usize {
        if self.is_twin { self.width / 2 } else { self.width }
    }

    /// Is the block behind a barrier one that two warps may run at once? Gives places for its values.
    fn twin_homes(&self, b: usize) -> Option<Vec<(ValueId, usize)>> {
        let block = &self.plan.blocks[b];
        let is_alone = !block.masked && matches!(block.term, Term::Fall) && block.end - block.start >= FEWEST;
        let next = self.plan.blocks.get(b + 1)?;
        let ends_whole = matches!(next.term, Term::Stop { barrier: true, .. }) && !next.masked;
        if self.isa != Isa::Avx512 || self.width != 2 || !is_alone || !ends_whole {
            return None;
        }
        let mut items: Vec<Item> = Vec::new();
        if !(block.start..block.end).all(|pc| self.is_twin_instruction(pc, b)) {
            return None;
        }
        for pc in (block.start..block.end).filter(|&pc| !self.fused[pc as usize]) {
            let lazy = if pc > block.start && self.fused[pc as usize - 1] { self.lazy_load(pc - 1) } else { None };
            let is_row = matches!(self.program.code[pc as usize].kind, Kind::Row(_));
            for role in [Role::Read, Role::Write] {
                for v in self.plan.operands(self.program, pc, role).map(|v| self.value(v).alias) {
                    if !self.is_vector(v) || lazy == Some(v) {
                        continue;
                    }
                    let lives_on = next.live_in.contains(&v);
                    let end = if lives_on { block.end } else { pc + Pc::from(self.same[v]) };
                    if let Some(item) = items.iter_mut().find(|i| i.value == Ok(v)) {
                        item.life.1 = item.life.1.max(end);
                    } else {
                        let is_old = block.live_in.contains(&v);
                        let start = if is_old { block.start } else { pc };
                        let after_sources = is_row && role == Role::Write && !is_old;
                        items.push(Item { life: (start, end), weight: 1.0, value: Ok(v), after_sources });
                    }
                }
            }
        }
        items.sort_by_key(|i| i.life.0);
        let places = scan(&items, self.isa.value_registers() / (2 * self.width));
        let place = |(item, place): (&Item, Option<usize>)| Some((item.value.ok()?, place?));
        items.iter().zip(places).map(place).collect()
    }

    /// Is it done without the interpreter, and with nothing but vectors, constants and scalars?
    fn is_twin_instruction(&self, pc: Pc, b: usize) -> bool {
        let inst = &self.program.code[pc as usize];
        match &inst.kind {
            Kind::Converge | Kind::Nothing => true,
            Kind::Load(load) => {
                self.checkable(pc, b).is_some_and(|v| self.hoisted.contains_key(&(v, b)))
                    && self.plan.by_slot.get(&load.results[0].1).is_some_and(|&d| self.is_vector(d))
            }
            Kind::Row(op) => {
                let Some(&d) = self.plan.by_slot.get(&op.slots[0]) else { return false };
                let is_known = |v: ValueId| {
                    let value = self.value(v);
                    let is_row = value.preset.is_some() && value.uniform.is_none() && self.plan.constant(v).is_none();
                    value.class == Class::R32 && !is_row
                };
                inst.guard.is_none()
                    && !op.slots[1].is_some()
                    && op.name.is_some_and(lanes::is_simple)
                    && self.is_vector(d)
                    && (0..6).filter(|&i| op.classes[i].is_some()).all(|i| is_known(self.plan.read(op.slots[i])))
            }
            _ => false,
        }
    }

    /// The groups of an entry, two at a time; jumps to `single` for one.
    pub(super) fn twins(&mut self, b: usize, behind: Option<Label>, single: Label) {
        let Some(places) = self.twin_homes(b) else { return };
        let plan = self.plan;
        let (block, stop) = (&plan.blocks[b], &plan.blocks[b + 1]);
        self.asm.lea(true, RAX, at(R9, 2 * GROUP_BYTES));
        self.asm.alu(Alu::Cmp, true, RAX, at(R14, CX.groups_end));
        self.asm.jump_if(Cc::Above, single);
        self.asm.load(true, RBP, at(R9, GROUP.scalars));
        self.asm.load(true, R13, at(R9, GROUP_BYTES + GROUP.scalars));
        let homes = std::mem::replace(&mut self.home, vec![None; plan.values.len()]);
        self.width *= 2;
        self.is_twin = true;
        self.chunks = 0..self.width;
        self.kept.clear();
        self.checked.clear();
        self.check_twins(b, single);
        for &(v, place) in &places {
            self.home[v] = Some((place * self.width) as u8);
        }
        self.load_twin_rows();
        for &(v, _) in places.iter().filter(|(v, _)| block.live_in.contains(v)) {
            self.fetch(v);
        }
        for pc in block.start..block.end {
            self.instruction(pc, b);
        }
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(R10), 2 * (stop.end - block.start) as i32);
        self.load_twin_rows();
        let written: Vec<ValueId> = places
            .iter()
            .map(|p| p.0)
            .filter(|v| stop.live_in.contains(v) && self.changed[b + 1].contains(v))
            .collect();
        for v in written {
            self.write_row(v);
        }
        self.kept.clear();
        self.is_twin = false;
        self.width /= 2;
        self.chunks = 0..self.width;
        self.home = homes;
        let id = self.stop_id(stop.end - 1, true);
        self.arrive_many(id, behind, 2);
    }

    /// The rows of both warps, in registers that hold distances in between.
    fn load_twin_rows(&mut self) {
        self.kept.retain(|kept| !matches!(kept.register, RBX | R12));
        self.asm.load(true, RBX, at(R9, GROUP.regs32));
        self.asm.load(true, R12, at(R9, GROUP_BYTES + GROUP.regs32));
    }

    /// Looks whether all distances are good, and those of loads for all chunks at once the same.
    fn check_twins(&mut self, b: usize, single: Label) {
        let block = &self.plan.blocks[b];
        let is_same =
            |v: ValueId| (block.start..block.end).any(|pc| self.checkable(pc, b) == Some(v) && self.is_same_load(pc));
        let list: Vec<_> = self.hoisted.iter().filter(|((_, at), _)| *at == b).map(|(&(v, _), &c)| (v, c)).collect();
        let list: Vec<_> = list.into_iter().map(|(v, c)| (v, c, is_same(v))).collect();
        for (v, c, same) in list {
            for k in 0..self.scalar_count(v) {
                let (first, second) = (self.distance_at(c, k), self.distance_at(c, k + self.own_width()));
                self.asm.load(true, RAX, first);
                self.asm.load(true, RCX, second);
                if same {
                    self.asm.alu(Alu::Cmp, true, RAX, Rm::Reg(RCX));
                    self.asm.jump_if(Cc::NotZero, single);
                }
                self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
                self.asm.jump_if(Cc::Negative, single);
            }
            self.checked.insert(v, Checked { done: true, ..c });
        }
    }
}
