//! Values that are one number a chunk or a warp: in memory, computed in general registers.

use super::*;

impl Emitter<'_> {
    pub(super) fn is_vector(&self, v: ValueId) -> bool {
        let value = self.value(v);
        value.preset.is_none()
            && value.alias == v
            && value.shape == Shape::Varying
            && matches!(value.class, Class::R32 | Class::Pred)
    }

    pub(super) fn is_scalar(&self, v: ValueId) -> bool {
        let value = self.value(v);
        value.preset.is_none() && value.alias == v && matches!(value.shape, Shape::Scalar { .. })
    }

    /// How many numbers a scalar is: one where those of all chunks follow from the first.
    pub(super) fn scalar_count(&self, v: ValueId) -> usize {
        if self.plan.steps(v).1.is_some() { 1 } else { self.own_width() }
    }

    pub(super) fn step(&self, v: ValueId) -> i64 {
        self.plan.steps(v).0
    }

    /// What to add to [`Emitter::scalar`] for chunk `k`.
    pub(super) fn far_of(&self, v: ValueId, k: usize) -> i64 {
        let value = self.value(v);
        let has_row = value.preset.is_some() && value.uniform.is_none();
        if has_row { 0 } else { self.plan.steps(v).1.unwrap_or(0) * self.warp_of(k).1 as i64 }
    }

    /// Where a scalar of chunk `k` is, less [`Emitter::far_of`]; of a preset row, its first lane.
    pub(super) fn scalar(&self, v: ValueId, k: usize) -> Mem {
        let value = self.value(v);
        if let Some(n) = value.uniform {
            return at(R8, 8 * n as i32);
        }
        if value.preset.is_some() {
            return if value.class == Class::R64 { self.row64(v, k, 0) } else { self.row32(v, k) };
        }
        let (warp, k) = self.warp_of(k);
        let base = if warp == 1 { R13 } else { RBP };
        at(base, self.stack[v] + if self.plan.steps(v).1.is_some() { 0 } else { 8 * k as i32 })
    }

    /// Loads a scalar; of 64 bits where `wide`.
    pub(super) fn get(&mut self, to: Gpr, v: ValueId, k: usize, wide: bool) {
        if let Some(c) = self.plan.constant(v) {
            self.asm.constant(to, if wide { c } else { c & 0xffff_ffff });
            return;
        }
        if let Some(r) = self.kept(self.what(v, k)) {
            self.asm.mov(wide, to, r);
        } else {
            let from = self.scalar(v, k);
            self.asm.load(wide, to, from);
        }
        let far = self.far_of(v, k);
        if far != 0 {
            self.asm.alu_constant(Alu::Add, wide, Rm::Reg(to), far as i32);
        }
    }

    /// `to op= v`
    fn combine(&mut self, op: Alu, to: Gpr, v: ValueId, k: usize, wide: bool) {
        match self.plan.constant(v) {
            Some(c) if !wide => self.asm.alu_constant(op, false, Rm::Reg(to), c as u32 as i32),
            Some(c) if i32::try_from(c as i64).is_ok() => self.asm.alu_constant(op, true, Rm::Reg(to), c as i32),
            None if self.far_of(v, k) == 0 => {
                let from = match self.kept(self.what(v, k)) {
                    Some(r) => Rm::Reg(r),
                    None => self.scalar(v, k).into(),
                };
                self.asm.alu(op, wide, to, from);
            }
            _ => {
                self.get(RCX, v, k, wide);
                self.asm.alu(op, wide, to, Rm::Reg(RCX));
            }
        }
    }

    pub(super) fn scalar_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], pc: Pc) {
        let wide_source = self.value(s[0]).class == Class::R64;
        let wide = wide_source && name != LaneOp::Low;
        if self.is_step(name, d, s, pc) {
            return self.add_in_place(d, s[1], wide);
        }
        for k in 0..self.scalar_count(d) {
            match name {
                LaneOp::Copy if self.value(d).class == Class::Pred => {
                    if self.value(s[0]).preset.is_some() {
                        let from = self.row_pred(s[0], 0);
                        self.asm.load_byte(RAX, from);
                        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
                        self.asm.negate(RAX);
                    } else {
                        let from = self.scalar(s[0], 0);
                        self.asm.load(false, RAX, from);
                    }
                }
                LaneOp::MulWideS | LaneOp::SignExtend => {
                    self.check_range(d, s, k, pc, true);
                    self.get(RAX, s[0], k, false);
                    self.asm.sign_extend(RAX, Rm::Reg(RAX));
                    if name == LaneOp::MulWideS {
                        self.get(RCX, s[1], k, false);
                        self.asm.sign_extend(RCX, Rm::Reg(RCX));
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::MulWideU | LaneOp::ZeroExtend => {
                    self.check_range(d, s, k, pc, false);
                    self.get(RAX, s[0], k, false);
                    if name == LaneOp::MulWideU {
                        self.get(RCX, s[1], k, false);
                        self.asm.imul(true, RAX, Rm::Reg(RCX));
                    }
                }
                LaneOp::Compare(relation, compared) => {
                    let holds = self.scalar_compare(relation, compared, s, k);
                    self.asm.set(holds, RAX);
                    self.asm.negate(RAX);
                }
                _ => self.scalar_arithmetic(name, s, k, wide, wide_source),
            }
            self.put_scalar(d, k);
        }
    }

    /// The scalar of a chunk is the number in `rax`.
    pub(super) fn put_scalar(&mut self, d: ValueId, k: usize) {
        let to = self.scalar(d, k);
        self.asm.store(true, to, RAX);
        self.check_hoisted(d, k);
        if self.value(d).class != Class::Pred {
            let r = self.keep(What::Scalar(d, k), to);
            self.asm.mov(true, r, RAX);
        }
    }

    /// Does a value grow by another that is the same in all lanes, with nobody who asks for it in the rest of the block?
    fn is_step(&self, name: LaneOp, d: ValueId, s: &[ValueId], pc: Pc) -> bool {
        let end = self.plan.blocks[self.plan.block_of[pc as usize]].end;
        let is_asked = |pc: Pc| self.plan.operands(self.program, pc, Role::Read).any(|v| v == d);
        matches!(name, LaneOp::Add32 | LaneOp::Add64)
            && s[0] == d
            && s[1] != d
            && self.value(s[1]).shape == UNIFORM
            && !self.hoisted.keys().any(|&(v, _)| v == d)
            && !(pc + 1..end).any(is_asked)
    }

    fn add_in_place(&mut self, d: ValueId, by: ValueId, wide: bool) {
        let small = self.plan.constant(by).and_then(|c| {
            let signed = if wide { c as i64 } else { i64::from(c as i32) };
            i32::try_from(signed).ok()
        });
        if small.is_none() {
            self.get(RAX, by, 0, wide);
        }
        self.kept.retain(|kept| !matches!(kept.what, What::Scalar(v, _) if v == d));
        for k in 0..self.scalar_count(d) {
            let to = self.scalar(d, k);
            match small {
                Some(c) => self.asm.alu_constant(Alu::Add, wide, to, c),
                None => self.asm.alu_store(Alu::Add, wide, to, RAX),
            }
        }
    }

    fn scalar_compare(&mut self, relation: Relation, compared: Compared, s: &[ValueId], k: usize) -> Cc {
        self.get(RAX, s[0], k, false);
        self.combine(Alu::Cmp, RAX, s[1], k, false);
        condition(relation, compared)
    }

    /// The comparison of scalars at a place, without a result: gives when it holds.
    pub(super) fn compare_scalars(&mut self, pc: Pc) -> Cc {
        let Kind::Row(op) = &self.program.code[pc as usize].kind else { return Cc::Zero };
        let Some(LaneOp::Compare(relation, compared)) = op.name else { return Cc::Zero };
        let s = [self.plan.read(op.slots[2]), self.plan.read(op.slots[3])];
        self.scalar_compare(relation, compared, &s, 0)
    }

    /// The chunk whose number stands for chunk `k`.
    pub(super) fn number_of(&self, v: ValueId, k: usize) -> usize {
        if self.plan.steps(v).1.is_some() { k - self.warp_of(k).1 } else { k }
    }

    /// What stands for a scalar of a chunk there.
    fn what(&self, v: ValueId, k: usize) -> What {
        What::Scalar(v, self.number_of(v, k))
    }

    /// The register that holds something.
    pub(super) fn kept(&mut self, what: What) -> Option<Gpr> {
        let n = self.kept.iter().position(|kept| kept.what == what)?;
        let found = self.kept.remove(n);
        self.kept.push(found);
        Some(found.register)
    }

    /// A register to hold something from now on, instead of what was used least lately. The caller fills it.
    pub(super) fn keep(&mut self, what: What, from: Mem) -> Gpr {
        // Rows of a whole warp start at the same place.
        let all: &[Gpr] = match (self.is_twin, self.has_halves()) {
            (true, _) => &[RSI, RDI, RBX, R12],
            (_, true) => &[RSI, RDI],
            _ => &[RSI, RDI, R12, R13],
        };
        let free = |r: &&Gpr| self.kept.iter().all(|kept| kept.register != **r);
        let register = match self.kept.iter().position(|kept| kept.what == what) {
            Some(n) => self.kept.remove(n).register,
            None => match all.iter().find(free) {
                Some(&r) => r,
                None => self.kept.remove(0).register,
            },
        };
        self.kept.push(Kept { register, what, from });
        register
    }

    /// Fills registers again.
    pub(super) fn restore(&mut self, list: &[Kept]) {
        for kept in list {
            self.asm.load(true, kept.register, kept.from);
        }
    }

    fn scalar_arithmetic(&mut self, name: LaneOp, s: &[ValueId], k: usize, wide: bool, wide_source: bool) {
        self.get(RAX, s[0], k, wide_source);
        let shift = s.get(1).and_then(|&v| self.plan.constant(v)).unwrap_or(0) as u8;
        match name {
            LaneOp::Add32 | LaneOp::Add64 => self.combine(Alu::Add, RAX, s[1], k, wide),
            LaneOp::Sub32 | LaneOp::Sub64 => self.combine(Alu::Sub, RAX, s[1], k, wide),
            LaneOp::And => self.combine(Alu::And, RAX, s[1], k, wide),
            LaneOp::Or => self.combine(Alu::Or, RAX, s[1], k, wide),
            LaneOp::Xor => self.combine(Alu::Xor, RAX, s[1], k, wide),
            LaneOp::Not => self.asm.not(wide, RAX),
            LaneOp::Mul32 | LaneOp::Mad32 => {
                self.get(RCX, s[1], k, false);
                self.asm.imul(false, RAX, Rm::Reg(RCX));
                if name == LaneOp::Mad32 {
                    self.combine(Alu::Add, RAX, s[2], k, false);
                }
            }
            LaneOp::Shl32 | LaneOp::Shl64 => self.asm.shift(4, wide, RAX, shift),
            LaneOp::ShrU32 | LaneOp::ShrU64 => self.asm.shift(5, wide, RAX, shift),
            LaneOp::ShrS32 => self.asm.shift(7, wide, RAX, shift),
            _ => {}
        }
    }

    /// How far below and above its first lane a scalar gets in chunk `k`, or in all chunks where one number stands for all.
    pub(super) fn extent(&self, v: ValueId, whole: bool) -> (i64, i64) {
        let (step, far) = self.plan.steps(v);
        let lanes = (self.isa.lanes() - 1) as i64 * step;
        let chunks = if whole { (self.own_width() - 1) as i64 * far.unwrap_or(0) } else { 0 };
        (lanes.min(0) + chunks.min(0), lanes.max(0) + chunks.max(0))
    }

    /// Leaves where a 32-bit scalar with a step passes the end of its range within the lanes that the result stands for:
    /// the wide result would not have a step.
    fn check_range(&mut self, d: ValueId, s: &[ValueId], k: usize, pc: Pc, signed: bool) {
        let whole = self.plan.steps(d).1.is_some();
        for &v in s {
            let (low, high) = self.extent(v, whole);
            if (low, high) == (0, 0) {
                continue;
            }
            let out = self.leave_label(pc);
            let wrong = if signed { Cc::Overflow } else { Cc::Below };
            for (far, op) in [(high, Alu::Add), (-low, Alu::Sub)] {
                if far != 0 {
                    self.get(RAX, v, k, false);
                    self.asm.alu_constant(op, false, Rm::Reg(RAX), far as i32);
                    self.asm.jump_if(wrong, out);
                }
            }
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
