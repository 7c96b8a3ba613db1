//! Instructions, and lane-wise operations with 32-bit results.

use super::*;

impl Emitter<'_> {
    pub(super) fn instruction(&mut self, pc: Pc, b: usize) {
        if self.fused[pc as usize] || self.is_tallied(pc, b) {
            return;
        }
        let inst = &self.program.code[pc as usize];
        let moves_data = matches!(inst.kind, Kind::Row(_) | Kind::Load(_) | Kind::Store(_) | Kind::Atomic(_));
        match inst.guard.filter(|&g| moves_data && !self.plan.parts(g)) {
            Some(guard) => self.all_or_none(pc, b, guard),
            None => self.guarded(pc, b, inst.guard),
        }
    }

    /// An instruction whose guard is the same in all lanes.
    fn all_or_none(&mut self, pc: Pc, b: usize, guard: Guard) {
        let p = self.plan.read(guard.slot);
        if let Some(c) = self.plan.constant(p) {
            if (c & 1 != 0) != guard.negated {
                self.guarded(pc, b, None);
            }
            return;
        }
        let over = self.asm.label();
        // What registers hold behind it must not depend on the way.
        self.kept.clear();
        self.load_uniform(p);
        self.asm.jump_if(if guard.negated { Cc::NotZero } else { Cc::Zero }, over);
        self.guarded(pc, b, None);
        self.kept.clear();
        self.asm.bind(over);
    }

    /// An instruction for the lanes of the block that a guard leaves.
    fn guarded(&mut self, pc: Pc, b: usize, guard: Option<Guard>) {
        let inst = &self.program.code[pc as usize];
        let done = match &inst.kind {
            Kind::Converge | Kind::Nothing | Kind::Fence(_) => true,
            Kind::Row(op) => self.row(op, b, pc, guard),
            Kind::Address(a) => self.is_preset(a.result),
            Kind::Load(load) => {
                self.is_masked(b) && self.load_same(load, b, pc, guard)
                    || self.load(load, b, pc, guard)
                    || self.load_same(load, b, pc, guard)
                    || self.load_vectors(load, b, pc, guard)
                    || self.gather(load, b, pc, guard)
            }
            Kind::Store(store) => {
                self.store(store, b, pc, guard)
                    || self.store_vectors(store, b, pc, guard)
                    || self.scatter(store, b, pc, guard)
            }
            Kind::Collective(c) => self.collective(c, b, pc),
            Kind::ActiveMask { result } => self.active_mask(*result, b),
            Kind::Atomic(a) => self.add(a, b, pc, guard),
            _ => false,
        };
        if done {
            let eager: Vec<ValueId> = self.eager.range((pc, 0)..(pc + 1, 0)).map(|&(_, v)| v).collect();
            eager.into_iter().for_each(|v| self.write_row(v));
            return;
        }
        match &inst.kind {
            Kind::Row(op) => self.call_row(op, pc, b),
            _ => self.help(pc),
        }
    }

    /// Is a value that of a row which is filled at the start?
    fn is_preset(&self, slot: Slot) -> bool {
        let v = self.plan.by_slot[&slot];
        self.value(v).alias != v
    }

    fn row(&mut self, op: &RowOp, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let Some(name) = op.name.filter(|_| self.is_coded(op)) else { return false };
        let d = self.plan.by_slot[&op.slots[0]];
        let sources = self.sources(op);
        if self.value(d).alias != d {
            // Its row is written where somebody else may look at it.
            return true;
        }
        if self.is_scalar(d) {
            self.scalar_row(name, d, &sources, pc);
            return true;
        }
        match self.value(d).class {
            Class::R64 => self.wide_row(name, d, &sources, b, guard),
            Class::Pred => self.pred_row(name, d, &sources, b, pc, guard),
            _ if self.value(sources[0]).class == Class::R64 && !matches!(name, LaneOp::Set(..)) => {
                self.narrow_row(name, d, sources[0], b, guard);
            }
            _ => self.vector_row(name, d, &sources, b, pc, guard),
        }
        true
    }

    pub(super) fn sources(&self, op: &RowOp) -> Vec<ValueId> {
        (2..6).filter(|&i| op.classes[i].is_some()).map(|i| self.plan.read(op.slots[i])).collect()
    }

    /// Is there code for the operation on these operands? Otherwise its row function is called.
    pub(super) fn is_coded(&self, op: &RowOp) -> bool {
        let Some(name) = op.name else { return false };
        if !op.slots[0].is_some() || op.slots[1].is_some() {
            return false;
        }
        let (d, s) = (self.plan.by_slot[&op.slots[0]], self.sources(op));
        if self.value(d).alias != d || self.is_scalar(d) {
            return true;
        }
        let class = |i: usize| self.value(s[i]).class;
        let constant = |i: usize| s.get(i).and_then(|&v| self.plan.constant(v));
        match (self.value(d).class, name) {
            (Class::Pred, LaneOp::Compare(..)) => true,
            (Class::Pred, LaneOp::Test(test)) => tests::is_known(test, self.isa),
            (Class::Pred, LaneOp::And | LaneOp::Or | LaneOp::Xor | LaneOp::Not | LaneOp::Copy) => {
                class(0) == Class::Pred
            }
            (Class::R32, LaneOp::Set(test, _)) => tests::is_known(test, self.isa),
            (Class::R32, LaneOp::Low) => class(0) == Class::R64,
            (Class::R32, LaneOp::Shorten | LaneOp::FromDouble(..)) => doubles::is_known(name, self.isa),
            (Class::R32, _) if (0..s.len()).any(|i| class(i) == Class::R64) => false,
            (Class::R32, _) => is_word_coded(name, self.isa, constant),
            (Class::R64, _) => class(0) != Class::Pred && wide::is_known(name, self.isa, constant),
            _ => false,
        }
    }

    fn vector_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, pc: Pc, guard: Option<Guard>) {
        let lazy = if pc > 0 && self.fused[pc as usize - 1] { self.lazy_load(pc - 1) } else { None };
        let float = floats::gives_float(name);
        let blends = guard.is_some() || self.keeps_sleepers(d, b);
        for k in self.chunks.clone() {
            let to = self.target(d, k, blends);
            if let (true, Some(op), Some(home), Isa::Avx512) = (blends && !float, simple(name), self.home[d], self.isa)
            {
                let a = self.in_register(s[0], k, T1, false);
                let c = self.vector(s[1], k, T2, false);
                let mask = self.lanes(b, guard, k).unwrap_or(M1);
                self.asm.v_masked(op, home + k as u8, a, c, mask);
                continue;
            }
            if let Some(op) = simple(name) {
                self.simple_row(name, op, s, k, to, float);
            } else {
                match name {
                    LaneOp::Copy => {
                        let a = self.vector(s[0], k, T1, self.raw[d]);
                        if let (true, Some(home), Isa::Avx512) = (blends, self.home[d], self.isa) {
                            let mask = self.lanes(b, guard, k).unwrap_or(M1);
                            self.asm.v_blend(home + k as u8, home + k as u8, a, mask);
                            continue;
                        }
                        if a != Rm::Reg(to) {
                            self.asm.v_load(to, a);
                        }
                    }
                    LaneOp::Not => {
                        let a = self.in_register(s[0], k, T1, false);
                        let ones = self.ones();
                        self.asm.v(VPXOR, to, a, ones);
                    }
                    LaneOp::Mul32 => self.product(s, k, to),
                    LaneOp::Mad32 => {
                        self.product(s, k, T1);
                        let c = self.vector(s[2], k, T2, false);
                        self.asm.v(VPADDD, to, T1, c);
                    }
                    LaneOp::MulWideU16 => self.product_16(s, k, to),
                    LaneOp::FmaF32 => match lazy.and_then(|v| Some((v, self.lazy_operand(pc - 1, k)?))) {
                        Some((v, x)) => self.fma_lazy(s[usize::from(s[0] == v)], x, s[2], k, to),
                        None => self.fma(s, k, to),
                    },
                    LaneOp::Select => {
                        // The operands first: making one canonical uses the mask register.
                        let yes = self.vector(s[0], k, T1, false);
                        let no = self.in_register(s[1], k, T2, false);
                        let p = self.predicate(s[2], k, M1);
                        self.asm.v_blend(to, no, yes, p);
                    }
                    LaneOp::SumOfByteDistances => self.byte_distances(s, k, to),
                    LaneOp::Set(test, yes) => self.set_row(test, yes, s, k, to),
                    LaneOp::Special(function, ftz) => self.special_row(function, ftz, s, k, to),
                    _ if halves::is_known(name, self.isa) => self.half_row(name, s, k, to),
                    _ if floats::is_known(name, self.isa) => self.float_row(name, s, k, to),
                    _ => self.integer_row(name, s, k, to),
                }
            }
            if float && !self.raw[d] && !floats::gives_number(name) {
                self.canonical(to, Rm::Reg(to));
            }
            self.finish(d, k, b, guard, to);
        }
    }

    fn simple_row(&mut self, name: LaneOp, op: Vop, s: &[ValueId], k: usize, to: u8, tolerant: bool) {
        let amount = s.get(1).and_then(|&v| self.plan.constant(v)).filter(|&c| c < 32).map(|c| c as u8);
        let digit = match name {
            LaneOp::Shl32 => 6,
            LaneOp::ShrU32 => 2,
            LaneOp::ShrS32 => 4,
            _ => 0,
        };
        let a = self.in_register(s[0], k, T1, tolerant);
        match amount {
            Some(n) if digit != 0 => self.asm.v_shift(digit, to, a, n),
            _ => {
                let c = self.vector(s[1], k, T2, tolerant);
                self.asm.v(op, to, a, c);
            }
        }
    }

    /// A product of 32 bits; by a power of 2 and its neighbour, shifted and added.
    fn product(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.in_register(s[0], k, T1, false);
        match self.plan.constant(s[1]).map(|c| c as u32) {
            Some(c) if c.is_power_of_two() => self.asm.v_shift(6, to, a, c.trailing_zeros() as u8),
            Some(3) => {
                self.asm.v(VPADDD, T2, a, Rm::Reg(a));
                self.asm.v(VPADDD, to, T2, Rm::Reg(a));
            }
            Some(c) if c > 1 && (c - 1).is_power_of_two() => {
                self.asm.v_shift(6, T2, a, (c - 1).trailing_zeros() as u8);
                self.asm.v(VPADDD, to, T2, Rm::Reg(a));
            }
            _ => {
                let c = self.vector(s[1], k, T2, false);
                self.asm.v(VPMULLD, to, a, c);
            }
        }
    }

    /// The product of the low halves of 32-bit rows.
    fn product_16(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.low_half(s[0], k, T1);
        match self.plan.constant(s[1]).map(|c| c as u32 & 0xffff) {
            Some(c) if c.is_power_of_two() => self.asm.v_shift(6, to, a, c.trailing_zeros() as u8),
            Some(c) => {
                let c = self.word(c);
                self.asm.v(VPMULLD, to, a, c);
            }
            None => {
                let c = self.low_half(s[1], k, T2);
                self.asm.v(VPMULLD, to, a, Rm::Reg(c));
            }
        }
    }

    /// The low 16 bits of a value, whose upper bits may be anything unless it was loaded as such.
    fn low_half(&mut self, v: ValueId, k: usize, temp: u8) -> u8 {
        let r = self.in_register(v, k, temp, false);
        let is_clean = self.value(v).defs.iter().all(|&pc| {
            matches!(&self.program.code[pc as usize], crate::program::Inst { guard: None, kind: Kind::Load(l) }
                if l.size <= 2 && !l.signed)
        });
        if is_clean && !self.value(v).defs.is_empty() && !self.plan.blocks[0].live_in.contains(&v) {
            return r;
        }
        let low = self.word(0xffff);
        self.asm.v(VPAND, temp, r, low);
        temp
    }

    fn byte_distances(&mut self, s: &[ValueId], k: usize, to: u8) {
        let x = self.in_register(s[0], k, T1, false);
        let y = self.in_register(s[1], k, T2, false);
        self.asm.v(VPMINUB, T4, x, Rm::Reg(y));
        self.asm.v(VPMAXUB, T1, x, Rm::Reg(y));
        self.asm.v(VPSUBB, T1, T1, Rm::Reg(T4));
        let ones = self.constant_row([0x0101_0101; 16]);
        self.asm.v(VPMADDUBSW, T1, T1, ones);
        let ones = self.constant_row([0x0001_0001; 16]);
        self.asm.v(VPMADDWD, T1, T1, ones);
        let c = self.vector(s[2], k, T2, false);
        self.asm.v(VPADDD, to, T1, c);
    }

    /// Sum, product and the two factors may be in the register of the result.
    pub(super) fn fma(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.in_register(s[0], k, T1, true);
        let c = self.vector(s[1], k, T2, true);
        let sum = self.vector(s[2], k, T3, true);
        if sum == Rm::Reg(to) {
            self.asm.v(VFMADD231PS, to, a, c);
        } else if a == to {
            let c = self.register_of(c);
            self.asm.v(VFMADD213PS, to, c, sum);
        } else if c == Rm::Reg(to) {
            self.asm.v(VFMADD213PS, to, a, sum);
        } else {
            self.asm.v_load(to, sum);
            self.asm.v(VFMADD231PS, to, a, c);
        }
    }

    /// The same with a factor in memory.
    fn fma_lazy(&mut self, a: ValueId, x: Rm, sum: ValueId, k: usize, to: u8) {
        let a = self.in_register(a, k, T1, true);
        let sum = self.vector(sum, k, T3, true);
        if sum == Rm::Reg(to) {
            self.asm.v(VFMADD231PS, to, a, x);
        } else if a == to {
            let sum = self.register_of(sum);
            self.asm.v(VFMADD132PS, to, sum, x);
        } else {
            self.asm.v_load(to, sum);
            self.asm.v(VFMADD231PS, to, a, x);
        }
    }

    /// An operand in a register: its own, or the one for second operands.
    fn register_of(&mut self, x: Rm) -> u8 {
        match x {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(T2, m);
                T2
            }
        }
    }
}

