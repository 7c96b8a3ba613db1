//! The last steps of a scalar video instruction: saturation, second operation, merge.
//!
//! These steps follow the chip, not the manual; the places are listed in the documentation of [`super`].

use super::operation::Operation;
use super::select::Field;

/// Saturation and comparison with the last operand, as shifts and bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    /// Sign bits above the intermediate result: 30 where only 34 bits of it count.
    above: u32,
    /// The largest value, the result taken as unsigned.
    cap: u64,
    /// The bounds, the result taken as signed.
    low: i64,
    high: i64,
    /// Sign bits above the bounded result: 32 where only its low half goes on.
    above_bounded: u32,
    /// The destination is signed.
    signed: bool,
}

impl Finish {
    /// The steps for an operation with or without `.sat` into a field of a type.
    pub(super) fn new(operation: Operation, saturate: bool, signed: bool, field: Field) -> Self {
        let is_sum = matches!(operation, Operation::Add | Operation::Sub);
        let is_shift = operation.is_shift();
        let free = Self {
            above: 0,
            cap: u64::MAX,
            low: i64::MIN,
            high: i64::MAX,
            above_bounded: if is_sum { 32 } else { 0 },
            signed,
        };
        match (saturate, is_shift, signed) {
            (false, _, _) => free,
            (true, true, true) => Self { above: 30, low: i32::MIN.into(), high: i32::MAX.into(), ..free.cut() },
            (true, true, false) => Self { above: 30, low: 0, high: u32::MAX.into(), ..free.cut() },
            (true, false, _) if field.bits < 32 => Self { cap: (1 << (field.bits - signed as u32)) - 1, ..free },
            (true, false, true) => Self { low: i32::MIN.into(), high: i32::MAX.into(), ..free },
            (true, false, false) => Self { low: 0, ..free },
        }
    }

    /// The same, with only the low half of the bounded result going on.
    fn cut(self) -> Self {
        Self { above_bounded: 32, ..self }
    }

    /// Saturates an intermediate result.
    #[inline(always)]
    pub(super) fn bound(self, result: i64) -> i64 {
        let counted = (result << self.above) >> self.above;
        let capped = (counted as u64).min(self.cap) as i64;
        let bounded = capped.max(self.low).min(self.high);
        (bounded << self.above_bounded) >> self.above_bounded
    }

    /// The smaller of a bounded result and the last operand.
    #[inline(always)]
    pub(super) fn min(self, result: i64, c: u32) -> u32 {
        if self.signed { result.min(c as i32 as i64) as u32 } else { (result as u64).min(c as u64) as u32 }
    }

    /// The larger of a bounded result and the last operand.
    #[inline(always)]
    pub(super) fn max(self, result: i64, c: u32) -> u32 {
        if self.signed { result.max(c as i32 as i64) as u32 } else { (result as u64).max(c as u64) as u32 }
    }
}

/// The merge of a result into a field of the last operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Merge {
    shift: u32,
    mask: u32,
}

impl Merge {
    /// The merge into `field`. The upper half-word comes from the upper half of the result.
    pub(super) fn new(field: Field) -> Self {
        let is_upper_half = field.bits == 16 && field.shift == 16;
        Self { shift: if is_upper_half { 0 } else { field.shift }, mask: field.mask() }
    }

    /// Merges.
    #[inline(always)]
    pub(super) fn of(self, result: i64, c: u32) -> u32 {
        (((result as u32) << self.shift) & self.mask) | (c & !self.mask)
    }
}
