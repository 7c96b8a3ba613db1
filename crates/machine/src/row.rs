//! Lane-wise operations over a whole row of 32 lanes.
//!
//! `sem` hands over the meaning of an instruction as a closure; [`RowBuilder`] turns it into a function that runs the
//! closure over the rows of its operands, compiled three times: for AVX-512 and for AVX2, where all 32 lanes are computed
//! and the active ones kept, and for any processor, lane by lane. The choice is made once, at load.

use warpvm_sem::{Long1, Long2, Output, Sink, Value};

mod long;
mod pair;

use crate::lane_op::LaneOp;
use crate::slots::{Class, FULL, LaneMask, Registers, Slot};
use crate::vector::{self, AVX2, AVX512, LEVEL, PORTABLE};

/// A row function: for the lanes of a mask, on the registers from a base.
type Call = unsafe fn(&RowOp, *mut u8, LaneMask);

/// A lane-wise operation with its operands' slots.
pub struct RowOp {
    call: Call,
    /// The closure; dangling where it captures nothing.
    data: *const (),
    /// What is done with it.
    own: &'static Own,
    /// First result, second result (a predicate), then up to four sources.
    pub slots: [Slot; 6],
    /// The class of each of `slots`.
    pub classes: [Option<Class>; 6],
    /// Its name, where it has one.
    pub name: Option<LaneOp>,
    /// How many bits of each of `slots` the operation looks at or gives.
    pub bits: [u8; 6],
}

// SAFETY: the closure behind `data` is `Send + Sync` by the bounds of `Sink` and is never changed.
unsafe impl Send for RowOp {}
// SAFETY: as above.
unsafe impl Sync for RowOp {}

impl Drop for RowOp {
    fn drop(&mut self) {
        // SAFETY: `data` came from `Box::into_raw` of the type that `own` was made for.
        unsafe { (self.own.drop)(self.data) }
    }
}

impl Clone for RowOp {
    fn clone(&self) -> Self {
        // SAFETY: as for `drop`; the copy belongs to the new operation.
        let data = unsafe { (self.own.copy)(self.data) };
        RowOp { data, ..*self }
    }
}

/// What is done with a closure whose type is forgotten.
struct Own {
    copy: unsafe fn(*const ()) -> *const (),
    drop: unsafe fn(*const ()),
}

impl Own {
    /// For a closure in a box.
    const fn of<F: Copy>() -> &'static Own {
        const { &Own { copy: copy_box::<F>, drop: drop_box::<F> } }
    }

    /// For one that belongs to somebody else.
    const BORROWED: &'static Own = &Own { copy: |data| data, drop: |_| {} };
}

unsafe fn copy_box<F: Copy>(data: *const ()) -> *const () {
    // SAFETY: `data` points to an `F`.
    Box::into_raw(Box::new(unsafe { *data.cast::<F>() })).cast_const().cast()
}

unsafe fn drop_box<F>(data: *const ()) {
    // SAFETY: only called with what `Box::into_raw` gave.
    drop(unsafe { Box::from_raw(data.cast_mut().cast::<F>()) });
}

impl RowOp {
    /// Runs the operation on other rows than those of its slots: sources in, first and second result out, for all
    /// 32 lanes. For observers that want to know what an operation would give.
    pub fn eval(&self, sources: &[[u64; 32]]) -> ([u64; 32], LaneMask) {
        let mut block = Registers::new(6 * Class::R64.bytes());
        let place = |i: usize| Slot(i as u32 * Class::R64.bytes());
        let mut slots = [Slot::NONE; 6];
        for i in 0..6 {
            let Some(class) = self.classes[i] else { continue };
            slots[i] = place(i);
            if let Some(row) = i.checked_sub(2).and_then(|n| sources.get(n)) {
                (0..32).for_each(|lane| block.set(class, slots[i], lane, row[lane]));
            }
        }
        let moved = RowOp { slots, own: Own::BORROWED, ..*self };
        // SAFETY: every slot lies in `block`, at a row of its own.
        unsafe { moved.run(block.base(), FULL) };
        let first = match self.classes[0] {
            Some(class) => std::array::from_fn(|lane| block.get(class, slots[0], lane)),
            None => [0; 32],
        };
        (first, if slots[1].is_some() { block.pred(slots[1]) } else { 0 })
    }

