//! `atom` and `red` (PTX ISA, sections 9.7.13.5 and 9.7.13.7).
//!
//! Lanes of one instruction take effect one after the other, lowest first; the manual leaves the order open. On
//! global memory each is a real atomic of the host, so CTAs on other threads see it whole.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use warpvm_isa::{Opcode, Word};
use warpvm_sem::{EvalFn, Form};

use super::memory::AccessInfo;
use super::{Engine, Group};
use crate::fault::{AccessKind, Fault};
use crate::memory::Space;
use crate::observe::Observer;
use crate::program::{Atomic, AtomicOp, AtomicType, Pc};
use crate::slots::{Class, LaneMask, Slot, lanes};

impl<O: Observer> Engine<'_, O> {
    pub(super) fn atomic(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        a: &Atomic,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        if self.is_unseen(pc) && !self.may_hold_back(group, w) && self.atomic_fast(group, w, pc, a, mask) {
            return Ok(());
        }
        self.for_spaces(group, w, &a.address, mask, |engine, group, part| {
            let total = a.size * a.b.len() as u32;
            let info = AccessInfo::plain(pc, total, AccessKind::Atomic, a.ordering, a.scope);
            engine.observe(group, w, part, info);
            engine.see_own(group, w, part, total, a.ordering);
            if O::ACTIVE && engine.atomic_fast(group, w, pc, a, part.lanes) {
                return Ok(());
            }
            let in_global = part.space == Space::Global;
            for lane in lanes(part.lanes) {
                let p = engine.pointer(group, w, pc, part, lane, total, AccessKind::Atomic)?;
                for (n, &(class, slot)) in a.b.iter().enumerate() {
                    let regs = &group.warps[w].regs;
                    // SAFETY: `pointer` gives `total` bytes, aligned to `total`.
                    let p = unsafe { p.add(n * a.size as usize) };
                    if a.size == 16 {
                        let wide = |slot: Slot| {
                            (regs.get(Class::R64, slot, lane), regs.get(Class::R64, Slot(slot.0 + 256), lane))
                        };
                        let b = wide(slot);
                        let c = a.c.map(|(_, slot)| wide(slot));
                        // SAFETY: 16 bytes are there.
                        let old = unsafe { exchange_wide(p, b, c) };
                        engine.changes += u64::from(c.is_none() || old == b);
                        if let Some((_, d)) = a.results.get(n).filter(|(_, d)| d.is_some()) {
                            let regs = &mut group.warps[w].regs;
                            regs.set(Class::R64, *d, lane, old.0);
                            regs.set(Class::R64, Slot(d.0 + 256), lane, old.1);
                        }
                        continue;
                    }
                    let b = regs.get(class, slot, lane);
                    let c = a.c.map_or(0, |(class, slot)| regs.get(class, slot, lane));
                    // SAFETY: `size` bytes are there, aligned.
                    let old = unsafe { exchange(p, a, b, c, in_global) };
                    // SAFETY: as above.
                    engine.changes += u64::from(unsafe { super::memory::read(p, a.size, false) } != old);
                    if let Some(&(class, d)) = a.results.get(n).filter(|(_, d)| d.is_some()) {
                        group.warps[w].regs.set(class, d, lane, old);
                    }
                }
            }
            Ok(())
        })
    }

    /// The quick way; false where it has to be done lane by lane.
    fn atomic_fast(&mut self, group: &mut Group, w: usize, pc: Pc, a: &Atomic, mask: LaneMask) -> bool {
        let hint = &mut self.hints[pc as usize];
        let changed = super::fast::atomic(self.level, self.cx.global, group, w, a, mask, hint);
        self.changes += u64::from(changed.unwrap_or(0));
        changed.is_some()
    }
}

/// Applies an operation to memory; gives the old value.
///
/// # Safety
/// `p` points to `a.size` bytes, aligned to that size.
unsafe fn exchange(p: *mut u8, a: &Atomic, b: u64, c: u64, in_global: bool) -> u64 {
    macro_rules! swap {
        ($atomic:ty, $int:ty) => {{
            // SAFETY: aligned and valid for the whole launch; all accesses of the launch are through raw pointers.
            let cell = unsafe { <$atomic>::from_ptr(p.cast()) };
            let mut old = cell.load(Ordering::SeqCst);
            loop {
                let new = combine(a.op, a.ty, a.size, u64::from(old), b, c, in_global) as $int;
                match cell.compare_exchange_weak(old, new, Ordering::SeqCst, Ordering::SeqCst) {
                    Ok(old) => return u64::from(old),
                    Err(now) => old = now,
                }
            }
        }};
    }
    match a.size {
        2 => swap!(AtomicU16, u16),
        4 => swap!(AtomicU32, u32),
        _ => swap!(AtomicU64, u64),
    }
}

