//! Byte permutation (PTX ISA 9.7.9.7).

use super::shape::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// The selectors that a mode stands for, by the two low bits of the control operand: 16 bits each, that of 0 lowest.
fn mode_selectors(word: Word) -> Option<u64> {
    match word {
        Word::F4e => Some(0x6543_5432_4321_3210),
        Word::B4e => Some(0x0123_7012_6701_5670),
        Word::Rc8 => Some(0x3333_2222_1111_0000),
        Word::Ecl => Some(0x3333_3222_3211_3210),
        Word::Ecr => Some(0x3210_2210_1110_0000),
        Word::Rc16 => Some(0x3232_1010_3232_1010),
        _ => None,
    }
}

/// Picks four bytes of a pair of registers, `b` the upper one. Four bits of the selectors make a byte of the result: the
/// low three say which byte is taken, the top one that its sign fills the byte.
///
/// ```
/// assert_eq!(warpvm_sem::int::prmt(0x33221100, 0x77665544, 0x7250), 0x77225500);
/// assert_eq!(warpvm_sem::int::prmt(0x80, 0, 0x4448), 0xff);
/// ```
#[inline(always)]
pub fn prmt(a: u32, b: u32, selectors: u32) -> u32 {
    let mut picked = 0;
    for lane in [0, 8, 16, 24] {
        let selector = selectors >> (lane / 2);
        let word = if selector & 4 == 0 { a } else { b };
        let byte = word >> ((selector & 3) * 8) & 0xff;
        let sign = (byte >> 7) * 0xff;
        picked |= (if selector & 8 == 0 { byte } else { sign }) << lane;
    }
    picked
}

/// `prmt`: 9.7.9.7.
pub(super) fn prmt_form<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    if is_shaped(form, &[], 1, 4) {
        return Ok(sink.op3(prmt));
    }
    match form.words().find_map(|word| Some((word, mode_selectors(word)?))) {
        Some((mode, selectors)) if is_shaped(form, &[mode], 1, 4) && form.modifiers.len() == 2 => {
            Ok(sink.op3(move |a: u32, b: u32, c: u32| prmt(a, b, (selectors >> ((c & 3) * 16)) as u32)))
        }
        _ => Err(sink),
    }
}