    /// This operation and the one that follows it, which uses its result, in one loop; `None` where there is no such loop.
    pub fn then(&self, next: &RowOp) -> Option<RowOp> {
        pair::join(self, next)
    }

    /// First and second result.
    #[inline(always)]
    fn results(&self) -> [Slot; 2] {
        [self.slots[0], self.slots[1]]
    }

    /// Runs the operation for the lanes of `mask`.
    ///
    /// # Safety
    /// `regs` is the base of a register block that holds every slot of this operation.
    #[inline(always)]
    pub unsafe fn run(&self, regs: *mut u8, mask: LaneMask) {
        // SAFETY: passed on to the caller.
        unsafe { (self.call)(self, regs, mask) }
    }
}

/// A source row as a closure's argument: predicates are spread over words first, so that the loop vectorises.
struct Source {
    row: *const u8,
    bits: [u32; 32],
}

impl Source {
    /// # Safety
    /// `row` is a row of the class of `V`; the processor has `LEVEL`.
    #[inline(always)]
    unsafe fn new<V: Value, const LEVEL: u8>(row: *const u8) -> Self {
        // SAFETY: the caller's.
        let bits = if V::BITS == 1 { unsafe { vector::unpack::<LEVEL>(row.cast::<u32>().read()) } } else { [0; 32] };
        Source { row, bits }
    }

    /// # Safety
    /// Made for a `V`; `i` is below 32.
    #[inline(always)]
    unsafe fn get<V: Value>(&self, i: usize) -> V {
        // SAFETY: the caller's.
        unsafe {
            match V::BITS {
                1 => V::from_u64(u64::from(*self.bits.get_unchecked(i))),
                64 => V::from_u64(self.row.cast::<u64>().add(i).read()),
                _ => V::from_u64(u64::from(self.row.cast::<u32>().add(i).read())),
            }
        }
    }
}

/// Reads lane `i` of a source row.
#[inline(always)]
unsafe fn get<V: Value>(row: *const u8, i: usize) -> V {
    // SAFETY: the caller gives a row of the class of `V` and a lane below 32.
    unsafe {
        match V::BITS {
            1 => V::from_u64(u64::from(row.cast::<u32>().read() >> i & 1)),
            64 => V::from_u64(row.cast::<u64>().add(i).read()),
            _ => V::from_u64(u64::from(row.cast::<u32>().add(i).read())),
        }
    }
}

/// Writes the results for `mask` to the slots, from one closure call a lane.
///
/// # Safety
/// `regs` is the base of a block that holds the slots; the processor has `LEVEL`.
#[inline(always)]
unsafe fn put<D: Output, const LEVEL: u8>(to: [Slot; 2], regs: *mut u8, mask: LaneMask, f: impl Fn(usize) -> D) {
    // SAFETY: the caller's.
    unsafe {
        let first = to[0];
        let row = regs.wrapping_add(first.0 as usize);
        let mut second = [0u32; 32];
        match <D::First as Value>::BITS {
            1 => {
                let mut bits = [0u32; 32];
                for i in 0..32 {
                    let d = f(i);
                    bits[i] = d.first().to_u64() as u32;
                    if D::HAS_SECOND {
                        second[i] = d.second() as u32;
                    }
                }
                if first.is_some() {
                    put_pred::<LEVEL>(regs, first, mask, &bits);
                }
            }
            64 => {
                let mut out = [0u64; 32];
                for i in 0..32 {
                    let d = f(i);
                    out[i] = d.first().to_u64();
                    if D::HAS_SECOND {
                        second[i] = d.second() as u32;
                    }
                }
                if first.is_some() {
                    vector::keep64::<LEVEL>(row.cast(), mask, &out);
                }
            }
            _ => {
                let mut out = [0u32; 32];
                for i in 0..32 {
                    let d = f(i);
                    out[i] = d.first().to_u64() as u32;
                    if D::HAS_SECOND {
                        second[i] = d.second() as u32;
                    }
                }
                if first.is_some() {
                    vector::keep32::<LEVEL>(row.cast(), mask, &out);
                }
            }
        }
        if D::HAS_SECOND && to[1].is_some() {
            put_pred::<LEVEL>(regs, to[1], mask, &second);
        }
    }
}

