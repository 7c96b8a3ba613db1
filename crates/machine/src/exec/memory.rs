//! Loads and stores.
//!
//! Addresses of all lanes are computed first; then the common shapes (32 neighbours, one address for all) are one
//! access, and the rest goes lane by lane. Every access is checked: alignment to its size, and one live allocation or
//! the bounds of its memory for every byte.

use super::part::Part;
use super::{Engine, Group};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::memory::Space;
use crate::observe::{Access, Observer, Who};
use crate::program::{Again, Load, Pc, Store};
use crate::slots::{Class, FULL, LaneMask, Registers, lanes};

impl<O: Observer> Engine<'_, O> {
    /// Tells the observer of an access.
    #[inline(always)]
    pub(super) fn observe(&mut self, group: &Group, w: usize, part: &Part, access: AccessInfo) {
        if O::ACTIVE && self.observer.wants_access(access.pc) {
            let who = Self::who(group, w);
            let access = access.of(group, who, part);
            let view = Self::view(self.cx.global, &self.delayed, group, w);
            self.observer.access(&view, who, &access);
        }
    }

    /// The fault of an access that no memory backs, or that is misaligned.
    #[cold]
    pub(super) fn bad_access(
        &self,
        group: &Group,
        w: usize,
        pc: Pc,
        part: &Part,
        lane: usize,
        size: u32,
        access: AccessKind,
    ) -> Box<Fault> {
        let address = part.at(lane);
        let lane_number = lane as u32;
        let space = part.space;
        let align = alignment(size);
        let kind = if address.is_multiple_of(u64::from(align)) {
            FaultKind::Address { space, address, size, access, lane: lane_number }
        } else {
            FaultKind::Misaligned { space, address, align, lane: lane_number }
        };
        let is_misaligned = matches!(kind, FaultKind::Misaligned { .. });
        let is_like = |&l: &usize| {
            let is_aligned = part.at(l).is_multiple_of(u64::from(align));
            if is_misaligned { !is_aligned } else { is_aligned && !self.is_backed(group, w, part, l, size, access) }
        };
        let bad = lanes(part.lanes).filter(is_like).fold(1 << lane, |m, l| m | 1 << l);
        Self::fault(group, w, pc, bad, kind)
    }

    /// Is there memory for an access of a lane?
    fn is_backed(&self, group: &Group, w: usize, part: &Part, lane: usize, size: u32, access: AccessKind) -> bool {
        let (address, size) = (part.at(lane), u64::from(size));
        let ends_within = |len: u64| address < len && size <= len - address;
        match part.space {
            Space::Global => self.cx.global.pointer(address, size, &mut 0).is_some(),
            Space::Shared => group.ctas.get(part.cta).is_some_and(|cta| cta.covers(address, size)),
            Space::Local => ends_within(u64::from(group.warps[w].local_stride)),
            Space::Param => ends_within(self.cx.params.len() as u64) && access == AccessKind::Read,
        }
    }

    /// A host pointer to `size` bytes of a lane, aligned as an access of that size must be.
    #[inline(always)]
    pub(super) fn pointer(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        part: &Part,
        lane: usize,
        size: u32,
        access: AccessKind,
    ) -> Result<*mut u8, Box<Fault>> {
        let address = part.at(lane);
        if address & u64::from(alignment(size) - 1) == 0 {
            let found = match part.space {
                Space::Global => self.cx.global.pointer(address, u64::from(size), &mut self.hints[pc as usize]),
                Space::Shared => match group.ctas.get_mut(part.cta) {
                    Some(cta) if cta.covers(address, u64::from(size)) => {
                        // SAFETY: `covers` checked the range.
                        Some(unsafe { cta.shared.as_mut_ptr().add(address as usize) })
                    }
                    _ => None,
                },
                Space::Local => {
                    let warp = &mut group.warps[w];
                    let stride = u64::from(warp.local_stride);
                    let fits = address < stride && u64::from(size) <= stride - address;
                    // SAFETY: the lane's part of local memory is `stride` bytes long.
                    fits.then(|| unsafe { warp.local.as_mut_ptr().add(lane * stride as usize + address as usize) })
                }
                Space::Param => {
                    let len = self.cx.params.len() as u64;
                    let fits = address < len && u64::from(size) <= len - address && access == AccessKind::Read;
                    // SAFETY: in range; parameters are only read.
                    fits.then(|| unsafe { self.cx.params.as_ptr().add(address as usize).cast_mut() })
                }
            };
            if let Some(p) = found {
                return Ok(p);
            }
        }
        Err(self.bad_access(group, w, pc, part, lane, size, access))
    }

    /// A host pointer to the bytes of all 32 lanes, where they are neighbours.
    #[inline(always)]
    fn row_pointer(&mut self, group: &mut Group, part: &Part, pc: Pc, size: u32) -> Option<*mut u8> {
        let first = part.at(0);
        if !part.spread.is_row(u64::from(size)) || first & u64::from(size - 1) != 0 {
            return None;
        }
        match part.space {
            Space::Global => self.cx.global.pointer(first, u64::from(size) * 32, &mut self.hints[pc as usize]),
            Space::Shared => {
                let cta = group.ctas.get_mut(part.cta)?;
                // SAFETY: `covers` checked the range.
                cta.covers(first, u64::from(size) * 32).then(|| unsafe { cta.shared.as_mut_ptr().add(first as usize) })
            }
            _ => None,
        }
    }

    /// `ld`
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        load: &Load,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        self.forget_row(load.again);
        let is_unseen = self.is_unseen(pc) || self.is_told(load.again);
        if is_unseen && !self.may_hold_back(group, w) && self.load_fast(group, w, pc, load, mask) {
            return Ok(());
        }
        self.load_slow(group, w, pc, load, mask)
    }

    #[inline(always)]
    fn load_fast(&mut self, group: &mut Group, w: usize, pc: Pc, load: &Load, mask: LaneMask) -> bool {
        let (level, global, stretch, hint) = (self.level, self.cx.global, self.stretch, &mut self.hints[pc as usize]);
        let is_done = match load.again {
            Again::Never => false,
            Again::First { id, low, high } => {
                let memo = &mut self.memos[id as usize];
                super::fast::load_first(level, global, group, w, load, mask, hint, stretch, memo, (low, high))
            }
            Again::Same { id, by } => {
                let regs = &mut group.warps[w].regs;
                let (slot, memo) = (load.results[0].1, &self.memos[id as usize]);
                super::fast::load_again(level, regs, slot, by, mask, stretch, memo)
            }
        };
        is_done || super::fast::load(level, global, group, w, load, mask, hint)
    }

    #[inline(never)]
    fn load_slow(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        load: &Load,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let access = |engine: &mut Self, group: &mut Group, part: &Part| engine.load_part(group, w, pc, load, part);
        self.for_row(group, w, &load.address, load.again, mask, access)
    }

    fn load_part(&mut self, group: &mut Group, w: usize, pc: Pc, load: &Load, part: &Part) -> Result<(), Box<Fault>> {
        let total = load.size * load.results.len() as u32;
        self.observe(group, w, part, AccessInfo::plain(pc, total, AccessKind::Read, load.ordering, load.scope));
        self.see_own(group, w, part, total, load.ordering);
        if O::ACTIVE && self.load_fast(group, w, pc, load, part.lanes) {
            return Ok(());
        }
        if let [(class, slot)] = load.results[..]
            && slot.is_some()
        {
            if part.lanes == FULL
                && let Some(p) = self.row_pointer(group, part, pc, load.size)
            {
                // SAFETY: `row_pointer` gives 32 elements.
                if unsafe { read_row(&mut group.warps[w].regs, class, slot, p, load.size, load.signed) } {
                    return Ok(());
                }
            }
            let first = part.lanes.trailing_zeros() as usize;
            if part.spread.low == part.spread.high && part.space != Space::Local && load.size <= 8 {
                let p = self.pointer(group, w, pc, part, first, load.size, AccessKind::Read)?;
                // SAFETY: `pointer` gives `size` bytes.
                let value = unsafe { read(p, load.size, load.signed) };
                fill(&mut group.warps[w].regs, class, slot, part.lanes, value);
                return Ok(());
            }
        }
        for lane in lanes(part.lanes) {
            let p = self.pointer(group, w, pc, part, lane, total, AccessKind::Read)?;
            let regs = &mut group.warps[w].regs;
            for (n, &(class, slot)) in load.results.iter().enumerate() {
                if !slot.is_some() {
                    continue;
                }
                // SAFETY: `pointer` gives `total` bytes.
                unsafe {
                    let p = p.add(n * load.size as usize);
                    regs.set(class, slot, lane, read(p, load.size.min(8), load.signed));
                    if load.size == 16 {
                        regs.set(Class::R64, crate::slots::Slot(slot.0 + 256), lane, read(p.add(8), 8, false));
                    }
                }
            }
        }
        Ok(())
    }

    /// `st`
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        store: &Store,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        self.forget_row(store.again);
        if !O::ACTIVE && self.random.is_none() && self.store_fast(group, w, pc, store, mask) {
            return Ok(());
        }
        self.store_slow(group, w, pc, store, mask)
    }

    #[inline(always)]
    fn store_fast(&mut self, group: &mut Group, w: usize, pc: Pc, store: &Store, mask: LaneMask) -> bool {
        let (level, global, stretch, hint) = (self.level, self.cx.global, self.stretch, &mut self.hints[pc as usize]);
        let is_done = match store.again {
            Again::Never | Again::First { .. } => false,
            Again::Same { id, by } => {
                let regs = &mut group.warps[w].regs;
                super::fast::store_again(level, regs, store, by, mask, stretch, &self.memos[id as usize])
            }
        };
        is_done || super::fast::store(level, global, group, w, store, mask, hint)
    }

    #[inline(never)]
    fn store_slow(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        store: &Store,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let access = |engine: &mut Self, group: &mut Group, part: &Part| engine.store_part(group, w, pc, store, part);
        self.for_row(group, w, &store.address, store.again, mask, access)
    }

    fn store_part(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        store: &Store,
        part: &Part,
    ) -> Result<(), Box<Fault>> {
        let total = store.size * store.sources.len() as u32;
        self.observe(group, w, part, AccessInfo::plain(pc, total, AccessKind::Write, store.ordering, store.scope));
        self.see_own(group, w, part, total, store.ordering);
        if self.random.is_some() {
            if self.temper.delay_one_in == 0 && self.store_row(group, w, pc, store, part) {
                return Ok(());
            }
            for lane in lanes(part.lanes) {
                let p = self.pointer(group, w, pc, part, lane, total, AccessKind::Write)?;
                // SAFETY: `pointer` gives `total` bytes.
                unsafe { self.store_or_delay(group, w, store, part, lane, p) };
            }
            return Ok(());
        }
        if self.store_row(group, w, pc, store, part) {
            return Ok(());
        }
        for lane in lanes(part.lanes) {
            let p = self.pointer(group, w, pc, part, lane, total, AccessKind::Write)?;
            let regs = &group.warps[w].regs;
            for (n, &(class, slot)) in store.sources.iter().enumerate() {
                // SAFETY: `pointer` gives `total` bytes.
                unsafe {
                    let p = p.add(n * store.size as usize);
                    write(p, store.size.min(8), regs.get(class, slot, lane));
                    if store.size == 16 {
                        write(p.add(8), 8, regs.get(Class::R64, crate::slots::Slot(slot.0 + 256), lane));
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores the whole row of a warp to neighbouring elements, where it is that. Notes whether memory changes.
    fn store_row(&mut self, group: &mut Group, w: usize, pc: Pc, store: &Store, part: &Part) -> bool {
        let [(class, slot)] = store.sources[..] else { return false };
        if part.lanes != FULL {
            return false;
        }
        let Some(p) = self.row_pointer(group, part, pc, store.size) else { return false };
        let regs = &group.warps[w].regs;
        if self.random.is_none() {
            // SAFETY: `row_pointer` gives 32 elements.
            return unsafe { write_row(regs, class, slot, p, store.size) };
        }
        let bytes = 32 * store.size as usize;
        let mut old = [0; 256];
        if bytes > old.len() {
            return false;
        }
        // SAFETY: as above; a seeded schedule runs on one thread.
        unsafe {
            p.copy_to_nonoverlapping(old.as_mut_ptr(), bytes);
            let is_done = write_row(regs, class, slot, p, store.size);
            self.changes += u64::from(is_done && old[..bytes] != *std::slice::from_raw_parts(p, bytes));
            is_done
        }
    }
}

/// What the address of an access must be a multiple of. A copy of more than a vector is only as aligned as its pieces.
fn alignment(size: u32) -> u32 {
    if size <= 32 && size.is_power_of_two() { size } else { 1 }
}

/// What the observer is told of an access besides its addresses.
pub(super) struct AccessInfo {
    pub pc: Pc,
    pub size: u32,
    pub kind: AccessKind,
    pub ordering: crate::program::Ordering,
    pub scope: crate::program::Scope,
    pub asynchronous: bool,
}

impl AccessInfo {
    pub fn plain(
        pc: Pc,
        size: u32,
        kind: AccessKind,
        ordering: crate::program::Ordering,
        scope: crate::program::Scope,
    ) -> Self {
        AccessInfo { pc, size, kind, ordering, scope, asynchronous: false }
    }

    /// The access by these lanes.
    #[inline(always)]
    pub fn of<'p>(&self, group: &Group, who: Who, part: &'p Part) -> Access<'p> {
        Access {
            pc: self.pc,
            lanes: part.lanes,
            space: part.space,
            addresses: part.addresses(),
            spread: &part.spread,
            shared_cta: group.ctas.get(part.cta).map_or(who.cta, |c| c.index),
            size: self.size,
            kind: self.kind,
            ordering: self.ordering,
            scope: self.scope,
            asynchronous: self.asynchronous,
        }
    }
}

/// Reads up to 8 bytes, sign-extended or not.
///
/// # Safety
/// `p` points to `size` readable bytes.
#[inline(always)]
pub(super) unsafe fn read(p: *const u8, size: u32, signed: bool) -> u64 {
    // SAFETY: the caller's.
    unsafe {
        match (size, signed) {
            (1, false) => u64::from(p.read()),
            (1, true) => p.cast::<i8>().read() as i64 as u64,
            (2, false) => u64::from(p.cast::<u16>().read_unaligned()),
            (2, true) => p.cast::<i16>().read_unaligned() as i64 as u64,
            (4, false) => u64::from(p.cast::<u32>().read_unaligned()),
            (4, true) => p.cast::<i32>().read_unaligned() as i64 as u64,
            _ => p.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes the low `size` bytes.
///
/// # Safety
/// `p` points to `size` writable bytes.
#[inline(always)]
pub(super) unsafe fn write(p: *mut u8, size: u32, value: u64) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => p.write(value as u8),
            2 => p.cast::<u16>().write_unaligned(value as u16),
            4 => p.cast::<u32>().write_unaligned(value as u32),
            _ => p.cast::<u64>().write_unaligned(value),
        }
    }
}

/// Reads 32 neighbouring elements into a row. False where there is no fast way.
///
/// # Safety
/// `p` points to 32 elements of `size` bytes.
#[inline(always)]
unsafe fn read_row(
    regs: &mut Registers,
    class: Class,
    slot: crate::slots::Slot,
    p: *const u8,
    size: u32,
    signed: bool,
) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match (class, size, signed) {
            (Class::R32, 4, _) => *regs.row32_mut(slot) = p.cast::<[u32; 32]>().read_unaligned(),
            (Class::R64, 8, _) => *regs.row64_mut(slot) = p.cast::<[u64; 32]>().read_unaligned(),
            (Class::R32, 1, false) => *regs.row32_mut(slot) = p.cast::<[u8; 32]>().read_unaligned().map(u32::from),
            (Class::R32, 2, false) => *regs.row32_mut(slot) = p.cast::<[u16; 32]>().read_unaligned().map(u32::from),
            _ => return false,
        }
    }
    true
}

