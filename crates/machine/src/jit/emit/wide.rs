//! Values of 64 bits that vary: in their rows, computed half a chunk at a time.

use super::*;

impl Emitter<'_> {
    /// A 64-bit result.
    pub(super) fn wide_row(&mut self, name: LaneOp, d: ValueId, s: &[ValueId], b: usize, guard: Option<Guard>) -> bool {
        let blends = guard.is_some() || self.keeps_sleepers(d, b);
        if blends && self.isa == Isa::Avx2 || self.value(s[0]).class == Class::Pred {
            return false;
        }
        let amount = s.get(1).and_then(|&v| self.plan.constant(v)).filter(|&c| c < 64);
        let is_known = match name {
            LaneOp::Copy | LaneOp::Add64 | LaneOp::Sub64 | LaneOp::And | LaneOp::Or | LaneOp::Xor | LaneOp::Not => true,
            LaneOp::SignExtend | LaneOp::ZeroExtend | LaneOp::MulWideS | LaneOp::MulWideU => true,
            LaneOp::Shl64 | LaneOp::ShrU64 => amount.is_some(),
            _ => false,
        };
        if !is_known {
            return false;
        }
        for k in 0..self.width {
            for half in 0..2 {
                match name {
                    LaneOp::SignExtend | LaneOp::ZeroExtend | LaneOp::MulWideS | LaneOp::MulWideU => {
                        let signed = matches!(name, LaneOp::SignExtend | LaneOp::MulWideS);
                        self.extend(s[0], k, half, signed, T1);
                        if let Some(&v) = s.get(1) {
                            self.extend(v, k, half, signed, T2);
                            self.asm.v(if signed { VPMULDQ } else { VPMULUDQ }, T1, T1, Rm::Reg(T2));
                        }
                    }
                    _ => {
                        self.half64(s[0], k, half, T1);
                        self.wide_operation(name, s, k, half, amount.unwrap_or(0) as u8);
                    }
                }
                let row = self.row64(d, k, half);
                if blends {
                    self.lanes_in_m1(b, guard, k);
                    if half == 1 {
                        self.asm.m_upper(M1, M1);
                    }
                    self.asm.v_store_masked_wide(row, T1, M1);
                } else {
                    self.asm.v_store(row, T1);
                }
            }
        }
        true
    }

    fn wide_operation(&mut self, name: LaneOp, s: &[ValueId], k: usize, half: i32, amount: u8) {
        let op = match name {
            LaneOp::Add64 => VPADDQ,
            LaneOp::Sub64 => VPSUBQ,
            LaneOp::And => VPAND,
            LaneOp::Or => VPOR,
            LaneOp::Xor => VPXOR,
            LaneOp::Not => {
                let ones = self.ones();
                return self.asm.v(VPXOR, T1, T1, ones);
            }
            LaneOp::Shl64 => return self.asm.v_shift_wide(6, T1, T1, amount),
            LaneOp::ShrU64 => return self.asm.v_shift_wide(2, T1, T1, amount),
            _ => return,
        };
        self.half64(s[1], k, half, T2);
        self.asm.v(op, T1, T1, Rm::Reg(T2));
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
            let row = self.constant_row(std::array::from_fn(|i| (c >> (32 * (i % 2))) as u32));
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

    /// The low words of a 64-bit value.
    pub(super) fn low_row(&mut self, d: ValueId, s: ValueId, b: usize, guard: Option<Guard>) -> bool {
        if self.isa == Isa::Avx2 || self.value(d).class != Class::R32 {
            return false;
        }
        for k in 0..self.width {
            self.half64(s, k, 0, T1);
            self.half64(s, k, 1, T2);
            self.asm.low_words(T3, T1, T2);
            self.finish(d, k, b, guard, T3);
        }
        true
    }
}
