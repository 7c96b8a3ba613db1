//! Lane-wise operations over a whole row of 32 lanes.
//!
//! `sem` hands over the meaning of an instruction as a closure; [`RowBuilder`] turns it into a function that runs the
//! closure over the rows of its operands, compiled twice: for AVX2, where all 32 lanes are computed and the active ones
//! kept, and for any processor, lane by lane. The choice is made once, at load.

use std::sync::LazyLock;

use warpvm_sem::{Output, Sink, Value};

use crate::lane_op::LaneOp;
use crate::slots::{Class, FULL, LaneMask, Registers, Slot};

/// A lane-wise operation with its operands' slots.
pub struct RowOp {
    call: unsafe fn(&RowOp, *mut u8, LaneMask),
    /// The closure; dangling where it captures nothing.
    data: *const (),
    drop: unsafe fn(*const ()),
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
        // SAFETY: `data` came from `Box::into_raw` of the type that `drop` was instantiated for.
        unsafe { (self.drop)(self.data) }
    }
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
        let moved = RowOp { slots, drop: |_| {}, ..*self };
        // SAFETY: every slot lies in `block`, at a row of its own.
        unsafe { moved.run(block.base(), FULL) };
        let first = match self.classes[0] {
            Some(class) => std::array::from_fn(|lane| block.get(class, slots[0], lane)),
            None => [0; 32],
        };
        (first, if slots[1].is_some() { block.pred(slots[1]) } else { 0 })
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

/// Does this processor have what the vector versions are compiled for?
pub(crate) static HAS_AVX2: LazyLock<bool> = LazyLock::new(|| {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("f16c")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
});

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

/// Writes the results for `mask`, from one closure call a lane.
#[inline(always)]
unsafe fn put<D: Output, const VECTOR: bool>(op: &RowOp, regs: *mut u8, mask: LaneMask, f: impl Fn(usize) -> D) {
    // SAFETY: the caller of `RowOp::run` vouches for the block; slots were laid out inside of it.
    unsafe {
        let first = op.slots[0];
        if mask.count_ones() < 4 {
            return put_few(op, regs, mask, f);
        }
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
                    put_pred::<VECTOR>(regs, first, mask, &bits);
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
                    let row = &mut *regs.add(first.0 as usize).cast::<[u64; 32]>();
                    if mask == FULL {
                        *row = out;
                    } else {
                        for i in 0..32 {
                            row[i] = if mask >> i & 1 != 0 { out[i] } else { row[i] };
                        }
                    }
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
                    let row = &mut *regs.add(first.0 as usize).cast::<[u32; 32]>();
                    if mask == FULL {
                        *row = out;
                    } else {
                        for i in 0..32 {
                            row[i] = if mask >> i & 1 != 0 { out[i] } else { row[i] };
                        }
                    }
                }
            }
        }
        if D::HAS_SECOND && op.slots[1].is_some() {
            put_pred::<VECTOR>(regs, op.slots[1], mask, &second);
        }
    }
}

