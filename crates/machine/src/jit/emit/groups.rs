//! Ways into the code, and the loop over the groups of lanes of a CTA.
//!
//! A call runs groups one after the other from an entry on; [`super::super::Group`] has what belongs to one. `r9` is the
//! current group, `r10` counts steps. Where all groups have arrived at the same barrier, the code goes on behind it by
//! itself. Other fixed registers: `rbx` (and `r12`, `r13` where groups are half a warp) is the rows of the group's first lane, `rbp` its scalars, `r8` the
//! table of uniform values, `r11` shared memory, `r14` the call's `Cx`, `r15` the constants.

use super::*;

impl Emitter<'_> {
    /// The code of the whole plan, and of the careful one where there is one.
    pub fn run(mut self) -> Option<Output> {
        let starts = self.prepare();
        let mut entries = Vec::new();
        let mut frames = Vec::new();
        let loops: Vec<Label> = starts.iter().map(|_| self.asm.label()).collect();
        let behind = |b: usize| starts.iter().position(|&s| s == b + 1).map(|n| loops[n]);
        for (&b, &group) in starts.iter().zip(&loops) {
            let (label, single) = (self.asm.label(), self.asm.label());
            self.asm.bind(label);
            frames.push(self.prologue());
            self.asm.address_of(RAX, group);
            self.asm.store(true, at(R14, CX.group_loop), RAX);
            self.asm.bind(group);
            self.twins(b, behind(b + 1), single);
            self.asm.bind(single);
            self.start_group(b);
            entries.push((b, label));
        }
        self.blocks(behind);
        let mut row_stubs = Vec::new();
        for n in 0..self.stops.len() {
            if self.stops[n].barrier {
                let label = self.asm.label();
                self.asm.bind(label);
                frames.push(self.prologue());
                self.load_group();
                let b = self.plan.block_of[self.stops[n].pc as usize];
                for v in self.plan.blocks[b].live_in.clone() {
                    if !self.is_vector(v) {
                        self.sync(v, false);
                    } else if self.raw[v] {
                        self.clean_row(v);
                    }
                }
                let finish = self.finish;
                self.asm.jump(finish);
                row_stubs.push((n, label));
            }
        }
        self.emit_cold();
        if let Some((label, plan)) = self.careful.take() {
            self.restart(plan);
            self.prepare();
            self.asm.bind(label);
            self.start_group(0);
            self.blocks(|_| None);
            self.emit_cold();
        }
        self.emit_routines();
        self.ends(&frames);
        if !self.asm.resolve() {
            return None;
        }
        let masked = |b: usize| self.plan.blocks[b].masked;
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|(b, label)| Entry { offset: self.asm.place(label).unwrap_or(0), masked: b > 0 && masked(b) })
            .collect();
        for (n, label) in row_stubs {
            self.stops[n].rows = self.asm.place(label);
        }
        for stop in &mut self.stops {
            if stop.barrier {
                let b = self.plan.block_of[stop.pc as usize] + 1;
                stop.entry = starts.iter().position(|&s| s == b);
            }
        }
        Some(Output {
            code: self.asm.code,
            entries,
            stops: self.stops,
            pool: self.pool,
            scalar_bytes: self.scalar_frame as usize,
            spans: self.spans,
            calls: self.calls,
        })
    }

    /// Gives values their places. Gives the blocks that are entered from outside.
    fn prepare(&mut self) -> Vec<usize> {
        self.find_lives();
        self.assign_registers();
        self.find_raw();
        self.find_tenants();
        self.find_fused();
        self.find_tallies();
        self.lay_out();
        self.find_hoisted();
        self.find_changed();
        self.find_away();
        let mut starts = vec![0];
        for (b, block) in self.plan.blocks.iter().enumerate() {
            if matches!(block.term, Term::Stop { barrier: true, .. }) && b + 1 < self.plan.blocks.len() {
                starts.push(b + 1);
            }
        }
        starts
    }

    /// All blocks; `behind` is where the groups go on behind a barrier that ends a block.
    fn blocks(&mut self, behind: impl Fn(usize) -> Option<Label>) {
        for b in 0..self.plan.blocks.len() {
            self.block(b, behind(b));
        }
        let next = self.next;
        self.asm.jump(next);
    }

    /// The end of a group, and of the call.
    fn ends(&mut self, frames: &[usize]) {
        self.asm.bind(self.next);
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(R9), GROUP_BYTES);
        self.asm.alu(Alu::Cmp, true, R9, at(R14, CX.groups_end));
        let finish = self.finish;
        self.asm.jump_if(Cc::NotBelow, finish);
        self.asm.jump_to(at(R14, CX.group_loop));
        self.asm.bind(self.fault);
        self.asm.store_constant(false, at(R14, CX.fault), 1);
        self.asm.bind(self.finish);
        self.asm.v_zero_upper();
        self.asm.store(true, at(R14, CX.steps), R10);
        self.asm.load(true, RSP, at(R14, CX.stack));
        for r in [R15, R14, R13, R12, RBX, RBP] {
            self.asm.pop(r);
        }
        self.asm.ret();
        // The frame grew while blocks were emitted.
        let size = (self.frame + 63) / 64 * 64;
        for &at in frames {
            self.asm.code[at + 3..at + 7].copy_from_slice(&size.to_le_bytes());
        }
    }

    /// Saves registers and sets the fixed ones. Gives the place of the frame's size.
    fn prologue(&mut self) -> usize {
        for r in [RBP, RBX, R12, R13, R14, R15] {
            self.asm.push(r);
        }
        self.asm.mov(true, R14, RDI);
        self.asm.store(true, at(R14, CX.stack), RSP);
        let frame = self.asm.code.len();
        self.asm.alu_constant_long(Alu::Sub, true, Rm::Reg(RSP), 0x7fff_0000);
        self.asm.alu_constant(Alu::And, true, Rm::Reg(RSP), -64);
        self.load_fixed();
        self.asm.load(true, R15, at(R14, CX.pool));
        frame
    }

    /// Loads the fixed registers that calls do not keep.
    pub(super) fn load_fixed(&mut self) {
        self.asm.load(true, R8, at(R14, CX.uniforms));
        self.asm.load(true, R9, at(R14, CX.group));
        self.asm.load(true, R10, at(R14, CX.steps));
        self.asm.load(true, R11, at(R14, CX.shared));
    }

    /// Are groups less than a warp? Then rows of each class start at their own places.
    pub(super) fn has_halves(&self) -> bool {
        self.width * self.isa.lanes() < 32
    }

    fn load_group(&mut self) {
        self.asm.load(true, RBX, at(R9, GROUP.regs32));
        if self.has_halves() {
            self.asm.load(true, R12, at(R9, GROUP.regs64));
            self.asm.load(true, R13, at(R9, GROUP.preds));
        }
        self.asm.load(true, RBP, at(R9, GROUP.scalars));
    }

    /// Starts the current group at a block: reads what is live, and who is there.
    fn start_group(&mut self, b: usize) {
        self.load_group();
        if self.has_loops() {
            self.asm.mov(true, RAX, R10);
            self.asm.alu(Alu::Add, true, RAX, at(R14, CX.budget));
            self.asm.store(true, at(RSP, self.limit), RAX);
        }
        self.clear_pending();
        for v in self.plan.blocks[b].live_in.clone() {
            if self.is_vector(v) && !self.away[b].contains(&v) {
                self.fetch(v);
            }
        }
        if self.plan.blocks[b].masked {
            let bytes = self.isa.mask_bytes();
            for k in 0..self.width {
                let bits = at(R9, GROUP.live + (self.isa.lanes() / 8 * k) as i32);
                self.asm.m_expand(M1, bits, at(R15, 0));
                self.asm.m_store(at(RSP, self.pending[b] + bytes * k as i32), M1);
            }
        }
        let to = self.labels[b];
        self.asm.jump(to);
    }

    fn clear_pending(&mut self) {
        let masks: Vec<i32> = self.pending.iter().copied().filter(|&p| p >= 0).collect();
        let Some(&first) = masks.first() else { return };
        match self.isa {
            Isa::Avx512 => {
                for p in masks {
                    self.asm.store_constant(false, at(RSP, p), 0);
                }
            }
            Isa::Avx2 => {
                self.asm.v(VPXOR, T1, T1, Rm::Reg(T1));
                debug_assert!(first >= 0);
                for p in masks {
                    for k in 0..self.width {
                        self.asm.v_store(at(RSP, p + 32 * k as i32), T1);
                    }
                }
            }
        }
    }

    fn has_loops(&self) -> bool {
        let closes = |b: usize, s: usize| s <= b && (self.plan.blocks[b].masked || self.is_tight(b, s));
        self.plan.blocks.iter().enumerate().any(|(b, block)| block.successors.iter().any(|&s| closes(b, s)))
    }

    /// The whole group is at a stop; behind a barrier that all groups have reached the code goes on at `behind`.
    pub(super) fn arrive(&mut self, stop: usize, behind: Option<Label>) {
        self.arrive_many(stop, behind, 1);
    }

    /// The same for several groups, from the current one on.
    pub(super) fn arrive_many(&mut self, stop: usize, behind: Option<Label>, groups: i32) {
        for n in 0..groups {
            self.asm.store_constant(false, at(R9, n * GROUP_BYTES + GROUP.place), stop as i32);
        }
        self.asm.load(true, RAX, at(R14, CX.counts));
        let count = at(RAX, 8 * stop as i32);
        self.asm.alu_constant(Alu::Add, true, count, groups);
        let last = self.asm.label();
        let Some(behind) = behind else {
            if groups > 1 {
                self.asm.alu_constant(Alu::Add, true, Rm::Reg(R9), (groups - 1) * GROUP_BYTES);
            }
            let next = self.next;
            return self.asm.jump(next);
        };
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(R9), groups * GROUP_BYTES);
        self.asm.alu(Alu::Cmp, true, R9, at(R14, CX.groups_end));
        self.asm.jump_if(Cc::NotBelow, last);
        self.asm.jump_to(at(R14, CX.group_loop));
        self.asm.bind(last);
        self.asm.load(true, RCX, at(R14, CX.total));
        self.asm.alu(Alu::Cmp, true, RCX, count);
        let finish = self.finish;
        self.asm.jump_if(Cc::NotZero, finish);
        self.asm.alu(Alu::Cmp, true, R10, at(R14, CX.limit));
        self.asm.jump_if(Cc::Above, finish);
        self.asm.store_constant(true, count, 0);
        self.asm.load(true, R9, at(R14, CX.groups));
        self.asm.address_of(RCX, behind);
        self.asm.store(true, at(R14, CX.group_loop), RCX);
        self.asm.jump(behind);
    }
}
