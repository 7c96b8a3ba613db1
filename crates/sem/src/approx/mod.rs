//! The special-function unit: approximate functions, bit for bit.
//!
//! PTX ISA 9.0, sections 9.7.3 (`div rcp sqrt rsqrt sin cos lg2 ex2 tanh` of f32 and f64) and 9.7.4 (`ex2 tanh` of f16
//! and bf16). The manual bounds their errors only; here they are what an H200 answers (`sm_90`).
//!
//! # The unit
//! Its shape is that of the published multifunction interpolators (Oberman and Siu, *A High-Performance Area-Efficient
//! Multifunction Interpolator*, 2005): the argument is reduced to a fixed-point fraction of 23 bits; its leading bits,
//! 7 for `rcp` and 6 for the others, choose a row of three coefficients; the rest, `t` (17 bits, for `rcp` 16 and a
//! zero), enters `c0 + c1 t + c2 S(t)`. The sum is exact but for three things:
//! - **The squarer.** `S(t)` is `t^2` summed from folded partial products (`t_i t_j` with `i < j` at column
//!   `i + j + 1`, `t_i` at column `2 i`), of which columns 0 to 18 do not exist. Nothing stands in for their carries.
//! - **The bias.** The sum starts from a constant of the function which no coefficient could hold, given in units of the
//!   last bit of `c1 t`. It is where the result's truncation is compensated, as far as it is.
//! - **The end.** The sum is normalised and cut to 24 bits: there is no rounding. `lg2` first cuts it at 2^-36.
//!
//! Negative arguments are complemented, not negated: `ex2` takes the fraction of `-x` as its one's complement, `sin` and
//! `cos` mirror a falling quarter turn in the same way, and a negative sum of `lg2` becomes a magnitude by complement.
//! Exact results are special cases: `rcp` of powers of two, `rsqrt` and `sqrt` of powers of four, `ex2` of whole
//! numbers, `lg2` of one (but not of other powers of two: `lg2.approx.f32` of 0.5 is -0.9999999).
//!
//! `ex2` reduces to 23 fraction bits by truncation; `sin` and `cos` to 25 bits of a turn, two of which are the quarter.
//! `tanh` has a table of its own making: below 2^-8 it is the identity, from 8 on it is one, and each binade between has
//! 1 to 16 rows with a `t` of 17 bits, in a unit that follows the argument below 1/4.
//!
//! f64 forms read the high word and give a high word: the same tables, 20 bits of mantissa in and out, no more
//! subnormals. 16-bit forms widen to f32 and cut the result off (`half.rs`).
//!
//! # Around the unit
//! The unit flushes subnormal operands and results. What a PTX instruction without `.ftz` adds to it, and division, are
//! sequences (`sequence.rs`), read from what ptxas 13.0 makes for `sm_90a`: scaling by powers of two, a multiplication
//! by 1 / 2 pi rounded to zero, one step of refinement for `rsqrt.approx.f64`.
//!
//! # How the constants were found, and how sure they are
//! The answers of whole binades were recorded. With the segments guessed from the paper, a Chebyshev fit of each segment
//! to `a + b t + c t^2` left a residue wider than the one unit that truncation explains, by an amount proportional to
//! `c`: noise of the squarer. Averaged over all segments of `rcp`, it fell by the same step for each bit set in `t`, and
//! by two for the bit whose square is in the last missing column: the signature of columns left out below a fixed
//! weight. With that squarer the width fell below one unit in every segment of every function, and exact inequalities
//! over all `t` of a segment left one triple of integers, which is in the table. The windows left for `c0` meet in one
//! bias a function. Rows of `tanh` outside the recorded binades were searched near the best quadratic until the recorded
//! sums of their chunks agreed.
//!
//! All functions agree with all recorded sums: every one of the 2^32 operands of the f32 and the packed forms, and 2^32
//! hashed operands or pairs of the f64 forms and of division (`cargo xtask special`; a sample of it runs as a test). A
//! row's coefficients, and with them every operand of its segment, are thus tried in full, and the scalar 16-bit forms
//! with the packed ones.

