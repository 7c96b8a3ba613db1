//! Division and remainder (PTX ISA 9.7.1.8, 9.7.1.9).
//!
//! The manual leaves the quotient and the remainder of a division by zero open. The chip gives all ones for both, of every
//! type (`more/div.u16` and its like).

use super::shape::{by_int, is_shaped};
use crate::{Form, Sink};

/// Division as the chip does it: no trap, ever.
trait Divide: Sized {
    /// The quotient, rounded toward zero.
    fn quotient(self, other: Self) -> Self;
    /// What is left; it has the sign of the dividend.
    fn remainder(self, other: Self) -> Self;
}

macro_rules! divide {
    ($($t:ty),*) => { $(
        impl Divide for $t {
            #[inline(always)]
            fn quotient(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn remainder(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_rem(other) }
            }
        }
    )* };
}
divide! { u16, i16, u32, i32, u64, i64 }

/// `div`: 9.7.1.8.
pub(super) fn div<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_int!(form.ty(0), sink, T, sink.op2(|a: T, b: T| a.quotient(b)))
}

/// `rem`: 9.7.1.9.
pub(super) fn rem<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    if !is_shaped(form, &[], 1, 3) {
        return Err(sink);
    }
    by_int!(form.ty(0), sink, T, sink.op2(|a: T, b: T| a.remainder(b)))
}
