//! Loads, stores and additions to shared memory, each behind a check.

use super::*;

impl Emitter<'_> {
    /// The steps of accesses that one check of a block serves: shared, unguarded, all lanes awake, one base.
    pub(super) fn find_checks(&mut self, b: usize) {
        self.checked.clear();
        let plan = self.plan;
        let block = &plan.blocks[b];
        if block.masked {
            return;
        }
        for pc in block.start..block.end {
            if let Some((v, a, ..)) = self.shared_access(pc)
                && !self.checked.contains_key(&v)
                && self.value(v).defs.iter().all(|&d| plan.block_of[d as usize] != b)
            {
                let stack = self.take_stack(8 * self.width as i32);
                self.checked.insert(v, Checked { low: a, stack, done: false });
            }
        }
        for pc in block.start..block.end {
            if let Some((v, a, ..)) = self.shared_access(pc)
                && let Some(c) = self.checked.get_mut(&v)
            {
                c.low = c.low.min(a);
            }
        }
    }

    /// A shared access of words with a scalar base: base, offset, bytes of a chunk.
    pub(super) fn shared_access(&self, pc: Pc) -> Option<(ValueId, i64, i64)> {
        let inst = &self.program.code[pc as usize];
        let (a, size, one) = match &inst.kind {
            Kind::Load(l) => (&l.address, l.size, l.results.len() == 1),
            Kind::Store(s) => (&s.address, s.size, s.sources.len() == 1),
            _ => return None,
        };
        if a.space != AddressSpace::Shared || !a.base.is_some() || a.class != Class::R32 || !one || inst.guard.is_some()
        {
            return None;
        }
        let v = self.plan.read(a.base);
        let step = match self.value(v).shape {
            Shape::Scalar { step, .. } => step,
            _ => return None,
        };
        let fits = size == 4 && (step == 0 || step == 4) && a.offset % 4 == 0 && (0..1 << 20).contains(&a.offset);
        fits.then_some((v, a.offset, 7 * step + 4))
    }

    /// Checks all accesses of the block through this base, for each chunk. What is kept is the distance from the start of
    /// shared memory to the lowest of them.
    pub(super) fn check_shared(&mut self, v: ValueId, pc: Pc, b: usize) {
        let Some(c) = self.checked.get(&v).copied() else { return };
        let block = &self.plan.blocks[b];
        let ends = (block.start..block.end).filter_map(|p| self.shared_access(p)).filter(|x| x.0 == v);
        let end = ends.map(|(_, offset, bytes)| offset + bytes).max().unwrap_or(0);
        let out = self.leave_label(pc);
        for k in 0..self.width {
            self.get(RDX, v, k, false);
            self.asm.test_byte(RDX, 3);
            self.asm.jump_if(Cc::NotZero, out);
            let shift = c.low as i32 - SHARED_START as i32;
            self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), shift);
            self.asm.lea(true, RCX, at(RDX, (end - c.low) as i32));
            self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
            self.asm.jump_if(Cc::Above, out);
            self.asm.store(true, at(RSP, c.stack + 8 * k as i32), RDX);
        }
        if let Some(c) = self.checked.get_mut(&v) {
            c.done = true;
        }
    }

    /// Computes the host address of a chunk's access with a scalar base; jumps to `slow` where it is not inside.
    /// The address is `base` plus a displacement.
    pub(super) fn address(
        &mut self,
        a: &crate::program::Address,
        size: u32,
        k: usize,
        pc: Pc,
        b: usize,
        slow: Label,
    ) -> Option<Mem> {
        let v = a.base.is_some().then(|| self.plan.read(a.base));
        if let Some(v) = v
            && self.shared_access(pc).is_some()
            && self.checked.contains_key(&v)
        {
            if !self.checked[&v].done {
                self.check_shared(v, pc, b);
            }
            let c = self.checked[&v];
            self.asm.load(true, RDX, at(RSP, c.stack + 8 * k as i32));
            return Some(Mem { base: R11, index: Some(RDX), disp: (a.offset - c.low) as i32 });
        }
        let step = v.map_or(0, |v| self.step(v));
        let span = (7 * step + i64::from(size)) as i32;
        let offset = i32::try_from(a.offset).ok()?;
        match (a.space, a.class) {
            (AddressSpace::Shared, Class::R32) => {
                self.get(RDX, v?, k, false);
                self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), offset);
                if size > 1 {
                    self.asm.test_byte(RDX, size as u8 - 1);
                    self.asm.jump_if(Cc::NotZero, slow);
                }
                self.asm.alu_constant(Alu::Sub, false, Rm::Reg(RDX), SHARED_START as i32);
                self.asm.lea(true, RCX, at(RDX, span));
                self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
                self.asm.jump_if(Cc::Above, slow);
                Some(Mem { base: R11, index: Some(RDX), disp: 0 })
            }
            (AddressSpace::Global, Class::R64) => {
                let cache = 32 * pc as i32;
                self.get(RDX, v?, k, true);
                if offset != 0 {
                    self.asm.alu_constant(Alu::Add, true, Rm::Reg(RDX), offset);
                }
                if size > 1 {
                    self.asm.test_byte(RDX, size as u8 - 1);
                    self.asm.jump_if(Cc::NotZero, slow);
                }
                self.asm.load(true, RSI, at(R14, CX.cache));
                self.asm.alu(Alu::Sub, true, RDX, at(RSI, cache));
                self.asm.alu(Alu::Cmp, true, RDX, at(RSI, cache + 8));
                self.asm.jump_if(Cc::Above, slow);
                self.asm.lea(true, RCX, at(RDX, span));
                self.asm.alu(Alu::Cmp, true, RCX, at(RSI, cache + 8));
                self.asm.jump_if(Cc::Above, slow);
                self.asm.alu(Alu::Add, true, RDX, at(RSI, cache + 16));
                Some(at(RDX, 0))
            }
            _ => None,
        }
    }

    /// May an access be done here: one element, a scalar base with a step of nothing or one element?
    pub(super) fn is_plain(&self, a: &crate::program::Address, size: u32) -> bool {
        if !a.base.is_some() || i32::try_from(a.offset).is_err() {
            return false;
        }
        let v = self.plan.read(a.base);
        let known =
            matches!((a.space, a.class), (AddressSpace::Shared, Class::R32) | (AddressSpace::Global, Class::R64));
        let Shape::Scalar { step, .. } = self.value(v).shape else { return false };
        known && (step == 0 || step == i64::from(size)) && matches!(size, 1 | 2 | 4)
    }

    /// Jumps to `slow` unless all lanes of the chunk are awake.
    pub(super) fn need_all(&mut self, b: usize, guard: Option<Guard>, k: usize, slow: Label) {
        if self.lanes(b, guard, k, true) {
            self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(MASK));
            self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 0xff);
            self.asm.jump_if(Cc::NotZero, slow);
        }
    }

    pub(super) fn load(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, slot)] = load.results[..] else { return false };
        if !slot.is_some() || !self.is_plain(&load.address, load.size) || guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let d = self.plan.by_slot[&slot];
        if !self.is_vector(d) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        let step = self.step(self.plan.read(load.address.base));
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
            let Some(m) = self.address(&load.address, load.size, k, pc, b, slow) else { return false };
            let to = self.target(d, k, false);
            match (load.size, load.signed, step) {
                (4, _, 0) => self.asm.v1(VPBROADCASTD, to, m),
                (4, ..) => self.asm.v_load(to, m),
                (1, false, 1) => self.asm.v1(VPMOVZXBD, to, m),
                (1, true, 1) => self.asm.v1(VPMOVSXBD, to, m),
                (2, false, 2) => self.asm.v1(VPMOVZXWD, to, m),
                (2, true, 2) => self.asm.v1(VPMOVSXWD, to, m),
                (size, signed, _) => {
                    let opcode = match (size, signed) {
                        (1, false) => 0xb6,
                        (1, true) => 0xbe,
                        (_, false) => 0xb7,
                        (_, true) => 0xbf,
                    };
                    self.asm.load_narrow(opcode, RAX, m);
                    self.asm.store(true, at(R14, CX.scratch), RAX);
                    self.asm.v1(VPBROADCASTD, to, at(R14, CX.scratch));
                }
            }
            // All lanes of the chunk are awake: nothing to keep.
            if self.home[d].is_none() {
                let row = self.row32(d, k);
                self.asm.v_store(row, to);
            }
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }

    /// `red.shared.add` of 32 bits (also `atom` whose result nobody reads), lane by lane: the lanes of a CTA run on one host
    /// thread.
    pub(super) fn add_shared(&mut self, a: &Atomic, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, value)] = a.b[..] else { return false };
        let is_integer = matches!(a.ty, AtomicType::Unsigned | AtomicType::Signed | AtomicType::Bits);
        let to_shared =
            a.address.space == AddressSpace::Shared && a.address.class == Class::R32 && a.address.base.is_some();
        let unread = a.results.iter().all(|&(_, slot)| !self.plan.is_used(slot));
        if a.op != AtomicOp::Add || a.size != 4 || !is_integer || !to_shared || !unread {
            return false;
        }
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let Ok(offset) = i32::try_from(a.address.offset) else { return false };
        let (base, value) = (self.plan.read(a.address.base), self.plan.read(value));
        let buffer = self.take_stack(64);
        let (slow, back) = (self.asm.label(), self.asm.label());
        let shift = self.constant_row([(offset - SHARED_START as i32) as u32; 8]);
        let low = self.constant_row([3; 8]);
        // All chunks are checked before anything is added: the slow way does the whole instruction.
        for store in [false, true] {
            for k in 0..self.width {
                let x = self.in_register(base, k, T1, false);
                self.asm.v(VPADDD, T1, x, shift);
                if !store {
                    self.need_all(b, guard, k, slow);
                    self.asm.v1(VPBROADCASTD, T2, at(R14, CX.shared_last_word));
                    self.asm.v(VPMAXUD, MASK, T1, Rm::Reg(T2));
                    self.asm.v(VPCMPEQD, MASK, MASK, Rm::Reg(T2));
                    self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(MASK));
                    self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 0xff);
                    self.asm.jump_if(Cc::NotZero, slow);
                    self.asm.v(VPAND, T2, T1, low);
                    self.asm.v1(VPTEST, T2, Rm::Reg(T2));
                    self.asm.jump_if(Cc::NotZero, slow);
                    continue;
                }
                self.asm.v_store(at(RSP, buffer), T1);
                let constant = self.plan.constant(value);
                if constant.is_none() {
                    let y = self.in_register(value, k, T2, false);
                    self.asm.v_store(at(RSP, buffer + 32), y);
                }
                for i in 0..8 {
                    self.asm.load(false, RDX, at(RSP, buffer + 4 * i));
                    let m = Mem { base: R11, index: Some(RDX), disp: 0 };
                    if let Some(c) = constant {
                        self.asm.alu_constant(Alu::Add, false, m, c as u32 as i32);
                    } else {
                        self.asm.load(false, RAX, at(RSP, buffer + 32 + 4 * i));
                        self.asm.alu_store(Alu::Add, false, m, RAX);
                    }
                }
            }
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }

    pub(super) fn store(&mut self, store: &Store, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(Class::R32, slot)] = store.sources[..] else { return false };
        if store.size != 4 || !self.is_plain(&store.address, 4) || guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let s = self.plan.read(slot);
        let step = self.step(self.plan.read(store.address.base));
        if step != 4 {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
            let Some(m) = self.address(&store.address, 4, k, pc, b, slow) else { return false };
            let r = self.in_register(s, k, T1, false);
            self.asm.v_store(m, r);
        }
        self.asm.bind(back);
        self.cold.push(Cold::Help { pc, start: slow, back });
        true
    }
}
