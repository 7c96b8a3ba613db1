//! Byte permutation (PTX ISA 9.7.9.7).

use super::shape::is_shaped;
use crate::{Form, Sink};
use warpvm_isa::{ScalarType, Word};

/// The selectors that a mode stands for, by the two low bits of the control operand.
fn mode_selectors(word: Word) -> Option<[u32; 4]> {
    match word {
        Word::F4e => Some([0x3210, 0x4321, 0x5432, 0x6543]),
        Word::B4e => Some([0x5670, 0x6701, 0x7012, 0x0123]),
        Word::Rc8 => Some([0x0000, 0x1111, 0x2222, 0x3333]),
        Word::Ecl => Some([0x3210, 0x3211, 0x3222, 0x3333]),
        Word::Ecr => Some([0x0000, 0x1110, 0x2210, 0x3210]),
        Word::Rc16 => Some([0x1010, 0x3232, 0x1010, 0x3232]),
        _ => None,
    }
}

/// Picks four bytes of the pair. A selector is four bits: a byte, and whether only its sign is copied.
#[inline(always)]
fn pick(a: u32, b: u32, selectors: u32) -> u32 {
    let pair = a as u64 | (b as u64) << 32;
    let mut picked = 0;
    for lane in [0, 8, 16, 24] {
        let selector = selectors >> (lane / 2);
        let byte = (pair >> ((selector & 7) * 8)) as u8;
        let sign = ((byte as i8) >> 7) as u8;
        picked |= (if selector & 8 == 0 { byte } else { sign } as u32) << lane;
    }
    picked
}

/// `prmt`: 9.7.9.7.
pub(super) fn prmt<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if form.ty(0) != Some(ScalarType::B32) {
        return Err(sink);
    }
    if is_shaped(form, &[], 1, 4) {
        return Ok(sink.op3(pick));
    }
    let Some(mode) = form.words().find(|word| mode_selectors(*word).is_some()) else {
        return Err(sink);
    };
    match mode_selectors(mode) {
        Some(selectors) if is_shaped(form, &[mode], 1, 4) => {
            Ok(sink.op3(move |a: u32, b: u32, c: u32| pick(a, b, selectors[(c & 3) as usize])))
        }
        _ => Err(sink),
    }
}