/// `exch.b128` and `cas.b128`, under one lock: no host atomic of that width is assumed.
///
/// # Safety
/// `p` points to 16 bytes.
unsafe fn exchange_wide(p: *mut u8, b: (u64, u64), c: Option<(u64, u64)>) -> (u64, u64) {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _held = LOCK.lock();
    // SAFETY: the caller's.
    unsafe {
        let cells = p.cast::<u64>();
        let old = (cells.read_unaligned(), cells.add(1).read_unaligned());
        let new = match c {
            None => b,
            Some(c) if old == b => c,
            Some(_) => old,
        };
        cells.write_unaligned(new.0);
        cells.add(1).write_unaligned(new.1);
        old
    }
}

/// The new value.
pub(super) fn combine(op: AtomicOp, ty: AtomicType, size: u32, old: u64, b: u64, c: u64, in_global: bool) -> u64 {
    let mask = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
    let (b, c) = (b & mask, c & mask);
    let signed = |x: u64| {
        let shift = 64 - 8 * size;
        (x << shift) as i64 >> shift
    };
    match op {
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::Exch => b,
        AtomicOp::Cas => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        AtomicOp::Add if matches!(ty, AtomicType::Bits | AtomicType::Unsigned | AtomicType::Signed) => {
            old.wrapping_add(b) & mask
        }
        AtomicOp::Min if ty == AtomicType::Unsigned => old.min(b),
        AtomicOp::Max if ty == AtomicType::Unsigned => old.max(b),
        AtomicOp::Min if ty == AtomicType::Signed => {
            if signed(b) < signed(old) {
                b
            } else {
                old
            }
        }
        AtomicOp::Max if ty == AtomicType::Signed => {
            if signed(b) > signed(old) {
                b
            } else {
                old
            }
        }
        AtomicOp::Add | AtomicOp::Min | AtomicOp::Max => float(op, ty, old, b, in_global),
    }
}

/// Floating-point operations are those of `add`, `min` and `max`; on global memory `add.f32` flushes subnormals and `add.f64`
/// passes on a NaN as it is, the operand's first (`sweep/atom.global.add.f64`).
fn float(op: AtomicOp, ty: AtomicType, old: u64, b: u64, in_global: bool) -> u64 {
    if ty == AtomicType::F64
        && in_global
        && let Some(nan) = [b, old].into_iter().find(|&x| f64::from_bits(x).is_nan())
    {
        return nan;
    }
    let f = &FLOATS.0[index(op, ty, in_global)];
    // In shared memory the chip adds the old value to the operand: of two NaNs the old one stays (`atom/add.f64.private`).
    f.as_ref().map_or(old, |f| f(&[b, old]).0)
}

/// What floating-point atomics do, by [`index`].
struct Floats(Vec<Option<EvalFn>>);

static FLOATS: LazyLock<Floats> = LazyLock::new(|| {
    let all = OPS.into_iter().flat_map(|op| TYPES.into_iter().flat_map(move |ty| [false, true].map(|g| (op, ty, g))));
    Floats(all.map(|(op, ty, in_global)| float_function(op, ty, in_global)).collect())
});

const OPS: [AtomicOp; 3] = [AtomicOp::Add, AtomicOp::Min, AtomicOp::Max];
const TYPES: [AtomicType; 6] =
    [AtomicType::F32, AtomicType::F64, AtomicType::F16, AtomicType::F16x2, AtomicType::Bf16, AtomicType::Bf16x2];

/// The place of an operation in the table of functions.
fn index(op: AtomicOp, ty: AtomicType, in_global: bool) -> usize {
    let op = OPS.iter().position(|&o| o == op).unwrap_or(0);
    let ty = TYPES.iter().position(|&t| t == ty).unwrap_or(0);
    2 * (TYPES.len() * op + ty) + usize::from(in_global)
}

fn float_function(op: AtomicOp, ty: AtomicType, in_global: bool) -> Option<EvalFn> {
    let word = match ty {
        AtomicType::F64 => Word::F64,
        AtomicType::F16 => Word::F16,
        AtomicType::F16x2 => Word::F16x2,
        AtomicType::Bf16 => Word::Bf16,
        AtomicType::Bf16x2 => Word::Bf16x2,
        _ => Word::F32,
    };
    let opcode = match op {
        AtomicOp::Min => Opcode::Min,
        AtomicOp::Max => Opcode::Max,
        _ => Opcode::Add,
    };
    let mut modifiers = Vec::new();
    if opcode == Opcode::Add {
        modifiers.push(Word::Rn.into());
        if word == Word::F32 && in_global {
            modifiers.push(Word::Ftz.into());
        }
    }
    modifiers.push(word.into());
    let form = Form { opcode, modifiers: &modifiers, selectors: &["", "", ""], negated: &[false; 3], operands: 3 };
    warpvm_sem::eval(&form)
}
