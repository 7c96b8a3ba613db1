//! Lane-wise operations that have no code: the row function of the operation is called.
//!
//! It works on rows: sources are written there, the result is read back. Registers that hold what is needed later are kept
//! in the rows over the call. Nothing else of the interpreter is made ready: a row function looks at the rows of its
//! operands and the mask, and at nothing else.

use super::*;
use crate::exec::changes_with_cta;
use crate::program::PresetValue;

/// Are row functions called in a loop?
pub fn calls_in_loops(program: &Program, plan: &Plan, isa: Isa) -> bool {
    let is_in_loop = |pc: usize| plan.blocks[plan.block_of[pc]].depth > 0;
    let calls = |kind: &Kind| matches!(kind, Kind::Row(op) if !op.name.is_some_and(|n| lanes::may_be_coded(n, isa)));
    program.code.iter().enumerate().any(|(pc, inst)| is_in_loop(pc) && calls(&inst.kind))
}

/// A value that has a register, with the first and last place of its life.
type Tenant = (Pc, Pc, ValueId);

/// Who has a register when.
#[derive(Default)]
pub(super) struct Tenants {
    /// By register, in the order of their lives.
    lists: Vec<Vec<Tenant>>,
    /// By value: where it is read, or (true) written by all lanes of its block without being read.
    events: Vec<Vec<(Pc, bool)>>,
}

impl Tenants {
    pub(super) fn at(&self, pc: Pc) -> impl Iterator<Item = ValueId> + '_ {
        self.lists.iter().flat_map(move |list| {
            let end = list.partition_point(|&(first, ..)| first <= pc);
            // Two where the life of a result starts as that of its source ends.
            let last = list[end.saturating_sub(2)..end].iter();
            last.filter(move |&&(_, last, _)| pc <= last).map(|&(.., v)| v)
        })
    }
}

