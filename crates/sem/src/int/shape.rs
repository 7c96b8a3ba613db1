//! What a form may look like: which words it may carry, how many types and operands, and the Rust type of its type.

use crate::Form;
use warpvm_isa::{Modifier, ScalarType, Word};

/// Has the form this many types and operands (destination included), and no word beside types and `words`?
pub(crate) fn is_shaped(form: &Form<'_>, words: &[Word], types: usize, operands: usize) -> bool {
    let mut seen_types = 0;
    for modifier in form.modifiers {
        match modifier {
            Modifier::Word(word) if ScalarType::from_word(*word).is_some() => seen_types += 1,
            Modifier::Word(word) if words.contains(word) => {}
            _ => return false,
        }
    }
    seen_types == types && form.operands == operands
}

/// Evaluates an expression with a type alias set to the Rust type of a PTX type; gives the sink back for other types.
///
/// `by_type!(ty, sink, T: { U32 | S32 => u32, U64 | S64 => u64 }, sink.op1(|a: T| !a))`
macro_rules! by_type {
    ($ty:expr, $sink:ident, $alias:ident: { $($($variant:ident)|+ => $rust:ty),+ $(,)? }, $call:expr) => {
        match $ty {
            $(Some($(warpvm_isa::ScalarType::$variant)|+) => {
                type $alias = $rust;
                Ok($call)
            })+
            _ => Err($sink),
        }
    };
}
pub(crate) use by_type;

/// [`by_type`] over the six integer types, signedness kept.
macro_rules! by_int {
    ($ty:expr, $sink:ident, $alias:ident, $call:expr) => {
        $crate::int::shape::by_type!($ty, $sink, $alias: {
            U16 => u16, U32 => u32, U64 => u64, S16 => i16, S32 => i32, S64 => i64
        }, $call)
    };
}
pub(crate) use by_int;

/// [`by_type`] over the six integer types where only the width matters.
macro_rules! by_width {
    ($ty:expr, $sink:ident, $alias:ident, $call:expr) => {
        $crate::int::shape::by_type!($ty, $sink, $alias: {
            U16 | S16 => u16, U32 | S32 => u32, U64 | S64 => u64
        }, $call)
    };
}
pub(crate) use by_width;

/// [`by_type`] over the untyped `.b16 .b32 .b64`.
macro_rules! by_bits {
    ($ty:expr, $sink:ident, $alias:ident, $call:expr) => {
        $crate::int::shape::by_type!($ty, $sink, $alias: { B16 => u16, B32 => u32, B64 => u64 }, $call)
    };
}
pub(crate) use by_bits;
