//! Which lanes of an access lead to which memory.

use super::memory::AccessInfo;
use super::{Engine, Group};
use crate::fault::{AccessKind, Fault};
use crate::lower::strand::Reads;
use crate::memory::{CLUSTER_STRIDE, LOCAL_BASE, PARAM_BASE, SHARED_BASE, Space, resolve_generic};
use crate::observe::{Addresses, Observer, Spread};
use crate::program::{Address, AddressSpace, Again, Ordering, Scope};
use crate::slots::{Class, LaneMask, lanes};

/// Lanes of a warp whose addresses are in one memory.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub space: Space,
    /// For shared memory: the CTA of the group that it belongs to.
    pub cta: usize,
    pub lanes: LaneMask,
    pub spread: Spread,
    row: [u64; 32],
    /// What is to be added to the addresses of the row.
    by: u64,
}

impl Part {
    const NONE: Part = Part { space: Space::Global, cta: 0, lanes: 0, spread: Spread::NONE, row: [0; 32], by: 0 };

    /// One lane.
    pub fn one(space: Space, cta: usize, lane: usize, address: u64) -> Self {
        let mut row = [0; 32];
        row[lane] = address;
        let spread = Spread { low: address, high: address, steps: None };
        Part { space, cta, lanes: 1 << lane, spread, row, by: 0 }
    }

    /// The address of a lane.
    #[inline(always)]
    pub fn at(&self, lane: usize) -> u64 {
        self.row[lane].wrapping_add(self.by)
    }

    /// Those of all lanes.
    pub fn addresses(&self) -> Addresses<'_> {
        Addresses::new(&self.row).moved(self.by)
    }

    /// The same lanes, each so many bytes further on.
    pub fn moved(&self, by: impl Fn(usize) -> u64) -> Self {
        let mut row = [0; 32];
        lanes(self.lanes).for_each(|lane| row[lane] = self.at(lane).wrapping_add(by(lane)));
        Part { spread: Spread::of(&row, self.lanes), row, by: 0, ..*self }
    }
}

/// Where a first access of a row led, for the others of its block: see `lower::again`.
pub(super) struct Row {
    /// The stretch of running that it holds for; 0 for none.
    stretch: u64,
    part: Part,
}

impl Default for Row {
    fn default() -> Self {
        Row { stretch: 0, part: Part::NONE }
    }
}

impl Row {
    /// The part at a distance from the first access, where it is known and no address wraps on the way.
    #[inline(always)]
    fn at(&mut self, by: i32, class: Class, mask: LaneMask, stretch: u64) -> Option<&Part> {
        let part = &mut self.part;
        if self.stretch != stretch || part.lanes != mask {
            return None;
        }
        let by = i64::from(by).wrapping_sub(part.by as i64);
        let (low, high) = (part.spread.low.checked_add_signed(by)?, part.spread.high.checked_add_signed(by)?);
        // An address of a window has no upper half.
        if high > u64::from(u32::MAX) && (class != Class::R64 || part.space != Space::Global) {
            return None;
        }
        (part.spread.low, part.spread.high) = (low, high);
        part.by = part.by.wrapping_add_signed(by);
        Some(part)
    }
}

/// The memory of an instruction's space and the window of it in the generic space; none where lanes may lead to several.
fn memory(space: AddressSpace) -> Option<(Space, u64)> {
    match space {
        AddressSpace::Global | AddressSpace::Const => Some((Space::Global, 0)),
        AddressSpace::Shared => Some((Space::Shared, SHARED_BASE)),
        AddressSpace::Local | AddressSpace::Frame => Some((Space::Local, LOCAL_BASE)),
        AddressSpace::Param => Some((Space::Param, PARAM_BASE)),
        AddressSpace::Generic | AddressSpace::SharedCluster => None,
    }
}