impl Emitter<'_> {
    pub(super) fn find_tenants(&mut self) {
        let mut by_register: BTreeMap<(bool, u8), Vec<Tenant>> = BTreeMap::new();
        for v in 0..self.life.len() {
            if let Some(r) = self.home[v] {
                let file = (self.value(v).class == Class::Pred && self.isa == Isa::Avx512, r);
                by_register.entry(file).or_default().push((self.life[v].0, self.life[v].1, v));
            }
        }
        let mut lists: Vec<Vec<Tenant>> = by_register.into_values().collect();
        lists.iter_mut().for_each(|list| list.sort_unstable());
        let mut events = vec![Vec::new(); self.life.len()];
        for (pc, inst) in self.program.code.iter().enumerate() {
            for v in self.plan.operands(self.program, pc as Pc, Role::Read) {
                events[v].push((pc as Pc, false));
                events[self.value(v).alias].push((pc as Pc, false));
            }
            for v in self.plan.operands(self.program, pc as Pc, Role::Write) {
                events[v].push((pc as Pc, inst.guard.is_none()));
            }
        }
        self.tenants = Tenants { lists, events };
    }

    /// May the value in the registers be needed behind an instruction, which is not what makes it?
    pub(super) fn is_needed(&self, v: ValueId, pc: Pc, b: usize) -> bool {
        let block = &self.plan.blocks[b];
        if block.masked {
            // Lanes that sleep here may need it where they are.
            return self.life[v].1 > pc;
        }
        let events = &self.tenants.events[v];
        match events.get(events.partition_point(|e| e.0 <= pc)) {
            Some(&(at, is_written)) if at < block.end => !is_written,
            _ => block.live_out.contains(&v),
        }
    }

    /// Calls the row function for the lanes of the block.
    pub(super) fn call_row(&mut self, op: &RowOp, pc: Pc, b: usize) {
        let guard = self.program.code[pc as usize].guard;
        let slots = |range: std::ops::Range<usize>| {
            range.filter(|&i| op.classes[i].is_some()).map(|i| self.plan.by_slot[&op.slots[i]]).collect::<Vec<_>>()
        };
        let (results, sources) = (slots(0..2), slots(2..6));
        for &v in &sources {
            self.write_source(v);
        }
        for &v in &results {
            if guard.is_some() || self.keeps_sleepers(v, b) {
                self.sync(v, false);
            }
        }
        let is_kept = |v: &ValueId| !self.away[b].contains(v) && !results.contains(v) && self.is_needed(*v, pc, b);
        let kept: Vec<ValueId> = self.tenants.at(pc).filter(is_kept).collect();
        for &v in &kept {
            self.keep_in_memory(v, sources.contains(&v));
        }
        self.lane_bits(b, guard);
        self.keep_mask(b);
        self.pass_base();
        let address = self.called(op);
        self.asm.constant(RDI, address);
        self.asm.store(true, at(R14, CX.group), R9);
        self.asm.store(true, at(R14, CX.steps), R10);
        self.asm.call(at(R14, CX.row));
        self.load_fixed();
        for &v in &kept {
            self.reload(v);
        }
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.m_load(r + k as u8, self.mask_at(self.current, k));
            }
        }
        for &v in &results {
            self.fetch(v);
        }
        let has_halves = self.has_halves();
        self.kept.retain(|kept| !has_halves && matches!(kept.register, R12 | R13));
    }

    /// The address of an operation that the code keeps for itself.
    fn called(&mut self, op: &RowOp) -> u64 {
        let op = Arc::new(op.clone());
        let address = Arc::as_ptr(&op) as u64;
        self.calls.push(op);
        address
    }

    /// A source is brought to its row, as the interpreter has it there.
    fn write_source(&mut self, v: ValueId) {
        let Some(PresetValue::Special(register)) = self.value(v).preset else { return self.sync(v, false) };
        let Some(n) = self.value(v).uniform.filter(|_| changes_with_cta(register)) else { return };
        // That row is made with the interpreter's view of the CTA, which there may be none of.
        let from = at(R8, 8 * n as i32);
        let is_wide = self.value(v).class == Class::R64;
        self.asm.v1(if is_wide { VPBROADCASTQ } else { VPBROADCASTD }, T1, from);
        for k in 0..self.width {
            if is_wide {
                for half in 0..2 {
                    let row = self.row64(v, k, half);
                    self.asm.v_store(row, T1);
                }
            } else {
                let row = self.row32(v, k);
                self.asm.v_store(row, T1);
            }
        }
    }

    fn keep_in_memory(&mut self, v: ValueId, is_written: bool) {
        let Some(home) = self.home[v] else { return };
        for k in 0..self.width {
            let r = home + if self.same[v] { 0 } else { k as u8 };
            if self.value(v).class == Class::Pred {
                self.asm.m_store(self.mask_at(self.stack[v], k), r);
            } else if !is_written {
                let row = self.row32(v, k);
                self.asm.v_store(row, r);
            }
        }
    }

    fn reload(&mut self, v: ValueId) {
        let Some(home) = self.home[v] else { return };
        for k in 0..if self.same[v] { 1 } else { self.width } {
            let r = home + k as u8;
            if self.value(v).class == Class::Pred {
                self.asm.m_load(r, self.mask_at(self.stack[v], k));
            } else {
                let row = self.row32(v, k);
                self.asm.v_load(r, row);
            }
        }
    }

    /// The mask of a loop goes to its place on the stack.
    fn keep_mask(&mut self, b: usize) {
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.m_store(self.mask_at(self.current, k), r + k as u8);
            }
        }
    }

    /// The warp's rows in `rsi`; the bits in `rdx`, from bit 0 of the group, become those of the warp's lanes.
    fn pass_base(&mut self) {
        self.asm.mov(true, RSI, RBX);
        if self.has_halves() {
            // 32-bit rows start four bytes a lane behind the warp's, 64-bit ones eight.
            self.asm.mov(true, RCX, R12);
            self.asm.alu(Alu::Sub, true, RCX, Rm::Reg(RBX));
            self.asm.alu(Alu::Sub, true, RSI, Rm::Reg(RCX));
            self.asm.shift(5, false, RCX, 2);
            self.asm.shift_left(RDX);
        }
    }
}
