//! Asynchronous copies (PTX ISA, section 9.7.9.25): `cp.async` and `cp.async.bulk`.
//!
//! The source is read when the copy is made. `cp.async` writes its destination when the thread waits for the group,
//! as late as the manual allows, so that a program that forgets to wait reads old bytes. Bulk copies with an mbarrier
//! are written at once and counted down; those in a bulk group when the group is waited for.

use super::memory::AccessInfo;
use super::{AsyncState, Engine, Group, PendingCopy};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::memory::Space;
use crate::observe::{Event, Observer};
use crate::program::{Address, AsyncCopy, AsyncGroup, AtomicOp, AtomicType, Completion, Ordering, Pc, Scope};
use crate::slots::{LaneMask, lanes};

/// A place that a lane named: memory, CTA in the group, offset.
type Place = (Space, usize, u64);

impl<O: Observer> Engine<'_, O> {
    fn lane_place(&mut self, group: &mut Group, w: usize, a: &Address, lane: usize) -> Result<Place, Box<Fault>> {
        let mut found = (Space::Global, 0, 0);
        self.for_spaces(group, w, a, 1 << lane, |_, _, part| {
            found = (part.space, part.cta, part.at[lane]);
            Ok(())
        })?;
        Ok(found)
    }

    /// Checks and observes a range of one lane and gives a pointer to it.
    fn range(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        lane: usize,
        place: Place,
        size: u32,
        kind: AccessKind,
    ) -> Result<*mut u8, Box<Fault>> {
        let mut at = [0; 32];
        at[lane] = place.2;
        let part = super::memory::Addresses { space: place.0, at, cta: place.1, lanes: 1 << lane };
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
            let to = self.lane_place(group, w, &copy.destination, lane)?;
            let from = self.lane_place(group, w, &copy.source, lane)?;
            let regs = &group.warps[w].regs;
            let given = if copy.size_slot.is_some() { regs.row32(copy.size_slot)[lane] } else { u32::MAX };
            let size = copy.size.unwrap_or(given);
            let ignored = copy.ignore.is_some() && regs.pred(copy.ignore) >> lane & 1 != 0;
            let taken = if ignored { 0 } else { size.min(given) };
            let multicast = if copy.multicast.is_some() { regs.row32(copy.multicast)[lane] } else { 0 };
            if copy.size.is_none() && (!size.is_multiple_of(16) || size == 0 || size > 1 << 24) {
                let kind = FaultKind::BadOperand(format!("a bulk copy is a multiple of 16 bytes, not {size}"));
                return Err(Self::fault(group, w, pc, 1 << lane, kind));
            }
            for place in [to, from] {
                let align = u64::from(copy.size.unwrap_or(16));
                if place.2 % align != 0 {
                    let kind = FaultKind::Misaligned {
                        space: place.0,
                        address: place.2,
                        align: align as u32,
                        lane: lane as u32,
                    };
                    return Err(Self::fault(group, w, pc, 1 << lane, kind));
                }
            }
            let mut bytes = vec![0; size as usize];
            if taken != 0 {
                let p = self.range(group, w, pc, lane, from, taken, AccessKind::Read)?;
                // SAFETY: `range` checked `taken` bytes.
                unsafe { std::ptr::copy_nonoverlapping(p, bytes.as_mut_ptr(), taken as usize) };
            }
            let target = self.range(group, w, pc, lane, to, size, AccessKind::Write)?;
            if let Some((op, ty, width)) = copy.reduce {
                // SAFETY: `range` checked `size` bytes.
                let old = unsafe { std::slice::from_raw_parts(target, size as usize) };
                bytes = reduce(op, ty, width, old, &bytes);
            }
            match copy.completion {
                Completion::Mbarrier => {
                    let barrier = copy.mbarrier.as_ref().map(|a| self.lane_place(group, w, a, lane)).transpose()?;
                    self.deliver(group, w, pc, lane, to, &bytes, barrier, multicast)?;
                }
                Completion::Group | Completion::BulkGroup => {
                    let is_bulk = copy.completion == Completion::BulkGroup;
                    let warp = &mut group.warps[w];
                    let list = if is_bulk { &mut warp.bulk } else { &mut warp.copies };
                    if list.is_empty() {
                        list.resize(32, AsyncState::default());
                    }
                    let destination = to.2;
                    list[lane].open.push(PendingCopy { destination, to_global: to.0 == Space::Global, bytes, pc });
                }
            }
        }
        Ok(())
    }

    /// Writes a bulk copy and counts it at its mbarrier, in each CTA that it goes to.
    fn deliver(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        lane: usize,
        to: Place,
        bytes: &[u8],
        barrier: Option<Place>,
        multicast: u32,
    ) -> Result<(), Box<Fault>> {
        let own = if multicast == 0 { 1u32 << to.1 } else { multicast };
        for cta in lanes(own) {
            let mut ok = false;
            if let Some(target) = group.ctas.get_mut(cta)
                && target.covers(to.2, bytes.len() as u64)
            {
                target.shared[to.2 as usize..to.2 as usize + bytes.len()].copy_from_slice(bytes);
                let place = barrier.map_or(0, |b| b.2);
                let at = if multicast == 0 { barrier.map_or(cta, |b| b.1) } else { cta };
                ok = self.complete_transactions(group, at, place, bytes.len() as u32);
            }
            if !ok {
                let kind = FaultKind::Mbarrier("the copy's destination or mbarrier is not in shared memory".to_owned());
                return Err(Self::fault(group, w, pc, 1 << lane, kind));
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
                // SAFETY: `pointer` checked `len` bytes.
                unsafe { std::ptr::copy_nonoverlapping(copy.bytes.as_ptr(), p, len) };
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

/// `cp.reduce`: element by element.
fn reduce(op: AtomicOp, ty: AtomicType, width: u32, old: &[u8], new: &[u8]) -> Vec<u8> {
    let width = width.clamp(1, 8) as usize;
    let number = |b: &[u8]| b.iter().rev().fold(0u64, |n, x| n << 8 | u64::from(*x));
    let mut out = Vec::with_capacity(new.len());
    for (a, b) in old.chunks(width).zip(new.chunks(width)) {
        let value = super::atomic::combine(op, ty, width as u32, number(a), number(b), 0, false);
        out.extend_from_slice(&value.to_le_bytes()[..width]);
    }
    out
}
