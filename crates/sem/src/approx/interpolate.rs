//! The fixed-point interpolator: one table row and one evaluation give a value of a segment.
//!
//! A function is cut into segments by the leading bits of its reduced argument. The 17 bits that follow, `t`, go
//! through `c0 + c1 t + c2 S(t)` in exact fixed point, where `S` is a squarer that lacks its low columns.

/// The coefficients of a segment, as wide as the chip keeps them: 26, 16 and 10 bits (`sin` 26, 15 and 11), and signs.
///
/// Those of `tanh` are up to 22 and 17 bits wide in the unit used here, with trailing zeros that differ by binade.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    c0: i32,
    c1: i32,
    c2: i32,
}

impl Row {
    /// The coefficients.
    pub(super) fn coefficients(self) -> [i32; 3] {
        [self.c0, self.c1, self.c2]
    }
}

/// A row of a table.
pub(super) const fn row(c0: i32, c1: i32, c2: i32) -> Row {
    Row { c0, c1, c2 }
}

/// How the coefficients of a function line up in its sum, and the constant that the sum starts from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Weight of the last bit of `c0`.
    pub c0: u32,
    /// Weight of the last bit of `c1 t`.
    pub c1: u32,
    /// Weight of the last bit of `c2 S(t)`.
    pub c2: u32,
    /// Compensates, on average, for what truncation takes away.
    pub bias: i64,
}

/// Bits of `t`.
pub(super) const T_BITS: u32 = 17;
/// Selects `t`.
pub(super) const T_MASK: u32 = (1 << T_BITS) - 1;

/// The square of a 17-bit number, less the partial products of weight below 2^19, over 2^17.
///
/// The array adds each product of two different bits `i < j` once, at weight `i + j + 1`, and each bit's own square at
/// weight `2 i`.
#[inline(always)]
fn truncated_square(t: u32) -> u32 {
    // Bits 9 to 16 meet each other at weight 20 and above; of their own squares, only that of bit 9 falls short.
    let high = t >> 9;
    let mut sum = (high * high - (high & 1)) * 2;
    // A bit below 9 keeps its products with bits high enough, and not its square.
    for i in 2..9 {
        sum += (t >> (18 - i) & (t >> i & 1).wrapping_neg()) * 4;
    }
    sum
}

/// The sum of a row at `t`.
#[inline(always)]
pub(super) fn interpolate(row: Row, shape: Shape, t: u32) -> i64 {
    let square = i64::from(truncated_square(t));
    (i64::from(row.c0) << shape.c0)
        + i64::from(row.c1 << shape.c1) * i64::from(t)
        + i64::from(row.c2 << shape.c2) * square
        + shape.bias
}

#[cfg(test)]
mod tests {
    use super::truncated_square;

    /// The squarer's definition, product by product.
    fn by_columns(t: u64) -> u64 {
        let bit = |i: u64| t >> i & 1;
        let mut sum = 0;
        for i in 0..17 {
            for j in i..17 {
                let weight = if i == j { 2 * i } else { i + j + 1 };
                if weight >= 19 {
                    sum += (bit(i) & bit(j)) << weight;
                }
            }
        }
        sum >> 17
    }

    #[test]
    fn square_lacks_low_columns() {
        for t in 0..1 << 17 {
            assert_eq!(u64::from(truncated_square(t)), by_columns(u64::from(t)), "t = {t:#x}");
        }
    }
}