mod half;
mod interpolate;
mod mufu;
mod sequence;
mod tables;

use crate::{Form, Long1, Long2, Sink};
use warpvm_isa::{Opcode, ScalarType as T, Word};

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    let Some((kind, ty)) = kind(form) else { return Err(sink) };
    match kind {
        Kind::Approx => approx(form.opcode, ty, sink),
        Kind::ApproxFtz => approx_ftz(form.opcode, ty, sink),
        Kind::Full => match (form.opcode, ty) {
            (Opcode::Div, T::F32) => Ok(sink.long2::<DivFull>()),
            _ => Err(sink),
        },
        Kind::FullFtz => match (form.opcode, ty) {
            (Opcode::Div, T::F32) => Ok(sink.long2::<DivFullFtz>()),
            _ => Err(sink),
        },
    }
}

/// The factors whose product `div.approx{.ftz}.f32` or `div.full{.ftz}.f32` is, for who adds something to it in the same
/// rounding: one of the divisor, and one of dividend and divisor. None, where the form is another.
pub fn factors<S: Sink>(form: &Form<'_>, sinks: [S; 2]) -> Option<[S::Out; 2]> {
    let (kind, ty) = kind(form)?;
    let [one, two] = sinks;
    if (form.opcode, ty) != (Opcode::Div, T::F32) {
        return None;
    }
    Some(match kind {
        Kind::Approx => [one.long1::<DivReciprocal>(), two.op2(|x: u32, y: u32| sequence::div_dividend(x, y))],
        Kind::ApproxFtz => [one.long1::<RcpUnit>(), two.op2(|x: u32, _: u32| x)],
        Kind::Full => [one.long1::<FullReciprocal>(), two.op2(|x: u32, y: u32| sequence::full_dividend(x, y))],
        Kind::FullFtz => {
            [one.long1::<FullReciprocalFtz>(), two.op2(|x: u32, y: u32| sequence::full_dividend_ftz(x, y))]
        }
    })
}

/// A function of the unit whose sum is only asked for the 23 bits of a mantissa.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // named as the unit's operations
pub enum Function {
    Rcp,
    Rsqrt,
    Sqrt,
    Ex2,
}

/// The numbers of a function, for code that computes it in its own way: the sum of a segment is `c0 2^s0 + c1 2^s1 t +
/// c2 2^s2 S(t)` and a constant.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// `c0`, `c1` and `c2` of each segment.
    pub rows: Vec<[i32; 3]>,
    /// `s0`, `s1` and `s2`.
    pub weights: [u32; 3],
    /// What the sum starts from.
    pub bias: i64,
}

/// The numbers of a function.
pub fn coefficients(function: Function) -> Coefficients {
    let (rows, shape) = mufu::table(function);
    Coefficients {
        rows: rows.iter().map(|row| row.coefficients()).collect(),
        weights: [shape.c0, shape.c1, shape.c2],
        bias: shape.bias,
    }
}

/// What the chip multiplies with where `div.approx.f32` or `div.full.f32` has an immediate divisor: its compiler rounds the
/// reciprocal to nearest. None, where divisor or reciprocal is not normal.
pub fn constant_reciprocal(divisor: u32) -> Option<u32> {
    let reciprocal = 1.0 / f32::from_bits(divisor);
    (f32::from_bits(divisor).is_normal() && reciprocal.is_normal()).then(|| reciprocal.to_bits())
}

/// The words before the type.
enum Kind {
    Approx,
    ApproxFtz,
    Full,
    FullFtz,
}

/// Splits the modifiers; none, where there are others than these.
fn kind(form: &Form<'_>) -> Option<(Kind, T)> {
    let (approx, full, ftz) = (form.has(Word::Approx), form.has(Word::Full), form.has(Word::Ftz));
    let kind = match (approx, full, ftz) {
        (true, false, false) => Kind::Approx,
        (true, false, true) => Kind::ApproxFtz,
        (false, true, false) => Kind::Full,
        (false, true, true) => Kind::FullFtz,
        _ => return None,
    };
    let words = 2 + usize::from(ftz);
    Some((kind, form.ty(0)?)).filter(|_| form.modifiers.len() == words)
}

