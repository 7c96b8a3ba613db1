//! Asynchronous copies (PTX ISA, section 9.7.9.25): `cp.async` and `cp.async.bulk`.
//!
//! The source is read when the copy is made. `cp.async` writes its destination when the thread waits for the group,
//! as late as the manual allows, so that a program that forgets to wait reads old bytes. Bulk copies with an mbarrier
//! are written at once and counted down; those in a bulk group when the group is waited for.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use super::memory::AccessInfo;
use super::{AsyncState, Engine, Group, PendingCopy, Reduction};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::memory::Space;
use crate::observe::{Event, Observer};
use crate::program::{Address, AsyncCopy, AsyncGroup, AtomicType, Completion, Ordering, Pc, RemoteStore, Scope};
use crate::slots::{Class, LaneMask, Slot, lanes};

/// A place that a lane named: memory, CTA in the group, offset.
pub(super) type Place = (Space, usize, u64);

impl<O: Observer> Engine<'_, O> {
    pub(super) fn lane_place(
        &mut self,
        group: &mut Group,
        w: usize,
        a: &Address,
        lane: usize,
    ) -> Result<Place, Box<Fault>> {
        let mut found = (Space::Global, 0, 0);
        self.for_spaces(group, w, a, 1 << lane, |_, _, part| {
            found = (part.space, part.cta, part.at(lane));
            Ok(())
        })?;
        Ok(found)
    }

    /// Checks and observes a range of one lane and gives a pointer to it.
    pub(super) fn range(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        lane: usize,
        place: Place,
        size: u32,
        kind: AccessKind,
    ) -> Result<*mut u8, Box<Fault>> {
        let part = super::part::Part::one(place.0, place.1, lane, place.2);
        let info = AccessInfo { pc, size, kind, ordering: Ordering::Weak, scope: Scope::Cta, asynchronous: true };
        self.observe(group, w, &part, info);
        self.pointer(group, w, pc, &part, lane, size, kind)
    }

    pub(super) fn async_copy(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        copy: &AsyncCopy,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        self.changes += 1;
        for lane in lanes(mask) {
            match &copy.tensor {
                Some(part) => self.tensor_copy(group, w, pc, copy, part, lane)?,
                None => self.copy_of_lane(group, w, pc, copy, lane)?,
            }
        }
        Ok(())
    }

    fn copy_of_lane(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        copy: &AsyncCopy,
        lane: usize,
    ) -> Result<(), Box<Fault>> {
        let to = self.lane_place(group, w, &copy.destination, lane)?;
        let from = self.lane_place(group, w, &copy.source, lane)?;
        let regs = &group.warps[w].regs;
        let given = if copy.size_slot.is_some() { regs.row32(copy.size_slot)[lane] } else { u32::MAX };
        let size = copy.size.unwrap_or(given);
        let ignored = copy.ignore.is_some() && regs.pred(copy.ignore) >> lane & 1 != 0;
        let taken = if ignored { 0 } else { size.min(given) };
        if copy.size.is_none() && (!size.is_multiple_of(16) || size == 0 || size > 1 << 24) {
            let kind = FaultKind::BadOperand(format!("a bulk copy is a multiple of 16 bytes, not {size}"));
            return Err(Self::fault(group, w, pc, 1 << lane, kind));
        }
        for place in [to, from] {
            self.must_be_aligned(group, w, pc, lane, place, copy.size.unwrap_or(16))?;
        }
        let mut bytes = vec![0; size as usize];
        if taken != 0 {
            let p = self.range(group, w, pc, lane, from, taken, AccessKind::Read)?;
            // SAFETY: `range` checked `taken` bytes.
            unsafe { std::ptr::copy_nonoverlapping(p, bytes.as_mut_ptr(), taken as usize) };
        }
        let target = self.range(group, w, pc, lane, to, size, AccessKind::Write)?;
        let reduce = copy.reduce.map(|(op, ty, size)| Reduction { op, ty, size, is_flushed: false });
        if copy.completion == Completion::Mbarrier {
            if let Some(reduction) = reduce {
                // SAFETY: `range` checked `size` bytes, which are shared memory: nobody else has them.
                let old = unsafe { std::slice::from_raw_parts(target, size as usize) };
                bytes = reduction.join(old, &bytes);
            }
            return self.deliver(group, w, pc, copy, lane, size, &[(to.1, to.2, bytes)]);
        }
        let is_bulk = copy.completion == Completion::BulkGroup;
        let to_global = to.0 == Space::Global;
        self.leave_open(group, w, lane, is_bulk, PendingCopy { destination: to.2, to_global, bytes, reduce, pc });
        Ok(())
    }

    pub(super) fn must_be_aligned(
        &self,
        group: &Group,
        w: usize,
        pc: Pc,
        lane: usize,
        place: Place,
        align: u32,
    ) -> Result<(), Box<Fault>> {
        if place.2.is_multiple_of(u64::from(align)) {
            return Ok(());
        }
        let kind = FaultKind::Misaligned { space: place.0, address: place.2, align, lane: lane as u32 };
        Err(Self::fault(group, w, pc, 1 << lane, kind))
    }

    /// Adds a copy to the lane's open group.
    pub(super) fn leave_open(&mut self, group: &mut Group, w: usize, lane: usize, is_bulk: bool, copy: PendingCopy) {
        let warp = &mut group.warps[w];
        let list = if is_bulk { &mut warp.bulk } else { &mut warp.copies };
        if list.is_empty() {
            list.resize(32, AsyncState::default());
        }
        list[lane].open.push(copy);
    }

    /// Writes the pieces of a bulk copy, with the CTA of the group and offset of each, and counts `total` bytes at its
    /// mbarrier, in each CTA that it goes to.
    pub(super) fn deliver(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        copy: &AsyncCopy,
        lane: usize,
        total: u32,
        pieces: &[(usize, u64, Vec<u8>)],
    ) -> Result<(), Box<Fault>> {
        let multicast = if copy.multicast.is_some() { group.warps[w].regs.row32(copy.multicast)[lane] } else { 0 };
        let barrier = copy.mbarrier.as_ref().map(|a| self.lane_place(group, w, a, lane)).transpose()?;
        let home = pieces.first().map_or(0, |p| p.0);
        let targets = if multicast == 0 { 1u32 << home } else { multicast & 0xffff };
        for cta in lanes(targets) {
            let mut ok = true;
            for (_, offset, bytes) in pieces {
                match group.ctas.get_mut(cta) {
                    Some(target) if target.covers(*offset, bytes.len() as u64) => {
                        target.shared[*offset as usize..*offset as usize + bytes.len()].copy_from_slice(bytes);
                    }
                    _ => ok = false,
                }
            }
            let place = barrier.map_or(0, |b| b.2);
            let at = if multicast == 0 { barrier.map_or(cta, |b| b.1) } else { cta };
            ok &= self.complete_transactions(group, at, place, total);
            if !ok {
                let kind = FaultKind::Mbarrier("the copy's destination or mbarrier is not in shared memory".to_owned());
                return Err(Self::fault(group, w, pc, 1 << lane, kind));
            }
        }
        if O::ACTIVE {
            self.tell(group, w, &Event::CopyComplete { pc, lane: lane as u32 });
        }
        Ok(())
    }

    /// `st.async`, `red.async`
    pub(super) fn remote_store(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        store: &RemoteStore,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        self.changes += 1;
        for lane in lanes(mask) {
            let to = self.lane_place(group, w, &store.address, lane)?;
            let total = store.size * store.sources.len() as u32;
            let target = self.range(group, w, pc, lane, to, total, AccessKind::Write)?;
            let regs = &group.warps[w].regs;
            let value = |&(class, slot): &(Class, Slot)| regs.get(class, slot, lane).to_le_bytes();
            let mut bytes: Vec<u8> =
                store.sources.iter().flat_map(|s| value(s).into_iter().take(store.size as usize)).collect();
            // SAFETY: `range` checked `total` bytes.
            unsafe {
                if let Some((op, ty)) = store.reduce {
                    let reduction = Reduction { op, ty, size: store.size, is_flushed: false };
                    bytes = reduction.join(std::slice::from_raw_parts(target, total as usize), &bytes);
                }
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, total as usize);
            }
            let barrier = self.lane_place(group, w, &store.mbarrier, lane)?;
            if barrier.0 != Space::Shared || !self.complete_transactions(group, barrier.1, barrier.2, total) {
                let kind = FaultKind::Mbarrier("the store's mbarrier is not in shared memory".to_owned());
                return Err(Self::fault(group, w, pc, 1 << lane, kind));
            }
            if O::ACTIVE {
                self.tell(group, w, &Event::CopyComplete { pc, lane: lane as u32 });
            }
        }
        Ok(())
    }

    pub(super) fn async_group(&mut self, group: &mut Group, w: usize, pc: Pc, what: AsyncGroup, mask: LaneMask) {
        if O::ACTIVE {
            self.tell(group, w, &Event::AsyncGroup { pc, lanes: mask, what });
        }
        for lane in lanes(mask) {
            match what {
                AsyncGroup::CommitCp => commit(&mut group.warps[w].copies, lane),
                AsyncGroup::CommitBulk => commit(&mut group.warps[w].bulk, lane),
                AsyncGroup::WaitCp(left) => self.write_groups(group, w, lane, left as usize, false, false),
                AsyncGroup::WaitAllCp => self.write_groups(group, w, lane, 0, false, true),
                AsyncGroup::WaitBulk { left, .. } => self.write_groups(group, w, lane, left as usize, true, false),
                AsyncGroup::WgmmaFence | AsyncGroup::WgmmaCommit | AsyncGroup::WgmmaWait(_) => {}
            }
        }
    }

    /// Writes the oldest groups until `left` are pending; also the open one where `all`.
    fn write_groups(&mut self, group: &mut Group, w: usize, lane: usize, left: usize, bulk: bool, all: bool) {
        loop {
            let warp = &mut group.warps[w];
            let list = if bulk { &mut warp.bulk } else { &mut warp.copies };
            let Some(state) = list.get_mut(lane) else { return };
            let next = if state.groups.len() > left {
                state.groups.remove(0)
            } else if all && !state.open.is_empty() {
                std::mem::take(&mut state.open)
            } else {
                return;
            };
            for copy in next {
                self.write_copy(group, w, &copy);
            }
        }
    }

    fn write_copy(&mut self, group: &mut Group, w: usize, copy: &PendingCopy) {
        let len = copy.bytes.len();
        self.changes += 1;
        if copy.to_global {
            if let Some(p) = self.cx.global.pointer(copy.destination, len as u64, &mut 0) {
                // SAFETY: `pointer` checked `len` bytes; elements of a reduction are aligned, since copies are.
                unsafe {
                    match copy.reduce {
                        Some(reduction) => reduction.apply(p, &copy.bytes),
                        None => std::ptr::copy_nonoverlapping(copy.bytes.as_ptr(), p, len),
                    }
                }
            }
            return;
        }
        let cta = group.warps[w].cta;
        let at = copy.destination as usize;
        if let Some(target) = group.ctas[cta].shared.get_mut(at..at + len) {
            target.copy_from_slice(&copy.bytes);
        }
    }

    /// Everything that these lanes have in flight is written: they exit, or an mbarrier waits for it.
    pub(super) fn finish_copies(&mut self, group: &mut Group, w: usize, mask: LaneMask) {
        if group.warps[w].copies.is_empty() && group.warps[w].bulk.is_empty() {
            return;
        }
        for lane in lanes(mask) {
            for bulk in [false, true] {
                self.write_groups(group, w, lane, 0, bulk, true);
            }
        }
    }
}