/// The same for a few lanes, one at a time: dear operations are not computed for lanes that sleep.
#[inline(always)]
unsafe fn put_few<D: Output>(to: [Slot; 2], regs: *mut u8, mask: LaneMask, f: impl Fn(usize) -> D) {
    let mut rest = mask;
    while rest != 0 {
        let i = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let d = f(i);
        // SAFETY: as in `put`.
        unsafe {
            if to[0].is_some() {
                let row = regs.add(to[0].0 as usize);
                match <D::First as Value>::BITS {
                    1 => set_bit(row, i, d.first().to_u64() != 0),
                    64 => row.cast::<u64>().add(i).write(d.first().to_u64()),
                    _ => row.cast::<u32>().add(i).write(d.first().to_u64() as u32),
                }
            }
            if D::HAS_SECOND && to[1].is_some() {
                set_bit(regs.add(to[1].0 as usize), i, d.second());
            }
        }
    }
}

#[inline(always)]
unsafe fn set_bit(row: *mut u8, i: usize, value: bool) {
    // SAFETY: the caller gives a predicate row.
    unsafe {
        let word = row.cast::<u32>();
        word.write((word.read() & !(1 << i)) | (value as u32) << i);
    }
}

/// Writes 32 zero-or-one words to a predicate row.
#[inline(always)]
unsafe fn put_pred<const LEVEL: u8>(regs: *mut u8, slot: Slot, mask: LaneMask, bits: &[u32; 32]) {
    // SAFETY: as in `put`.
    unsafe {
        let word = vector::pack::<LEVEL>(bits);
        let row = regs.add(slot.0 as usize).cast::<u32>();
        row.write((row.read() & !mask) | (word & mask));
    }
}

/// Below this many lanes they are computed one at a time.
const FEW: u32 = 3;

macro_rules! row_functions {
    ($body:ident, $few:ident, $names:ident, $($arg:ident $source:ident: $slot:literal),+) => {
        /// A function of its own, so that the loop over rows needs no registers for it.
        #[inline(never)]
        unsafe fn $few<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
            // SAFETY: `data` points to an `F` (see `build`), slots lie in the block.
            unsafe {
                let f = &*op.data.cast::<F>();
                put_few(op.results(), regs, mask, |i| f($(get::<$arg>(regs.add(op.slots[$slot].0 as usize), i)),+));
            }
        }
        #[inline(always)]
        unsafe fn $body<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D, const LEVEL: u8>(
            op: &RowOp,
            regs: *mut u8,
            mask: LaneMask,
        ) {
            // SAFETY: `data` points to an `F` (see `build`), slots lie in the block.
            unsafe {
                if LEVEL == PORTABLE || mask.count_ones() < FEW {
                    return $few::<$($arg,)+ D, F>(op, regs, mask);
                }
                let f = &*op.data.cast::<F>();
                $(let $source = Source::new::<$arg, LEVEL>(regs.add(op.slots[$slot].0 as usize));)+
                put::<D, LEVEL>(op.results(), regs, mask, |i| f($($source.get::<$arg>(i)),+));
            }
        }
        mod $names {
            use super::*;
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx512<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: passed on.
                unsafe { $body::<$($arg,)+ D, F, AVX512>(op, regs, mask) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx2<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: passed on.
                unsafe { $body::<$($arg,)+ D, F, AVX2>(op, regs, mask) }
            }
            unsafe fn portable<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
                // SAFETY: passed on.
                unsafe { $body::<$($arg,)+ D, F, PORTABLE>(op, regs, mask) }
            }
            /// The function for a level.
            pub fn at<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(level: u8) -> Call {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    AVX512 => avx512::<$($arg,)+ D, F>,
                    #[cfg(target_arch = "x86_64")]
                    AVX2 => avx2::<$($arg,)+ D, F>,
                    _ => portable::<$($arg,)+ D, F>,
                }
            }
        }
    };
}
row_functions!(body1, few1, rows1, A a: 2);
row_functions!(body2, few2, rows2, A a: 2, B b: 3);
row_functions!(body3, few3, rows3, A a: 2, B b: 3, C c: 4);
row_functions!(body4, few4, rows4, A a: 2, B b: 3, C c: 4, E e: 5);