/// Declares long operations by name.
macro_rules! long {
    ($($name:ident: $ty:ty = |$x:ident| $body:expr;)* ) => { $(
        #[derive(Clone, Copy)]
        struct $name;

        impl Long1 for $name {
            type A = $ty;
            type D = $ty;
            #[inline(always)]
            fn at($x: $ty) -> $ty {
                $body
            }
        }
    )* };
    ($($name:ident: $ty:ty = |$x:ident, $y:ident| $body:expr;)* ) => { $(
        #[derive(Clone, Copy)]
        struct $name;

        impl Long2 for $name {
            type A = $ty;
            type B = $ty;
            type D = $ty;
            #[inline(always)]
            fn at($x: $ty, $y: $ty) -> $ty {
                $body
            }
        }
    )* };
}

long! {
    Rcp: u32 = |x| sequence::rcp(x);
    Rsqrt: u32 = |x| sequence::rsqrt(x);
    RsqrtF64: u64 = |x| sequence::rsqrt_f64(x);
    Sqrt: u32 = |x| sequence::sqrt(x);
    Lg2: u32 = |x| sequence::lg2(x);
    Sin: u32 = |x| sequence::sin(x);
    Cos: u32 = |x| sequence::cos(x);
    Ex2: u32 = |x| sequence::ex2(x);
    Ex2F16: u16 = |x| half::ex2_f16(x);
    Ex2F16x2: u32 = |x| half::ex2_f16x2(x);
    Tanh: u32 = |x| mufu::tanh(x);
    TanhF16: u16 = |x| half::tanh_f16(x);
    TanhF16x2: u32 = |x| half::tanh_f16x2(x);
    TanhBf16: u16 = |x| half::tanh_bf16(x);
    TanhBf16x2: u32 = |x| half::tanh_bf16x2(x);
    RcpFtz: u32 = |x| mufu::rcp(x);
    RcpFtzF64: u64 = |x| sequence::rcp_ftz_f64(x);
    RsqrtFtz: u32 = |x| mufu::rsqrt(x);
    RsqrtFtzF64: u64 = |x| sequence::rsqrt_ftz_f64(x);
    SqrtFtz: u32 = |x| mufu::sqrt(x);
    Lg2Ftz: u32 = |x| mufu::lg2(x);
    Ex2Ftz: u32 = |x| mufu::ex2(x);
    Ex2Bf16: u16 = |x| half::ex2_bf16(x);
    Ex2Bf16x2: u32 = |x| half::ex2_bf16x2(x);
}

long! {
    DivReciprocal: u32 = |y| sequence::div_reciprocal(y);
    FullReciprocal: u32 = |y| sequence::full_reciprocal(y);
    FullReciprocalFtz: u32 = |y| sequence::full_reciprocal_ftz(y);
    RcpUnit: u32 = |y| mufu::rcp(y);
}

long! {
    Div: u32 = |x, y| sequence::div(x, y);
    DivFtz: u32 = |x, y| sequence::div_ftz(x, y);
    DivFull: u32 = |x, y| sequence::div_full(x, y);
    DivFullFtz: u32 = |x, y| sequence::div_full_ftz(x, y);
}

/// The forms with `.approx` alone.
fn approx<S: Sink>(opcode: Opcode, ty: T, sink: S) -> Result<S::Out, S> {
    Ok(match (opcode, ty) {
        (Opcode::Rcp, T::F32) => sink.long1::<Rcp>(),
        (Opcode::Rsqrt, T::F32) => sink.long1::<Rsqrt>(),
        (Opcode::Rsqrt, T::F64) => sink.long1::<RsqrtF64>(),
        (Opcode::Sqrt, T::F32) => sink.long1::<Sqrt>(),
        (Opcode::Lg2, T::F32) => sink.long1::<Lg2>(),
        (Opcode::Sin, T::F32) => sink.long1::<Sin>(),
        (Opcode::Cos, T::F32) => sink.long1::<Cos>(),
        (Opcode::Div, T::F32) => sink.long2::<Div>(),
        (Opcode::Ex2, T::F32) => sink.long1::<Ex2>(),
        (Opcode::Ex2, T::F16) => sink.long1::<Ex2F16>(),
        (Opcode::Ex2, T::F16x2) => sink.long1::<Ex2F16x2>(),
        (Opcode::Tanh, T::F32) => sink.long1::<Tanh>(),
        (Opcode::Tanh, T::F16) => sink.long1::<TanhF16>(),
        (Opcode::Tanh, T::F16x2) => sink.long1::<TanhF16x2>(),
        (Opcode::Tanh, T::Bf16) => sink.long1::<TanhBf16>(),
        (Opcode::Tanh, T::Bf16x2) => sink.long1::<TanhBf16x2>(),
        _ => return Err(sink),
    })
}