/// Writes a row to 32 neighbouring elements. False where there is no fast way.
///
/// # Safety
/// `p` points to 32 elements of `size` bytes.
#[inline(always)]
unsafe fn write_row(regs: &Registers, class: Class, slot: crate::slots::Slot, p: *mut u8, size: u32) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match (class, size) {
            (Class::R32, 4) => p.cast::<[u32; 32]>().write_unaligned(*regs.row32(slot)),
            (Class::R64, 8) => p.cast::<[u64; 32]>().write_unaligned(*regs.row64(slot)),
            (Class::R32, 1) => p.cast::<[u8; 32]>().write_unaligned(regs.row32(slot).map(|x| x as u8)),
            (Class::R32, 2) => p.cast::<[u16; 32]>().write_unaligned(regs.row32(slot).map(|x| x as u16)),
            _ => return false,
        }
    }
    true
}

/// Sets the lanes of `mask`.
#[inline(always)]
fn fill(regs: &mut Registers, class: Class, slot: crate::slots::Slot, mask: LaneMask, value: u64) {
    match class {
        Class::R32 if mask == FULL => regs.row32_mut(slot).fill(value as u32),
        Class::R64 if mask == FULL => regs.row64_mut(slot).fill(value),
        _ => lanes(mask).for_each(|lane| regs.set(class, slot, lane, value)),
    }
}
