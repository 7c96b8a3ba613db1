//! Common pairs: an operation and the next one, which uses its result, in one loop over the lanes. The result between
//! them stays in vector registers on its way (it is stored too: who looks at it later does not know of the pair).

use warpvm_sem::{Long2, Output, Value, common};

use super::{AVX2, AVX512, Call, FEW, Own, RowOp, Source, get, put, put_few};
use crate::lane_op::{Compared, LaneOp, Relation};
use crate::slots::{LaneMask, Slot};
use crate::vector::LEVEL;

/// Slots of a pair in [`RowOp::slots`]: both results, the sources of the first operation, the other source of the second.
const FIRST: usize = 0;
const SECOND: usize = 1;
const A: usize = 2;
const B: usize = 3;
const OTHER: usize = 4;

/// The pair of two operations, the second of which follows the first and uses its result.
pub(super) fn join(first: &RowOp, next: &RowOp) -> Option<RowOp> {
    let (call, is_commutative) = call(first, next, *LEVEL)?;
    let result = first.slots[0];
    let is_plain = |op: &RowOp| op.slots[0].is_some() && !op.slots[1].is_some();
    let other = match (next.slots[2] == result, next.slots[3] == result) {
        (true, false) => next.slots[3],
        (false, true) if is_commutative => next.slots[2],
        _ => return None,
    };
    if !is_plain(first) || !is_plain(next) {
        return None;
    }
    let mut slots = [Slot::NONE; 6];
    slots[FIRST] = result;
    slots[SECOND] = next.slots[0];
    slots[A] = first.slots[2];
    slots[B] = if first.slots[3].is_some() { first.slots[3] } else { first.slots[2] };
    slots[OTHER] = other;
    let classes = [None; 6];
    Some(RowOp { call, data: std::ptr::null(), own: Own::BORROWED, slots, classes, name: None, bits: [0; 6] })
}

/// The loop for two operations, and whether the second one's sources may change places.
fn call(first: &RowOp, next: &RowOp, level: u8) -> Option<(Call, bool)> {
    // Some names stand for other widths too.
    let is_32 = |op: &RowOp| op.bits[2] == 32;
    let g = next.name?;
    match first.name? {
        LaneOp::Add32 => word::<common::Add32>(g, next, level).or_else(|| compare::<common::Add32>(g, level)),
        LaneOp::And if is_32(first) => {
            word::<common::And32>(g, next, level).or_else(|| compare::<common::And32>(g, level))
        }
        LaneOp::Sub32 => word::<common::Sub32>(g, next, level),
        LaneOp::Mul32 => word::<common::Mul32>(g, next, level),
        LaneOp::Xor if is_32(first) => word::<common::Xor32>(g, next, level),
        LaneOp::Shl32 => word::<common::Shl32>(g, next, level),
        LaneOp::ShrU32 => word::<common::ShrU32>(g, next, level),
        LaneOp::MulWideU16 => word::<common::MulWideU16>(g, next, level),
        LaneOp::MulWideS => long::<common::MulWideS32>(g, level),
        LaneOp::MulWideU => long::<common::MulWideU32>(g, level),
        LaneOp::Shl64 => long::<common::Shl64>(g, level),
        LaneOp::SignExtend => long::<common::SignExtend>(g, level),
        LaneOp::ZeroExtend => long::<common::ZeroExtend>(g, level),
        LaneOp::AddF32 => float::<common::AddF32>(g, level),
        LaneOp::SubF32 => float::<common::SubF32>(g, level),
        LaneOp::MulF32 => float::<common::MulF32>(g, level),
        _ => None,
    }
}

/// After an operation that gives a word.
fn word<F: Long2>(g: LaneOp, next: &RowOp, level: u8) -> Option<(Call, bool)> {
    let is_32 = next.bits[2] == 32;
    Some(match g {
        LaneOp::Add32 => (at::<F, common::Add32>(level)?, true),
        LaneOp::And if is_32 => (at::<F, common::And32>(level)?, true),
        LaneOp::Or if is_32 => (at::<F, common::Or32>(level)?, true),
        LaneOp::Xor if is_32 => (at::<F, common::Xor32>(level)?, true),
        LaneOp::Shl32 => (at::<F, common::Shl32>(level)?, false),
        _ => return None,
    })
}

