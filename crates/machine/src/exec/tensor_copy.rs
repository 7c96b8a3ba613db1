//! Copies of parts of tensors (PTX ISA, section 9.7.9.27.1) and changes of tensor maps (9.7.9.27.2): see
//! `warpvm_sem::tensor_map` for what the chip does.
//!
//! As other bulk copies, a load is written and counted at its mbarrier when it is issued, and a store reads shared memory
//! when it is issued and writes when its group is waited for.

use warpvm_sem::tensor_map::{Direction, Line, MAP_BYTES, MapType, TensorMap, Tile};

use super::asynchronous::Place;
use super::memory::AccessInfo;
use super::part::Part;
use super::{Engine, Group, PendingCopy, Reduction};
use crate::fault::{AccessKind, Fault, FaultKind};
use crate::memory::Space;
use crate::observe::Observer;
use crate::program::{
    Address, AsyncCopy, AtomicOp, AtomicType, Completion, Ordering, Pc, Scope, TensorMapCopy, TensorMapReplace,
    TensorPart,
};
use crate::slots::{LaneMask, lanes};

/// A tile in shared memory starts at a multiple of this.
const TILE_ALIGN: u32 = 128;

/// A tensor map lies at a multiple of this.
const MAP_ALIGN: u32 = 64;

/// Bytes that the swizzle moves together.
const CHUNK: u32 = 16;

