//! Matrix operations of a warp, on the functions of `warpvm_sem::tensor` (PTX ISA, section 9.7.14).

use std::cell::Cell;

use warpvm_sem::tensor::{
    Accumulate, Left, Major, Metadata, Mma, Piece, ROW_BYTES, Registers as Shape, Sign, SparseMma, SparseWgmma,
    WarpgroupRegister, Wgmma, WgmmaOperands, movmatrix,
};

use super::memory::{AccessInfo, read, write};
use super::{Engine, Group, WarpContext};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::observe::Observer;
use crate::program::{FragmentCopy, MatrixCopy, Ordering, Pc, Role, Scope, WarpOp};
use crate::slots::{Class, LaneMask, Registers, Slot, lanes};

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

impl<O: Observer> Engine<'_, O> {
    /// `wmma.load`, `wmma.store`: every lane moves the elements of its registers.
    pub(super) fn fragment_copy(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        m: &FragmentCopy,
        here: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let regs = &group.warps[w].regs;
        let first = here.trailing_zeros() as usize & 31;
        let stride = if m.stride.is_some() { regs.row32(m.stride)[first] } else { m.op.default_stride() };
        let kind = if m.is_store { AccessKind::Write } else { AccessKind::Read };
        let pieces: Vec<Piece> = m.op.pieces(stride).collect();
        let per_lane = (pieces.len() / (32 * m.registers.len().max(1))).max(1);
        let mut values: Vec<[u64; 32]> =
            if m.is_store { rows(regs, &m.registers) } else { vec![[0; 32]; m.registers.len()] };
        self.for_spaces(group, w, &m.address, here, |engine, group, part| {
            for register in pieces.chunks(32 * per_lane) {
                // One access a piece of the register, for all lanes together.
                for n in 0..per_lane {
                    let piece = |lane: usize| register[lane * per_lane + n];
                    let moved = part.moved(|lane| piece(lane).offset);
                    let size = piece(0).bytes;
                    engine.observe(group, w, &moved, AccessInfo::plain(pc, size, kind, Ordering::Weak, Scope::Cta));
                    for lane in lanes(part.lanes) {
                        let p = engine.pointer(group, w, pc, &moved, lane, size, kind)?;
                        let Piece { register, shift, .. } = piece(lane);
                        let value = &mut values[register][lane];
                        // SAFETY: `pointer` gives `size` bytes.
                        unsafe {
                            if m.is_store {
                                write(p, size, *value >> shift);
                            } else {
                                *value |= read(p, size, false) << shift;
                            }
                        }
                    }
                }
            }
            Ok(())
        })?;
        if !m.is_store {
            let regs = &mut group.warps[w].regs;
            for (&(class, slot), row) in m.registers.iter().zip(&values).filter(|((_, slot), _)| slot.is_some()) {
                lanes(here).for_each(|lane| regs.set(class, slot, lane, row[lane]));
            }
        }
        Ok(())
    }
}