/// The same for a few lanes, one at a time: dear operations are not computed for lanes that sleep.
#[inline(always)]
unsafe fn put_few<D: Output>(op: &RowOp, regs: *mut u8, mask: LaneMask, f: impl Fn(usize) -> D) {
    let mut rest = mask;
    while rest != 0 {
        let i = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let d = f(i);
        // SAFETY: as in `put`.
        unsafe {
            if op.slots[0].is_some() {
                let row = regs.add(op.slots[0].0 as usize);
                match <D::First as Value>::BITS {
                    1 => set_bit(row, i, d.first().to_u64() != 0),
                    64 => row.cast::<u64>().add(i).write(d.first().to_u64()),
                    _ => row.cast::<u32>().add(i).write(d.first().to_u64() as u32),
                }
            }
            if D::HAS_SECOND && op.slots[1].is_some() {
                set_bit(regs.add(op.slots[1].0 as usize), i, d.second());
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

/// Packs 32 zero-or-one words into one.
#[inline(always)]
fn pack<const VECTOR: bool>(bits: &[u32; 32]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if VECTOR {
        use core::arch::x86_64::*;
        let mut word = 0;
        for chunk in 0..4 {
            // SAFETY: only the functions compiled for AVX2 say `VECTOR`; eight words are read of 32.
            word |= unsafe {
                let v = _mm256_loadu_si256(bits.as_ptr().add(8 * chunk).cast());
                (_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32::<31>(v))) as u32) << (8 * chunk)
            };
        }
        return word;
    }
    bits.iter().enumerate().fold(0, |word, (i, b)| word | b << i)
}

/// Writes 32 zero-or-one words to a predicate row.
#[inline(always)]
unsafe fn put_pred<const VECTOR: bool>(regs: *mut u8, slot: Slot, mask: LaneMask, bits: &[u32; 32]) {
    let word = pack::<VECTOR>(bits);
    // SAFETY: as in `put`.
    unsafe {
        let row = regs.add(slot.0 as usize).cast::<u32>();
        row.write((row.read() & !mask) | (word & mask));
    }
}

macro_rules! row_functions {
    ($body:ident, $vector:ident, $portable:ident, $($arg:ident: $slot:literal),+) => {
        #[inline(always)]
        unsafe fn $body<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D, const VECTOR: bool>(
            op: &RowOp,
            regs: *mut u8,
            mask: LaneMask,
        ) {
            // SAFETY: `data` points to an `F` (see `build`), slots lie in the block.
            unsafe {
                let f = &*op.data.cast::<F>();
                put::<D, VECTOR>(op, regs, mask, |i| f($(get::<$arg>(regs.add(op.slots[$slot].0 as usize), i)),+));
            }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $vector<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
            // SAFETY: passed on.
            unsafe { $body::<$($arg,)+ D, F, true>(op, regs, mask) }
        }
        unsafe fn $portable<$($arg: Value,)+ D: Output, F: Fn($($arg),+) -> D>(op: &RowOp, regs: *mut u8, mask: LaneMask) {
            // SAFETY: `data` points to an `F` (see `build`), slots lie in the block.
            unsafe {
                let f = &*op.data.cast::<F>();
                put_few(op, regs, mask, |i| f($(get::<$arg>(regs.add(op.slots[$slot].0 as usize), i)),+));
            }
        }
    };
}
row_functions!(body1, vector1, portable1, A: 2);
row_functions!(body2, vector2, portable2, A: 2, B: 3);
row_functions!(body3, vector3, portable3, A: 2, B: 3, C: 4);
row_functions!(body4, vector4, portable4, A: 2, B: 3, C: 4, E: 5);

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

/// The sink that builds row functions.
pub struct RowBuilder;

fn build<F: Send + Sync + 'static>(
    f: F,
    vector: unsafe fn(&RowOp, *mut u8, LaneMask),
    portable: unsafe fn(&RowOp, *mut u8, LaneMask),
    signature: Signature,
) -> Built {
    unsafe fn drop_box<F>(data: *const ()) {
        // SAFETY: only called with what `Box::into_raw` gave below.
        drop(unsafe { Box::from_raw(data.cast_mut().cast::<F>()) });
    }
    let op = RowOp {
        call: if *HAS_AVX2 { vector } else { portable },
        data: Box::into_raw(Box::new(f)).cast_const().cast(),
        drop: drop_box::<F>,
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

#[cfg(not(target_arch = "x86_64"))]
use {portable1 as vector1, portable2 as vector2, portable3 as vector3, portable4 as vector4};

impl Sink for RowBuilder {
    type Out = Built;

    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> Built {
        fn make<A: Value, D: Output, F: Fn(A) -> D + Send + Sync + 'static>(f: F) -> Built {
            build(f, vector1::<A, D, F>, portable1::<A, D, F>, signature::<D>(&[A::BITS]))
        }
        make(f)
    }

    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> Built {
        fn make<A: Value, B: Value, D: Output, F: Fn(A, B) -> D + Send + Sync + 'static>(f: F) -> Built {
            build(f, vector2::<A, B, D, F>, portable2::<A, B, D, F>, signature::<D>(&[A::BITS, B::BITS]))
        }
        make(f)
    }

    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        f: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        fn make<A: Value, B: Value, C: Value, D: Output, F: Fn(A, B, C) -> D + Send + Sync + 'static>(f: F) -> Built {
            let sources = [A::BITS, B::BITS, C::BITS];
            build(f, vector3::<A, B, C, D, F>, portable3::<A, B, C, D, F>, signature::<D>(&sources))
        }
        make(f)
    }

    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        f: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> Built {
        fn make<A: Value, B: Value, C: Value, E: Value, D: Output, F: Fn(A, B, C, E) -> D + Send + Sync + 'static>(
            f: F,
        ) -> Built {
            let sources = [A::BITS, B::BITS, C::BITS, E::BITS];
            build(f, vector4::<A, B, C, E, D, F>, portable4::<A, B, C, E, D, F>, signature::<D>(&sources))
        }
        make(f)
    }
}