impl<O: Observer> Engine<'_, O> {
    pub(super) fn tensor_copy(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        copy: &AsyncCopy,
        part: &TensorPart,
        lane: usize,
    ) -> Result<(), Box<Fault>> {
        if part.is_prefetch {
            return Ok(());
        }
        let is_load = copy.completion == Completion::Mbarrier;
        let (at, map) = if is_load { (&copy.destination, &copy.source) } else { (&copy.source, &copy.destination) };
        let bytes = self.read_map(group, w, pc, lane, map)?;
        let bad = |text: String| Self::fault(group, w, pc, 1 << lane, FaultKind::BadOperand(text));
        let map = TensorMap::decode(&bytes).ok_or_else(|| bad("there is no tensor map at this address".to_owned()))?;
        let regs = &group.warps[w].regs;
        let coordinates: Vec<i32> = part.coordinates.iter().map(|&slot| regs.row32(slot)[lane] as i32).collect();
        let offsets = part.offsets.as_ref();
        let offsets: Option<Vec<u16>> =
            offsets.map(|slots| slots.iter().map(|&slot| regs.row32(slot)[lane] as u16).collect());
        let direction = if is_load { Direction::Load } else { Direction::Store };
        let tile = Tile::new(&map, direction, &coordinates, offsets.as_deref()).map_err(|e| bad(e.to_string()))?;
        let at = self.lane_place(group, w, at, lane)?;
        self.must_be_aligned(group, w, pc, lane, at, TILE_ALIGN)?;
        if !group.ctas.get(at.1).is_some_and(|cta| at.0 == Space::Shared && cta.covers(at.2, tile.shared_bytes())) {
            let access = if is_load { AccessKind::Write } else { AccessKind::Read };
            let size = u32::try_from(tile.shared_bytes()).unwrap_or(u32::MAX);
            let kind = FaultKind::Address { space: at.0, address: at.2, size, access, lane: lane as u32 };
            return Err(Self::fault(group, w, pc, 1 << lane, kind));
        }
        let mut lines = Vec::new();
        tile.for_each_line(|line| lines.push(line));
        let here = Here { w, pc, lane, at, map: &map, tile: &tile };
        if is_load {
            return self.load_tile(group, &here, copy, &lines);
        }
        let reduce = match copy.reduce {
            None => None,
            Some((op, ..)) => Some(reduction(op, map.ty).ok_or_else(|| {
                let text = format!("a tensor of type `{}` has no reduction by `{op:?}`", map.ty.name());
                Self::fault(group, w, pc, 1 << lane, FaultKind::BadOperand(text.to_lowercase()))
            })?),
        };
        self.store_tile(group, &here, reduce, &lines)
    }

    fn load_tile(
        &mut self,
        group: &mut Group,
        here: &Here<'_>,
        copy: &AsyncCopy,
        lines: &[Line],
    ) -> Result<(), Box<Fault>> {
        let Here { w, pc, lane, at, map, tile } = *here;
        let mut pieces = Vec::new();
        for line in lines {
            let mut bytes = tile.filled_line();
            let (first, last) = line.inside;
            if last > first {
                let p = self.global_pointer(group, here, line, AccessKind::Read)?;
                let inside = &mut bytes[first as usize..last as usize];
                // SAFETY: `global_pointer` checked these bytes.
                unsafe { std::ptr::copy_nonoverlapping(p, inside.as_mut_ptr(), inside.len()) };
                tile.convert(inside);
            }
            for (from, to) in here.chunks(line) {
                let offset = map.swizzle.apply(at.2 + line.shared + u64::from(from));
                if O::ACTIVE {
                    let (low, high) = (from.max(first), to.min(last));
                    if high > low {
                        let address = line.global + u64::from(low - first);
                        self.show(group, here, (Space::Global, at.1, address), high - low, AccessKind::Read);
                    }
                    self.show(group, here, (at.0, at.1, offset), to - from, AccessKind::Write);
                }
                pieces.push((at.1, offset, bytes[from as usize..to as usize].to_vec()));
            }
        }
        self.deliver(group, w, pc, copy, lane, tile.bytes(), &pieces)
    }

    fn store_tile(
        &mut self,
        group: &mut Group,
        here: &Here<'_>,
        reduce: Option<Reduction>,
        lines: &[Line],
    ) -> Result<(), Box<Fault>> {
        let Here { w, pc, lane, at, map, .. } = *here;
        for line in lines.iter().filter(|line| line.inside.1 > line.inside.0) {
            self.global_pointer(group, here, line, AccessKind::Write)?;
            let (first, last) = line.inside;
            let mut bytes = Vec::new();
            for (from, to) in here.chunks(line) {
                let (low, high) = (from.max(first), to.min(last));
                if high <= low {
                    continue;
                }
                let offset = map.swizzle.apply(at.2 + line.shared + u64::from(from)) + u64::from(low - from);
                if O::ACTIVE {
                    self.show(group, here, (at.0, at.1, offset), high - low, AccessKind::Read);
                    let address = line.global + u64::from(low - first);
                    self.show(group, here, (Space::Global, at.1, address), high - low, AccessKind::Write);
                }
                let offset = offset as usize;
                // The whole tile was checked to lie in shared memory.
                bytes.extend_from_slice(&group.ctas[at.1].shared[offset..offset + (high - low) as usize]);
            }
            let copy = PendingCopy { destination: line.global, to_global: true, bytes, reduce, pc };
            self.leave_open(group, w, lane, true, copy);
        }
        Ok(())
    }

    /// Checks the bytes of a line that lie in the tensor.
    fn global_pointer(
        &mut self,
        group: &Group,
        here: &Here<'_>,
        line: &Line,
        kind: AccessKind,
    ) -> Result<*mut u8, Box<Fault>> {
        // Lines start at multiples of 16 and of nothing more.
        let size = line.inside.1 - line.inside.0;
        let found = self.cx.global.pointer(line.global, u64::from(size), &mut self.hints[here.pc as usize]);
        found.ok_or_else(|| {
            let lane = here.lane as u32;
            let kind = FaultKind::Address { space: Space::Global, address: line.global, size, access: kind, lane };
            Self::fault(group, here.w, here.pc, 1 << here.lane, kind)
        })
    }

    /// Tells the observer of bytes that the copy touches.
    fn show(&mut self, group: &Group, here: &Here<'_>, place: Place, size: u32, kind: AccessKind) {
        let part = Part::one(place.0, place.1, here.lane, place.2);
        self.observe(group, here.w, &part, asynchronous(here.pc, size, kind));
    }

    /// Tells the observer of what a warp operation reads in its CTA's shared memory; the first lane stands for all.
    pub(super) fn observe_reads(&mut self, group: &Group, w: usize, pc: Pc, mask: LaneMask, reads: &[(u64, u32)]) {
        let lane = mask.trailing_zeros() as usize & 31;
        for &(offset, size) in reads {
            let part = Part::one(Space::Shared, group.warps[w].cta, lane, offset);
            self.observe(group, w, &part, asynchronous(pc, size, AccessKind::Read));
        }
    }

    fn read_map(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        lane: usize,
        address: &Address,
    ) -> Result<[u8; MAP_BYTES], Box<Fault>> {
        let p = self.map_pointer(group, w, pc, lane, address, AccessKind::Read)?;
        // SAFETY: `map_pointer` checked the bytes.
        Ok(unsafe { p.cast::<[u8; MAP_BYTES]>().read_unaligned() })
    }

    /// The 128 bytes of a tensor map.
    fn map_pointer(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        lane: usize,
        address: &Address,
        kind: AccessKind,
    ) -> Result<*mut u8, Box<Fault>> {
        let place = self.lane_place(group, w, address, lane)?;
        self.must_be_aligned(group, w, pc, lane, place, MAP_ALIGN)?;
        let part = Part::one(place.0, place.1, lane, place.2);
        self.pointer(group, w, pc, &part, lane, MAP_BYTES as u32, kind)
    }

    pub(super) fn tensor_map_replace(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        t: &TensorMapReplace,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        self.for_spaces(group, w, &t.address, mask, |engine, group, part| {
            let info = AccessInfo::plain(pc, MAP_BYTES as u32, AccessKind::Write, Ordering::Weak, Scope::Cta);
            engine.observe(group, w, part, info);
            for lane in lanes(part.lanes) {
                let p = engine.pointer(group, w, pc, part, lane, MAP_BYTES as u32, AccessKind::Write)?;
                let value = group.warps[w].regs.get(t.value.0, t.value.1, lane);
                // SAFETY: `pointer` gives the bytes of a map.
                unsafe {
                    let mut map = p.cast::<[u8; MAP_BYTES]>().read_unaligned();
                    t.field.replace(&mut map, value);
                    p.cast::<[u8; MAP_BYTES]>().write_unaligned(map);
                }
            }
            engine.changes += 1;
            Ok(())
        })
    }

    /// `tensormap.cp_fenceproxy`: the lanes give one address.
    pub(super) fn tensor_map_copy(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        t: &TensorMapCopy,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let lane = mask.trailing_zeros() as usize & 31;
        let map = self.read_map(group, w, pc, lane, &t.source)?;
        let p = self.map_pointer(group, w, pc, lane, &t.destination, AccessKind::Write)?;
        // SAFETY: `map_pointer` checked the bytes.
        unsafe { p.cast::<[u8; MAP_BYTES]>().write_unaligned(map) };
        self.changes += 1;
        Ok(())
    }
}