impl<O: Observer> Engine<'_, O> {
    /// What is kept in mind by the number of a first access is of another row from now on.
    #[inline(always)]
    pub(super) fn forget_row(&mut self, again: Again) {
        if let Again::First { id, .. } = again {
            self.memos[id as usize].stretch = 0;
            if O::ACTIVE {
                self.told &= !(1 << id);
                if let Some(row) = &mut self.rows[id as usize] {
                    row.stretch = 0;
                }
            }
        }
    }

    /// Has the observer been told of an access before?
    #[inline(always)]
    pub(super) fn is_told(&self, again: Again) -> bool {
        O::ACTIVE && matches!(again, Again::Same { id, .. } if self.told >> id & 1 != 0)
    }

    /// Tells the observer of loads by a row that is known, all of which will be run and are inside.
    #[inline(never)]
    pub(super) fn tell_row(&mut self, group: &Group, w: usize, reads: &Reads, mask: LaneMask) {
        let id = reads.id as usize;
        let is_seen = reads.rest.iter().any(|&(pc, _)| self.observer.wants_access(pc));
        if !is_seen || self.may_hold_back(group, w) || !self.memos[id].is_known(self.stretch, mask) {
            return;
        }
        let Some(mut row) = self.rows[id].take() else { return };
        if let Some(part) = row.at(0, Class::R64, mask, self.stretch) {
            let info = AccessInfo::plain(reads.rest[0].0, 4, AccessKind::Read, Ordering::Weak, Scope::Cta);
            let view = Self::view(self.cx.global, &self.delayed, group, w);
            let who = Self::who(group, w);
            if self.observer.access_row(&view, who, &info.of(group, who, part), &reads.rest) {
                self.told |= 1 << id;
            }
        }
        self.rows[id] = Some(row);
    }

    /// Calls `f` for each group of lanes whose addresses are in the same memory.
    #[inline(always)]
    pub(super) fn for_spaces(
        &mut self,
        group: &mut Group,
        w: usize,
        a: &Address,
        mask: LaneMask,
        mut f: impl FnMut(&mut Self, &mut Group, &Part) -> Result<(), Box<Fault>>,
    ) -> Result<(), Box<Fault>> {
        let mut part = Part::NONE;
        if !self.fill(group, w, a, mask, &mut part) {
            return self.mixed(group, w, a.space, &part.row, mask, &mut f);
        }
        f(self, group, &part)
    }

    /// [`Engine::for_spaces`] of an access that may be one of several by the same row.
    #[inline(always)]
    pub(super) fn for_row(
        &mut self,
        group: &mut Group,
        w: usize,
        a: &Address,
        again: Again,
        mask: LaneMask,
        f: impl Fn(&mut Self, &mut Group, &Part) -> Result<(), Box<Fault>>,
    ) -> Result<(), Box<Fault>> {
        let (id, by) = match again {
            Again::First { id, .. } if O::ACTIVE => (id as usize, None),
            Again::Same { id, by } if O::ACTIVE => (id as usize, Some(by)),
            _ => return self.for_spaces(group, w, a, mask, f),
        };
        // Out of its place while it is in use.
        let mut row = self.rows[id].take().unwrap_or_default();
        let done = match by {
            None => {
                if self.fill(group, w, a, mask, &mut row.part) {
                    row.stretch = self.stretch;
                    f(self, group, &row.part)
                } else {
                    self.mixed(group, w, a.space, &row.part.row, mask, &mut |e, g, p| f(e, g, p))
                }
            }
            Some(by) => match row.at(by, a.class, mask, self.stretch) {
                Some(part) => f(self, group, part),
                None => self.for_spaces(group, w, a, mask, f),
            },
        };
        self.rows[id] = Some(row);
        done
    }

    /// Computes the addresses of lanes. False where they may be in several memories.
    #[inline(always)]
    fn fill(&self, group: &Group, w: usize, a: &Address, mask: LaneMask, part: &mut Part) -> bool {
        let warp = &group.warps[w];
        let memory = memory(a.space);
        let (space, window) = memory.unwrap_or((Space::Global, 0));
        let (row, spread) = (&mut part.row, &mut part.spread);
        super::fast::addresses(self.level, &warp.regs, &warp.stack, a, window, mask, row, spread);
        (part.space, part.cta, part.lanes, part.by) = (space, warp.cta, mask, 0);
        memory.is_some()
    }

    #[inline(never)]
    fn mixed(
        &mut self,
        group: &mut Group,
        w: usize,
        space: AddressSpace,
        at: &[u64; 32],
        mask: LaneMask,
        f: &mut impl FnMut(&mut Self, &mut Group, &Part) -> Result<(), Box<Fault>>,
    ) -> Result<(), Box<Fault>> {
        let own = group.warps[w].cta;
        let place = |address: u64| {
            let (space, offset) = match space {
                AddressSpace::SharedCluster if address >> 32 == 0 => (Space::Shared, address),
                _ => resolve_generic(address),
            };
            if space != Space::Shared {
                return (space, offset, own);
            }
            let owner = (offset / u64::from(CLUSTER_STRIDE)) as usize;
            let cta = if owner == 0 { own } else { owner - 1 };
            (space, offset % u64::from(CLUSTER_STRIDE), cta)
        };
        let mut rest = mask;
        while rest != 0 {
            let (space, _, cta) = place(at[rest.trailing_zeros() as usize]);
            let mut part = Part { space, cta, ..Part::NONE };
            for lane in lanes(rest) {
                let (s, offset, c) = place(at[lane]);
                if (s, c) == (space, cta) {
                    part.row[lane] = offset;
                    part.lanes |= 1 << lane;
                }
            }
            part.spread = Spread::of(&part.row, part.lanes);
            rest &= !part.lanes;
            f(self, group, &part)?;
        }
        Ok(())
    }
}
