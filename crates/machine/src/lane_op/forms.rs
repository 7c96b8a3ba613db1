//! Which form has which of the names that only the compiler knows.

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_sem::Form;

use super::{Combine, FloatOp, Half, HalfMode, Integer, LaneOp, Mode, Relation, Round, Special, Test, Tested};

/// The name of a form, where it is one of these.
pub(super) fn of(form: &Form<'_>) -> Option<LaneOp> {
    let (types, words) = parts(form)?;
    let ty = *types.first()?;
    let is_single = types.len() == 1;
    match form.opcode {
        Opcode::Setp if is_single => Some(LaneOp::Test(test(ty, &words, form.operands)?)),
        Opcode::Set if types.len() == 2 => {
            let yes = match ty {
                ScalarType::U32 | ScalarType::S32 => u32::MAX,
                ScalarType::F32 => 1.0f32.to_bits(),
                _ => return None,
            };
            Some(LaneOp::Set(test(types[1], &words, form.operands)?, yes))
        }
        Opcode::Cvt if types.len() == 2 && form.operands == 2 => convert(types[0], types[1], &words),
        Opcode::Slct if types == [ty, ScalarType::S32] && words.is_empty() && ty.bits() == 32 => Some(LaneOp::Slct32),
        Opcode::Cvt if form.operands == 3 => match (types.as_slice(), words.as_slice()) {
            ([to, ScalarType::F32], [Word::Rn]) => half(*to).filter(|h| h.is_pair).map(LaneOp::ToHalf),
            _ => None,
        },
        _ if !is_single => None,
        _ if half(ty).is_some() => of_half(form.opcode, half(ty)?, &words),
        // `min` and `max` of three numbers are something else.
        Opcode::Min | Opcode::Max if form.operands != 3 => None,
        _ if ty == ScalarType::F32 || ty == ScalarType::F64 => float(form.opcode, ty, &words),
        _ => integer(form.opcode, ty, &words),
    }
}

/// The types of a form and its other words.
fn parts(form: &Form<'_>) -> Option<(Vec<ScalarType>, Vec<Word>)> {
    let (mut types, mut words) = (Vec::new(), Vec::new());
    for m in form.modifiers {
        let Modifier::Word(w) = *m else { return None };
        match ScalarType::from_word(w) {
            Some(ty) => types.push(ty),
            None => words.push(w),
        }
    }
    let is_plain = form.selectors.iter().all(|s| s.is_empty()) && !form.negated.contains(&true);
    is_plain.then_some((types, words))
}

fn integer(opcode: Opcode, ty: ScalarType, words: &[Word]) -> Option<LaneOp> {
    use LaneOp as L;
    use Opcode as O;
    let (bits, signed) = (ty.bits(), ty.is_signed());
    let by_sign = |yes: LaneOp, no: LaneOp| if signed { yes } else { no };
    if matches!(ty, ScalarType::U16x2 | ScalarType::S16x2 | ScalarType::Pred) || ty.is_float() {
        return None;
    }
    Some(match (opcode, words, bits) {
        (O::Neg, [], 32) => L::Neg32,
        (O::Neg, [], 64) => L::Neg64,
        (O::Abs, [], 32) => L::Abs32,
        (O::Mul, [Word::Hi], 32) => by_sign(L::MulHiS32, L::MulHiU32),
        (O::Mad, [Word::Hi], 32) => by_sign(L::MadHiS32, L::MadHiU32),
        (O::Mul, [Word::Lo], 64) => L::Mul64,
        (O::Mad, [Word::Lo], 64) => L::Mad64,
        (O::Mul, [Word::Wide], 16) if signed => L::MulWideS16,
        (O::Mad, [Word::Wide], 32) => by_sign(L::MadWideS, L::MadWideU),
        (O::Div, [], 32) => by_sign(L::DivS32, L::DivU32),
        (O::Rem, [], 32) => by_sign(L::RemS32, L::RemU32),
        (O::Sad, [], 32) => by_sign(L::SadS32, L::SadU32),
        (O::Min, [], 64) => by_sign(L::MinS64, L::MinU64),
        (O::Max, [], 64) => by_sign(L::MaxS64, L::MaxU64),
        (O::Popc, [], 32) => L::Popc32,
        (O::Clz, [], 32) => L::Clz32,
        (O::Brev, [], 32) => L::Brev32,
        (O::Bfind, [], 32) => by_sign(L::FindS32, L::FindU32),
        (O::Bfe, [], 32) => by_sign(L::BfeS32, L::BfeU32),
        (O::Bfi, [], 32) => L::Bfi32,
        (O::Cnot, [], 32) => L::Cnot32,
        (O::Lop3, [], 32) => L::Lop3,
        (O::Prmt, [], 32) => L::Prmt,
        (O::Shf, [Word::L, Word::Wrap], 32) => L::ShfLeftWrap,
        (O::Shf, [Word::L, Word::Clamp], 32) => L::ShfLeftClamp,
        (O::Shf, [Word::R, Word::Wrap], 32) => L::ShfRightWrap,
        (O::Shf, [Word::R, Word::Clamp], 32) => L::ShfRightClamp,
        (O::Shr, [], 64) if signed => L::ShrS64,
        (O::Selp, [], 64) => L::Select64,
        (O::Selp, [], 16) => L::Select16,
        (O::Add, [], 16) => L::Add16,
        (O::Sub, [], 16) => L::Sub16,
        (O::Mul, [Word::Lo], 16) => L::Mul16,
        (O::And, [], 16) => L::And16,
        (O::Or, [], 16) => L::Or16,
        (O::Xor, [], 16) => L::Xor16,
        (O::Not, [], 16) => L::Not16,
        _ => return None,
    })
}