fn commit(list: &mut Vec<AsyncState>, lane: usize) {
    if list.is_empty() {
        list.resize(32, AsyncState::default());
    }
    let open = std::mem::take(&mut list[lane].open);
    list[lane].groups.push(open);
}

impl Reduction {
    fn element(self, old: u64, new: u64) -> u64 {
        // A NaN passes as it is, quiet or not, the new one first (`tma/reduce.f64.*`, `async/reduce_global.add.f64`).
        if self.ty == AtomicType::F64 {
            let nan = [new, old].into_iter().find(|x| f64::from_bits(*x).is_nan());
            if let Some(nan) = nan {
                return nan;
            }
        }
        super::atomic::combine(self.op, self.ty, self.size, old, new, 0, self.is_flushed)
    }

    /// Joins bytes, element by element.
    fn join(self, old: &[u8], new: &[u8]) -> Vec<u8> {
        let size = self.size.clamp(1, 8) as usize;
        let number = |b: &[u8]| b.iter().rev().fold(0u64, |n, x| n << 8 | u64::from(*x));
        let pairs = old.chunks(size).zip(new.chunks(size));
        pairs.flat_map(|(a, b)| self.element(number(a), number(b)).to_le_bytes().into_iter().take(size)).collect()
    }

    /// Joins bytes into global memory, each element at once.
    ///
    /// # Safety
    /// `p` points to as many bytes, aligned to the size of an element.
    unsafe fn apply(self, p: *mut u8, bytes: &[u8]) {
        macro_rules! each {
            ($atomic:ty, $int:ty) => {
                for (n, new) in bytes.chunks_exact(size_of::<$int>()).enumerate() {
                    let new = <$int>::from_le_bytes(new.try_into().unwrap_or_default());
                    // SAFETY: the caller's; all accesses of a launch are through raw pointers.
                    let cell = unsafe { <$atomic>::from_ptr(p.add(n * size_of::<$int>()).cast()) };
                    let join = |old| Some(self.element(u64::from(old), u64::from(new)) as $int);
                    // The closure never gives up.
                    let _ = cell.fetch_update(SeqCst, SeqCst, join);
                }
            };
        }
        match self.size {
            2 => each!(AtomicU16, u16),
            4 => each!(AtomicU32, u32),
            _ => each!(AtomicU64, u64),
        }
    }
}
