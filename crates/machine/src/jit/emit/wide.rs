//! Values of 64 bits that vary: in their rows, computed half a chunk at a time.

use super::*;

/// Is it done here, with a 64-bit result?
pub(super) fn is_known(name: LaneOp, isa: Isa, constant: impl Fn(usize) -> Option<u64>) -> bool {
    use LaneOp as L;
    match name {
        L::Copy | L::Add64 | L::Sub64 | L::And | L::Or | L::Xor | L::Not | L::Neg64 | L::Select64 => true,
        L::SignExtend | L::ZeroExtend | L::MulWideS | L::MulWideU | L::MadWideS | L::MadWideU => true,
        L::Shl64 | L::ShrU64 => true,
        L::Mul64 | L::Mad64 | L::MinS64 | L::MinU64 | L::MaxS64 | L::MaxU64 => isa == Isa::Avx512,
        L::ShrS64 => isa == Isa::Avx512 || constant(1).is_some_and(|c| c as u32 == 0),
        _ => super::doubles::is_known(name, isa),
    }
}

impl Emitter<'_> {
    /// A 64-bit result.
    pub(super) fn wide_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) {
        for k in 0..self.width {
            for half in 0..2 {
                self.wide_half(name, s, k, half, T1);
                self.store_wide(d, k, half, b, guard, T1);
            }
        }
    }

    /// Half a chunk goes to its row, for the lanes that are to have it.
    pub(super) fn store_wide(&mut self, d: ValueId, k: usize, half: i32, b: usize, guard: Option<Guard>, from: u8) {
        let row = self.row64(d, k, half);
        if guard.is_none() && !self.keeps_sleepers(d, b) {
            return self.asm.v_store(row, from);
        }
        let is_upper = half == 1;
        match self.isa {
            Isa::Avx512 => {
                self.lanes_in_m1(b, guard, k);
                if is_upper {
                    self.asm.m_upper(M1, M1);
                }
                self.asm.v_store_masked_wide(row, from, M1);
            }
            Isa::Avx2 => {
                // Masks and second operands share registers.
                self.asm.v_load(T3, Rm::Reg(from));
                self.lanes_in_m1(b, guard, k);
                if is_upper {
                    self.asm.upper_half(M1, M1);
                }
                self.asm.v1(VPMOVSXDQ, M1, Rm::Reg(M1));
                self.asm.v_load(T2, row);
                self.asm.v_blend(T2, T2, Rm::Reg(T3), M1);
                self.asm.v_store(row, T2);
            }
        }
    }

    /// Half a chunk of a result.
    pub(super) fn wide_half(&mut self, name: LaneOp, s: &[ValueId], k: usize, half: i32, to: u8) {
        use LaneOp as L;
        match name {
            L::SignExtend | L::ZeroExtend => self.extend(s[0], k, half, name == L::SignExtend, to),
            L::MulWideS | L::MulWideU | L::MadWideS | L::MadWideU => {
                let signed = matches!(name, L::MulWideS | L::MadWideS);
                self.extend(s[0], k, half, signed, T1);
                self.extend(s[1], k, half, signed, T2);
                self.asm.v(if signed { VPMULDQ } else { VPMULUDQ }, to, T1, Rm::Reg(T2));
                if let Some(&sum) = s.get(2) {
                    let c = self.wide_source(sum, k, half, T2);
                    self.asm.v(VPADDQ, to, to, Rm::Reg(c));
                }
            }
            L::Select64 => self.select_wide(s, k, half, to),
            L::Shl64 | L::ShrU64 | L::ShrS64 => self.shift_wide(name, s, k, half, to),
            L::Double(_) | L::Lengthen | L::ToDouble(_) => self.double_half(name, s, k, half, to),
            _ => {
                let a = self.wide_source(s[0], k, half, T1);
                self.wide_operation(name, s, a, k, half, to);
            }
        }
    }

    fn wide_operation(&mut self, name: LaneOp, s: &[ValueId], a: u8, k: usize, half: i32, to: u8) {
        let op = match name {
            LaneOp::Add64 => VPADDQ,
            LaneOp::Sub64 => VPSUBQ,
            LaneOp::And => VPAND,
            LaneOp::Or => VPOR,
            LaneOp::Xor => VPXOR,
            LaneOp::Mul64 | LaneOp::Mad64 => VPMULLQ,
            LaneOp::MinS64 => VPMINSQ,
            LaneOp::MinU64 => VPMINUQ,
            LaneOp::MaxS64 => VPMAXSQ,
            LaneOp::MaxU64 => VPMAXUQ,
            LaneOp::Not => {
                let ones = self.ones();
                return self.asm.v(VPXOR, to, a, ones);
            }
            LaneOp::Neg64 => {
                self.asm.v(VPXOR, T2, T2, Rm::Reg(T2));
                return self.asm.v(VPSUBQ, to, T2, Rm::Reg(a));
            }
            _ => return self.move_to(to, a),
        };
        let c = self.wide_source(s[1], k, half, T2);
        if name == LaneOp::Mad64 {
            self.asm.v(op, T1, a, Rm::Reg(c));
            let sum = self.wide_source(s[2], k, half, T2);
            return self.asm.v(VPADDQ, to, T1, Rm::Reg(sum));
        }
        self.asm.v(op, to, a, Rm::Reg(c));
    }

    fn shift_wide(&mut self, name: LaneOp, s: &[ValueId], k: usize, half: i32, to: u8) {
        let a = self.wide_source(s[0], k, half, T1);
        let amount = self.plan.constant(s[1]).map(|c| c as u32).filter(|&c| c < 64).map(|c| c as u8);
        let (digit, op) = match name {
            LaneOp::Shl64 => (6, VPSLLVQ),
            LaneOp::ShrU64 => (2, VPSRLVQ),
            _ if self.isa == Isa::Avx2 => return self.move_to(to, a),
            _ => (0, VPSRAVQ),
        };
        match amount {
            Some(n) if digit != 0 => self.asm.v_shift_wide(digit, to, a, n),
            _ => {
                self.extend(s[1], k, half, false, T2);
                self.asm.v(op, to, a, Rm::Reg(T2));
            }
        }
    }

    fn select_wide(&mut self, s: &[ValueId], k: usize, half: i32, to: u8) {
        let yes = self.wide_source(s[0], k, half, T1);
        let no = self.wide_source(s[1], k, half, T2);
        match self.isa {
            Isa::Avx512 => {
                let mut p = self.predicate(s[2], k, M1);
                if half == 1 {
                    self.asm.m_upper(M1, p);
                    p = M1;
                }
                self.asm.v_blend_wide(to, no, yes, p);
            }
            Isa::Avx2 => {
                let p = self.predicate(s[2], k, M1);
                if half == 1 {
                    self.asm.upper_half(M1, p);
                    self.asm.v1(VPMOVSXDQ, M1, Rm::Reg(M1));
                } else {
                    self.asm.v1(VPMOVSXDQ, M1, Rm::Reg(p));
                }
                self.asm.v_blend(to, no, Rm::Reg(yes), M1);
            }
        }
    }

    /// Half a chunk of a 32-bit value, extended.
    fn extend(&mut self, v: ValueId, k: usize, half: i32, signed: bool, to: u8) {
        let op = if signed { VPMOVSXDQ } else { VPMOVZXDQ };
        let from = match self.vector(v, k, to, false) {
            Rm::Mem(mut m) => {
                m.disp += self.isa.vector_bytes() / 2 * half;
                Rm::Mem(m)
            }
            Rm::Each(m) => {
                self.asm.v1(VPBROADCASTD, to, m);
                Rm::Reg(to)
            }
            Rm::Reg(r) if half == 1 => {
                self.asm.upper_half(to, r);
                Rm::Reg(to)
            }
            r => r,
        };
        self.asm.v1(op, to, from);
    }

    /// Half a chunk of a 64-bit value.
    pub(super) fn half64(&mut self, v: ValueId, k: usize, half: i32, temp: u8) {
        if let Some(c) = self.plan.constant(v) {
            let row = self.long_row(c);
            return self.asm.v_load(temp, row);
        }
        if !self.is_scalar(v) && self.value(v).uniform.is_none() {
            let from = self.row64(v, k, half);
            return self.asm.v_load(temp, from);
        }
        let from = self.scalar(v, k);
        self.asm.v1(VPBROADCASTQ, temp, from);
        let (step, far) = (self.step(v), self.far_of(v, k));
        if step != 0 || far != 0 {
            let first = self.isa.lanes() as i64 / 2 * i64::from(half);
            let steps = self.constant_row(std::array::from_fn(|i| {
                let x = far + step * (first + i as i64 / 2);
                if i % 2 == 0 { x as u32 } else { (x >> 32) as u32 }
            }));
            self.asm.v(VPADDQ, temp, temp, steps);
        }
    }

    /// The low words of a 64-bit value, or what a conversion makes of it.
    pub(super) fn narrow_row(&mut self, name: LaneOp, d: ValueId, s: ValueId, b: usize, guard: Option<Guard>) {
        for k in 0..self.width {
            match (name, self.isa) {
                (LaneOp::Low, Isa::Avx512) => {
                    self.half64(s, k, 0, T1);
                    self.half64(s, k, 1, T2);
                    self.asm.low_words(T3, T1, T2);
                }
                (LaneOp::Low, Isa::Avx2) => {
                    self.half64(s, k, 0, T1);
                    self.half64(s, k, 1, T2);
                    // vshufps, then vpermq
                    self.asm.v_imm(Vop(0, 1, 0, 0xc6), T3, T1, Rm::Reg(T2), 0x88);
                    self.asm.v_imm(Vop(1, 3, 1, 0x00), T3, 0, Rm::Reg(T3), 0xd8);
                }
                _ => self.narrow_doubles(name, s, k),
            }
            self.finish(d, k, b, guard, T3);
        }
    }
}