/// An approximate function.
fn special(opcode: Opcode, ty: ScalarType, words: &[Word]) -> Option<LaneOp> {
    let (is_full, ftz) = match *words {
        [Word::Approx] => (false, false),
        [Word::Approx, Word::Ftz] => (false, true),
        [Word::Full] => (true, false),
        [Word::Full, Word::Ftz] => (true, true),
        _ => return None,
    };
    let function = match (opcode, is_full) {
        (Opcode::Rcp, false) => Special::Rcp,
        (Opcode::Rsqrt, false) => Special::Rsqrt,
        (Opcode::Sqrt, false) => Special::Sqrt,
        (Opcode::Ex2, false) => Special::Ex2,
        (Opcode::Div, false) => Special::Div,
        (Opcode::Div, true) => Special::DivFull,
        _ => return None,
    };
    (ty == ScalarType::F32).then_some(LaneOp::Special(function, ftz))
}

fn float(opcode: Opcode, ty: ScalarType, words: &[Word]) -> Option<LaneOp> {
    use Opcode as O;
    if let Some(name) = special(opcode, ty, words) {
        return Some(name);
    }
    let mut mode = Mode::default();
    let mut is_rounded = false;
    for &w in words {
        match (w, round(w)) {
            (_, Some(r)) if !is_rounded => (mode.round, is_rounded) = (r, true),
            (Word::Ftz, _) => mode.ftz = true,
            (Word::Sat, _) => mode.sat = true,
            _ => return None,
        }
    }
    let (op, needs_rounding) = match opcode {
        O::Add => (FloatOp::Add, false),
        O::Sub => (FloatOp::Sub, false),
        O::Mul => (FloatOp::Mul, false),
        O::Fma => (FloatOp::Fma, true),
        O::Div => (FloatOp::Div, true),
        O::Sqrt => (FloatOp::Sqrt, true),
        O::Rcp => (FloatOp::Reciprocal, true),
        O::Min => (FloatOp::Min, false),
        O::Max => (FloatOp::Max, false),
        O::Neg => (FloatOp::Neg, false),
        O::Abs => (FloatOp::Abs, false),
        O::Selp if ty == ScalarType::F64 && words.is_empty() => return Some(LaneOp::Select64),
        _ => return None,
    };
    if needs_rounding && !is_rounded {
        return None;
    }
    let is_plain = mode == Mode::default();
    match ty {
        ScalarType::F64 if is_plain => Some(LaneOp::Double(op)),
        ScalarType::F32 => Some(LaneOp::Float(op, mode)),
        _ => None,
    }
}

/// The type, where it is one of 16-bit floats.
fn half(ty: ScalarType) -> Option<Half> {
    match ty {
        ScalarType::F16 => Some(Half { is_brain: false, is_pair: false }),
        ScalarType::F16x2 => Some(Half { is_brain: false, is_pair: true }),
        ScalarType::Bf16 => Some(Half { is_brain: true, is_pair: false }),
        ScalarType::Bf16x2 => Some(Half { is_brain: true, is_pair: true }),
        _ => None,
    }
}

fn of_half(opcode: Opcode, ty: Half, words: &[Word]) -> Option<LaneOp> {
    let mut mode = HalfMode::default();
    for w in words {
        match w {
            Word::Rn => {}
            Word::Ftz => mode.ftz = true,
            Word::Sat => mode.sat = true,
            Word::Relu => mode.relu = true,
            _ => return None,
        }
    }
    let op = match opcode {
        Opcode::Add => FloatOp::Add,
        Opcode::Sub => FloatOp::Sub,
        Opcode::Mul => FloatOp::Mul,
        Opcode::Fma => FloatOp::Fma,
        _ => return None,
    };
    Some(LaneOp::Half(op, ty, mode))
}