/// A comparison of a word with another.
fn compare<F: Long2>(g: LaneOp, level: u8) -> Option<(Call, bool)> {
    use Compared::{S32, U32};
    let LaneOp::Compare(relation, compared) = g else { return None };
    let call = match (relation, compared) {
        (Relation::Eq, S32 | U32) => at::<F, common::Eq32>(level),
        (Relation::Ne, S32 | U32) => at::<F, common::Ne32>(level),
        (Relation::Lt, U32) => at::<F, common::LtU32>(level),
        (Relation::Le, U32) => at::<F, common::LeU32>(level),
        (Relation::Gt, U32) => at::<F, common::GtU32>(level),
        (Relation::Ge, U32) => at::<F, common::GeU32>(level),
        (Relation::Lt, S32) => at::<F, common::LtS32>(level),
        (Relation::Le, S32) => at::<F, common::LeS32>(level),
        (Relation::Gt, S32) => at::<F, common::GtS32>(level),
        (Relation::Ge, S32) => at::<F, common::GeS32>(level),
        (_, Compared::F32) => None,
    };
    Some((call?, false))
}

/// After an operation that gives a double word: the sum that is an address.
fn long<F: Long2>(g: LaneOp, level: u8) -> Option<(Call, bool)> {
    match g {
        LaneOp::Add64 => Some((at::<F, common::Add64>(level)?, true)),
        _ => None,
    }
}

/// After an operation that gives a float. The order of operands does not matter to the chip: every NaN is the same.
fn float<F: Long2>(g: LaneOp, level: u8) -> Option<(Call, bool)> {
    Some(match g {
        LaneOp::AddF32 => (at::<F, common::AddF32>(level)?, true),
        LaneOp::SubF32 => (at::<F, common::SubF32>(level)?, false),
        LaneOp::MulF32 => (at::<F, common::MulF32>(level)?, true),
        _ => return None,
    })
}

/// # Safety
/// As for [`RowOp::run`].
#[inline(never)]
unsafe fn few<F: Long2, G: Long2>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
    let row = |n: usize| regs.wrapping_add(op.slots[n].0 as usize);
    // SAFETY: slots lie in the block.
    unsafe {
        put_few([op.slots[FIRST], Slot::NONE], regs, mask, |i| F::at(get::<F::A>(row(A), i), get::<F::B>(row(B), i)));
        let mid = |i| get::<G::A>(row(FIRST), i);
        put_few([op.slots[SECOND], Slot::NONE], regs, mask, |i| G::at(mid(i), get::<G::B>(row(OTHER), i)));
    }
}

