//! Who receives the meaning of a lane-wise instruction.

/// A value of one lane: what a register of that width holds.
///
/// 8- and 16-bit registers live in the low bits of a 32-bit row; the upper bits of the row are zero.
pub trait Value: Copy + Send + Sync + 'static {
    /// Bits of the register that holds it: 1 (predicate), 8, 16, 32 or 64.
    const BITS: u32;
    /// Takes the low bits.
    fn from_u64(bits: u64) -> Self;
    /// Zero-extends.
    fn to_u64(self) -> u64;
}

macro_rules! int_value {
    ($($t:ty, $u:ty;)*) => { $(
        impl Value for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline(always)]
            fn from_u64(bits: u64) -> Self { bits as $t }
            #[inline(always)]
            fn to_u64(self) -> u64 { self as $u as u64 }
        }
    )* };
}
int_value! { u8, u8; u16, u16; u32, u32; u64, u64; i8, u8; i16, u16; i32, u32; i64, u64; }

impl Value for bool {
    const BITS: u32 = 1;
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        bits & 1 != 0
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self as u64
    }
}

impl Value for f32 {
    const BITS: u32 = 32;
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.to_bits() as u64
    }
}

impl Value for f64 {
    const BITS: u32 = 64;
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.to_bits()
    }
}

/// What an operation gives: one value, or a value and a predicate (`d|p`, carry-out, `p|q`).
pub trait Output: Copy + Send + Sync + 'static {
    /// The first result.
    type First: Value;
    /// Is there a second result, a predicate?
    const HAS_SECOND: bool;
    /// The first result.
    fn first(self) -> Self::First;
    /// The second result; false where there is none.
    fn second(self) -> bool;
}

impl<V: Value> Output for V {
    type First = V;
    const HAS_SECOND: bool = false;
    #[inline(always)]
    fn first(self) -> V {
        self
    }
    #[inline(always)]
    fn second(self) -> bool {
        false
    }
}

impl<V: Value> Output for (V, bool) {
    type First = V;
    const HAS_SECOND: bool = true;
    #[inline(always)]
    fn first(self) -> V {
        self.0
    }
    #[inline(always)]
    fn second(self) -> bool {
        self.1
    }
}

/// Receives the closure that is an instruction's meaning, with 1 to 5 inputs.
///
/// Inputs are the source operands in order (a carry-in last); a closure may capture modes but nothing that changes.
pub trait Sink: Sized {
    /// What becomes of it.
    type Out;
    /// One input.
    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> Self::Out;
    /// Two inputs.
    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> Self::Out;
    /// Three inputs.
    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        f: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> Self::Out;
    /// Four inputs.
    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> Self::Out;
    /// Five inputs: `lop3` with a predicate, and nothing else. A sink that does not take them is given back.
    ///
    /// # Errors
    /// The sink.
    fn op5<A: Value, B: Value, C: Value, E: Value, G: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E, G) -> D + Copy + Send + Sync + 'static,
    ) -> Result<Self::Out, Self> {
        let _ = f;
        Err(self)
    }
    /// One input, by an operation so long that a compiler leaves its closure out of a loop: a sink that makes loops can
    /// have it inside.
    fn long1<L: Long1>(self) -> Self::Out {
        self.op1(L::at)
    }
    /// The same with two inputs.
    fn long2<L: Long2>(self) -> Self::Out {
        self.op2(L::at)
    }
}

/// A long operation of one input. Its function is to be `#[inline(always)]`, which closures cannot be.
pub trait Long1: Copy + Send + Sync + 'static {
    /// The input.
    type A: Value;
    /// The results.
    type D: Output;
    /// The operation.
    fn at(a: Self::A) -> Self::D;
}

/// A long operation of two inputs.
pub trait Long2: Copy + Send + Sync + 'static {
    /// The first input.
    type A: Value;
    /// The second.
    type B: Value;
    /// The results.
    type D: Output;
    /// The operation.
    fn at(a: Self::A, b: Self::B) -> Self::D;
}

/// A sink that keeps the closure as a function of raw values: first result and second result.
pub struct Eval;

/// What [`Eval`] gives.
pub type EvalFn = Box<dyn Fn(&[u64]) -> (u64, bool) + Send + Sync>;

impl Sink for Eval {
    type Out = EvalFn;
    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> EvalFn {
        Box::new(move |x| {
            let d = f(A::from_u64(x[0]));
            (d.first().to_u64(), d.second())
        })
    }
    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> EvalFn {
        Box::new(move |x| {
            let d = f(A::from_u64(x[0]), B::from_u64(x[1]));
            (d.first().to_u64(), d.second())
        })
    }
    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        f: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> EvalFn {
        Box::new(move |x| {
            let d = f(A::from_u64(x[0]), B::from_u64(x[1]), C::from_u64(x[2]));
            (d.first().to_u64(), d.second())
        })
    }
    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> EvalFn {
        Box::new(move |x| {
            let d = f(A::from_u64(x[0]), B::from_u64(x[1]), C::from_u64(x[2]), E::from_u64(x[3]));
            (d.first().to_u64(), d.second())
        })
    }
    fn op5<A: Value, B: Value, C: Value, E: Value, G: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E, G) -> D + Copy + Send + Sync + 'static,
    ) -> Result<EvalFn, Self> {
        Ok(Box::new(move |x| {
            let d = f(A::from_u64(x[0]), B::from_u64(x[1]), C::from_u64(x[2]), E::from_u64(x[3]), G::from_u64(x[4]));
            (d.first().to_u64(), d.second())
        }))
    }
}

/// The meaning of a form as a function of raw values, if it is lane-wise.
pub fn eval(form: &crate::Form<'_>) -> Option<EvalFn> {
    crate::lane(form, Eval).ok()
}
