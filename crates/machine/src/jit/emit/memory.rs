//! Loads and stores, each behind a check.
//!
//! Accesses with a scalar base are checked once a group, or once a chunk where chunks have nothing to do with each other, and
//! are plain vector loads and stores; with AVX-512 lanes that sleep are left out by a mask. Whatever a check refuses is done by
//! the interpreter, the whole instruction. Addresses that vary are for [`super::gather`].

use super::*;

/// An access whose lanes' addresses follow from a scalar.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    base: ValueId,
    offset: i32,
    pub size: u32,
    pub step: i64,
    /// Bytes that the lowest lane that one check serves is below the first, and that they span.
    low: i64,
    span: i64,
    shared: bool,
    /// Does one check serve all chunks?
    pub whole: bool,
    /// Are the addresses of all chunks the same?
    pub is_same: bool,
    pc: Pc,
}

impl Emitter<'_> {
    /// The operand that a lazy load gives for a chunk.
    pub(super) fn lazy_operand(&mut self, pc: Pc, k: usize) -> Option<Rm> {
        let Kind::Load(load) = &self.program.code[pc as usize].kind else { return None };
        let p = self.plain(&load.address, load.size, pc)?;
        // A checked access has no slow way.
        let unused = self.asm.label();
        Some(Rm::Each(self.address(p, k, unused)))
    }

    /// Does a load give all chunks the same vector, in the registers of the first?
    pub(super) fn is_same_load(&self, pc: Pc) -> bool {
        let inst = &self.program.code[pc as usize];
        let Kind::Load(load) = &inst.kind else { return false };
        let b = self.plan.block_of[pc as usize];
        inst.guard.is_none()
            && !self.plan.blocks[b].masked
            && self.plain(&load.address, load.size, pc).is_some_and(|p| p.is_same)
    }

    /// What an access is, where it has a scalar base with a step of nothing or one element.
    pub(super) fn plain(&self, a: &crate::program::Address, size: u32, pc: Pc) -> Option<Plain> {
        let shared = is_shared(a.space)?;
        if !size.is_power_of_two() || size > 16 {
            return None;
        }
        let (base, offset) = self.plan.base(a)?;
        let Shape::Scalar { step, far } = self.value(base).shape else { return None };
        if step != 0 && step != i64::from(size) {
            return None;
        }
        let offset = i32::try_from(offset).ok()?;
        let (low, high) = self.extent(base, far.is_some());
        let span = high - low + i64::from(size);
        Some(Plain { base, offset, size, step, low, span, shared, whole: far.is_some(), is_same: far == Some(0), pc })
    }

    /// The address of the lowest lane that a check of chunk `k` serves, in `rdx`; jumps to `slow` where the access is not
    /// inside. Gives the address of the chunk's first lane.
    pub(super) fn address(&mut self, p: Plain, k: usize, slow: Label) -> Mem {
        let far = if p.whole { self.plan.steps(p.base).1.unwrap_or(0) * self.warp_of(k).1 as i64 } else { 0 };
        if self.shared_access(p.pc).is_some() && self.checked.contains_key(&p.base) {
            if !self.checked[&p.base].done {
                self.check_shared(p.base, p.pc);
            }
            let r = self.checked_address(p.base, k);
            let c = self.checked[&p.base];
            let disp = i64::from(p.offset) - c.low - p.low + far;
            return Mem { base: R11, index: Some(r), disp: disp as i32 };
        }
        let disp = (far - p.low) as i32;
        let host = if p.shared { Mem { base: R11, index: Some(RDX), disp } } else { at(RDX, disp) };
        if k > 0 && p.whole {
            return host;
        }
        self.first_address(p, k, p.low, slow);
        if p.shared {
            self.asm.lea(true, RCX, at(RDX, p.span as i32));
            self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
            self.asm.jump_if(Cc::Above, slow);
        } else {
            let line = 32 * p.pc as i32;
            let span = &mut self.spans[p.pc as usize];
            *span = (*span).max(p.span as u32);
            let lines = self.lines();
            self.asm.alu(Alu::Sub, true, RDX, at(lines, line));
            self.asm.alu(Alu::Cmp, true, RDX, at(lines, line + 8));
            self.asm.jump_if(Cc::NotBelow, slow);
            self.asm.alu(Alu::Add, true, RDX, at(lines, line + 16));
        }
        host
    }

    /// A register that holds where the cache lines of accesses are.
    pub(super) fn lines(&mut self) -> Gpr {
        self.kept(What::Lines).unwrap_or_else(|| {
            let from = at(R14, CX.cache);
            let r = self.keep(What::Lines, from);
            self.asm.load(true, r, from);
            r
        })
    }

    /// The address of a lane in `rdx`, from the start of the space; jumps to `slow` where it is not aligned.
    fn first_address(&mut self, p: Plain, k: usize, more: i64, slow: Label) {
        self.get(RDX, p.base, k, !p.shared);
        let offset = p.offset + more as i32;
        if offset != 0 {
            self.asm.alu_constant(Alu::Add, !p.shared, Rm::Reg(RDX), offset);
        }
        if p.size > 1 {
            self.asm.test_byte(RDX, p.size as u8 - 1);
            self.asm.jump_if(Cc::NotZero, slow);
        }
        if p.shared {
            self.asm.alu_constant(Alu::Sub, false, Rm::Reg(RDX), SHARED_START as i32);
        }
    }

    /// Jumps to `other` unless all lanes of the chunk are awake.
    pub(super) fn need_all(&mut self, b: usize, guard: Option<Guard>, k: usize, other: Label) {
        if let Some(r) = self.lanes(b, guard, k) {
            let not_all = self.asm.m_not_all(r);
            self.asm.jump_if(not_all, other);
        }
    }

    /// The address of a chunk's first lane where only the lanes in [`M1`] (their bits in `rax`, not 0) are checked.
    fn masked_address(&mut self, p: Plain, k: usize, slow: Label) -> Mem {
        self.first_address(p, k, 0, slow);
        // Bytes from the first lane to the first awake one in rcx, to the end of the last in rax.
        self.asm.bit_scan(false, RCX, RAX);
        self.asm.bit_scan(true, RAX, RAX);
        let scale = p.step.trailing_zeros() as u8;
        if p.step == 0 {
            self.asm.constant(RCX, 0);
            self.asm.constant(RAX, 0);
        } else {
            self.asm.shift(4, false, RCX, scale);
            self.asm.shift(4, false, RAX, scale);
        }
        if p.shared {
            // Each end by itself, in 32 bits, as the addresses are.
            self.asm.alu(Alu::Add, false, RCX, Rm::Reg(RDX));
            self.asm.alu(Alu::Add, false, RAX, Rm::Reg(RDX));
            self.asm.alu(Alu::Cmp, false, RAX, Rm::Reg(RCX));
            self.asm.jump_if(Cc::Below, slow);
            self.asm.alu_constant(Alu::Add, true, Rm::Reg(RAX), p.size as i32);
            self.asm.alu(Alu::Cmp, true, RAX, at(R14, CX.shared_len));
            self.asm.jump_if(Cc::Above, slow);
            // Lanes below the first awake one may be before the start: sign-extended.
            self.asm.sign_extend(RDX, Rm::Reg(RDX));
            return Mem { base: R11, index: Some(RDX), disp: 0 };
        }
        let line = 32 * p.pc as i32;
        self.asm.alu(Alu::Add, true, RCX, Rm::Reg(RDX));
        self.asm.alu(Alu::Add, true, RAX, Rm::Reg(RDX));
        self.asm.push(RBX);
        self.asm.load(true, RBX, at(R14, CX.cache));
        self.asm.alu(Alu::Sub, true, RCX, at(RBX, line));
        self.asm.alu(Alu::Sub, true, RAX, at(RBX, line));
        self.asm.alu(Alu::Sub, true, RDX, at(RBX, line));
        self.asm.alu(Alu::Add, true, RDX, at(RBX, line + 16));
        self.asm.load(true, RBX, at(RBX, line + 24));
        self.asm.alu(Alu::Cmp, true, RCX, Rm::Reg(RBX));
        let bad = self.asm.label();
        self.asm.jump_if(Cc::NotBelow, bad);
        self.asm.alu_constant(Alu::Add, true, Rm::Reg(RAX), p.size as i32);
        self.asm.alu(Alu::Cmp, true, RAX, Rm::Reg(RBX));
        self.asm.jump_if(Cc::Above, bad);
        self.asm.alu(Alu::Cmp, true, RAX, Rm::Reg(RCX));
        self.asm.jump_if(Cc::NotAbove, bad);
        self.asm.pop(RBX);
        let good = self.asm.label();
        self.asm.jump(good);
        self.asm.bind(bad);
        self.asm.pop(RBX);
        self.asm.jump(slow);
        self.asm.bind(good);
        at(RDX, 0)
    }

    /// The results that a load has, each with its distance from the first element.
    pub(super) fn elements(&self, load: &Load) -> Vec<(i32, ValueId)> {
        let places = load.results.iter().enumerate().filter(|(_, (_, slot))| slot.is_some());
        places.map(|(n, (_, slot))| (n as i32 * load.size as i32, self.plan.by_slot[slot])).collect()
    }

    pub(super) fn load(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(class, slot)] = load.results[..] else { return false };
        if !slot.is_some() || guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let d = self.plan.by_slot[&slot];
        let Some(p) = self.plain(&load.address, load.size, pc) else { return false };
        if !is_32(class, load.size) || !self.is_vector(d) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        if !p.shared {
            // Before lanes go ways of their own.
            self.lines();
        }
        let partial = self.when_not_all(p, b, guard, slow);
        for k in 0..self.width {
            let to = self.target(d, k, false);
            if self.same[d] && k > 0 {
                continue;
            }
            if p.is_same && k > 0 && self.home[d].is_some() {
                self.asm.v_load(to, Rm::Reg(to - k as u8));
            } else {
                let m = self.address(p, k, slow);
                self.load_chunk(load, p, to, m);
            }
            // All lanes of the chunk are awake: nothing to keep.
            if self.home[d].is_none() {
                let row = self.row32(d, k);
                self.asm.v_store(row, to);
            }
        }
        self.asm.bind(back);
        if self.is_twin {
            return true;
        }
        let kept = self.kept.clone();
        if let Some(start) = partial {
            self.cold.push(Cold::PartialLoad { pc, b, start, slow, back });
        }
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// Jumps away where not all lanes are awake: to a way for some of them, which is given, or to `slow`.
    fn when_not_all(&mut self, p: Plain, b: usize, guard: Option<Guard>, slow: Label) -> Option<Label> {
        if guard.is_none() && !self.is_masked(b) {
            return None;
        }
        // AVX2 has masks for words only.
        let has_masks = self.isa == Isa::Avx512 || p.size == 4 || p.step == 0;
        let partial = has_masks.then(|| self.asm.label());
        for k in 0..self.width {
            self.need_all(b, guard, k, partial.unwrap_or(slow));
        }
        partial
    }

    /// The element that all lanes read.
    pub(super) fn load_one(&mut self, load: &Load, m: Mem, to: u8) {
        let opcode = match (load.size, load.signed) {
            (1, false) => 0xb6,
            (1, true) => 0xbe,
            (2, false) => 0xb7,
            (2, true) => 0xbf,
            _ => return self.asm.v1(VPBROADCASTD, to, m),
        };
        self.asm.load_narrow(opcode, RAX, m);
        self.asm.broadcast(to, RAX, false);
    }

    fn load_chunk(&mut self, load: &Load, p: Plain, to: u8, m: Mem) {
        match (load.size, load.signed, p.step) {
            (4, _, 4) => self.asm.v_load(to, m),
            (1, false, 1) => self.asm.v1(VPMOVZXBD, to, m),
            (1, true, 1) => self.asm.v1(VPMOVSXBD, to, m),
            (2, false, 2) => self.asm.v1(VPMOVZXWD, to, m),
            (2, true, 2) => self.asm.v1(VPMOVSXWD, to, m),
            _ => self.load_one(load, m, to),
        }
    }

    /// A load of the lanes that are awake.
    pub(super) fn partial_load(&mut self, pc: Pc, b: usize, slow: Label) {
        let inst = &self.program.code[pc as usize];
        let Kind::Load(load) = &inst.kind else { return };
        let Some(p) = self.plain(&load.address, load.size, pc) else { return };
        let d = self.plan.by_slot[&load.results[0].1];
        for k in 0..self.width {
            let none = self.asm.label();
            self.lanes_in_m1(b, inst.guard, k);
            self.asm.m_bits(RAX, M1);
            self.asm.test(RAX);
            self.asm.jump_if(Cc::Zero, none);
            let m = self.masked_address(p, k, slow);
            match (load.size, load.signed, p.step) {
                (4, _, 4) => self.asm.v_load_zeroed(T3, m, M1),
                (1, false, 1) => self.asm.v1_zeroed(VPMOVZXBD, T3, m, M1),
                (1, true, 1) => self.asm.v1_zeroed(VPMOVSXBD, T3, m, M1),
                (2, false, 2) => self.asm.v1_zeroed(VPMOVZXWD, T3, m, M1),
                (2, true, 2) => self.asm.v1_zeroed(VPMOVSXWD, T3, m, M1),
                _ => self.load_chunk(load, p, T3, m),
            }
            self.finish_awake(d, k, T3);
            self.asm.bind(none);
        }
    }

    /// Brings a vector to a value's place for the lanes in [`M1`].
    fn finish_awake(&mut self, d: ValueId, k: usize, from: u8) {
        match self.home[d] {
            Some(r) => self.asm.v_blend(r + k as u8, r + k as u8, Rm::Reg(from), M1),
            None => self.asm.v_store_masked(self.row32(d, k), from, M1),
        }
    }

    pub(super) fn store(&mut self, store: &Store, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let [(class, slot)] = store.sources[..] else { return false };
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let s = self.plan.read(slot);
        let Some(p) = self.plain(&store.address, store.size, pc) else { return false };
        let narrow_fits = store.size == 4 || self.isa == Isa::Avx512;
        if !is_32(class, store.size) || !narrow_fits || p.step != i64::from(store.size) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        if !p.shared {
            // Before lanes go ways of their own.
            self.lines();
        }
        let partial = self.when_not_all(p, b, guard, slow);
        for k in 0..self.width {
            let m = self.address(p, k, slow);
            let r = self.in_register(s, k, T1, false);
            self.store_chunk(store.size, m, r, false);
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        if let Some(start) = partial {
            self.cold.push(Cold::PartialStore { pc, b, start, slow, back });
        }
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// Stores the low bytes of the lanes, or of those in [`M1`].
    fn store_chunk(&mut self, size: u32, m: Mem, r: u8, masked: bool) {
        match (size, masked) {
            (4, false) => self.asm.v_store(m, r),
            (4, true) => self.asm.v_store_masked(m, r, M1),
            _ => self.asm.v_store_narrow(m, r, size, masked.then_some(M1)),
        }
    }

    /// A store of the lanes that are awake.
    pub(super) fn partial_store(&mut self, pc: Pc, b: usize, slow: Label) {
        let inst = &self.program.code[pc as usize];
        let Kind::Store(store) = &inst.kind else { return };
        let Some(p) = self.plain(&store.address, store.size, pc) else { return };
        let s = self.plan.read(store.sources[0].1);
        for k in 0..self.width {
            let none = self.asm.label();
            let r = self.in_register(s, k, T1, false);
            self.lanes_in_m1(b, inst.guard, k);
            self.asm.m_bits(RAX, M1);
            self.asm.test(RAX);
            self.asm.jump_if(Cc::Zero, none);
            let m = self.masked_address(p, k, slow);
            self.store_chunk(store.size, m, r, true);
            self.asm.bind(none);
        }
    }
}

/// Is it the CTA's shared memory, or memory that is found by an access's cache line? That is also where generic addresses
/// lead.
pub(super) fn is_shared(space: AddressSpace) -> Option<bool> {
    match space {
        AddressSpace::Shared => Some(true),
        AddressSpace::Global | AddressSpace::Const | AddressSpace::Generic => Some(false),
        _ => None,
    }
}

/// Is it an element of up to 32 bits in a register of 32?
fn is_32(class: Class, size: u32) -> bool {
    class == Class::R32 && size <= 4
}
