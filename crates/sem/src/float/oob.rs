//! `fma.oob` of `.f16` and `.bf16` (PTX ISA 9.7.4.4).
//!
//! One NaN stands for a number that a tensor copy could not read because it lies out of bounds. The manual does not give
//! its bits; on the H200 it is `0x7ff7`, with either sign, in both formats (all 65,536 patterns were tried in each
//! operand, 2026-11-29). As `a` or `b` it makes the whole result +0, whatever `c` adds; as `c` it is a common NaN.

use super::element::Element;

const OUT_OF_BOUNDS: u64 = 0x7ff7;

/// `a * b + c`
#[inline(always)]
pub(super) fn fma<E: Element>(a: E, b: E, c: E) -> E {
    let is_out = |x: E| x.magnitude().to_u64() == OUT_OF_BOUNDS;
    let sum = a.fma(b, c);
    E::pick(is_out(a) | is_out(b), E::from_u64(0), sum)
}

#[cfg(test)]
mod tests {
    use super::super::element::{Bf16, F16};
    use super::*;

    #[test]
    fn a_factor_out_of_bounds_gives_zero() {
        for bits in [0x7ff7, 0xfff7] {
            assert_eq!(fma(F16(bits), F16(0x4000), F16(0x3c00)), F16(0));
            assert_eq!(fma(F16(0x4000), F16(bits), F16(0x3c00)), F16(0));
            assert_eq!(fma(F16(0x3c00), F16(0x3c00), F16(bits)), F16::INVALID);
            assert_eq!(fma(Bf16(bits), Bf16(0x4000), Bf16(0x3f80)), Bf16(0));
            assert_eq!(fma(Bf16(0x3f80), Bf16(0x3f80), Bf16(bits)), Bf16::INVALID);
        }
        assert_eq!(fma(F16(0x7ff6), F16(0x4000), F16(0x3c00)), F16::INVALID);
    }
}