fn round(word: Word) -> Option<Round> {
    match word {
        Word::Rn | Word::Rni => Some(Round::Nearest),
        Word::Rz | Word::Rzi => Some(Round::Zero),
        Word::Rm | Word::Rmi => Some(Round::Down),
        Word::Rp | Word::Rpi => Some(Round::Up),
        _ => None,
    }
}

fn integer_type(ty: ScalarType) -> Option<Integer> {
    use ScalarType as T;
    let is_integer = matches!(ty, T::U8 | T::U16 | T::U32 | T::U64 | T::S8 | T::S16 | T::S32 | T::S64);
    is_integer.then_some(Integer { bits: ty.bits() as u8, signed: ty.is_signed() })
}

fn convert(to: ScalarType, from: ScalarType, words: &[Word]) -> Option<LaneOp> {
    use LaneOp as L;
    use ScalarType as T;
    let rounding = match *words {
        [w] => Some((round(w)?, matches!(w, Word::Rni | Word::Rzi | Word::Rmi | Word::Rpi))),
        [] => None,
        _ => return None,
    };
    match (to, from, rounding) {
        (T::F32, T::F32, Some((r, true))) => return Some(L::Integral(r)),
        (T::F64, T::F32, None) => return Some(L::Lengthen),
        (T::F32, T::F64, Some((Round::Nearest, false))) => return Some(L::Shorten),
        (T::F32, T::F16 | T::Bf16, None) => return half(from).map(L::FromHalf),
        (T::F16 | T::Bf16, T::F32, Some((Round::Nearest, false))) => return half(to).map(L::ToHalf),
        _ => {}
    }
    match (integer_type(to), integer_type(from), rounding) {
        (Some(to), Some(from), None) if to.bits <= 32 && from.bits <= 32 => {
            if to.bits <= from.bits {
                (to.bits < 32).then_some(L::LowBits(to.bits))
            } else if !from.signed {
                Some(L::LowBits(from.bits))
            } else {
                (to.bits == 32).then_some(L::SignedBits(from.bits))
            }
        }
        (None, Some(i), Some((Round::Nearest, false))) if i.bits <= 32 && to == T::F32 => Some(L::ToFloat(i)),
        (None, Some(i), Some((Round::Nearest, false))) if i.bits <= 32 && to == T::F64 => Some(L::ToDouble(i)),
        (None, Some(i), None) if i.bits <= 32 && to == T::F64 => Some(L::ToDouble(i)),
        (Some(i), None, Some((r, true))) if i.bits == 32 && from == T::F32 => Some(L::FromFloat(i, r)),
        (Some(i), None, Some((r, true))) if i.bits == 32 && from == T::F64 => Some(L::FromDouble(i, r)),
        _ => None,
    }
}

/// Bits of the relations for which a comparison of floats holds: less, equal, greater, unordered.
fn float_relations(word: Word) -> Option<u8> {
    Some(match word {
        Word::Lt => 0b0001,
        Word::Eq => 0b0010,
        Word::Le => 0b0011,
        Word::Gt => 0b0100,
        Word::Ne => 0b0101,
        Word::Ge => 0b0110,
        Word::Num => 0b0111,
        Word::Nan => 0b1000,
        Word::Ltu => 0b1001,
        Word::Equ => 0b1010,
        Word::Leu => 0b1011,
        Word::Gtu => 0b1100,
        Word::Neu => 0b1101,
        Word::Geu => 0b1110,
        _ => return None,
    })
}

fn test(ty: ScalarType, words: &[Word], operands: usize) -> Option<Test> {
    let (&relation, mut rest) = words.split_first()?;
    let combine = match rest.first() {
        Some(Word::And) => Some(Combine::And),
        Some(Word::Or) => Some(Combine::Or),
        Some(Word::Xor) => Some(Combine::Xor),
        _ => None,
    };
    if combine.is_some() {
        rest = &rest[1..];
    }
    if operands != if combine.is_some() { 4 } else { 3 } {
        return None;
    }
    let of = match (ty, rest) {
        (ScalarType::F32, []) => Tested::Float(float_relations(relation)?),
        (ScalarType::F32, [Word::Ftz]) => Tested::Flushed(float_relations(relation)?),
        (ScalarType::F64, []) => Tested::Double(float_relations(relation)?),
        (_, []) if !ty.is_float() && ty != ScalarType::Pred && ty.bits() >= 16 => {
            let is_unsigned = matches!(ty, ScalarType::U16 | ScalarType::U32 | ScalarType::U64);
            let relation = super::relation(relation, is_unsigned)?;
            let is_order = !matches!(relation, Relation::Eq | Relation::Ne);
            let has_order = is_unsigned || ty.is_signed();
            if is_order && !has_order {
                return None;
            }
            Tested::Integer(relation, Integer { bits: ty.bits() as u8, signed: ty.is_signed() })
        }
        _ => return None,
    };
    Some(Test { of, combine })
}