/// What a closure wants: bits of its result, whether there is a second result, and bits of its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Bits of the first result: 1, 8, 16, 32 or 64.
    pub result: u32,
    /// Is there a second result (a predicate)?
    pub second: bool,
    /// Bits of the sources.
    pub sources: [u32; 4],
    /// How many sources.
    pub count: usize,
}

/// A closure turned into a row function, waiting for its slots.
pub struct Built {
    op: RowOp,
    /// What it wants.
    pub signature: Signature,
}

impl Built {
    /// Gives the operation its name.
    pub fn named(mut self, name: Option<LaneOp>) -> Self {
        self.op.name = name;
        self
    }

    /// The operation on these slots: first result, second result, sources.
    pub fn on(mut self, first: Slot, second: Slot, sources: &[Slot]) -> RowOp {
        let s = self.signature;
        self.op.slots[0] = first;
        self.op.slots[1] = second;
        self.op.classes[0] = first.is_some().then(|| Class::of_bits(s.result));
        self.op.classes[1] = second.is_some().then_some(Class::Pred);
        self.op.bits[0] = s.result as u8;
        self.op.bits[1] = 1;
        for (i, &slot) in sources.iter().enumerate() {
            self.op.slots[2 + i] = slot;
            self.op.classes[2 + i] = Some(Class::of_bits(s.sources[i]));
            self.op.bits[2 + i] = s.sources[i] as u8;
        }
        self.op
    }
}

/// The sink that builds row functions for this processor.
pub struct RowBuilder;

/// The sink that builds row functions for a level.
struct At(u8);

fn build<F: Copy + Send + Sync + 'static>(f: F, call: Call, signature: Signature) -> Built {
    let op = RowOp {
        call,
        data: Box::into_raw(Box::new(f)).cast_const().cast(),
        own: Own::of::<F>(),
        slots: [Slot::NONE; 6],
        classes: [None; 6],
        name: None,
        bits: [0; 6],
    };
    Built { op, signature }
}

fn signature<D: Output>(sources: &[u32]) -> Signature {
    let mut s =
        Signature { result: <D::First as Value>::BITS, second: D::HAS_SECOND, sources: [0; 4], count: sources.len() };
    s.sources[..sources.len()].copy_from_slice(sources);
    s
}

impl Sink for At {
    type Out = Built;

    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> Built {
        fn make<A: Value, D: Output, F: Fn(A) -> D + Copy + Send + Sync + 'static>(f: F, level: u8) -> Built {
            build(f, rows1::at::<A, D, F>(level), signature::<D>(&[A::BITS]))
        }
        make(f, self.0)
    }

    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> Built {
        fn make<A: Value, B: Value, D: Output, F: Fn(A, B) -> D + Copy + Send + Sync + 'static>(
            f: F,
            level: u8,
        ) -> Built {
            build(f, rows2::at::<A, B, D, F>(level), signature::<D>(&[A::BITS, B::BITS]))
        }
        make(f, self.0)
    }

    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        f: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        fn make<A: Value, B: Value, C: Value, D: Output, F: Fn(A, B, C) -> D + Copy + Send + Sync + 'static>(
            f: F,
            level: u8,
        ) -> Built {
            build(f, rows3::at::<A, B, C, D, F>(level), signature::<D>(&[A::BITS, B::BITS, C::BITS]))
        }
        make(f, self.0)
    }

    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        fn make<
            A: Value,
            B: Value,
            C: Value,
            E: Value,
            D: Output,
            F: Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
        >(
            f: F,
            level: u8,
        ) -> Built {
            build(f, rows4::at::<A, B, C, E, D, F>(level), signature::<D>(&[A::BITS, B::BITS, C::BITS, E::BITS]))
        }
        make(f, self.0)
    }
}

impl Sink for RowBuilder {
    type Out = Built;

    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> Built {
        At(*LEVEL).op1(f)
    }

    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> Built {
        At(*LEVEL).op2(f)
    }

    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        f: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        At(*LEVEL).op3(f)
    }

    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        At(*LEVEL).op4(f)
    }

    fn long1<L: Long1>(self) -> Built {
        build((), long::one::<L>(*LEVEL), signature::<L::D>(&[L::A::BITS]))
    }

    fn long2<L: Long2>(self) -> Built {
        build((), long::two::<L>(*LEVEL), signature::<L::D>(&[L::A::BITS, L::B::BITS]))
    }
}
