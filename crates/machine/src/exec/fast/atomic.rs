//! `atom` and `red` on words of 32 and 64 bits: the lanes' addresses are checked together, then each lane takes its turn.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Group;
use super::place::{Users, place};
use crate::exec::atomic::combine;
use crate::memory::GlobalMemory;
use crate::program::{Atomic, AtomicOp, AtomicType};
use crate::slots::{Class, LaneMask, lanes};

#[inline(always)]
pub(super) fn atomic<const LEVEL: u8>(
    global: &GlobalMemory,
    group: &mut Group,
    w: usize,
    a: &Atomic,
    mask: LaneMask,
    hint: &mut u32,
) -> Option<u32> {
    let &[(class, b)] = &a.b[..] else { return None };
    let is_whole = matches!(a.ty, AtomicType::Bits | AtomicType::Unsigned | AtomicType::Signed);
    let is_simple = matches!((class, a.size), (Class::R32, 4) | (Class::R64, 8));
    let to = a.results.first().copied().filter(|(_, slot)| slot.is_some());
    if !is_simple || to.is_some_and(|(c, _)| c != class) || a.c.is_some_and(|(c, _)| c != class) {
        return None;
    }
    let mut x = [0; 32];
    let r = place::<LEVEL>(global, group, w, &a.address, mask, a.size, hint, &mut x)?;
    let regs = &mut group.warps[w].regs;
    let in_global = r.users == Users::Device;
    let mut changed = 0;
    macro_rules! each {
        ($row:ident, $row_mut:ident, $int:ty, $cell:ty, $combine:expr) => {{
            let mut old = [0; 32];
            {
                let b = regs.$row(b);
                let c = a.c.map_or(b, |(_, c)| regs.$row(c));
                let combine = $combine;
                for i in lanes(mask) {
                    // SAFETY: `place` checked every active lane's bytes against the region, and that they are aligned.
                    let (before, after) = unsafe {
                        let p = r.host.add(x[i] as usize).cast::<$int>();
                        match r.users {
                            Users::Group => {
                                let old = p.read();
                                let new = combine(old, b[i], c[i]);
                                p.write(new);
                                (old, new)
                            }
                            Users::Device if is_whole && a.op == AtomicOp::Add => {
                                let old = <$cell>::from_ptr(p).fetch_add(b[i], Ordering::SeqCst);
                                (old, old.wrapping_add(b[i]))
                            }
                            Users::Device => {
                                let cell = <$cell>::from_ptr(p);
                                let mut old = cell.load(Ordering::SeqCst);
                                loop {
                                    let new = combine(old, b[i], c[i]);
                                    match cell.compare_exchange_weak(old, new, Ordering::SeqCst, Ordering::SeqCst) {
                                        Ok(_) => break (old, new),
                                        Err(now) => old = now,
                                    }
                                }
                            }
                        }
                    };
                    changed += u32::from(after != before);
                    old[i] = before;
                }
            }
            if let Some((_, slot)) = to {
                let row = regs.$row_mut(slot);
                lanes(mask).for_each(|i| row[i] = old[i]);
            }
        }};
    }
    match (a.size, a.op) {
        (4, AtomicOp::Add) if is_whole => {
            each!(row32, row32_mut, u32, AtomicU32, |old: u32, b: u32, _| old.wrapping_add(b));
        }
        (4, op) => each!(row32, row32_mut, u32, AtomicU32, |old: u32, b: u32, c: u32| {
            combine(op, a.ty, 4, u64::from(old), u64::from(b), u64::from(c), in_global) as u32
        }),
        (_, AtomicOp::Add) if is_whole => {
            each!(row64, row64_mut, u64, AtomicU64, |old: u64, b: u64, _| old.wrapping_add(b));
        }
        (_, op) => each!(row64, row64_mut, u64, AtomicU64, |old: u64, b: u64, c: u64| {
            combine(op, a.ty, 8, old, b, c, in_global)
        }),
    }
    Some(changed)
}
