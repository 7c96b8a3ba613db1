//! Between the places of values in compiled code and their rows, and one instruction done by the interpreter.

use super::*;

impl Emitter<'_> {
    /// Writes a value of all chunks to its row, for the lanes of the current mask where `masked`.
    pub(super) fn sync(&mut self, v: ValueId, masked: bool) {
        let value = self.value(v);
        if value.preset.is_some() {
            return;
        }
        let made = self.is_scalar(v) || value.alias != v;
        for k in 0..self.width {
            match value.class {
                Class::Pred => self.sync_predicate(v, k, masked),
                Class::R32 => {
                    if self.home[v].is_none() && !made && !self.raw[v] {
                        continue;
                    }
                    let r = self.in_register(v, k, T1, false);
                    let row = self.row32(v, k);
                    self.store_awake(row, r, k, masked, None);
                }
                Class::R64 if made => {
                    for half in 0..2 {
                        self.half64(value.alias, k, half, T1);
                        let row = self.row64(v, k, half);
                        self.store_awake(row, T1, k, masked, Some(half));
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes a vector to its row as it is, for code that reads it from there.
    pub(super) fn store_raw(&mut self, v: ValueId) {
        if let Some(r) = self.home[v] {
            for k in 0..self.width {
                let r = r + if self.same[v] { 0 } else { k as u8 };
                self.asm.v_store(self.row32(v, k), r);
            }
        }
    }

    /// Writes a vector to its row for code behind a barrier.
    pub(super) fn write_row(&mut self, v: ValueId) {
        if self.raw[v] {
            self.store_raw(v);
        } else {
            self.sync(v, false);
        }
    }

    /// Makes the NaNs in a row canonical.
    pub(super) fn clean_row(&mut self, v: ValueId) {
        for k in 0..self.width {
            let row = self.row32(v, k);
            self.canonical(T1, row.into());
            self.asm.v_store(row, T1);
        }
    }

    fn sync_predicate(&mut self, v: ValueId, k: usize, masked: bool) {
        let r = self.predicate(v, k, M2);
        self.asm.m_bits(RAX, r);
        let row = self.row_pred(v, k);
        if masked {
            self.asm.m_load(M1, self.mask_at(self.current, k));
            self.asm.m_bits(RCX, M1);
            self.asm.alu(Alu::And, false, RAX, Rm::Reg(RCX));
            self.asm.not(false, RCX);
            self.asm.load_bits(RDX, row);
            self.asm.alu(Alu::And, false, RCX, Rm::Reg(RDX));
            self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
        }
        self.asm.store_bits(row, RAX);
    }

    /// Stores a vector to a row, for the current lanes where `masked`; of 64-bit lanes, one half of the chunk's.
    fn store_awake(&mut self, row: Mem, r: u8, k: usize, masked: bool, half: Option<i32>) {
        if !masked {
            return self.asm.v_store(row, r);
        }
        self.asm.m_load(M1, self.mask_at(self.current, k));
        match (self.isa, half) {
            (Isa::Avx512, None) => self.asm.v_store_masked(row, r, M1),
            (Isa::Avx512, Some(half)) => {
                if half == 1 {
                    self.asm.m_upper(M1, M1);
                }
                self.asm.v_store_masked_wide(row, r, M1);
            }
            (Isa::Avx2, half) => {
                if let Some(half) = half {
                    if half == 1 {
                        self.asm.upper_half(M1, M1);
                    }
                    self.asm.v1(VPMOVSXDQ, M1, Rm::Reg(M1));
                }
                self.asm.v_load(T2, row);
                self.asm.v_blend(T2, T2, Rm::Reg(r), M1);
                self.asm.v_store(row, T2);
            }
        }
    }

    /// Reads a value that is live at an entry from its row.
    pub(super) fn fetch(&mut self, v: ValueId) {
        let value = self.value(v);
        if value.preset.is_some() || value.alias != v {
            return;
        }
        if self.is_scalar(v) {
            for k in 0..self.scalar_count(v) {
                let to = self.scalar(v, k);
                match value.class {
                    Class::Pred => {
                        self.expand(v, 0, M2);
                        self.asm.m_bits(RAX, M2);
                        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
                        self.asm.negate(RAX);
                        self.asm.store(false, to, RAX);
                    }
                    Class::R32 => {
                        let from = self.row32(v, k);
                        self.asm.load(false, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                    _ => {
                        let from = self.row64(v, k, 0);
                        self.asm.load(true, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                }
            }
            return;
        }
        for k in 0..self.width {
            match (value.class, self.home[v]) {
                (Class::Pred, Some(r)) => self.expand(v, k, r + k as u8),
                (Class::Pred, None) => {
                    self.expand(v, k, M1);
                    self.asm.m_store(self.mask_at(self.stack[v], k), M1);
                }
                (Class::R32, Some(r)) => {
                    let from = self.row32(v, k);
                    self.asm.v_load(r + k as u8, from);
                }
                _ => {}
            }
        }
    }

    /// Writes all that may be alive at a place to the rows, as the interpreter is to find it.
    pub(super) fn sync_alive(&mut self, pc: Pc) {
        let b = self.plan.block_of[pc as usize];
        for v in self.alive(pc) {
            match (self.away[b].contains(&v), self.raw[v]) {
                (false, _) => self.sync(v, false),
                (true, true) => self.clean_row(v),
                (true, false) => {}
            }
        }
    }

    fn alive(&self, pc: Pc) -> Vec<ValueId> {
        (0..self.life.len()).filter(|&v| self.life[v].0 <= pc && pc <= self.life[v].1).collect()
    }

    /// Has the interpreter do one instruction for the lanes of the block.
    pub(super) fn help(&mut self, pc: Pc) {
        let b = self.plan.block_of[pc as usize];
        let guard = self.program.code[pc as usize].guard;
        let operands: Vec<(Role, ValueId)> = self.program.meta[pc as usize]
            .operands
            .iter()
            .map(|(role, _, slot)| (*role, self.plan.by_slot[slot]))
            .collect();
        let resident = self.resident(pc);
        for &(_, v) in &operands {
            self.sync(v, false);
        }
        for &v in &resident {
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                if self.value(v).class == Class::Pred {
                    self.asm.m_store(self.mask_at(self.stack[v], k), r);
                } else if !operands.iter().any(|o| o.1 == v) {
                    let row = self.row32(v, k);
                    self.asm.v_store(row, r);
                }
            }
        }
        let skip = self.asm.label();
        self.lane_bits(b, guard);
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.m_store(self.mask_at(self.current, k), r + k as u8);
            }
        }
        self.asm.test(RDX);
        self.asm.jump_if(Cc::Zero, skip);
        self.asm.mov(true, RDI, R14);
        self.asm.constant(RSI, u64::from(pc));
        self.asm.store(true, at(R14, CX.group), R9);
        self.asm.store(true, at(R14, CX.steps), R10);
        self.asm.v_zero_upper();
        self.asm.call(at(R14, CX.helper));
        self.load_fixed();
        self.asm.test(RAX);
        let wrong = if matches!(self.program.code[pc as usize].kind, Kind::Collective(_)) {
            let start = self.asm.label();
            self.cold.push(Cold::Refused { pc, start });
            start
        } else {
            self.fault
        };
        self.asm.jump_if(Cc::NotZero, wrong);
        self.asm.bind(skip);
        // A source that ends here may have given its registers to the result.
        let is_result = |v: ValueId| operands.iter().any(|&(role, o)| role == Role::Write && o == v);
        let ends = self.life.iter().map(|life| life.1 == pc).collect::<Vec<_>>();
        self.bring_back(pc, |v| !ends[v] || is_result(v));
        for (role, v) in operands {
            if role == Role::Write && self.value(v).class == Class::Pred {
                self.fetch(v);
            }
        }
        self.kept.clear();
    }

    /// Values in registers that may be alive at a place.
    fn resident(&self, pc: Pc) -> Vec<ValueId> {
        let b = self.plan.block_of[pc as usize];
        let is_resident = |v: &ValueId| self.home[*v].is_some() && !self.away[b].contains(v);
        self.alive(pc).into_iter().filter(is_resident).collect()
    }

    /// Loads registers after the helper, as [`Emitter::help`] has stored them.
    pub(super) fn bring_back(&mut self, pc: Pc, is_wanted: impl Fn(ValueId) -> bool) {
        let b = self.plan.block_of[pc as usize];
        for v in self.resident(pc).into_iter().filter(|&v| is_wanted(v)) {
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                if self.value(v).class == Class::Pred {
                    self.asm.m_load(r, self.mask_at(self.stack[v], k));
                } else {
                    let row = self.row32(v, k);
                    self.asm.v_load(r, row);
                }
            }
        }
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.m_load(r + k as u8, self.mask_at(self.current, k));
            }
        }
    }
}
