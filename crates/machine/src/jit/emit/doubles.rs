//! `.f64`, half a chunk at a time: native arithmetic, after which the lanes with a NaN get the operand that the chip passes on.

use super::*;
use crate::lane_op::{FloatOp, Integer, Round};

const SIGN: u64 = 1 << 63;

/// Is it done here? With a 64-bit result, and from one to 32 bits.
pub(super) fn is_known(name: LaneOp, isa: Isa) -> bool {
    match name {
        LaneOp::Lengthen | LaneOp::Shorten => true,
        LaneOp::ToDouble(ty) => isa == Isa::Avx512 || ty.signed || ty.bits < 32,
        LaneOp::Double(_) | LaneOp::FromDouble(..) => isa == Isa::Avx512,
        _ => false,
    }
}

impl Emitter<'_> {
    /// A number in all 64-bit lanes.
    pub(super) fn long_row(&mut self, c: u64) -> Mem {
        self.constant_row(std::array::from_fn(|i| (c >> (32 * (i % 2))) as u32))
    }

    /// Half a chunk of a result.
    pub(super) fn double_half(&mut self, name: LaneOp, s: &[ValueId], k: usize, half: i32, to: u8) {
        match name {
            LaneOp::Lengthen => {
                let a = self.in_register(s[0], k, T1, false);
                let a = self.half_of(a, half);
                self.asm.v1(VCVTPS2PD, to, Rm::Reg(a));
            }
            LaneOp::ToDouble(ty) => {
                let a = self.of_type(s[0], k, ty, T1);
                let a = self.half_of(a, half);
                let is_signed = ty.signed || ty.bits < 32;
                self.asm.v1(if is_signed { VCVTDQ2PD } else { VCVTUDQ2PD }, to, Rm::Reg(a));
            }
            LaneOp::Double(op) => self.double_operation(op, s, k, half, to),
            _ => {}
        }
    }

    /// The half of a vector as a lower one.
    fn half_of(&mut self, a: u8, half: i32) -> u8 {
        if half == 0 {
            return a;
        }
        self.asm.upper_half(T1, a);
        T1
    }

    fn double_operation(&mut self, op: FloatOp, s: &[ValueId], k: usize, half: i32, to: u8) {
        use FloatOp as F;
        let a = self.wide_source(s[0], k, half, T1);
        match op {
            F::Neg | F::Abs => {
                let bits = self.long_row(if op == F::Neg { SIGN } else { !SIGN });
                self.asm.v(if op == F::Neg { VPXOR } else { VPAND }, T3, a, bits);
                self.asm.compare_doubles(M1, a, a, 3);
                self.asm.v_masked(VADDPD, T3, a, Rm::Reg(a), M1);
            }
            F::Sqrt => {
                self.asm.v1(VSQRTPD, T3, Rm::Reg(a));
                self.pass_nans(&[a]);
            }
            F::Reciprocal => {
                let one = self.long_row(1.0f64.to_bits());
                self.asm.v_load(T2, one);
                self.asm.v(VDIVPD, T3, T2, Rm::Reg(a));
                self.pass_nans(&[a]);
            }
            F::Fma => {
                let b = self.wide_source(s[1], k, half, T2);
                let c = self.wide_source(s[2], k, half, T4);
                self.asm.v_load(T3, Rm::Reg(c));
                self.asm.v(VFMADD231PD, T3, a, Rm::Reg(b));
                self.pass_nans(&[b, c, a]);
            }
            F::Min | F::Max => {
                let b = self.wide_source(s[1], k, half, T2);
                self.double_extreme(op == F::Max, a, b);
            }
            F::Add | F::Sub | F::Mul | F::Div => {
                let b = self.wide_source(s[1], k, half, T2);
                let (op, first) = match op {
                    F::Add => (VADDPD, [b, a]),
                    F::Sub => (VSUBPD, [b, a]),
                    F::Mul => (VMULPD, [b, a]),
                    _ => (VDIVPD, [a, b]),
                };
                self.asm.v(op, T3, a, Rm::Reg(b));
                self.pass_nans(&first);
            }
        }
        self.move_to(to, T3);
    }

    /// Where the result in [`T3`] is NaN: the first operand of a list that is one, made quiet.
    fn pass_nans(&mut self, operands: &[u8]) {
        let none = self.asm.label();
        self.asm.compare_doubles(M1, T3, T3, 3);
        self.asm.m_any_of_eight(M1);
        self.asm.jump_if(Cc::Zero, none);
        for &x in operands.iter().rev() {
            self.asm.compare_doubles(M1, x, x, 3);
            self.asm.v_masked(VADDPD, T3, x, Rm::Reg(x), M1);
        }
        self.asm.bind(none);
    }

    /// `min` or `max` in [`T3`]: zeros are ordered by their sign, and of a NaN and a number the number is taken.
    fn double_extreme(&mut self, max: bool, a: u8, b: u8) {
        let op = if max { VMAXPD } else { VMINPD };
        self.asm.v(op, T3, a, Rm::Reg(b));
        self.asm.v(op, T4, b, Rm::Reg(a));
        self.asm.v(if max { VPAND } else { VPOR }, T3, T3, Rm::Reg(T4));
        self.asm.compare_doubles(M1, a, a, 3);
        self.asm.v_blend_wide(T3, T3, b, M1);
        self.asm.compare_doubles(M2, b, b, 3);
        self.asm.v_blend_wide(T3, T3, a, M2);
        self.asm.m_and(M1, M1, M2);
        self.asm.v_masked(VADDPD, T3, b, Rm::Reg(b), M1);
    }

    /// One chunk of 32 bits from doubles, in [`T3`].
    pub(super) fn narrow_doubles(&mut self, name: LaneOp, v: ValueId, k: usize) {
        match name {
            LaneOp::Shorten => {
                for (half, to) in [(0, T3), (1, T1)] {
                    let a = self.wide_source(v, k, half, to);
                    self.asm.v1(VCVTPD2PS, to, Rm::Reg(a));
                }
                self.asm.join_halves(T3, T1);
            }
            LaneOp::FromDouble(ty, round) => self.cut_doubles(v, k, ty, round),
            _ => {}
        }
    }

    /// Clamped to the range; NaN gives the integer whose highest bit alone is set.
    fn cut_doubles(&mut self, v: ValueId, k: usize, ty: Integer, round: Round) {
        let is_nearest = round == Round::Nearest;
        let convert = match (ty.signed, is_nearest) {
            (true, true) => VCVTPD2DQ,
            (true, false) => VCVTTPD2DQ,
            (false, true) => VCVTPD2UDQ,
            (false, false) => VCVTTPD2UDQ,
        };
        for (half, to, mask) in [(0, T3, M1), (1, T1, M3)] {
            let mut a = self.wide_source(v, k, half, to);
            if matches!(round, Round::Down | Round::Up) {
                self.asm.v_imm(VRNDSCALEPD, to, 0, Rm::Reg(a), super::floats::whole(round));
                a = to;
            }
            if ty.signed {
                let most = self.long_row(2_147_483_647.0f64.to_bits());
                self.asm.v_load(T2, most);
                // The second operand where it is NaN.
                self.asm.v(VMINPD, to, T2, Rm::Reg(a));
            } else {
                self.asm.compare_doubles(mask, a, a, 3);
                let zero = self.constant_row([0; 16]);
                self.asm.v(VMAXPD, to, a, zero);
            }
            self.asm.v1(convert, to, Rm::Reg(to));
        }
        self.asm.join_halves(T3, T1);
        if !ty.signed {
            self.asm.m_join(M1, M3, M1);
            let top = self.word(1 << 31);
            self.asm.v_blend(T3, T3, top, M1);
        }
    }
}
