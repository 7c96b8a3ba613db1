//! Comparisons that are more than one vector instruction: of narrow and wide types, with any relation of floats, combined
//! with another predicate, and `set`.

use super::predicates::RESULT;
use super::*;
use crate::lane_op::{Combine, Integer, Test as LaneTest, Tested};

/// Is it done here? `set` too.
pub(super) fn is_known(test: LaneTest, isa: Isa) -> bool {
    match test.of {
        Tested::Float(_) => true,
        Tested::Flushed(_) => true,
        Tested::Double(_) => isa == Isa::Avx512,
        Tested::Integer(_, ty) => ty.bits < 64 || isa == Isa::Avx512,
    }
}

/// The immediate of `vcmpps` for a set of relations: less, equal, greater, unordered.
fn immediate(holds: u8) -> u8 {
    const LIST: [u8; 16] = [11, 17, 0, 18, 30, 12, 29, 7, 3, 25, 8, 26, 22, 4, 21, 15];
    LIST[usize::from(holds & 15)]
}

impl Emitter<'_> {
    /// One chunk of a comparison to a mask, which may be the result's.
    pub(super) fn test_row(&mut self, test: LaneTest, s: &[ValueId], k: usize, to: u8) {
        let Some(combine) = test.combine else { return self.compare_as(test.of, s, k, to) };
        // The result may have the register of the predicate.
        self.compare_as(test.of, s, k, RESULT);
        let with = self.predicate(s[2], k, if self.isa == Isa::Avx512 { M1 } else { M2 });
        match combine {
            Combine::And => self.asm.m_and(to, RESULT, with),
            Combine::Or => self.asm.m_or(to, RESULT, with),
            Combine::Xor => self.asm.m_xor(to, RESULT, with),
        }
    }

    fn compare_as(&mut self, tested: Tested, s: &[ValueId], k: usize, to: u8) {
        match tested {
            Tested::Float(holds) => {
                let a = self.in_register(s[0], k, T1, true);
                let c = self.vector(s[1], k, T2, true);
                self.asm.compare_floats(to, a, c, immediate(holds));
            }
            Tested::Flushed(holds) => {
                let a = self.operand(s[0], k, T1, true);
                let c = self.operand(s[1], k, T2, true);
                self.asm.compare_floats(to, a, Rm::Reg(c), immediate(holds));
            }
            Tested::Double(holds) => {
                self.of_halves(s, k, to, |e, mask, a, c| e.asm.compare_doubles(mask, a, c, immediate(holds)));
            }
            Tested::Integer(relation, ty) if ty.bits == 64 => {
                let test = super::fuse::word_test(relation);
                self.of_halves(s, k, to, |e, mask, a, c| e.asm.compare_longs(mask, a, c, test, ty.signed));
            }
            Tested::Integer(relation, ty) => self.test_words_of_type(relation, ty, s, k, to),
        }
    }

    fn test_words_of_type(&mut self, relation: Relation, ty: Integer, s: &[ValueId], k: usize, to: u8) {
        let compared = if ty.signed { Compared::S32 } else { Compared::U32 };
        if ty.bits == 32 {
            return self.compare(relation, compared, s, k, to);
        }
        let a = self.of_type(s[0], k, ty, T1);
        let c = self.of_type(s[1], k, ty, T2);
        match self.isa {
            Isa::Avx512 => {
                self.asm.compare_words(to, a, Rm::Reg(c), super::fuse::word_test(relation), ty.signed);
            }
            Isa::Avx2 => {
                use Relation as R;
                // Of 16 bits in 32 the order with a sign is the same.
                match relation {
                    R::Eq | R::Ne => self.asm.v(VPCMPEQD, to, a, Rm::Reg(c)),
                    R::Gt | R::Le => self.asm.v(VPCMPGTD, to, a, Rm::Reg(c)),
                    R::Lt | R::Ge => self.asm.v(VPCMPGTD, to, c, Rm::Reg(a)),
                }
                if matches!(relation, R::Ne | R::Le | R::Ge) {
                    let ones = self.ones();
                    self.asm.v(VPXOR, to, to, ones);
                }
            }
        }
    }

    /// A comparison of 64-bit lanes, half a chunk at a time.
    fn of_halves(&mut self, s: &[ValueId], k: usize, to: u8, test: impl Fn(&mut Self, u8, u8, u8)) {
        for (half, mask) in [(0, M1), (1, M3)] {
            self.half64(s[0], k, half, T1);
            self.half64(s[1], k, half, T2);
            test(self, mask, T1, T2);
        }
        self.asm.m_join(to, M3, M1);
    }

    /// One chunk of `set`.
    pub(super) fn set_row(&mut self, test: LaneTest, yes: u32, s: &[ValueId], k: usize, to: u8) {
        self.test_row(test, s, k, RESULT);
        self.ones_of(to, RESULT, yes);
    }
}
