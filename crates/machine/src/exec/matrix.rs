//! Matrix operations of a warp, on the functions of `warpvm_sem::tensor` (PTX ISA, section 9.7.14).

use warpvm_sem::tensor::{Mma, ROW_BYTES, Registers as Shape, movmatrix};

use super::memory::AccessInfo;
use super::{Engine, Group, WarpContext};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::observe::Observer;
use crate::program::{MatrixCopy, Ordering, Pc, Role, Scope, WarpOp};
use crate::slots::{Class, LaneMask, Slot, lanes};

impl<O: Observer> Engine<'_, O> {
    /// `ldmatrix`, `stmatrix`: each of the first lanes gives the address of a row of 16 bytes.
    pub(super) fn matrix_copy(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        m: &MatrixCopy,
        here: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let count = m.op.rows();
        let askers = here & if count == 32 { !0 } else { (1 << count) - 1 };
        let kind = if m.is_store { AccessKind::Write } else { AccessKind::Read };
        let mut rows = [[0; ROW_BYTES]; 32];
        if m.is_store {
            let regs = &group.warps[w].regs;
            let registers: Vec<[u32; 32]> = m.registers.iter().map(|&slot| *regs.row32(slot)).collect();
            m.op.store(&registers, &mut rows[..count]);
        }
        self.for_spaces(group, w, &m.address, askers, |engine, group, part| {
            let info = AccessInfo::plain(pc, ROW_BYTES as u32, kind, Ordering::Weak, Scope::Cta);
            engine.observe(group, w, part, info);
            for lane in lanes(part.lanes) {
                let p = engine.pointer(group, w, pc, part, lane, ROW_BYTES as u32, kind)?;
                // SAFETY: `pointer` gives 16 bytes.
                unsafe {
                    if m.is_store {
                        p.cast::<[u8; ROW_BYTES]>().write_unaligned(rows[lane]);
                    } else {
                        rows[lane] = p.cast::<[u8; ROW_BYTES]>().read_unaligned();
                    }
                }
            }
            Ok(())
        })?;
        if !m.is_store {
            let mut registers = [[0; 32]; 4];
            m.op.load(&rows[..count], &mut registers[..m.op.registers()]);
            let regs = &mut group.warps[w].regs;
            for (slot, row) in m.registers.iter().zip(&registers) {
                let to = regs.row32_mut(*slot);
                lanes(here).for_each(|i| to[i] = row[i]);
            }
        }
        Ok(())
    }
}

/// Registers of a fragment.
pub(crate) type Fragment = Vec<(Class, Slot)>;

/// `mma`
pub(crate) struct MmaOp {
    pub op: Mma,
    pub d: Fragment,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
}

/// Do the registers fit the operand?
pub(crate) fn fits(fragment: &Fragment, shape: Shape) -> bool {
    fragment.len() == shape.count && fragment.iter().all(|(class, _)| *class == Class::of_bits(shape.bits))
}

fn gather(cx: &WarpContext<'_>, fragment: &Fragment) -> Vec<[u64; 32]> {
    let row = |&(class, slot): &(Class, Slot)| match class {
        Class::R64 => *cx.regs.row64(slot),
        _ => cx.regs.row32(slot).map(u64::from),
    };
    fragment.iter().map(row).collect()
}

fn scatter(cx: &mut WarpContext<'_>, fragment: &Fragment, values: &[[u64; 32]], mask: LaneMask) {
    for (&(class, slot), row) in fragment.iter().zip(values) {
        if slot.is_some() {
            lanes(mask).for_each(|lane| cx.regs.set(class, slot, lane, row[lane]));
        }
    }
}

fn show(f: &mut dyn FnMut(Role, Class, &mut Slot), role: Role, fragment: &mut Fragment) {
    for (class, slot) in fragment.iter_mut().filter(|(_, slot)| slot.is_some()) {
        f(role, *class, slot);
    }
}

impl WarpOp for MmaOp {
    fn visit(&mut self, f: &mut dyn FnMut(Role, Class, &mut Slot)) {
        show(f, Role::Write, &mut self.d);
        show(f, Role::Read, &mut self.a);
        show(f, Role::Read, &mut self.b);
        show(f, Role::Read, &mut self.c);
    }

    fn run(&self, warp: &mut WarpContext<'_>, mask: LaneMask) -> Result<(), FaultKind> {
        let (a, b, c) = (gather(warp, &self.a), gather(warp, &self.b), gather(warp, &self.c));
        let mut d = vec![[0; 32]; self.d.len()];
        self.op.run(&a, &b, &c, &mut d);
        scatter(warp, &self.d, &d, mask);
        Ok(())
    }
}

/// `movmatrix`
pub(crate) struct MovmatrixOp {
    pub d: Slot,
    pub a: Slot,
}

impl WarpOp for MovmatrixOp {
    fn visit(&mut self, f: &mut dyn FnMut(Role, Class, &mut Slot)) {
        f(Role::Write, Class::R32, &mut self.d);
        f(Role::Read, Class::R32, &mut self.a);
    }

    fn run(&self, warp: &mut WarpContext<'_>, mask: LaneMask) -> Result<(), FaultKind> {
        let out = movmatrix(warp.regs.row32(self.a));
        let to = warp.regs.row32_mut(self.d);
        lanes(mask).for_each(|i| to[i] = out[i]);
        Ok(())
    }
}