/// A tile on its way.
#[derive(Clone, Copy)]
struct Here<'a> {
    w: usize,
    pc: Pc,
    lane: usize,
    /// Where the tile is in shared memory.
    at: Place,
    map: &'a TensorMap,
    tile: &'a Tile<'a>,
}

impl Here<'_> {
    /// Parts of a line that stay together in shared memory and lie wholly in the tensor or start in it.
    fn chunks(&self, line: &Line) -> impl Iterator<Item = (u32, u32)> + use<> {
        let length = self.tile.line_bytes();
        let is_whole = self.map.swizzle.bytes() == 0 && line.inside.0 == 0;
        let step = if is_whole { length.max(1) } else { CHUNK };
        (0..length).step_by(step as usize).map(move |from| (from, (from + step).min(length)))
    }
}

fn asynchronous(pc: Pc, size: u32, kind: AccessKind) -> AccessInfo {
    AccessInfo { pc, size, kind, ordering: Ordering::Weak, scope: Scope::Cta, asynchronous: true }
}

/// The reduction of a type, where the chip has it.
fn reduction(op: AtomicOp, map: MapType) -> Option<Reduction> {
    use AtomicOp::{Add, And, Dec, Inc, Max, Min, Or, Xor};
    let (ty, ops): (AtomicType, &[AtomicOp]) = match map {
        MapType::U32 => (AtomicType::Unsigned, &[Add, Min, Max, Inc, Dec, And, Or, Xor]),
        MapType::U64 => (AtomicType::Unsigned, &[Add, Min, Max, And, Or, Xor]),
        MapType::S32 => (AtomicType::Signed, &[Add, Min, Max, And, Or, Xor]),
        MapType::S64 => (AtomicType::Signed, &[Min, Max]),
        MapType::F16 => (AtomicType::F16, &[Add, Min, Max]),
        MapType::Bf16 => (AtomicType::Bf16, &[Add, Min, Max]),
        MapType::F32 | MapType::F32Ftz | MapType::Tf32 | MapType::Tf32Ftz => (AtomicType::F32, &[Add]),
        MapType::F64 => (AtomicType::F64, &[Add]),
        MapType::U8 | MapType::U16 => return None,
    };
    let is_flushed = matches!(map, MapType::F32Ftz | MapType::Tf32Ftz);
    ops.contains(&op).then_some(Reduction { op, ty, size: map.bytes(), is_flushed })
}