/// Is there code for it, with some operands at least?
pub(super) fn may_be_coded(name: LaneOp, isa: Isa) -> bool {
    match name {
        LaneOp::Compare(..) | LaneOp::Low | LaneOp::Shorten => true,
        LaneOp::Test(test) | LaneOp::Set(test, _) => tests::is_known(test, isa),
        LaneOp::FromDouble(..) => doubles::is_known(name, isa),
        _ => is_word_coded(name, isa, |_| Some(0)) || wide::is_known(name, isa, |_| Some(0)),
    }
}

/// Is there code for it where operands and result have 32 bits?
fn is_word_coded(name: LaneOp, isa: Isa, constant: impl Fn(usize) -> Option<u64>) -> bool {
    is_simple(name)
        || matches!(name, LaneOp::MulWideU16 | LaneOp::Select | LaneOp::SumOfByteDistances)
        || integers::is_known(name, isa, constant)
        || floats::is_known(name, isa)
        || special::is_known(name, isa)
        || halves::is_known(name, isa)
}

/// Is it done lane by lane with vectors alone, whatever its operands are?
pub(super) fn is_simple(name: LaneOp) -> bool {
    simple(name).is_some()
        || matches!(name, LaneOp::Copy | LaneOp::Not | LaneOp::Mul32 | LaneOp::Mad32 | LaneOp::FmaF32)
}

fn simple(name: LaneOp) -> Option<Vop> {
    Some(match name {
        LaneOp::Add32 => VPADDD,
        LaneOp::Sub32 => VPSUBD,
        LaneOp::And => VPAND,
        LaneOp::Or => VPOR,
        LaneOp::Xor => VPXOR,
        LaneOp::MinS32 => VPMINSD,
        LaneOp::MinU32 => VPMINUD,
        LaneOp::MaxS32 => VPMAXSD,
        LaneOp::MaxU32 => VPMAXUD,
        LaneOp::Shl32 => VPSLLVD,
        LaneOp::ShrU32 => VPSRLVD,
        LaneOp::ShrS32 => VPSRAVD,
        LaneOp::AddF32 => VADDPS,
        LaneOp::SubF32 => VSUBPS,
        LaneOp::MulF32 => VMULPS,
        _ => return None,
    })
}
