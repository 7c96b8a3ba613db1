//! Blocks and branches.

use super::*;

impl Emitter<'_> {
    /// The next place after a masked block.
    fn follower(&self, b: usize) -> Option<usize> {
        (b + 1..self.plan.blocks.len()).find(|&n| self.plan.blocks[n].masked || self.plan.blocks[b].meet == Some(n))
    }

    fn label_or_next(&self, b: Option<usize>) -> Label {
        b.map_or(self.next, |n| self.labels[n])
    }

    /// The place of a mask of chunk `k` on the stack.
    pub(super) fn mask_at(&self, place: i32, k: usize) -> Mem {
        at(RSP, place + self.isa.mask_bytes() * k as i32)
    }

    fn go_on(&mut self, b: usize) {
        // Lanes that are to run the header of a loop that ends here go back first.
        let plan = self.plan;
        for &h in &plan.ends_of[b] {
            let none = self.asm.label();
            self.any_mask(self.pending[h]);
            self.asm.jump_if(Cc::Zero, none);
            let start = self.asm.label();
            self.cold.push(Cold::LeavePending { at: self.plan.blocks[b].end - 1, start });
            self.check_budget(start);
            let to = self.labels[h];
            self.asm.jump(to);
            self.asm.bind(none);
        }
        let to = self.label_or_next(self.follower(b));
        self.asm.jump(to);
    }

    /// Sets the zero flag where no lane is in a mask on the stack.
    fn any_mask(&mut self, place: i32) {
        match self.isa {
            Isa::Avx512 => {
                self.asm.m_load(M2, at(RSP, place));
                let other = if self.width == 2 { M3 } else { M2 };
                if self.width == 2 {
                    self.asm.m_load(M3, at(RSP, place + 2));
                }
                self.asm.m_any(M2, other);
            }
            Isa::Avx2 => {
                self.asm.m_load(M2, at(RSP, place));
                for k in 1..self.width {
                    let other = self.mask_at(place, k);
                    self.asm.v(VPOR, M2, M2, other);
                }
                self.asm.m_any(M2, M2);
            }
        }
    }

    /// Does the edge close a loop that no barrier of the whole CTA is in? Others end when the groups have met often enough.
    pub(super) fn is_tight(&self, b: usize, to: usize) -> bool {
        let ends = |n: usize| matches!(self.plan.blocks[n].term, Term::Stop { barrier: true, .. });
        let (mut seen, mut todo) = (BTreeSet::new(), vec![to]);
        while let Some(n) = todo.pop() {
            if seen.insert(n) && !ends(n) {
                todo.extend(&self.plan.blocks[n].successors);
            }
        }
        to <= b && seen.contains(&b)
    }

    fn check_budget(&mut self, out: Label) {
        self.asm.alu(Alu::Cmp, true, R10, at(RSP, self.limit));
        self.asm.jump_if(Cc::Above, out);
    }

    pub(super) fn block(&mut self, b: usize, behind: Option<Label>) {
        let plan = self.plan;
        let block = &plan.blocks[b];
        let label = self.labels[b];
        self.asm.bind(label);
        let (body, awake) = (self.asm.label(), self.is_twofold(b).then(|| self.asm.label()));
        if block.masked {
            // `follower` of the block before the first of its kind is the next masked one as well.
            let run = self.asm.label();
            self.any_mask(self.pending[b]);
            self.asm.jump_if(Cc::NotZero, run);
            self.go_on(b);
            self.asm.bind(run);
            self.take_pending(b);
        }
        if let Some(awake) = awake {
            self.when_all(b, awake);
        }
        self.body(b, body, None, behind);
        if let Some(awake) = awake {
            self.all_awake = Some(b);
            self.body(b, body, Some(awake), behind);
            self.all_awake = None;
        }
    }

    /// The instructions of a block. `awake` is the label of a form for which all lanes are awake.
    fn body(&mut self, b: usize, body: Label, awake: Option<Label>, behind: Option<Label>) {
        let plan = self.plan;
        let block = &plan.blocks[b];
        self.asm.bind(awake.unwrap_or(body));
        self.kept.clear();
        self.find_checks(b);
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(R10), (block.end - block.start) as i32);
        let has_term = !matches!(block.term, Term::Fall);
        let list = block.start..block.end - Pc::from(has_term);
        let mut is_tested = false;
        if self.is_lone_loop(b) && list.clone().all(|pc| self.is_by_chunk(pc)) {
            // One chunk after the other: that of the first waits for its results while the next is computed.
            for k in 0..self.width {
                self.chunks = k..k + 1;
                list.clone().for_each(|pc| self.instruction(pc, b));
                if let (Some(home), Some((pc, guard))) = (self.mask_home[b], self.fused_test(b)) {
                    self.masked_test(pc, guard.negated, home + k as u8, k);
                    is_tested = true;
                }
            }
            self.chunks = 0..self.width;
        } else {
            let mut pc = list.start;
            while pc < list.end {
                pc = self.run_of_wide(pc, list.end, b).unwrap_or_else(|| {
                    self.instruction(pc, b);
                    pc + 1
                });
            }
        }
        match block.term {
            Term::Fall => self.pass_all(b, b + 1),
            Term::Branch { to, guard: None } => self.pass_all(b, to),
            Term::Branch { to, guard: Some(guard) } => self.branch(b, to, guard, body, awake, is_tested),
            Term::Exit { guard } => self.exit(b, guard),
            Term::Stop { pc, barrier } => self.stop(b, pc, barrier, behind),
        }
    }

    /// The comparison at the end of a loop that is done with its branch, and that one's guard.
    fn fused_test(&self, b: usize) -> Option<(Pc, Guard)> {
        let Term::Branch { guard: Some(guard), .. } = self.plan.blocks[b].term else { return None };
        self.loop_test(b).filter(|&pc| self.fused[pc as usize]).map(|pc| (pc, guard))
    }

    /// Is the instruction one that is emitted for each chunk by itself?
    fn is_by_chunk(&self, pc: Pc) -> bool {
        let inst = &self.program.code[pc as usize];
        let Kind::Row(op) = &inst.kind else { return matches!(inst.kind, Kind::Converge) };
        let is_vector = |slot: Slot| {
            let v = self.plan.by_slot[&slot];
            self.is_vector(v) || self.plan.read(slot) != v
        };
        self.is_coded(op)
            && (0..6).filter(|&i| op.classes[i].is_some()).all(|i| op.classes[i] != Some(Class::R64))
            && is_vector(op.slots[0])
            && inst.guard.is_none_or(|g| self.plan.parts(g))
    }

    /// Is the block emitted a second time, for all lanes awake? It is a loop that accesses memory.
    fn is_twofold(&self, b: usize) -> bool {
        let block = &self.plan.blocks[b];
        let is_access =
            |pc: Pc| matches!(self.program.code[pc as usize].kind, Kind::Load(_) | Kind::Store(_) | Kind::Atomic(_));
        self.is_lone_loop(b) && block.end - block.start < 200 && (block.start..block.end).any(is_access)
    }

    /// Jumps where all lanes of the group are in the current mask of a block.
    fn when_all(&mut self, b: usize, to: Label) {
        let not = self.asm.label();
        for k in 0..self.width {
            let current = self.current_mask(b, k, M1);
            let not_all = self.asm.m_not_all(current);
            self.asm.jump_if(not_all, not);
        }
        self.asm.jump(to);
        self.asm.bind(not);
    }

    /// Is the block being emitted with lanes asleep?
    pub(super) fn is_masked(&self, b: usize) -> bool {
        self.plan.blocks[b].masked && self.all_awake != Some(b)
    }

    /// Must a result leave the lanes that sleep as they are?
    pub(super) fn keeps_sleepers(&self, v: ValueId, b: usize) -> bool {
        self.all_awake != Some(b) && self.plan.keeps_sleepers(v, b)
    }

    /// The lanes that are to run a block become its current ones.
    fn take_pending(&mut self, b: usize) {
        for k in 0..self.width {
            let pending = self.mask_at(self.pending[b], k);
            self.asm.m_load(M1, pending);
            match self.mask_home[b] {
                Some(r) => self.asm.m_move(r + k as u8, M1),
                None => self.asm.m_store(self.mask_at(self.current, k), M1),
            }
            if self.is_lone_loop(b) && self.plan.blocks[b + 1].masked {
                // Whoever leaves the loop goes there.
                let next = self.mask_at(self.pending[b + 1], k);
                self.asm.m_add_to(next, M1, M2);
            }
            if self.isa == Isa::Avx2 {
                self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
                self.asm.v_store(pending, T2);
            }
        }
        if self.isa == Isa::Avx512 {
            self.asm.store_constant(false, at(RSP, self.pending[b]), 0);
        }
    }

    /// All lanes of a block go to another.
    fn pass_all(&mut self, b: usize, to: usize) {
        let plan = self.plan;
        match (plan.blocks[b].masked, plan.blocks[to].masked) {
            (false, false) => {
                self.bring(b, to);
                if self.is_tight(b, to) {
                    let start = self.asm.label();
                    self.cold.push(Cold::Leave { pc: plan.blocks[to].start, start });
                    self.check_budget(start);
                }
                if to != b + 1 {
                    let label = self.labels[to];
                    self.asm.jump(label);
                }
            }
            (false, true) => {
                for k in 0..self.width {
                    self.asm.m_ones(M1);
                    self.asm.m_store(self.mask_at(self.pending[to], k), M1);
                }
                let label = self.labels[to];
                self.asm.jump(label);
            }
            (true, masked) => {
                if masked {
                    for k in 0..self.width {
                        let current = self.current_mask(b, k, M1);
                        let pending = self.mask_at(self.pending[to], k);
                        self.asm.m_add_to(pending, current, M2);
                    }
                }
                self.go_on(b);
            }
        }
    }

    /// Is there nothing to do on the way from a block to another but to jump?
    fn is_plain_edge(&self, b: usize, to: usize) -> bool {
        let blocks = &self.plan.blocks;
        !blocks[b].masked && !blocks[to].masked && !self.is_tight(b, to) && self.away[b].is_subset(&self.away[to])
    }

    fn branch(&mut self, b: usize, to: usize, guard: Guard, body: Label, awake: Option<Label>, is_tested: bool) {
        let plan = self.plan;
        let p = plan.read(guard.slot);
        let next = b + 1;
        if !plan.parts(guard) {
            return self.uniform_branch(b, to, guard, p);
        }
        if plan.blocks[b].assumed {
            return self.assumed_branch(b, to, guard);
        }
        if self.is_lone_loop(b) {
            return self.lone_loop(b, guard, body, awake, is_tested);
        }
        let is_loop = to == b;
        for k in 0..self.width {
            self.lanes_in_m1(b, Some(guard), k);
            // Those that do not take it.
            if plan.blocks[b].masked {
                let current = self.current_mask(b, k, M3);
                self.asm.m_and_not(M2, M1, current);
            } else {
                self.asm.m_not(M2, M1, at(R15, 128));
            }
            for (target, lanes) in [(to, M1), (next, M2)] {
                if is_loop && target == b {
                    let current = self.mask_at(self.current, k);
                    self.asm.m_store(current, M1);
                } else if plan.blocks[target].masked {
                    let pending = self.mask_at(self.pending[target], k);
                    self.asm.m_add_to(pending, lanes, M3);
                }
            }
        }
        if is_loop {
            let done = self.asm.label();
            self.any_mask(self.current);
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
            let n = self.label_or_next(self.follower(b));
            self.asm.jump(n);
        }
    }

    /// All lanes go the same way, or the group starts again.
    fn assumed_branch(&mut self, b: usize, to: usize, guard: Guard) {
        let Some((careful, _)) = self.careful else { return };
        let all = ((1u64 << (self.isa.lanes() * self.width)) - 1) as u32 as i32;
        self.lane_bits(b, Some(guard));
        self.asm.test(RDX);
        let (taken, some) = (self.asm.label(), self.asm.label());
        self.asm.jump_if(Cc::NotZero, some);
        self.cold.push(Cold::AllOrCareful { all, start: some, taken, careful });
        self.pass_all(b, b + 1);
        // The other way is out of line.
        let over = self.labels[b + 1];
        self.asm.jump(over);
        self.asm.bind(taken);
        self.pass_all(b, to);
    }

    /// The end of a loop of one block.
    fn lone_loop(&mut self, b: usize, guard: Guard, body: Label, awake: Option<Label>, is_tested: bool) {
        let last = self.width - 1;
        let test = self.fused_test(b).map(|(pc, _)| pc);
        for k in 0..self.width {
            let current = match (self.mask_home[b], test) {
                (Some(home), Some(_)) if is_tested => home + k as u8,
                (Some(home), Some(pc)) => {
                    self.masked_test(pc, guard.negated, home + k as u8, k);
                    home + k as u8
                }
                (home, _) => {
                    let r = self.lanes(b, Some(guard), k).unwrap_or(M1);
                    match home {
                        Some(home) => self.asm.m_move(home + k as u8, r),
                        None => self.asm.m_store(self.mask_at(self.current, k), r),
                    }
                    home.map_or(r, |home| home + k as u8)
                }
            };
            if let (Isa::Avx512, Some(home)) = (self.isa, self.mask_home[b]) {
                if k == last {
                    self.asm.m_any(home, home + last as u8);
                }
                continue;
            }
            // The lanes of all chunks so far, in a mask that may be changed.
            match k {
                0 if last > 0 => self.asm.m_move(M2, current),
                k if k < last => self.asm.m_or(M2, M2, current),
                _ => {
                    if last == 0 {
                        self.asm.m_move(M2, current);
                    }
                    self.asm.m_any(M2, if last == 0 { M2 } else { current });
                }
            }
        }
        let done = self.asm.label();
        self.asm.jump_if(Cc::Zero, done);
        let start = self.leave_label(self.plan.blocks[b].start);
        self.asm.alu(Alu::Cmp, true, R10, at(RSP, self.limit));
        if let Some(awake) = awake {
            self.asm.jump_if(Cc::Above, start);
            self.when_all(b, awake);
            self.asm.jump(body);
        } else {
            self.asm.jump_if(Cc::NotAbove, body);
            self.asm.jump(start);
        }
        self.asm.bind(done);
        self.go_on(b);
    }

    /// All lanes go the same way.
    /// Sets the zero flag where a predicate that is the same in all lanes is false.
    pub(super) fn load_uniform(&mut self, p: ValueId) {
        let from = if self.value(p).preset.is_some() { self.row_pred(p, 0) } else { self.scalar(p, 0) };
        self.asm.load(false, RAX, from);
        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
    }

    fn uniform_branch(&mut self, b: usize, to: usize, guard: Guard, p: ValueId) {
        let taken = self.asm.label();
        let when_set = if let Some(pc) = self.scalar_test(b) {
            self.compare_scalars(pc)
        } else {
            self.load_uniform(p);
            Cc::NotZero
        };
        let when = if guard.negated { when_set.opposite() } else { when_set };
        if to != b + 1 && self.is_plain_edge(b, to) {
            let to = self.labels[to];
            self.asm.jump_if(when, to);
            return self.pass_all(b, b + 1);
        }
        self.asm.jump_if(when, taken);
        self.pass_all(b, b + 1);
        let over = self.labels[b + 1];
        self.asm.jump(over);
        self.asm.bind(taken);
        self.pass_all(b, to);
        if to == b + 1 {
            self.asm.jump(over);
        }
    }

    fn exit(&mut self, b: usize, guard: Option<Guard>) {
        let masked = self.plan.blocks[b].masked;
        let id = self.exit_id();
        if guard.is_none() && !masked {
            return self.arrive(id, None);
        }
        self.lane_bits(b, guard);
        self.report(id);
        if let Some(g) = guard {
            let next = b + 1;
            for k in 0..self.width {
                self.lanes_in_m1(b, Some(g), k);
                if masked {
                    let current = self.current_mask(b, k, M3);
                    self.asm.m_and_not(M2, M1, current);
                } else {
                    self.asm.m_not(M2, M1, at(R15, 128));
                }
                if self.plan.blocks[next].masked {
                    let pending = self.mask_at(self.pending[next], k);
                    self.asm.m_add_to(pending, M2, M3);
                }
            }
            if !masked {
                // Either none or all: otherwise the next block would be masked.
                let n = if self.plan.blocks[next].masked {
                    self.labels[next]
                } else {
                    self.asm.test(RDX);
                    let end = self.next;
                    self.asm.jump_if(Cc::NotZero, end);
                    self.labels[next]
                };
                self.asm.jump(n);
                return;
            }
        }
        self.go_on(b);
    }

    fn stop(&mut self, b: usize, pc: Pc, barrier: bool, behind: Option<Label>) {
        let masked = self.plan.blocks[b].masked;
        for v in self.plan.blocks[b].live_in.clone() {
            match (barrier, masked) {
                (false, _) => self.sync(v, masked),
                // Scalars stay where they are over a barrier.
                (true, _) if !self.is_vector(v) => {}
                (true, true) => self.sync(v, true),
                (true, false) if self.changed[b].contains(&v) => self.write_row(v),
                (true, false) => {}
            }
        }
        let id = self.stop_id(pc, barrier);
        if masked {
            self.lane_bits(b, None);
            self.report(id);
            self.go_on(b);
        } else {
            self.arrive(id, behind);
        }
    }
}
