//! Runs of operations with 64-bit results, whose values go from one to the next in registers.
//!
//! A run is done half a chunk after the other. A result that nobody needs behind the run is not written to its row.

use super::*;

/// Most operations of a run.
const LONGEST: usize = 128;

/// An operation of a run.
struct Step {
    name: LaneOp,
    result: ValueId,
    sources: Vec<ValueId>,
    /// Is the result needed behind the run?
    lives_on: bool,
}

/// Registers that hold values of 64 bits, for half a chunk.
#[derive(Default)]
pub(super) struct Forwarded {
    held: HashMap<ValueId, u8>,
    free: Vec<u8>,
}

impl Emitter<'_> {
    /// Emits the run that starts with an instruction, if there is one; gives the place behind it.
    pub(super) fn run_of_wide(&mut self, first: Pc, end: Pc, b: usize) -> Option<Pc> {
        let mut steps = Vec::new();
        let mut next = first;
        while next < end && steps.len() < LONGEST {
            match self.step_of_run(next) {
                Some(step) => steps.push(step),
                None if self.is_idle(next) => {}
                None => break,
            }
            next += 1;
        }
        if steps.len() < 2 {
            return None;
        }
        for i in 0..steps.len() {
            let result = steps[i].result;
            let is_last = steps[i + 1..].iter().all(|s| s.result != result);
            steps[i].lives_on = is_last && self.is_needed(result, next - 1, b);
        }
        let free = self.free_registers(first..next);
        for k in 0..self.width {
            for half in 0..2 {
                self.forwarded = Forwarded { held: HashMap::new(), free: free.clone() };
                (0..steps.len()).for_each(|i| self.run_step(&steps, i, k, half, b));
            }
        }
        self.forwarded = Forwarded::default();
        Some(next)
    }

    fn is_idle(&self, pc: Pc) -> bool {
        matches!(self.program.code[pc as usize].kind, Kind::Converge | Kind::Nothing)
    }

    fn step_of_run(&self, pc: Pc) -> Option<Step> {
        let inst = &self.program.code[pc as usize];
        let Kind::Row(op) = &inst.kind else { return None };
        if inst.guard.is_some() || !self.is_coded(op) || self.fused[pc as usize] {
            return None;
        }
        let result = self.plan.by_slot[&op.slots[0]];
        let value = self.value(result);
        let is_wide = value.class == Class::R64 && value.alias == result && !self.is_scalar(result);
        is_wide.then_some(Step { name: op.name?, result, sources: self.sources(op), lives_on: true })
    }

    fn free_registers(&self, range: std::ops::Range<Pc>) -> Vec<u8> {
        let mut busy = vec![false; self.isa.value_registers()];
        for v in range.flat_map(|pc| self.tenants.at(pc).collect::<Vec<_>>()) {
            let is_mask = self.value(v).class == Class::Pred && self.isa == Isa::Avx512;
            if let Some(r) = self.home[v].filter(|_| !is_mask) {
                (0..self.width).for_each(|k| busy[r as usize + k] = true);
            }
        }
        let masks = self.mask_home.iter().flatten().filter(|_| self.isa == Isa::Avx2);
        for &r in masks {
            (0..self.width).for_each(|k| busy[r as usize + k] = true);
        }
        (0..busy.len()).filter(|&r| !busy[r]).map(|r| r as u8).collect()
    }

    fn run_step(&mut self, steps: &[Step], i: usize, k: usize, half: i32, b: usize) {
        let Step { name, result, lives_on, .. } = steps[i];
        let sources = &steps[i].sources;
        // How often a value is read from a step on, before it is made anew.
        let reads = |v: ValueId, from: usize| {
            let until = steps[from..].iter().position(|s| s.result == v).map_or(steps.len(), |n| from + n + 1);
            steps[from..until].iter().flat_map(|s| &s.sources).filter(|&&s| s == v).count()
        };
        for &v in sources {
            let is_wide = self.value(v).class == Class::R64;
            if is_wide && !self.forwarded.held.contains_key(&v) && reads(v, i) > 1 && self.forwarded.free.len() > 4 {
                let Some(r) = self.forwarded.free.pop() else { continue };
                self.half64(v, k, half, r);
                self.forwarded.held.insert(v, r);
            }
        }
        let is_read = i + 1 < steps.len() && reads(result, i + 1) > 0;
        let own = if is_read { self.forwarded.free.pop() } else { None };
        let to = own.unwrap_or(T1);
        self.wide_half(name, sources, k, half, to);
        for v in sources.iter().chain([&result]) {
            if (i + 1 == steps.len() || reads(*v, i + 1) == 0 || *v == result)
                && let Some(r) = self.forwarded.held.remove(v)
            {
                self.forwarded.free.push(r);
            }
        }
        if let Some(r) = own {
            self.forwarded.held.insert(result, r);
        }
        if lives_on || is_read && own.is_none() {
            self.store_wide(result, k, half, b, None, to);
        }
    }

    /// Half a chunk of a 64-bit value, in a register of its own or in `temp`.
    pub(super) fn wide_source(&mut self, v: ValueId, k: usize, half: i32, temp: u8) -> u8 {
        if let Some(&r) = self.forwarded.held.get(&v) {
            return r;
        }
        self.half64(v, k, half, temp);
        temp
    }
}
