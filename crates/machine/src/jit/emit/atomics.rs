//! Additions to shared and global memory whose result nobody reads.

use super::*;

impl Emitter<'_> {
    /// `red.add` of 32-bit integers (also `atom` whose result nobody reads).
    pub(super) fn add(&mut self, a: &Atomic, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        if self.tallies.contains_key(&pc) && !self.is_masked(b) {
            self.add_tally(pc);
            return true;
        }
        let Some(value) = self.added(a) else { return false };
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        let Ok(offset) = i32::try_from(a.address.offset) else { return false };
        let base = self.plan.read(a.address.base);
        match (a.address.space, a.address.class) {
            (AddressSpace::Shared, Class::R32) => self.add_shared(base, offset, value, b, pc, guard),
            (AddressSpace::Global, Class::R64) => self.add_global(&a.address, value, b, pc, guard),
            _ => false,
        }
    }

    /// The 32-bit integer that an addition adds, where nobody reads its result.
    pub(super) fn added(&self, a: &Atomic) -> Option<ValueId> {
        let [(Class::R32, value)] = a.b[..] else { return None };
        let is_integer = matches!(a.ty, AtomicType::Unsigned | AtomicType::Signed | AtomicType::Bits);
        let unread = a.results.iter().all(|&(_, slot)| !self.plan.is_used(slot));
        let fits = a.op == AtomicOp::Add && a.size == 4 && is_integer && unread && a.address.base.is_some();
        fits.then(|| self.plan.read(value))
    }

    /// Lane by lane, without a lock: the lanes of a CTA run on one host thread.
    fn add_shared(
        &mut self,
        base: ValueId,
        offset: i32,
        value: ValueId,
        b: usize,
        pc: Pc,
        guard: Option<Guard>,
    ) -> bool {
        let buffer = self.take_stack(64);
        let (slow, back) = (self.asm.label(), self.asm.label());
        let shift = self.word((offset - SHARED_START as i32) as u32);
        let low = self.constant_row([3; 16]);
        // All chunks are checked before anything is added: the slow way does the whole instruction.
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
        }
        for k in 0..self.width {
            let x = self.in_register(base, k, T1, false);
            self.asm.v(VPADDD, T1, x, shift);
            if self.isa == Isa::Avx512 {
                // Turned right by two bits, an address that is not aligned is a large number.
                self.asm.turn_right(T1, T1, 2);
                if k == 0 {
                    self.asm.v_load(T2, Rm::Reg(T1));
                } else {
                    self.asm.v(VPMAXUD, T2, T2, Rm::Reg(T1));
                }
                continue;
            }
            self.asm.v1(VPBROADCASTD, T2, at(R14, CX.shared_last_word));
            self.asm.v(VPMAXUD, T4, T1, Rm::Reg(T2));
            self.asm.v(VPCMPEQD, M1, T4, Rm::Reg(T2));
            let not_all = self.asm.m_not_all(M1);
            self.asm.jump_if(not_all, slow);
            self.asm.v(VPAND, T2, T1, low);
            self.asm.v1(VPTEST, T2, Rm::Reg(T2));
            self.asm.jump_if(Cc::NotZero, slow);
        }
        if self.isa == Isa::Avx512 {
            self.asm.compare_words(M1, T2, Rm::Each(at(R14, CX.shared_last_index)), Test::NotGreater, false);
            let not_all = self.asm.m_not_all(M1);
            self.asm.jump_if(not_all, slow);
        }
        let constant = self.plan.constant(value);
        for k in 0..self.width {
            let x = self.in_register(base, k, T1, false);
            self.asm.v(VPADDD, T1, x, shift);
            if constant.is_none() {
                let y = self.in_register(value, k, T2, false);
                self.asm.v_store(at(RSP, buffer), y);
            }
            let mut quarter = T1;
            for pair in 0..self.isa.lanes() / 2 {
                if pair % 2 == 0 {
                    quarter = self.asm.quarter(T3, T1, pair as u8 / 2);
                }
                self.asm.pair(RCX, quarter, pair % 2 == 1);
                self.asm.load(false, RDX, Rm::Reg(RCX));
                self.asm.shift(5, true, RCX, 32);
                for (i, r) in [(2 * pair, RDX), (2 * pair + 1, RCX)] {
                    let m = Mem { base: R11, index: Some(r), disp: 0 };
                    if let Some(c) = constant {
                        self.asm.alu_constant(Alu::Add, false, m, c as u32 as i32);
                    } else {
                        self.asm.load(false, RAX, at(RSP, buffer + 4 * i as i32));
                        self.asm.alu_store(Alu::Add, false, m, RAX);
                    }
                }
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// Lane by lane, with a lock, where the addresses are neighbours.
    fn add_global(
        &mut self,
        a: &crate::program::Address,
        value: ValueId,
        b: usize,
        pc: Pc,
        guard: Option<Guard>,
    ) -> bool {
        let Some(p) = self.plain(a, 4, pc).filter(|p| p.whole || self.width == 1) else { return false };
        let buffer = self.take_stack(64);
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            self.need_all(b, guard, k, slow);
        }
        for k in 0..self.width {
            let y = self.in_register(value, k, T1, false);
            self.asm.v_store(at(RSP, buffer), y);
            let m = self.address(p, k, slow);
            for i in 0..self.isa.lanes() as i32 {
                self.asm.load(false, RAX, at(RSP, buffer + 4 * i));
                let to = Mem { disp: m.disp + p.step as i32 * i, ..m };
                self.asm.lock();
                self.asm.alu_store(Alu::Add, false, to, RAX);
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }
}
