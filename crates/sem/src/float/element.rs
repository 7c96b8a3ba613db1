//! The element types of floating-point registers, and what every one of them can do.
//!
//! Arithmetic here is to nearest even, the common case: it is native or nearly so, and free of branches, so that a
//! loop over 32 lanes becomes vector code. Other roundings are in [`super::soft`].

use super::format::Format;
use crate::Value;

/// A floating-point number in a register.
pub(crate) trait Element: Value {
    /// Its format.
    const FORMAT: Format;
    /// What a NaN result is where no operand is NaN.
    const INVALID: Self;
    /// An integer that orders numbers, zeros by their sign.
    type Key: Copy + Ord;

    /// The number as an integer that orders like it.
    fn key(self) -> Self::Key;
    /// Is it NaN?
    fn is_nan(self) -> bool;
    /// What an operation makes of this NaN operand.
    fn quiet(self) -> Self;
    /// `a + b`
    fn add(self, b: Self) -> Self;
    /// `a - b`
    fn sub(self, b: Self) -> Self;
    /// `a * b`
    fn mul(self, b: Self) -> Self;
    /// `a * b + c`, rounded once.
    fn fma(self, b: Self, c: Self) -> Self;
    /// `a * b` with subnormal operands and results flushed to zero.
    fn mul_ftz(self, b: Self) -> Self;
    /// `a * b + c` with subnormal operands and results flushed to zero.
    fn fma_ftz(self, b: Self, c: Self) -> Self;

    /// `a + b` with subnormal operands and results flushed to zero: a sum that small is exact.
    #[inline(always)]
    fn add_ftz(self, b: Self) -> Self {
        self.flush().add(b.flush()).flush()
    }
    /// `a - b` with subnormal operands and results flushed to zero.
    #[inline(always)]
    fn sub_ftz(self, b: Self) -> Self {
        self.flush().sub(b.flush()).flush()
    }
    /// Subnormal numbers become zeros of their sign.
    fn flush(self) -> Self;
    /// Clears the sign, also of a NaN.
    fn magnitude(self) -> Self;
    /// Is the sign bit set?
    fn is_negative(self) -> bool;
    /// `yes` where `c` is true, else `no`, without a branch.
    fn pick(c: bool, yes: Self, no: Self) -> Self;
    /// `.sat`: clamps to 0 to 1; NaN becomes +0.
    fn saturate(self) -> Self;
    /// `.relu`: negative numbers become +0; NaN stays, as the chip's NaN.
    fn relu(self) -> Self;
}

/// The methods that are about bits, in the integer type that a lane of the row has.
macro_rules! bit_methods {
    ($bits:ty, $pick:path, $to:expr, $from:expr) => {
        #[inline(always)]
        fn is_nan(self) -> bool {
            let infinity = const { <Self as Element>::FORMAT.infinity() as $bits };
            $to(self.magnitude()) > infinity
        }
        #[inline(always)]
        fn flush(self) -> Self {
            let infinity = const { <Self as Element>::FORMAT.infinity() as $bits };
            let sign = const { <Self as Element>::FORMAT.sign() as $bits };
            let bits: $bits = $to(self);
            $from($pick(bits & infinity == 0, bits & sign, bits))
        }
        #[inline(always)]
        fn magnitude(self) -> Self {
            let sign = const { <Self as Element>::FORMAT.sign() as $bits };
            $from($to(self) & !sign)
        }
        #[inline(always)]
        fn is_negative(self) -> bool {
            let sign = const { <Self as Element>::FORMAT.sign() as $bits };
            $to(self) & sign != 0
        }
        #[inline(always)]
        fn pick(c: bool, yes: Self, no: Self) -> Self {
            $from($pick(c, $to(yes), $to(no)))
        }
        #[inline(always)]
        fn saturate(self) -> Self {
            let infinity = const { <Self as Element>::FORMAT.infinity() as $bits };
            let one = const { <Self as Element>::FORMAT.one() as $bits };
            // Negative numbers are above every positive NaN here.
            let bits: $bits = $to(self);
            $from($pick(bits > infinity, 0, $pick(bits > one, one, bits)))
        }
        #[inline(always)]
        fn relu(self) -> Self {
            let infinity = const { <Self as Element>::FORMAT.infinity() as $bits };
            let sign = const { <Self as Element>::FORMAT.sign() as $bits };
            let nan = const { <Self as Element>::FORMAT.nan() as $bits };
            let bits: $bits = $to(self);
            let positive = $pick(bits & sign != 0, 0, bits);
            $from($pick(bits & !sign > infinity, nan, positive))
        }
    };
}
pub(super) use bit_methods;

/// An element, or two of them in one register.
pub(crate) trait Lanes: Value {
    /// What is computed with.
    type Element: Element;
    /// Applies a function to every element.
    fn map(self, f: impl Fn(Self::Element) -> Self::Element) -> Self;
    /// Applies a function to every element of two registers.
    fn map2(self, b: Self, f: impl Fn(Self::Element, Self::Element) -> Self::Element) -> Self;
    /// Applies a function to every element of three registers.
    fn map3(self, b: Self, c: Self, f: impl Fn(Self::Element, Self::Element, Self::Element) -> Self::Element) -> Self;
}

macro_rules! one_lane {
    ($($t:ty)*) => { $(
        impl Lanes for $t {
            type Element = $t;
            #[inline(always)]
            fn map(self, f: impl Fn($t) -> $t) -> $t {
                f(self)
            }
            #[inline(always)]
            fn map2(self, b: $t, f: impl Fn($t, $t) -> $t) -> $t {
                f(self, b)
            }
            #[inline(always)]
            fn map3(self, b: $t, c: $t, f: impl Fn($t, $t, $t) -> $t) -> $t {
                f(self, b, c)
            }
        }
    )* };
}
one_lane! { F16 Bf16 f32 f64 }

/// `.f16`: one register of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct F16(pub(crate) u16);

/// `.bf16`: one register of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bf16(pub(crate) u16);

macro_rules! half_value {
    ($($t:ident)*) => { $(
        impl Value for $t {
            const BITS: u32 = 16;
            #[inline(always)]
            fn from_u64(bits: u64) -> Self {
                $t(bits as u16)
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                u64::from(self.0)
            }
        }
    )* };
}
half_value! { F16 Bf16 }

/// `.f16x2`, `.bf16x2`, `.f32x2`: the low and the high element of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair<E>(pub(crate) E, pub(crate) E);

impl<E: Element> Value for Pair<E> {
    const BITS: u32 = 2 * E::BITS;
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        Pair(E::from_u64(bits), E::from_u64(bits >> E::BITS))
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.0.to_u64() | self.1.to_u64() << E::BITS
    }
}

impl<E: Element> Lanes for Pair<E> {
    type Element = E;
    #[inline(always)]
    fn map(self, f: impl Fn(E) -> E) -> Self {
        Pair(f(self.0), f(self.1))
    }
    #[inline(always)]
    fn map2(self, b: Self, f: impl Fn(E, E) -> E) -> Self {
        Pair(f(self.0, b.0), f(self.1, b.1))
    }
    #[inline(always)]
    fn map3(self, b: Self, c: Self, f: impl Fn(E, E, E) -> E) -> Self {
        Pair(f(self.0, b.0, c.0), f(self.1, b.1, c.1))
    }
}
