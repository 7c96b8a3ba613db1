//! Lane-wise operations and shuffles.

use super::*;

impl Emitter<'_> {
    pub(super) fn instruction(&mut self, pc: Pc, b: usize) {
        let inst = &self.program.code[pc as usize];
        let done = match &inst.kind {
            Kind::Converge | Kind::Nothing | Kind::Fence(_) => true,
            Kind::Row(op) => self.row(op, b, pc, inst.guard),
            Kind::Load(load) => self.load(load, b, pc, inst.guard),
            Kind::Store(store) => self.store(store, b, pc, inst.guard),
            Kind::Collective(c) => self.shuffle(c, b),
            Kind::Atomic(a) => self.add_shared(a, b, pc, inst.guard),
            _ => false,
        };
        if !done {
            self.help(pc);
        }
    }

    pub(super) fn shuffle(&mut self, c: &Collective, b: usize) -> bool {
        let Some(distance) = butterfly(self.program, c) else { return false };
        if c.predicate.is_some() {
            let p = self.plan.by_slot[&c.predicate];
            for k in 0..self.width {
                self.asm.v_load(T3, at(R15, 64));
                self.finish(p, k, b, None, T3);
            }
        }
        if !c.result.is_some() {
            return true;
        }
        let (d, a) = (self.plan.by_slot[&c.result], self.plan.read(c.sources[0]));
        let (far, near) = (distance as usize >> 3, distance & 7);
        let order = (near != 0).then(|| self.constant_row(std::array::from_fn(|i| i as u32 ^ near)));
        // Where the result has the source's registers, all of it is read before any is written.
        let in_place = self.home[d].is_some() && self.home[d] == self.home[a] || d == a;
        let temps = [T1, T2, T3, MASK];
        let mut from = Vec::new();
        for k in 0..self.width {
            let chunk = k ^ far;
            let r = if in_place {
                let r = self.in_register(a, chunk, temps[k], false);
                if r != temps[k] {
                    self.asm.v_load(temps[k], Rm::Reg(r));
                }
                temps[k]
            } else {
                self.in_register(a, chunk, T3, false)
            };
            if in_place {
                from.push(r);
                continue;
            }
            self.place_shuffled(d, k, b, r, order);
        }
        for (k, r) in from.into_iter().enumerate() {
            self.place_shuffled(d, k, b, r, order);
        }
        true
    }

    pub(super) fn place_shuffled(&mut self, d: ValueId, k: usize, b: usize, r: u8, order: Option<Mem>) {
        let to = self.home[d].map_or(r, |h| h + k as u8);
        match order {
            Some(order) if self.home[d].is_some() => {
                // The indices go where the result goes.
                self.asm.v_load(to, order);
                self.asm.v(VPERMD, to, to, Rm::Reg(r));
            }
            Some(order) => {
                let temp = if r == T3 { T1 } else { T3 };
                self.asm.v_load(temp, order);
                self.asm.v(VPERMD, temp, temp, Rm::Reg(r));
                self.finish(d, k, b, None, temp);
                return;
            }
            None => {}
        }
        let result = if order.is_some() { to } else { r };
        self.finish(d, k, b, None, result);
    }

    pub(super) fn row(&mut self, op: &RowOp, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let Some(name) = op.name else { return false };
        if !op.slots[0].is_some() || op.slots[1].is_some() {
            return false;
        }
        let d = self.plan.by_slot[&op.slots[0]];
        let sources: Vec<ValueId> =
            (2..6).filter(|&i| op.classes[i].is_some()).map(|i| self.plan.read(op.slots[i])).collect();
        if self.value(d).alias != d {
            return self.copy_row(d, sources[0]);
        }
        if self.is_scalar(d) {
            self.scalar_row(name, d, &sources, pc);
            return true;
        }
        if guard.is_some_and(|g| !self.plan.parts(g)) {
            return false;
        }
        if self.value(d).class == Class::R64 {
            return self.wide_row(name, d, &sources, b, guard);
        }
        if sources.iter().any(|&s| self.value(s).class == Class::R64) && name != LaneOp::Low {
            return false;
        }
        if self.value(d).class == Class::Pred {
            self.pred_row(name, d, &sources, b, guard)
        } else {
            self.vector_row(name, d, &sources, b, guard)
        }
    }

    /// The row of a copy of a preset: the interpreter may look at it.
    pub(super) fn copy_row(&mut self, d: ValueId, from: ValueId) -> bool {
        for k in 0..self.width {
            match self.value(d).class {
                Class::R32 => {
                    let (from, to) = (self.row32(from, k), self.row32(d, k));
                    self.asm.v_load(T1, from);
                    self.asm.v_store(to, T1);
                }
                Class::R64 => {
                    for half in [0, 32] {
                        let (mut from, mut to) = (self.row64(from, k), self.row64(d, k));
                        from.disp += half;
                        to.disp += half;
                        self.asm.v_load(T1, from);
                        self.asm.v_store(to, T1);
                    }
                }
                _ => {
                    let (from, to) = (self.row_pred(from, k), self.row_pred(d, k));
                    self.asm.load_byte(RAX, from);
                    self.asm.store_byte(to, RAX);
                }
            }
        }
        true
    }

    /// Loads a scalar; of 64 bits where `wide`.
    pub(super) fn get(&mut self, to: Gpr, v: ValueId, k: usize, wide: bool) {
        if let Some(c) = self.plan.constant(v) {
            self.asm.constant(to, if wide { c } else { c & 0xffff_ffff });
            return;
        }
        let from = self.scalar(v, k);
        self.asm.load(wide, to, from);
    }

    pub(super) fn scalar_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], pc: Pc) {
        let count = if self.value(d).shape == UNIFORM { 1 } else { self.width };
        let wide_source = self.value(s[0]).class == Class::R64;
        for k in 0..count {
            let wide = wide_source && name != LaneOp::Low;
            match name {
                LaneOp::Copy if self.value(d).class == Class::Pred => {
                    let from =
                        if self.value(s[0]).preset.is_some() { self.row_pred(s[0], 0) } else { self.scalar(s[0], 0) };
                    self.asm.load(false, RAX, from);
                }
                LaneOp::MulWideS | LaneOp::SignExtend => {
                    self.check_range(s, k, pc, true);
                    self.get(RAX, s[0], k, false);
                    self.asm.sign_extend(RAX, Rm::Reg(RAX));
                    if name == LaneOp::MulWideS {
                        self.get(RCX, s[1], k, false);
                        self.asm.sign_extend(RCX, Rm::Reg(RCX));
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::MulWideU | LaneOp::ZeroExtend => {
                    self.check_range(s, k, pc, false);
                    self.get(RAX, s[0], k, false);
                    if name == LaneOp::MulWideU {
                        self.get(RCX, s[1], k, false);
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::Compare(relation, compared) => {
                    self.get(RAX, s[0], k, false);
                    self.get(RCX, s[1], k, false);
                    self.asm.alu(Alu::Cmp, false, RAX, Rm::Reg(RCX));
                    self.asm.set(condition(relation, compared), RAX);
                    self.negate();
                }
                _ => {
                    self.get(RAX, s[0], k, wide_source);
                    let shift = s.get(1).and_then(|&v| self.plan.constant(v)).unwrap_or(0) as u8;
                    let is_shift = matches!(
                        name,
                        LaneOp::Shl32 | LaneOp::Shl64 | LaneOp::ShrU32 | LaneOp::ShrS32 | LaneOp::ShrU64
                    );
                    if s.len() > 1 && !is_shift {
                        self.get(RCX, s[1], k, wide_source);
                    }
                    match name {
                        LaneOp::Add32 | LaneOp::Add64 => self.asm.alu(Alu::Add, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Sub32 | LaneOp::Sub64 => self.asm.alu(Alu::Sub, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::And => self.asm.alu(Alu::And, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Or => self.asm.alu(Alu::Or, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Xor => self.asm.alu(Alu::Xor, wide, RAX, Rm::Reg(RCX)),
                        LaneOp::Not => self.asm.not(wide, RAX),
                        LaneOp::Mul32 => self.asm.imul(false, RAX, Rm::Reg(RCX)),
                        LaneOp::Mad32 => {
                            self.asm.imul(false, RAX, Rm::Reg(RCX));
                            self.get(RCX, s[2], k, false);
                            self.asm.alu(Alu::Add, false, RAX, Rm::Reg(RCX));
                        }
                        LaneOp::Shl32 | LaneOp::Shl64 => self.asm.shift(4, wide, RAX, shift),
                        LaneOp::ShrU32 | LaneOp::ShrU64 => self.asm.shift(5, wide, RAX, shift),
                        LaneOp::ShrS32 => self.asm.shift(7, wide, RAX, shift),
                        _ => {}
                    }
                }
            }
            let to = self.scalar(d, k);
            self.asm.store(true, to, RAX);
        }
    }

    /// Leaves where a 32-bit scalar with a step passes the end of its range within the chunk: the wide result would not
    /// have a step.
    pub(super) fn check_range(&mut self, s: &[ValueId], k: usize, pc: Pc, signed: bool) {
        for &v in s {
            let far = 7 * self.step(v);
            if far == 0 {
                continue;
            }
            let out = self.leave_label(pc);
            self.get(RAX, v, k, false);
            if far > 0 {
                self.asm.alu_constant(Alu::Add, false, Rm::Reg(RAX), far as i32);
            } else {
                self.asm.alu_constant(Alu::Sub, false, Rm::Reg(RAX), -far as i32);
            }
            self.asm.jump_if(if signed { Cc::Overflow } else { Cc::Below }, out);
        }
    }

    pub(super) fn vector_row(
        &mut self,
        name: LaneOp,
        d: ValueId,
        s: &[ValueId],
        b: usize,
        guard: Option<Guard>,
    ) -> bool {
        let simple = match name {
            LaneOp::Add32 => Some(VPADDD),
            LaneOp::Sub32 => Some(VPSUBD),
            LaneOp::Mul32 => Some(VPMULLD),
            LaneOp::And => Some(VPAND),
            LaneOp::Or => Some(VPOR),
            LaneOp::Xor => Some(VPXOR),
            LaneOp::MinS32 => Some(VPMINSD),
            LaneOp::MinU32 => Some(VPMINUD),
            LaneOp::MaxS32 => Some(VPMAXSD),
            LaneOp::MaxU32 => Some(VPMAXUD),
            LaneOp::Shl32 => Some(VPSLLVD),
            LaneOp::ShrU32 => Some(VPSRLVD),
            LaneOp::ShrS32 => Some(VPSRAVD),
            LaneOp::AddF32 => Some(VADDPS),
            LaneOp::SubF32 => Some(VSUBPS),
            LaneOp::MulF32 => Some(VMULPS),
            _ => None,
        };
        let float = matches!(name, LaneOp::AddF32 | LaneOp::SubF32 | LaneOp::MulF32 | LaneOp::FmaF32);
        let blends = guard.is_some() || self.plan.keeps_sleepers(d, b);
        for k in 0..self.width {
            let to = self.target(d, k, blends);
            match (simple, name) {
                (Some(op), _) => {
                    let amount = s.get(1).and_then(|&v| self.plan.constant(v)).filter(|&c| c < 32).map(|c| c as u8);
                    let digit = match name {
                        LaneOp::Shl32 => 6,
                        LaneOp::ShrU32 => 2,
                        LaneOp::ShrS32 => 4,
                        _ => 0,
                    };
                    let a = self.in_register(s[0], k, T1, float);
                    match amount {
                        Some(n) if digit != 0 => self.asm.v_shift(digit, false, to, a, n),
                        _ => {
                            let c = self.vector(s[1], k, T2, float);
                            self.asm.v(op, to, a, c);
                        }
                    }
                }
                (_, LaneOp::Copy) => {
                    let a = self.vector(s[0], k, T1, self.raw[d]);
                    self.asm.v_load(to, a);
                }
                (_, LaneOp::Not) => {
                    let a = self.in_register(s[0], k, T1, false);
                    self.asm.v(VPXOR, to, a, at(R15, 64));
                }
                (_, LaneOp::Mad32) => {
                    let a = self.in_register(s[0], k, T1, false);
                    let c = self.vector(s[1], k, T2, false);
                    self.asm.v(VPMULLD, T1, a, c);
                    let c = self.vector(s[2], k, T2, false);
                    self.asm.v(VPADDD, to, T1, c);
                }
                (_, LaneOp::FmaF32) => self.fma(s, k, to),
                (_, LaneOp::Select) => {
                    // The operands first: making one canonical uses the mask register.
                    let yes = self.in_register(s[0], k, T1, false);
                    let no = self.in_register(s[1], k, T2, false);
                    let p = self.predicate(s[2], k, MASK);
                    self.asm.v_blend(to, no, Rm::Reg(yes), p);
                }
                (_, LaneOp::SumOfByteDistances) => {
                    let x = self.in_register(s[0], k, T1, false);
                    let y = self.vector(s[1], k, T2, false);
                    self.asm.v(VPMINUB, MASK, x, y);
                    self.asm.v(VPMAXUB, T1, x, y);
                    self.asm.v(VPSUBB, T1, T1, Rm::Reg(MASK));
                    let ones = self.constant_row([0x0101_0101; 8]);
                    self.asm.v(VPMADDUBSW, T1, T1, ones);
                    let ones = self.constant_row([0x0001_0001; 8]);
                    self.asm.v(VPMADDWD, T1, T1, ones);
                    let c = self.vector(s[2], k, T2, false);
                    self.asm.v(VPADDD, to, T1, c);
                }
                (_, LaneOp::Low) => return false,
                _ => return false,
            }
            if float && !self.raw[d] {
                self.canonical(to, Rm::Reg(to));
            }
            self.finish(d, k, b, guard, to);
        }
        true
    }

    pub(super) fn fma(&mut self, s: &[ValueId], k: usize, to: u8) {
        let a = self.in_register(s[0], k, T1, true);
        let c = self.vector(s[1], k, T2, true);
        let sum = self.vector(s[2], k, T3, true);
        if sum == Rm::Reg(to) {
            self.asm.v(VFMADD231PS, to, a, c);
        } else if a == to || c == Rm::Reg(to) {
            self.asm.v_load(T3, sum);
            self.asm.v(VFMADD231PS, T3, a, c);
            self.asm.v_load(to, Rm::Reg(T3));
        } else {
            self.asm.v_load(to, sum);
            self.asm.v(VFMADD231PS, to, a, c);
        }
    }

    pub(super) fn pred_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        let blends = guard.is_some() || self.plan.keeps_sleepers(d, b);
        for k in 0..self.width {
            let to = self.target(d, k, blends);
            match name {
                LaneOp::Compare(relation, compared) => self.compare(relation, compared, s, k, to),
                LaneOp::And | LaneOp::Or | LaneOp::Xor if self.value(s[0]).class == Class::Pred => {
                    let a = self.predicate(s[0], k, T1);
                    let c = self.predicate(s[1], k, T2);
                    let op = match name {
                        LaneOp::And => VPAND,
                        LaneOp::Or => VPOR,
                        _ => VPXOR,
                    };
                    self.asm.v(op, to, a, Rm::Reg(c));
                }
                LaneOp::Not => {
                    let a = self.predicate(s[0], k, T1);
                    self.asm.v(VPXOR, to, a, at(R15, 64));
                }
                LaneOp::Copy => {
                    let a = self.predicate(s[0], k, T1);
                    self.asm.v_load(to, Rm::Reg(a));
                }
                _ => return false,
            }
            self.finish(d, k, b, guard, to);
        }
        true
    }

    pub(super) fn compare(&mut self, relation: Relation, compared: Compared, s: &[ValueId], k: usize, to: u8) {
        use Relation as R;
        if compared == Compared::F32 {
            let imm = match relation {
                R::Eq => 0,
                R::Ne => 12,
                R::Lt => 17,
                R::Le => 18,
                R::Gt => 30,
                R::Ge => 29,
            };
            // A raw NaN compares as a canonical one.
            let a = self.in_register(s[0], k, T1, true);
            let c = self.vector(s[1], k, T2, true);
            self.asm.v_imm(VCMPPS, to, a, c, imm);
            return;
        }
        if matches!(relation, R::Eq | R::Ne) {
            let a = self.in_register(s[0], k, T1, false);
            let c = self.vector(s[1], k, T2, false);
            self.asm.v(VPCMPEQD, to, a, c);
        } else {
            // a > b, or b > a; the other two are their opposites.
            let (x, y) = if matches!(relation, R::Gt | R::Le) { (s[0], s[1]) } else { (s[1], s[0]) };
            let (mut left, mut right) = (Rm::Reg(self.in_register(x, k, T1, false)), self.vector(y, k, T2, false));
            if compared == Compared::U32 {
                let top = self.constant_row([1 << 31; 8]);
                left = self.flip(x, left, T1, top);
                right = self.flip(y, right, T2, top);
            }
            let left = match left {
                Rm::Reg(r) => r,
                m => {
                    self.asm.v_load(T1, m);
                    T1
                }
            };
            self.asm.v(VPCMPGTD, to, left, right);
        }
        if matches!(relation, R::Ne | R::Le | R::Ge) {
            self.asm.v(VPXOR, to, to, at(R15, 64));
        }
    }

    /// Turns the order of unsigned numbers into that of signed ones.
    pub(super) fn flip(&mut self, v: ValueId, x: Rm, temp: u8, top: Mem) -> Rm {
        if let Some(c) = self.plan.constant(v) {
            return self.constant_row([c as u32 ^ 1 << 31; 8]).into();
        }
        match x {
            Rm::Reg(r) => self.asm.v(VPXOR, temp, r, top),
            m => {
                self.asm.v_load(temp, m);
                self.asm.v(VPXOR, temp, temp, top);
            }
        }
        Rm::Reg(temp)
    }

    /// Results of 64 bits that vary: sums, and extensions and products of 32-bit values.
    pub(super) fn wide_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        if guard.is_some() || self.plan.keeps_sleepers(d, b) {
            return false;
        }
        let narrow = |e: &Self, v: ValueId| {
            e.value(v).class == Class::R32 && !e.is_scalar(v) && e.home[v].is_none() && !e.raw[v]
        };
        match name {
            LaneOp::Add64 => {}
            LaneOp::SignExtend | LaneOp::ZeroExtend | LaneOp::MulWideS | LaneOp::MulWideU => {
                // Their sources are read half a chunk at a time, from memory.
                for &v in s {
                    if !narrow(self, v) && self.value(v).preset.is_none() {
                        self.spill(v);
                    }
                }
            }
            _ => return false,
        }
        for k in 0..self.width {
            for half in 0..2 {
                let mut to = self.row64(d, k);
                to.disp += 32 * half;
                if name == LaneOp::Add64 {
                    self.half64(s[0], k, half, T1);
                    self.half64(s[1], k, half, T2);
                    self.asm.v(VPADDQ, T1, T1, Rm::Reg(T2));
                } else {
                    let signed = matches!(name, LaneOp::SignExtend | LaneOp::MulWideS);
                    let extend = if signed { VPMOVSXDQ } else { VPMOVZXDQ };
                    for (&v, temp) in s.iter().zip([T1, T2]) {
                        let mut from = self.row32(v, k);
                        from.disp += 16 * half;
                        self.asm.v1(extend, temp, from);
                    }
                    if s.len() > 1 {
                        self.asm.v(if signed { VPMULDQ } else { VPMULUDQ }, T1, T1, Rm::Reg(T2));
                    }
                }
                self.asm.v_store(to, T1);
            }
        }
        true
    }

    /// Writes a 32-bit value to its row, where it may be read in halves.
    pub(super) fn spill(&mut self, v: ValueId) {
        self.sync(v, false);
    }

    pub(super) fn half64(&mut self, v: ValueId, k: usize, half: i32, temp: u8) {
        if self.is_scalar(v) {
            let from = self.scalar(v, k);
            self.asm.v1(VPBROADCASTQ, temp, from);
            let step = self.step(v);
            if step != 0 {
                let steps = self.constant_row(std::array::from_fn(|i| {
                    let x = step * (4 * i64::from(half) + i as i64 / 2);
                    if i % 2 == 0 { x as u32 } else { (x >> 32) as u32 }
                }));
                self.asm.v(VPADDQ, temp, temp, steps);
            }
        } else {
            let mut from = self.row64(v, k);
            from.disp += 32 * half;
            self.asm.v_load(temp, from);
        }
    }
}

fn condition(relation: Relation, compared: Compared) -> Cc {
    match (relation, compared == Compared::U32) {
        (Relation::Eq, _) => Cc::Zero,
        (Relation::Ne, _) => Cc::NotZero,
        (Relation::Lt, true) => Cc::Below,
        (Relation::Le, true) => Cc::NotAbove,
        (Relation::Gt, true) => Cc::Above,
        (Relation::Ge, true) => Cc::NotBelow,
        (Relation::Lt, false) => Cc::Less,
        (Relation::Le, false) => Cc::NotGreater,
        (Relation::Gt, false) => Cc::Greater,
        (Relation::Ge, false) => Cc::NotLess,
    }
}
