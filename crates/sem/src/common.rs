//! The most common operations as types, for those who join two of them in one loop.
//!
//! They mean what the forms named beside them mean; a test of the machine holds the two against each other.

use crate::Long2;
use crate::float::element::Element;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident: ($a:ident: $A:ty, $b:ident: $B:ty) -> $D:ty { $body:expr })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Long2 for $name {
            type A = $A;
            type B = $B;
            type D = $D;
            #[inline(always)]
            fn at($a: $A, $b: $B) -> $D {
                $body
            }
        }
    )* };
}
operations! {
    /// `add.u32`
    Add32: (a: u32, b: u32) -> u32 { a.wrapping_add(b) }
    /// `sub.u32`
    Sub32: (a: u32, b: u32) -> u32 { a.wrapping_sub(b) }
    /// `mul.lo.u32`
    Mul32: (a: u32, b: u32) -> u32 { a.wrapping_mul(b) }
    /// `and.b32`
    And32: (a: u32, b: u32) -> u32 { a & b }
    /// `or.b32`
    Or32: (a: u32, b: u32) -> u32 { a | b }
    /// `xor.b32`
    Xor32: (a: u32, b: u32) -> u32 { a ^ b }
    /// `shl.b32`
    Shl32: (a: u32, n: u32) -> u32 { if n < 32 { a << (n & 31) } else { 0 } }
    /// `shr.u32`
    ShrU32: (a: u32, n: u32) -> u32 { if n < 32 { a >> (n & 31) } else { 0 } }
    /// `add.u64`
    Add64: (a: u64, b: u64) -> u64 { a.wrapping_add(b) }
    /// `shl.b64`
    Shl64: (a: u64, n: u32) -> u64 { if n < 64 { a << (n & 63) } else { 0 } }
    /// `mul.wide.s32`
    MulWideS32: (a: i32, b: i32) -> i64 { i64::from(a) * i64::from(b) }
    /// `mul.wide.u32`
    MulWideU32: (a: u32, b: u32) -> u64 { u64::from(a) * u64::from(b) }
    /// `mul.wide.u16`
    MulWideU16: (a: u16, b: u16) -> u32 { u32::from(a) * u32::from(b) }
    /// `cvt.s64.s32`; the second input is not used.
    SignExtend: (a: i32, _unused: i32) -> i64 { i64::from(a) }
    /// `cvt.u64.u32`; the second input is not used.
    ZeroExtend: (a: u32, _unused: u32) -> u64 { u64::from(a) }
    /// `add.f32`
    AddF32: (a: f32, b: f32) -> f32 { Element::add(a, b) }
    /// `sub.f32`
    SubF32: (a: f32, b: f32) -> f32 { Element::sub(a, b) }
    /// `mul.f32`
    MulF32: (a: f32, b: f32) -> f32 { Element::mul(a, b) }
    /// `setp.eq.u32`
    Eq32: (a: u32, b: u32) -> bool { a == b }
    /// `setp.ne.u32`
    Ne32: (a: u32, b: u32) -> bool { a != b }
    /// `setp.lt.u32`
    LtU32: (a: u32, b: u32) -> bool { a < b }
    /// `setp.le.u32`
    LeU32: (a: u32, b: u32) -> bool { a <= b }
    /// `setp.gt.u32`
    GtU32: (a: u32, b: u32) -> bool { a > b }
    /// `setp.ge.u32`
    GeU32: (a: u32, b: u32) -> bool { a >= b }
    /// `setp.lt.s32`
    LtS32: (a: i32, b: i32) -> bool { a < b }
    /// `setp.le.s32`
    LeS32: (a: i32, b: i32) -> bool { a <= b }
    /// `setp.gt.s32`
    GtS32: (a: i32, b: i32) -> bool { a > b }
    /// `setp.ge.s32`
    GeS32: (a: i32, b: i32) -> bool { a >= b }
}

/// `fma.rn.f32`
#[inline(always)]
pub fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    Element::fma(a, b, c)
}
