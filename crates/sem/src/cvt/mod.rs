//! Conversion (PTX ISA 9.7.9.21 `cvt`, 9.7.9.22 `cvt.pack`).
//!
//! Bit for bit what an H200 gives. An integer of 8 or 16 bits is delivered as such: the caller extends it to the width
//! of the destination register, by sign or by zero as its type says. A source narrower than its register takes the
//! low bits.
//!
//! What becomes of NaN, as read off the chip:
//!
//! - to an integer: 0; but from `.f64`, or to 64 bits, the integer whose highest bit alone is set.
//! - to `.f16`, `.bf16`, `.f32`: the NaN with all bits but the sign; from `.f64`, sign and upper payload stay.
//! - to `.f64`: sign and payload stay, made quiet; with `.ftz`, the `.f32` NaN with all bits but the sign.
//! - from `.bf16` to `.f32` and between equal types of 32 or 64 bits without rounding or `.ftz`, bits are copied.
//! - `cvt.rna.tf32` cuts the payload, which can leave an infinity; with `.satfinite` the vendor's instruction sequence
//!   also subtracts one unit (a NaN then stays NaN or becomes finite).
//!
//! Where the chip departs from the manual, the chip is followed:
//!
//! - `.ftz` does not flush an `.f32` source on the way to `.f16`: case `cvt/cvt.rm.ftz.f16.f32@b` of `tests/truth`, and
//!   `cvt.rp.ftz.f16.f32` in `tests/data/float.md`. Nor does it flush an `.f16` source (`cvt.ftz.f32.f16`).
//! - `cvt.rna.satfinite.tf32.f32` of NaN, as told above (`tests/data/float.md`).
//!
//! No chip was asked about what only `sm_100` has: the 4- and 6-bit formats, `.ue8m0x2`, `.rs` and `.satfinite` of
//! `.tf32` with `.rn` and `.rz` follow the manual. Of the random bits of `.rs` with four results the manual says which
//! are for a pair of sources, not how the pair shares them; here both see the same ones.

mod float;
mod from_int;
mod int;
mod mode;
mod narrow;
mod pack;
mod small;
mod stochastic;
mod tf32;
mod to_int;

use warpvm_isa::{Opcode, Word};

use crate::{Form, Sink};
use mode::Conversion;

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if form.opcode != Opcode::Cvt {
        return Err(sink);
    }
    if form.has(Word::Pack) {
        return pack::lane(form, sink);
    }
    let Some(conversion) = Conversion::of(form) else { return Err(sink) };
    let Conversion { to, from, mode } = conversion;
    if mode.rounding == Some(Word::Rs) {
        return stochastic::lane(form, conversion, sink);
    }
    match (is_integer(to), is_integer(from)) {
        _ if form.operands != 2 && !is_packed(to) => Err(sink),
        (true, true) => int::lane(conversion, sink),
        (true, false) => to_int::lane(conversion, sink),
        (false, true) => from_int::lane(conversion, sink),
        (false, false) if is_number(to) && is_number(from) => float::lane(conversion, sink),
        (false, false) => match to {
            Word::Tf32 => tf32::lane(conversion, sink),
            Word::F16x2 | Word::Bf16x2 if from == Word::F32 => narrow::lane(form, conversion, sink),
            _ => small::lane(form, conversion, sink),
        },
    }
}

fn is_integer(ty: Word) -> bool {
    use Word::{S8, S16, S32, S64, U8, U16, U32, U64};
    matches!(ty, U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64)
}

fn is_number(ty: Word) -> bool {
    matches!(ty, Word::F16 | Word::Bf16 | Word::F32 | Word::F64)
}

/// Is it a type that two sources may be packed into?
fn is_packed(ty: Word) -> bool {
    !is_integer(ty) && !is_number(ty) && ty != Word::Tf32
}
