//! Entries, blocks and branches.

use super::*;

impl Emitter<'_> {
    /// The code of the whole plan.
    pub fn run(mut self) -> Option<Output> {
        self.find_lives();
        self.assign_registers();
        self.find_raw();
        self.lay_out();
        // The frame grows while blocks are emitted, so its size is filled in by a second pass over the same plan.
        let mut entries = Vec::new();
        let mut starts = vec![0];
        for (b, block) in self.plan.blocks.iter().enumerate() {
            if matches!(block.term, Term::Stop { barrier: true, .. }) && b + 1 < self.plan.blocks.len() {
                starts.push(b + 1);
            }
        }
        let mut frames = Vec::new();
        for &b in &starts {
            let label = self.asm.label();
            self.asm.bind(label);
            frames.push(self.enter(b));
            entries.push((b, label));
        }
        for b in 0..self.plan.blocks.len() {
            self.block(b);
        }
        let epilogue = self.epilogue;
        self.asm.jump(epilogue);
        let mut row_stubs = Vec::new();
        for n in 0..self.stops.len() {
            if self.stops[n].barrier {
                let label = self.asm.label();
                self.asm.bind(label);
                frames.push(self.prologue());
                let b = self.plan.block_of[self.stops[n].pc as usize];
                for v in self.plan.blocks[b].live_in.clone() {
                    if self.is_scalar(v) {
                        self.sync(v, false);
                    }
                }
                self.asm.jump(epilogue);
                row_stubs.push((n, label));
            }
        }
        self.emit_cold();
        self.asm.bind(self.fault);
        self.asm.store_constant(false, at(R14, CX.fault), 1);
        self.asm.bind(epilogue);
        self.asm.v_zero_upper();
        let leave = self.asm.code.len();
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(RSP), 0x7fff_0000);
        for r in [R15, R14, R13, R12, RBX, RBP] {
            self.asm.pop(r);
        }
        self.asm.ret();
        // Six pushes and the return address: the frame keeps the stack at multiples of 16 plus nothing.
        let size = (self.frame + 15) / 16 * 16 + 8;
        for at in frames.into_iter().chain([leave]) {
            self.asm.code[at + 3..at + 7].copy_from_slice(&size.to_le_bytes());
        }
        if !self.asm.resolve() {
            return None;
        }
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|(b, label)| Entry { offset: self.asm.place(label).unwrap_or(0), masked: self.plan.blocks[b].masked })
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
        })
    }

    /// An entry: saves registers, reads what is live, goes to the block. Gives the place of the frame's size.
    pub(super) fn enter(&mut self, b: usize) -> usize {
        let frame = self.prologue();
        self.go_to_entry(b);
        frame
    }

    /// Saves registers and sets the fixed ones. Gives the place of the frame's size.
    pub(super) fn prologue(&mut self) -> usize {
        for r in [RBP, RBX, R12, R13, R14, R15] {
            self.asm.push(r);
        }
        let frame = self.asm.code.len();
        self.asm.alu_constant(Alu::Sub, true, Rm::Reg(RSP), 0x7fff_0000);
        self.asm.mov(true, R14, RDI);
        self.asm.load(true, RBX, at(R14, CX.regs32));
        self.asm.load(true, R12, at(R14, CX.regs64));
        self.asm.load(true, R13, at(R14, CX.preds));
        self.asm.load(true, RBP, at(R14, CX.scalars));
        self.asm.load(true, R11, at(R14, CX.shared));
        self.asm.load(true, R15, at(R14, CX.pool));
        frame
    }

    pub(super) fn go_to_entry(&mut self, b: usize) {
        self.asm.v(VPXOR, T1, T1, Rm::Reg(T1));
        for p in self.pending.clone() {
            if p >= 0 {
                for k in 0..self.width {
                    self.asm.v_store(at(RSP, p + 32 * k as i32), T1);
                }
            }
        }
        for v in self.plan.blocks[b].live_in.clone() {
            if !self.is_scalar(v) {
                self.fetch(v);
            }
        }
        if self.plan.blocks[b].masked {
            for k in 0..self.width {
                self.asm.v1(VPBROADCASTB, T1, at(R14, CX.mask + k as i32));
                self.asm.v(VPAND, T1, T1, at(R15, 0));
                self.asm.v(VPCMPEQD, T1, T1, at(R15, 0));
                self.asm.v_store(at(RSP, self.pending[b] + 32 * k as i32), T1);
            }
        }
        let to = self.labels[b];
        self.asm.jump(to);
    }

    /// The next place after a masked block.
    pub(super) fn follower(&self, b: usize) -> Option<usize> {
        (b + 1..self.plan.blocks.len()).find(|&n| self.plan.blocks[n].masked || self.plan.blocks[b].meet == Some(n))
    }

    pub(super) fn go_on(&mut self, b: usize) {
        // Lanes that are to run the header of a loop that ends here go back first.
        for h in (0..=b).rev() {
            let last = self.plan.blocks.iter().rposition(|q| q.masked && q.successors.contains(&h));
            if !self.plan.blocks[h].masked || last != Some(b) {
                continue;
            }
            let none = self.asm.label();
            self.any_pending(h);
            self.asm.jump_if(Cc::Zero, none);
            let start = self.asm.label();
            self.cold.push(Cold::LeavePending { at: self.plan.blocks[b].end - 1, start });
            self.check_budget(start);
            let to = self.labels[h];
            self.asm.jump(to);
            self.asm.bind(none);
        }
        let to = self.follower(b).map_or(self.epilogue, |n| self.labels[n]);
        self.asm.jump(to);
    }

    /// Sets the zero flag where no lane is to run the block.
    pub(super) fn any_pending(&mut self, b: usize) {
        self.asm.v_load(T1, at(RSP, self.pending[b]));
        for k in 1..self.width {
            self.asm.v(VPOR, T1, T1, at(RSP, self.pending[b] + 32 * k as i32));
        }
        self.asm.v1(VPTEST, T1, Rm::Reg(T1));
    }

    pub(super) fn check_budget(&mut self, out: Label) {
        self.asm.load(true, RAX, at(R14, CX.steps));
        self.asm.alu(Alu::Cmp, true, RAX, at(R14, CX.limit));
        self.asm.jump_if(Cc::Above, out);
    }

    pub(super) fn block(&mut self, b: usize) {
        let plan = self.plan;
        let block = &plan.blocks[b];
        let label = self.labels[b];
        self.asm.bind(label);
        self.find_checks(b);
        let body = self.asm.label();
        if block.masked {
            // `follower` of the block before the first of its kind is the next masked one as well.
            let run = self.asm.label();
            self.any_pending(b);
            self.asm.jump_if(Cc::NotZero, run);
            self.go_on(b);
            self.asm.bind(run);
            self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
            for k in 0..self.width {
                let pending = at(RSP, self.pending[b] + 32 * k as i32);
                self.asm.v_load(T1, pending);
                match self.mask_home[b] {
                    Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(T1)),
                    None => self.asm.v_store(at(RSP, self.current + 32 * k as i32), T1),
                }
                self.asm.v_store(pending, T2);
                if self.is_lone_loop(b) {
                    // Whoever leaves the loop goes there.
                    let next = at(RSP, self.pending[b + 1] + 32 * k as i32);
                    self.asm.v(VPOR, T1, T1, next);
                    self.asm.v_store(next, T1);
                }
            }
        }
        self.asm.bind(body);
        self.asm.alu_constant(Alu::Add, true, at(R14, CX.steps), (block.end - block.start) as i32);
        let has_term = !matches!(block.term, Term::Fall);
        for pc in block.start..block.end - Pc::from(has_term) {
            self.instruction(pc, b);
        }
        match block.term {
            Term::Fall => self.pass_all(b, b + 1),
            Term::Branch { to, guard: None } => self.pass_all(b, to),
            Term::Branch { to, guard: Some(guard) } => self.branch(b, to, guard, body),
            Term::Exit { guard } => self.exit(b, guard),
            Term::Stop { pc, barrier } => self.stop(b, pc, barrier),
        }
    }

    /// All lanes of a block go to another.
    pub(super) fn pass_all(&mut self, b: usize, to: usize) {
        let plan = self.plan;
        match (plan.blocks[b].masked, plan.blocks[to].masked) {
            (false, false) => {
                if to <= b {
                    let start = self.asm.label();
                    self.cold.push(Cold::Leave { pc: plan.blocks[to].start, start });
                    self.check_budget(start);
                }
                let label = self.labels[to];
                self.asm.jump(label);
            }
            (false, true) => {
                for k in 0..self.width {
                    self.asm.v_load(T1, at(R15, 64));
                    self.asm.v_store(at(RSP, self.pending[to] + 32 * k as i32), T1);
                }
                let label = self.labels[to];
                self.asm.jump(label);
            }
            (true, masked) => {
                if masked {
                    for k in 0..self.width {
                        let pending = at(RSP, self.pending[to] + 32 * k as i32);
                        self.asm.v_load(T1, at(RSP, self.current + 32 * k as i32));
                        self.asm.v(VPOR, T1, T1, pending);
                        self.asm.v_store(pending, T1);
                    }
                }
                self.go_on(b);
            }
        }
    }

    pub(super) fn branch(&mut self, b: usize, to: usize, guard: Guard, body: Label) {
        let plan = self.plan;
        let p = plan.read(guard.slot);
        let next = b + 1;
        if !plan.parts(guard) {
            return self.uniform_branch(b, to, guard, p);
        }
        if self.is_lone_loop(b) {
            return self.lone_loop(b, guard, body);
        }
        let is_loop = to == b;
        for k in 0..self.width {
            self.lanes(b, Some(guard), k, true);
            let current = at(RSP, self.current + 32 * k as i32);
            // Those that do not take it.
            if plan.blocks[b].masked {
                self.asm.v(VPANDN, T1, MASK, current);
            } else {
                self.asm.v(VPXOR, T1, MASK, at(R15, 64));
            }
            for (target, lanes) in [(to, MASK), (next, T1)] {
                if is_loop && target == b {
                    self.asm.v_store(current, MASK);
                } else if plan.blocks[target].masked {
                    let pending = at(RSP, self.pending[target] + 32 * k as i32);
                    self.asm.v(VPOR, T2, lanes, pending);
                    self.asm.v_store(pending, T2);
                }
            }
        }
        if is_loop {
            let done = self.asm.label();
            self.asm.v_load(T1, at(RSP, self.current));
            for k in 1..self.width {
                self.asm.v(VPOR, T1, T1, at(RSP, self.current + 32 * k as i32));
            }
            self.asm.v1(VPTEST, T1, Rm::Reg(T1));
            self.asm.jump_if(Cc::Zero, done);
            let start = self.leave_label(plan.blocks[b].start);
            self.check_budget(start);
            self.asm.jump(body);
            self.asm.bind(done);
        }
        if plan.blocks[b].masked {
            self.go_on(b);
        } else {
            // The first of the blocks between here and where they meet.
            let n = self.follower(b).map_or(self.epilogue, |n| self.labels[n]);
            self.asm.jump(n);
        }
    }

    /// The end of a loop of one block.
    pub(super) fn lone_loop(&mut self, b: usize, guard: Guard, body: Label) {
        for k in 0..self.width {
            self.lanes(b, Some(guard), k, true);
            match self.mask_home[b] {
                Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(MASK)),
                None => self.asm.v_store(at(RSP, self.current + 32 * k as i32), MASK),
            }
            if k == 0 {
                self.asm.v_load(T1, Rm::Reg(MASK));
            } else {
                self.asm.v(VPOR, T1, T1, Rm::Reg(MASK));
            }
        }
        let done = self.asm.label();
        self.asm.v1(VPTEST, T1, Rm::Reg(T1));
        self.asm.jump_if(Cc::Zero, done);
        let start = self.asm.label();
        self.cold.push(Cold::LeaveLoop { b, start });
        self.check_budget(start);
        self.asm.jump(body);
        self.asm.bind(done);
        self.go_on(b);
    }

    /// All lanes go the same way.
    pub(super) fn uniform_branch(&mut self, b: usize, to: usize, guard: Guard, p: ValueId) {
        let taken = self.asm.label();
        let from = if self.value(p).preset.is_some() { self.row_pred(p, 0) } else { self.scalar(p, 0) };
        self.asm.load(false, RAX, from);
        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
        self.asm.jump_if(if guard.negated { Cc::Zero } else { Cc::NotZero }, taken);
        self.pass_all(b, b + 1);
        self.asm.bind(taken);
        self.pass_all(b, to);
    }

    pub(super) fn exit(&mut self, b: usize, guard: Option<Guard>) {
        self.lane_bits(b, guard);
        self.asm.alu_store(Alu::Or, false, at(R14, CX.exited), RDX);
        if let Some(g) = guard {
            let next = b + 1;
            let masked = self.plan.blocks[b].masked;
            for k in 0..self.width {
                self.lanes(b, Some(g), k, true);
                if masked {
                    self.asm.v(VPANDN, T1, MASK, at(RSP, self.current + 32 * k as i32));
                } else {
                    self.asm.v(VPXOR, T1, MASK, at(R15, 64));
                }
                if self.plan.blocks[next].masked {
                    let pending = at(RSP, self.pending[next] + 32 * k as i32);
                    self.asm.v(VPOR, T2, T1, pending);
                    self.asm.v_store(pending, T2);
                }
            }
            if !masked {
                // Either none or all: otherwise the next block would be masked.
                let n = if self.plan.blocks[next].masked {
                    self.labels[next]
                } else {
                    self.asm.test(RDX);
                    let epilogue = self.epilogue;
                    self.asm.jump_if(Cc::NotZero, epilogue);
                    self.labels[next]
                };
                self.asm.jump(n);
                return;
            }
        }
        if self.plan.blocks[b].masked {
            self.go_on(b);
        } else {
            let epilogue = self.epilogue;
            self.asm.jump(epilogue);
        }
    }

    pub(super) fn stop(&mut self, b: usize, pc: Pc, barrier: bool) {
        let masked = self.plan.blocks[b].masked;
        for v in self.plan.blocks[b].live_in.clone() {
            // Scalars stay where they are over a barrier.
            if !(barrier && self.is_scalar(v)) {
                self.sync(v, masked);
            }
        }
        self.lane_bits(b, None);
        let id = self.stop_id(pc, barrier);
        self.report(id);
        if masked {
            self.go_on(b);
        } else {
            let epilogue = self.epilogue;
            self.asm.jump(epilogue);
        }
    }
}