/// The forms with `.approx.ftz`.
fn approx_ftz<S: Sink>(opcode: Opcode, ty: T, sink: S) -> Result<S::Out, S> {
    Ok(match (opcode, ty) {
        (Opcode::Rcp, T::F32) => sink.long1::<RcpFtz>(),
        (Opcode::Rcp, T::F64) => sink.long1::<RcpFtzF64>(),
        (Opcode::Rsqrt, T::F32) => sink.long1::<RsqrtFtz>(),
        (Opcode::Rsqrt, T::F64) => sink.long1::<RsqrtFtzF64>(),
        (Opcode::Sqrt, T::F32) => sink.long1::<SqrtFtz>(),
        (Opcode::Lg2, T::F32) => sink.long1::<Lg2Ftz>(),
        (Opcode::Sin, T::F32) => sink.long1::<Sin>(),
        (Opcode::Cos, T::F32) => sink.long1::<Cos>(),
        (Opcode::Div, T::F32) => sink.long2::<DivFtz>(),
        (Opcode::Ex2, T::F32) => sink.long1::<Ex2Ftz>(),
        (Opcode::Ex2, T::Bf16) => sink.long1::<Ex2Bf16>(),
        (Opcode::Ex2, T::Bf16x2) => sink.long1::<Ex2Bf16x2>(),
        _ => return Err(sink),
    })
}

#[cfg(test)]
mod tests {
    use super::lane;
    use crate::{Eval, Form};
    use warpvm_isa::{Modifier, Opcode, Word};

    fn answer(opcode: Opcode, words: &[Word], operands: &[u64]) -> Option<u64> {
        let modifiers: Vec<Modifier> = words.iter().map(|word| Modifier::Word(*word)).collect();
        let form = Form { opcode, modifiers: &modifiers, selectors: &[], negated: &[], operands: operands.len() + 1 };
        lane(&form, Eval).ok().map(|f| f(operands).0)
    }

    #[test]
    fn whole_results_are_exact_only_where_the_chip_says_so() {
        use Word::{Approx, F32};
        let of = |opcode, x: f32| answer(opcode, &[Approx, F32], &[u64::from(x.to_bits())]);
        let is = |y: f32| Some(u64::from(y.to_bits()));
        assert_eq!(of(Opcode::Rcp, 4.0), is(0.25));
        assert_eq!(of(Opcode::Rsqrt, 4.0), is(0.5));
        assert_eq!(of(Opcode::Ex2, -3.0), is(0.125));
        assert_eq!(of(Opcode::Lg2, 1.0), is(0.0));
        assert_eq!(of(Opcode::Lg2, 0.5), Some(0xbf7f_fffe));
    }

    #[test]
    fn forms_that_ptx_lacks_have_no_meaning() {
        use Word::{Approx, F16, F32, F64, Ftz, Rn};
        assert_eq!(answer(Opcode::Rcp, &[Approx, F64], &[0]), None);
        assert_eq!(answer(Opcode::Tanh, &[Approx, Ftz, F32], &[0]), None);
        assert_eq!(answer(Opcode::Ex2, &[Approx, Ftz, F16], &[0]), None);
        assert_eq!(answer(Opcode::Rcp, &[Rn, F32], &[0]), None);
        assert_eq!(answer(Opcode::Rcp, &[Approx, Rn, F32], &[0]), None);
    }
}
