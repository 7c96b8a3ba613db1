//! Scalar and SIMD video instructions (PTX ISA, sections 9.7.16 and 9.7.17).
//!
//! Both kinds are one composition of the manual's steps, whatever the types, selectors and modes: `select` takes fields
//! of the sources and extends them, an `operation` works on the extended values, the result is saturated, and a second
//! operation or a merge with the last operand makes the destination. The steps are resolved to shifts, masks and bounds
//! when the form is read, so the closure for one lane has few case distinctions left.
//!
//! # Where the chip differs from the manual
//!
//! The SIMD instructions do what the manual says. The scalar ones have no machine instruction on recent chips; what the
//! vendor's assembler makes of them is 64-bit integer code that departs from the manual in these places, and the recorded
//! answers hold here. `int_truth` tests every case named.
//!
//! - A merge into `.h1` takes the upper half of the result: `video/vadd.u32.s32.s32.merge.h1.b1.b2`,
//!   `video/vset.u32.u32.eq.merge.h1.b0`.
//! - `.sat` to a whole `.u32` bounds below only, so a sum above 2^32 keeps its low bits:
//!   `video/vadd.u32.u32.s32.sat.add.b3`. The shifts bound on both sides.
//! - `.sat` to a byte or half-word takes the result as unsigned, so a negative one becomes the largest value, of a signed
//!   destination too: `video/vadd.u32.u32.s32.sat.merge.b1.b0.b0`, `video/vsub.s32.u32.s32.sat.merge.h0.b2.h0`. The shifts
//!   bound to the whole word instead, and only 34 bits of the result count:
//!   `video/vshl.s32.u32.u32.sat.clamp.merge.b1.b0.h0`, `video/vshl.u32.u32.u32.sat.clamp.plain.h1.b0`.
//! - `.min` and `.max` compare the last operand with 64 bits of the result, which for `vadd`, `vsub` and a saturated shift
//!   are its low 32 bits sign-extended, even to `.u32`: `video/vadd.u32.u32.u32.max.h1`, `video/vmax.s32.s32.u32.min`,
//!   `video/vshl.u32.u32.u32.clamp.max.b2`.
//! - `vset` compares in `.min` and `.max` as the type of its first source says: `video/vset.s32.u32.eq.max.b3.h0`.
//! - `vmad` takes a whole `.u32` word as signed, and the last operand always:
//!   `video/vmad.u32.u32.u32.shr7.b1.b2`, `video/vmad.u32.u32.u32.sat.h1.b2`.

mod finish;
mod operation;
mod scalar;
mod select;
mod simd;
mod vmad;

use crate::{Form, Sink};
use warpvm_isa::Opcode;

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use Opcode as O;
    match form.opcode {
        O::Vadd | O::Vsub | O::Vabsdiff | O::Vmin | O::Vmax | O::Vshl | O::Vshr | O::Vset => scalar::lane(form, sink),
        O::Vmad => vmad::lane(form, sink),
        O::Vadd2 | O::Vsub2 | O::Vavrg2 | O::Vabsdiff2 | O::Vmin2 | O::Vmax2 | O::Vset2 => {
            simd::lane::<S, 2>(form, sink)
        }
        O::Vadd4 | O::Vsub4 | O::Vavrg4 | O::Vabsdiff4 | O::Vmin4 | O::Vmax4 | O::Vset4 => {
            simd::lane::<S, 4>(form, sink)
        }
        _ => Err(sink),
    }
}