/// # Safety
/// As for [`RowOp::run`]; the processor has `LEVEL`.
#[inline(always)]
unsafe fn both<F: Long2, G: Long2, const LEVEL: u8>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
    // SAFETY: slots lie in the block.
    unsafe {
        if mask.count_ones() < FEW {
            return few::<F, G>(op, regs, mask);
        }
        let row = |n: usize| regs.wrapping_add(op.slots[n].0 as usize);
        let a = Source::new::<F::A, LEVEL>(row(A));
        let b = Source::new::<F::B, LEVEL>(row(B));
        let other = Source::new::<G::B, LEVEL>(row(OTHER));
        let mid: [<F::D as Output>::First; 32] =
            std::array::from_fn(|i| F::at(a.get::<F::A>(i), b.get::<F::B>(i)).first());
        put::<_, LEVEL>([op.slots[FIRST], Slot::NONE], regs, mask, |i| mid[i]);
        // The other source is not the first result (see `join`): it is what it was.
        let g = |i: usize| G::at(G::A::from_u64(mid[i].to_u64()), other.get::<G::B>(i));
        put::<_, LEVEL>([op.slots[SECOND], Slot::NONE], regs, mask, g);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
unsafe fn avx512<F: Long2, G: Long2>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
    // SAFETY: passed on.
    unsafe { both::<F, G, AVX512>(op, regs, mask) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
unsafe fn avx2<F: Long2, G: Long2>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
    // SAFETY: passed on.
    unsafe { both::<F, G, AVX2>(op, regs, mask) }
}

/// The loop for a level. Without vectors a pair gains nothing.
fn at<F: Long2, G: Long2>(level: u8) -> Option<Call> {
    match level {
        #[cfg(target_arch = "x86_64")]
        AVX512 => Some(avx512::<F, G>),
        #[cfg(target_arch = "x86_64")]
        AVX2 => Some(avx2::<F, G>),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
    use warpvm_sem::Form;

    use super::*;
    use crate::row::RowBuilder;
    use crate::slots::{Class, FULL, Registers};

    /// The operation of a form on these rows: result, sources.
    fn build(opcode: Opcode, words: &[Word], types: &[ScalarType], slots: [Slot; 3]) -> RowOp {
        let of_type = |t: &ScalarType| Modifier::Word(Word::from_text(t.text()).expect("a type is a word"));
        let modifiers: Vec<Modifier> =
            words.iter().map(|w| Modifier::Word(*w)).chain(types.iter().map(of_type)).collect();
        let operands = if opcode == Opcode::Cvt { 2 } else { 3 };
        let form = Form { opcode, modifiers: &modifiers, selectors: &[], negated: &[], operands };
        let built = warpvm_sem::lane(&form, RowBuilder).ok().expect("a form").named(LaneOp::of(&form));
        built.on(slots[0], Slot::NONE, &slots[1..operands])
    }

    type Shape = (Opcode, &'static [Word], &'static [ScalarType]);

    const WORDS: [Shape; 8] = [
        (Opcode::Add, &[], &[ScalarType::U32]),
        (Opcode::Sub, &[], &[ScalarType::S32]),
        (Opcode::Mul, &[Word::Lo], &[ScalarType::U32]),
        (Opcode::And, &[], &[ScalarType::B32]),
        (Opcode::Or, &[], &[ScalarType::B32]),
        (Opcode::Xor, &[], &[ScalarType::B32]),
        (Opcode::Shl, &[], &[ScalarType::B32]),
        (Opcode::Shr, &[], &[ScalarType::U32]),
    ];
    const WIDENING: [Shape; 6] = [
        (Opcode::Mul, &[Word::Wide], &[ScalarType::S32]),
        (Opcode::Mul, &[Word::Wide], &[ScalarType::U32]),
        (Opcode::Mul, &[Word::Wide], &[ScalarType::U16]),
        (Opcode::Shl, &[], &[ScalarType::B64]),
        (Opcode::Cvt, &[], &[ScalarType::S64, ScalarType::S32]),
        (Opcode::Cvt, &[], &[ScalarType::U64, ScalarType::U32]),
    ];
    const FLOATS: [Shape; 3] = [
        (Opcode::Add, &[], &[ScalarType::F32]),
        (Opcode::Sub, &[], &[ScalarType::F32]),
        (Opcode::Mul, &[], &[ScalarType::F32]),
    ];
    static COMPARISONS: [Word; 6] = [Word::Eq, Word::Ne, Word::Lt, Word::Le, Word::Gt, Word::Ge];

    /// Both operations in turn, and as a pair if they are one: whether they are. All registers must agree.
    fn agree(first: Shape, next: Shape, swapped: bool) -> bool {
        // Rows of 64 bits at 0, 256, ...; predicates at 2048.
        let [a, b, mid, other, out] = [0, 256, 512, 768, 1024].map(Slot);
        let sources = if swapped { [other, mid] } else { [mid, other] };
        let f = build(first.0, first.1, first.2, [mid, a, b]);
        let target = if next.0 == Opcode::Setp { Slot(2048) } else { out };
        let g = build(next.0, next.1, next.2, [target, sources[0], sources[1]]);
        let Some(pair) = f.then(&g) else { return false };
        for (seed, mask) in [FULL, 0x1234_5678, 0x8000_0001, 1].into_iter().enumerate() {
            let mut random = crate::random::Random::new(seed as u64);
            let mut one = Registers::new(2052);
            for lane in 0..32 {
                for slot in [a, b, mid, other, out] {
                    let bits = random.next_u64();
                    // Small numbers too: amounts of shifts.
                    one.set(Class::R64, slot, lane, if bits >> 60 == 0 { bits & 0x0000_003f_0000_003f } else { bits });
                }
            }
            let mut two = Registers::new(2052);
            for slot in [a, b, mid, other, out] {
                (0..32).for_each(|lane| two.set(Class::R64, slot, lane, one.get(Class::R64, slot, lane)));
            }
            // SAFETY: every slot lies in the blocks.
            unsafe {
                f.run(one.base(), mask);
                g.run(one.base(), mask);
                pair.run(two.base(), mask);
            }
            assert_eq!(one.words(), two.words(), "{first:?} {next:?} {mask:x}");
        }
        true
    }

    #[test]
    fn a_pair_does_what_its_two_operations_do() {
        if *LEVEL == crate::vector::PORTABLE {
            return;
        }
        let mut pairs = 0;
        let mut all = |firsts: &[Shape], nexts: &[Shape]| {
            for first in firsts {
                for next in nexts {
                    pairs += usize::from(agree(*first, *next, false)) + usize::from(agree(*first, *next, true));
                }
            }
        };
        all(&WORDS, &WORDS);
        all(&WIDENING[2..3], &WORDS);
        all(&WIDENING, &[(Opcode::Add, &[], &[ScalarType::U64])]);
        all(&FLOATS, &FLOATS);
        for relation in &COMPARISONS {
            for ty in [ScalarType::U32, ScalarType::S32] {
                let words: &'static [Word] = std::slice::from_ref(relation);
                let types: &'static [ScalarType] =
                    if ty == ScalarType::U32 { &[ScalarType::U32] } else { &[ScalarType::S32] };
                all(&WORDS, &[(Opcode::Setp, words, types)]);
            }
        }
        // Words: seven firsts, four commutative seconds and a shift; five sums of 64 bits; floats; comparisons.
        assert_eq!(pairs, 7 * 9 + 9 + 5 * 2 + 3 * 5 + 2 * 12);
    }
}