fn rows(regs: &Registers, fragment: &Fragment) -> Vec<[u64; 32]> {
    let row = |&(class, slot): &(Class, Slot)| match class {
        Class::R64 => *regs.row64(slot),
        _ => regs.row32(slot).map(u64::from),
    };
    fragment.iter().map(row).collect()
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
    rows(cx.regs, fragment)
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

    fn undefined(
        &self,
        regs: &Registers,
        undefined: &mut dyn FnMut(Class, Slot) -> [u64; 32],
    ) -> Option<Vec<(Class, Slot, [u64; 32])>> {
        let mut of = |fragment: &Fragment| -> Vec<[u64; 32]> {
            fragment.iter().map(|&(class, slot)| undefined(class, slot)).collect()
        };
        let (of_a, of_b, of_c) = (of(&self.a), of(&self.b), of(&self.c));
        let d = self.op.undefined(&rows(regs, &self.a), &rows(regs, &self.b), [&of_a, &of_b, &of_c])?;
        Some(self.d.iter().zip(d).map(|(&(class, slot), row)| (class, slot, row)).collect())
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

/// `mma.sp`
pub(crate) struct SparseMmaOp {
    pub op: SparseMma,
    pub d: Fragment,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
    pub metadata: Slot,
    pub selector: u32,
}

impl WarpOp for SparseMmaOp {
    fn visit(&mut self, f: &mut dyn FnMut(Role, Class, &mut Slot)) {
        show(f, Role::Write, &mut self.d);
        show(f, Role::Read, &mut self.a);
        show(f, Role::Read, &mut self.b);
        show(f, Role::Read, &mut self.c);
        f(Role::Read, Class::R32, &mut self.metadata);
    }

    fn run(&self, warp: &mut WarpContext<'_>, mask: LaneMask) -> Result<(), FaultKind> {
        let (a, b, c) = (gather(warp, &self.a), gather(warp, &self.b), gather(warp, &self.c));
        let register = warp.regs.row32(self.metadata).map(u64::from);
        let metadata = Metadata { register: &register, selector: self.selector };
        let mut d = vec![[0; 32]; self.d.len()];
        self.op.run(&a, &b, &c, metadata, &mut d);
        scatter(warp, &self.d, &d, mask);
        Ok(())
    }
}

/// Dense or sparse.
pub(crate) enum WgmmaKind {
    Dense(Wgmma),
    Sparse { op: SparseWgmma, metadata: Slot, selector: u32 },
}

/// Operand A of `wgmma`.
pub(crate) enum WgmmaLeft {
    Registers(Fragment),
    Descriptor(Slot, Major),
}

/// `wgmma.mma_async`, run when it is issued: the accumulator of a warp depends on the rows of A that this warp holds, so
/// each warp of the group does its own part.
pub(crate) struct WgmmaOp {
    pub op: WgmmaKind,
    pub d: Fragment,
    /// The same registers as sources.
    pub c: Fragment,
    pub a: WgmmaLeft,
    pub b: Slot,
    pub b_major: Major,
    /// `scale-d`: a predicate row.
    pub scale_d: Slot,
    pub signs: [Sign; 2],
}

impl WarpOp for WgmmaOp {
    fn visit(&mut self, f: &mut dyn FnMut(Role, Class, &mut Slot)) {
        show(f, Role::Write, &mut self.d);
        show(f, Role::Read, &mut self.c);
        match &mut self.a {
            WgmmaLeft::Registers(a) => show(f, Role::Read, a),
            WgmmaLeft::Descriptor(slot, _) => f(Role::Read, Class::R64, slot),
        }
        f(Role::Read, Class::R64, &mut self.b);
        f(Role::Read, Class::Pred, &mut self.scale_d);
        if let WgmmaKind::Sparse { metadata, .. } = &mut self.op {
            f(Role::Read, Class::R32, metadata);
        }
    }

    fn run(&self, warp: &mut WarpContext<'_>, mask: LaneMask) -> Result<(), FaultKind> {
        let lane = mask.trailing_zeros() as usize & 31;
        let own = warp.warp as usize % 4;
        let in_registers = self.left_registers(warp, own);
        let operands = self.operands(warp, lane, &in_registers);
        let cta = &warp.ctas[warp.cta];
        let outside = Cell::new(None);
        let shared = |address: u32| {
            let at = address as usize;
            if !cta.covers(u64::from(address), 16) {
                outside.set(Some(address));
                return [0; 16];
            }
            cta.shared[at..at + 16].try_into().expect("sixteen bytes")
        };
        let mut d = gather(warp, &self.c);
        match &self.op {
            WgmmaKind::Dense(op) => op.run_warp(own, &operands, &shared, &mut d),
            WgmmaKind::Sparse { op, metadata, selector } => {
                let register = warp.regs.row32(*metadata).map(u64::from);
                let metadata = Metadata { register: &register, selector: *selector };
                op.run_warp(own, &operands, metadata, &shared, &mut d);
            }
        }
        if let Some(address) = outside.get() {
            let address = u64::from(address);
            let (space, access) = (crate::memory::Space::Shared, AccessKind::Read);
            return Err(FaultKind::Address { space, address, size: 16, access, lane: lane as u32 });
        }
        scatter(warp, &self.d, &d, mask);
        Ok(())
    }

    fn undefined(
        &self,
        regs: &Registers,
        undefined: &mut dyn FnMut(Class, Slot) -> [u64; 32],
    ) -> Option<Vec<(Class, Slot, [u64; 32])>> {
        let WgmmaKind::Dense(op) = &self.op else { return None };
        let mut of = |fragment: &Fragment| -> Vec<[u64; 32]> {
            fragment.iter().map(|&(class, slot)| undefined(class, slot)).collect()
        };
        let a = match &self.a {
            WgmmaLeft::Registers(a) => of(a),
            WgmmaLeft::Descriptor(..) => Vec::new(),
        };
        let c = if regs.pred(self.scale_d) == 0 { Vec::new() } else { of(&self.c) };
        let d = op.undefined_of_warp(&a, &c);
        Some(self.d.iter().zip(d).map(|(&(class, slot), row)| (class, slot, row)).collect())
    }

    fn shared_reads(&self, warp: &WarpContext<'_>, mask: LaneMask) -> Vec<(u64, u32)> {
        let own = warp.warp as usize % 4;
        let in_registers = self.left_registers(warp, own);
        let operands = self.operands(warp, mask.trailing_zeros() as usize & 31, &in_registers);
        let mut all = Vec::new();
        match &self.op {
            WgmmaKind::Dense(op) => op.each_address(own, &operands, |address| all.push(address)),
            WgmmaKind::Sparse { op, .. } => op.each_address(own, &operands, |address| all.push(address)),
        }
        all.sort_unstable();
        all.dedup();
        let mut reads: Vec<(u64, u32)> = Vec::new();
        for address in all.into_iter().map(u64::from) {
            match reads.last_mut() {
                Some((start, size)) if *start + u64::from(*size) == address => *size += 16,
                _ => reads.push((address, 16)),
            }
        }
        reads
    }
}

impl WgmmaOp {
    /// A in registers: this warp's part in its place among the four.
    fn left_registers(&self, warp: &WarpContext<'_>, own: usize) -> Vec<WarpgroupRegister> {
        let WgmmaLeft::Registers(a) = &self.a else { return Vec::new() };
        let place = |register| {
            let mut group = [[0; 32]; 4];
            group[own] = register;
            group
        };
        gather(warp, a).into_iter().map(place).collect()
    }

    fn operands<'a>(
        &self,
        warp: &WarpContext<'_>,
        lane: usize,
        in_registers: &'a [WarpgroupRegister],
    ) -> WgmmaOperands<'a> {
        let a = match &self.a {
            WgmmaLeft::Registers(_) => Left::Registers(in_registers),
            WgmmaLeft::Descriptor(slot, major) => {
                Left::Shared { descriptor: warp.regs.row64(*slot)[lane], major: *major }
            }
        };
        let from_d = warp.regs.pred(self.scale_d) >> lane & 1 != 0;
        WgmmaOperands {
            a,
            b: warp.regs.row64(self.b)[lane],
            b_major: self.b_major,
            accumulate: if from_d { Accumulate::FromD } else { Accumulate::FromZero },
            a_sign: self.signs[0],
            b_sign: self.signs[1],
        }
    }
}
