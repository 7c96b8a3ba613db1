//! Undefined bits into memory and out of it.

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::{Lookup, Origin, Space};
use warpvm_machine::observe::Access;
use warpvm_machine::program::{Address, AsyncCopy, Atomic, AtomicOp, Kind, Load, MatrixCopy, RemoteStore, Store};
use warpvm_machine::slots::{Class, LaneMask, Slot, lanes};

use super::report::Use;
use super::rows::{OriginId, Shade, ones};
use super::{Bytes, Values, keeps, matrix_rows};
use crate::place::describe;
use crate::{Rule, Scene};

/// Bytes from the lowest to the highest address that are looked at as a whole.
const NEAR: u64 = 1 << 10;

impl Values {
    /// Undefined bits of up to 8 bytes, with an origin where there are any.
    pub(super) fn load_bits(
        &mut self,
        s: &Scene<'_>,
        access: &Access<'_>,
        lane: usize,
        at: u64,
        len: u32,
    ) -> (u64, OriginId) {
        let (bits, origin) = match access.space {
            Space::Param => (0, 0),
            Space::Global if self.global.is_trivial() => (0, 0),
            Space::Global => self.global.load(at, len),
            // The memory of a CTA that has ended, or was never seen to write: nothing is known.
            Space::Shared => match self.ctas.get(u64::from(access.shared_cta)) {
                Some(cta) => cta.shared.load(at, len),
                None => (0, 0),
            },
            Space::Local => match self.warp(s).local.get(lane) {
                Some(bytes) => bytes.load(at, len),
                None => (ones(8 * len), 0),
            },
        };
        if bits == 0 || origin != 0 {
            return (bits, origin);
        }
        let rule = match access.space {
            Space::Shared => Rule::UninitShared,
            Space::Local => Rule::UninitLocal,
            _ => Rule::UninitGlobal,
        };
        let origin = self.origins.at(s, rule, access.pc, lane, || {
            format!("reads {}, which nobody has written", describe(s.cx, s.warp, access.space, at))
        });
        (bits, origin)
    }

    pub(super) fn store_bits(
        &mut self,
        s: &Scene<'_>,
        access: &Access<'_>,
        lane: usize,
        at: u64,
        len: u32,
        bits: u64,
        origin: OriginId,
    ) {
        match access.space {
            Space::Param => {}
            Space::Global => self.global.store(at, len, bits, origin),
            Space::Shared => self.cta(s, access.shared_cta).shared.store(at, len, bits, origin),
            Space::Local => {
                let local = &mut self.warp(s).local;
                if local.is_empty() {
                    local.resize_with(32, Bytes::default);
                }
                local[lane].store(at, len, bits, origin);
            }
        }
    }

    /// Does nothing need to be looked at, because all bytes are defined?
    pub(super) fn is_clean(&mut self, s: &Scene<'_>, access: &Access<'_>) -> bool {
        let (low, high) = (access.spread.low, access.spread.high + u64::from(access.size));
        let size = u64::from(access.size);
        let each = |is_clean: &dyn Fn(u64) -> bool| {
            let mut last = u64::MAX;
            lanes(access.lanes).all(|l| {
                let at = access.addresses.at(l);
                at == std::mem::replace(&mut last, at) || is_clean(at)
            })
        };
        let is_near = high - low <= NEAR;
        match access.space {
            Space::Param => true,
            Space::Global => {
                let global = &self.global;
                global.is_trivial()
                    || global.is_plain(low, high)
                    || is_near && global.is_one_undefined(low, high) && global.is_clean(low, high - low)
                    || each(&|at| global.is_clean(at, size))
            }
            Space::Shared => self.ctas.get(u64::from(access.shared_cta)).is_none_or(|cta| {
                let shared = &cta.shared;
                shared.is_all_clean()
                    || is_near && shared.is_clean(low, high - low)
                    || each(&|at| shared.is_clean(at, size))
            }),
            Space::Local => {
                let local = &self.warp(s).local;
                !local.is_empty() && lanes(access.lanes).all(|l| local[l].is_clean(access.addresses.at(l), size))
            }
        }
    }

    /// The bytes of an access become defined.
    fn define_bytes(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        let (low, size) = (access.spread.low, u64::from(access.size));
        let len = access.spread.high + size - low;
        let is_row = access.spread.is_row(size);
        match access.space {
            Space::Param => {}
            Space::Global if is_row && self.global.is_one_undefined(low, low + len) => self.global.define(low, len),
            Space::Global => lanes(access.lanes).for_each(|l| self.global.define(access.addresses.at(l), size)),
            Space::Shared => {
                let shared = &mut self.cta(s, access.shared_cta).shared;
                if is_row {
                    shared.define(low, len);
                } else {
                    lanes(access.lanes).for_each(|l| shared.define(access.addresses.at(l), size));
                }
            }
            Space::Local => {
                let local = &mut self.warp(s).local;
                if local.is_empty() {
                    local.resize_with(32, Bytes::default);
                }
                lanes(access.lanes).for_each(|l| local[l].define(access.addresses.at(l), size));
            }
        }
    }

    pub(super) fn load(&mut self, s: &Scene<'_>, access: &Access<'_>, load: &Load) {
        if self.is_clean(s, access) {
            if self.warp(s).rows.is_clean() {
                return;
            }
            for &(class, slot) in &load.results {
                self.define(s, slot, access.lanes);
                if class == Class::R128 && slot.is_some() {
                    self.define(s, Slot(slot.0 + 256), access.lanes);
                }
            }
            return;
        }
        for (n, &(class, slot)) in load.results.iter().enumerate() {
            if !slot.is_some() {
                continue;
            }
            for half in 0..load.size.div_ceil(8) {
                let size = load.size.min(8);
                let offset = n as u64 * u64::from(load.size) + 8 * u64::from(half);
                let mut shade = Shade::NONE;
                for lane in lanes(access.lanes) {
                    let (bits, origin) = self.load_bits(s, access, lane, access.addresses.at(lane) + offset, size);
                    let top = size < 8 && load.signed && bits >> (8 * size - 1) & 1 != 0;
                    let bits = if top { bits | !ones(8 * size) } else { bits };
                    shade.add(lane, bits & ones(super::width(class)), origin);
                }
                self.write(s, class, Slot(slot.0 + 256 * half), access.lanes, &shade);
            }
        }
    }

    pub(super) fn store(&mut self, s: &mut Scene<'_>, access: &Access<'_>, store: &Store) {
        let rows: Vec<_> = store.sources.iter().map(|x| self.plans.row(x.1)).collect();
        let is_defined = self.warp(s).rows.any(&rows) == 0 && (store.size < 16 || self.warp(s).rows.is_clean());
        if !keeps(access.space) || is_defined && self.is_clean(s, access) {
            return;
        }
        if is_defined {
            return self.define_bytes(s, access);
        }
        for (n, &(class, slot)) in store.sources.iter().enumerate() {
            for half in 0..store.size.div_ceil(8) {
                let size = store.size.min(8);
                let offset = n as u64 * u64::from(store.size) + 8 * u64::from(half);
                let mut shade = self.read(s, access.pc, class, Slot(slot.0 + 256 * half), access.lanes);
                shade.bits.iter_mut().for_each(|b| *b &= ones(8 * size));
                self.put_out(s, access, &mut shade, offset, Use::Output);
                for lane in lanes(access.lanes) {
                    let at = access.addresses.at(lane) + offset;
                    let back = shade.bits[lane] != 0 && self.comes_back(s, shade.origin[lane], store);
                    let origin = if back { 0 } else { shade.origin[lane] };
                    self.store_bits(s, access, lane, at, size, shade.bits[lane], origin);
                }
            }
        }
    }

    /// Do undefined bits go where they were read, as those beside a bit field do? Nobody has written them yet.
    fn comes_back(&self, s: &Scene<'_>, origin: OriginId, store: &Store) -> bool {
        let from = self.origins.place(origin) as usize;
        let is_home = |a: &Address| {
            (a.base, a.offset, a.space) == (store.address.base, store.address.offset, store.address.space)
        };
        self.origins.is_memory(origin)
            && matches!(&s.cx.program.code[from].kind, Kind::Load(load) if is_home(&load.address))
    }

    /// Undefined bits on their way to a buffer of the host are found here, and go no further.
    pub(super) fn put_out(
        &mut self,
        s: &mut Scene<'_>,
        access: &Access<'_>,
        shade: &mut Shade,
        offset: u64,
        what: Use,
    ) {
        let bad = shade.lanes() & access.lanes;
        if access.space != Space::Global || bad == 0 {
            return;
        }
        let is_output = |l: usize| match s.warp.global.lookup(access.addresses.at(l) + offset) {
            Lookup::Live(a) => a.initialised && matches!(a.origin, Origin::Buffer(_)),
            _ => false,
        };
        let out: LaneMask = lanes(bad).filter(|l| is_output(*l)).fold(0, |m, l| m | 1 << l);
        let is_padding = |l: &usize| {
            self.plans.copies_parts(access.pc)
                && is_padding(shade.bits[*l], access.size)
                && self.origins.is_memory(shade.origin[*l])
        };
        let told: LaneMask = lanes(bad).filter(|l| !is_padding(l)).fold(0, |m, l| m | 1 << l);
        if self.outputs.is_needed() {
            self.outputs.store(s, access, offset, shade, told & !out);
        }
        self.demand(s, access.pc, shade, told & out, what);
        lanes(out).for_each(|l| shade.bits[l] = 0);
    }

    pub(super) fn atomic(&mut self, s: &mut Scene<'_>, access: &Access<'_>, a: &Atomic) {
        let rows: Vec<_> = a.b.iter().chain(&a.c).map(|x| self.plans.row(x.1)).collect();
        if self.warp(s).rows.any(&rows) == 0 && self.is_clean(s, access) {
            for &(class, slot) in &a.results {
                self.define(s, slot, access.lanes);
                if class == Class::R128 && slot.is_some() {
                    self.define(s, Slot(slot.0 + 256), access.lanes);
                }
            }
            return;
        }
        for (n, &(class, slot)) in a.b.iter().enumerate() {
            let given = match (a.op, a.c) {
                (AtomicOp::Cas, Some((class, slot))) => (class, slot),
                _ => (class, slot),
            };
            for half in 0..a.size.div_ceil(8) {
                let result = a.results.get(n).copied();
                self.atomic_element(s, access, a, n, half, given, result);
            }
        }
    }

    fn atomic_element(
        &mut self,
        s: &mut Scene<'_>,
        access: &Access<'_>,
        a: &Atomic,
        n: usize,
        half: u32,
        given: (Class, Slot),
        result: Option<(Class, Slot)>,
    ) {
        let size = a.size.min(8);
        let offset = n as u64 * u64::from(a.size) + 8 * u64::from(half);
        let moved = |slot: Slot| Slot(slot.0 + 256 * half);
        let mut new = self.read(s, access.pc, given.0, moved(given.1), access.lanes);
        new.bits.iter_mut().for_each(|b| *b &= ones(8 * size));
        self.put_out(s, access, &mut new, offset, Use::AtomicOutput);
        let (mut old, mut left) = (Shade::NONE, Shade::NONE);
        for lane in lanes(access.lanes) {
            let at = access.addresses.at(lane) + offset;
            let (bits, origin) = self.load_bits(s, access, lane, at, size);
            old.add(lane, bits, origin);
            let mut after = Shade::NONE;
            if a.op != AtomicOp::Exch {
                after.add(lane, bits, origin);
            }
            after.add(lane, new.bits[lane], new.origin[lane]);
            let is_bitwise = matches!(a.op, AtomicOp::Exch | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor);
            let bits = if after.bits[lane] == 0 || is_bitwise { after.bits[lane] } else { ones(8 * size) };
            left.add(lane, bits, after.origin[lane]);
            self.store_bits(s, access, lane, at, size, bits, after.origin[lane]);
        }
        if access.space == Space::Global && self.outputs.is_needed() {
            self.outputs.store(s, access, offset, &left, left.lanes() & access.lanes);
        }
        if let Some((class, slot)) = result.filter(|r| r.1.is_some()) {
            self.write(s, class, moved(slot), access.lanes, &old);
        }
    }

    /// `st.async` brings undefined bits along; `red.async` leaves them.
    pub(super) fn remote_store(&mut self, s: &Scene<'_>, access: &Access<'_>, store: &RemoteStore) {
        if store.reduce.is_some() {
            return;
        }
        for (n, &(class, slot)) in store.sources.iter().enumerate() {
            let shade = self.read(s, access.pc, class, slot, access.lanes);
            for lane in lanes(access.lanes) {
                let at = access.addresses.at(lane) + n as u64 * u64::from(store.size);
                let bits = shade.bits[lane] & ones(8 * store.size);
                self.store_bits(s, access, lane, at, store.size, bits, shade.origin[lane]);
            }
        }
    }

    /// An asynchronous copy of one lane: first what it reads, then what it writes.
    pub(super) fn copy(&mut self, s: &mut Scene<'_>, access: &Access<'_>, copy: &AsyncCopy) {
        for lane in lanes(access.lanes) {
            let start = access.addresses.at(lane);
            if access.kind == AccessKind::Read {
                self.copied = (vec![0; access.size as usize], 0);
                if self.is_clean(s, access) {
                    continue;
                }
                for i in 0..access.size {
                    let (bits, origin) = self.load_bits(s, access, lane, start + u64::from(i), 1);
                    self.copied.0[i as usize] = bits as u8;
                    if bits != 0 && self.copied.1 == 0 {
                        self.copied.1 = origin;
                    }
                }
                continue;
            }
            let (bytes, origin) = std::mem::take(&mut self.copied);
            self.write_copy(s, access, lane, &bytes, origin, copy);
        }
    }

    fn write_copy(
        &mut self,
        s: &mut Scene<'_>,
        access: &Access<'_>,
        lane: usize,
        bytes: &[u8],
        origin: OriginId,
        copy: &AsyncCopy,
    ) {
        let start = access.addresses.at(lane);
        let mut shade = Shade::NONE;
        shade.add(lane, u64::from(bytes.iter().any(|b| *b != 0)), origin);
        self.put_out(s, access, &mut shade, 0, Use::Output);
        let is_out = shade.bits[lane] == 0;
        let homes: Vec<u32> = if copy.multicast.is_some() {
            let mask = s.warp.regs.row32(copy.multicast)[lane];
            lanes(mask).filter_map(|i| s.warp.ctas.get(i).map(|c| c.index)).collect()
        } else {
            vec![access.shared_cta]
        };
        for shared_cta in homes {
            let to = Access { shared_cta, ..*access };
            for i in (0..access.size).step_by(8) {
                let len = (access.size - i).min(8);
                let mut word = [0; 8];
                if !is_out {
                    let part = bytes.get(i as usize..bytes.len().min((i + len) as usize)).unwrap_or(&[]);
                    word[..part.len()].copy_from_slice(part);
                }
                self.store_bits(s, &to, lane, start + u64::from(i), len, u64::from_le_bytes(word), origin);
            }
        }
    }

    /// `ldmatrix` and `stmatrix` move undefined bits as they move bytes.
    pub(super) fn matrix(&mut self, s: &Scene<'_>, access: &Access<'_>, m: &MatrixCopy) {
        let count = m.op.rows();
        let rows_of = matrix_rows(&self.plans, m);
        let mut rows = vec![[0u8; 16]; 32];
        let here = self.matrix_lanes;
        if m.is_store {
            let mut origin = 0;
            let mut registers = Vec::new();
            for &slot in &m.registers {
                let shade = self.read(s, access.pc, Class::R32, slot, here);
                let first = shade.lanes() & here;
                if first != 0 && origin == 0 {
                    origin = shade.origin[first.trailing_zeros() as usize];
                }
                registers.push(shade.bits.map(|b| b as u32));
            }
            m.op.store(&registers, &mut rows[..count]);
            for lane in lanes(access.lanes) {
                for (half, bytes) in rows[lane].chunks(8).enumerate() {
                    let bits = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                    let at = access.addresses.at(lane) + 8 * half as u64;
                    self.store_bits(s, access, lane, at, 8, bits, origin);
                }
            }
            return;
        }
        let mut origin = 0;
        for lane in lanes(access.lanes) {
            for half in 0..2 {
                let at = access.addresses.at(lane) + 8 * half as u64;
                let (bits, from) = self.load_bits(s, access, lane, at, 8);
                if bits != 0 && origin == 0 {
                    origin = from;
                }
                rows[lane][8 * half..8 * half + 8].copy_from_slice(&bits.to_le_bytes());
            }
        }
        let mut registers = [[0; 32]; 4];
        m.op.load(&rows[..count], &mut registers[..m.op.registers()]);
        for (row, bits) in rows_of.into_iter().zip(&registers) {
            let mut shade = Shade::NONE;
            (0..32).for_each(|l| shade.add(l, u64::from(bits[l]), origin));
            self.warp(s).rows.set(row, 32, here, &shade);
        }
    }

    /// Undefined bits of a thread's own memory.
    pub(super) fn frame_bits(&mut self, s: &Scene<'_>, lane: usize, at: u64, len: u32) -> Vec<(u8, OriginId)> {
        let local = &self.warp(s).local;
        let byte = |i: u32| match local.get(lane) {
            Some(bytes) => {
                let (bits, origin) = bytes.load(at + u64::from(i), 1);
                (bits as u8, origin)
            }
            None => (0xff, 0),
        };
        (0..len).map(byte).collect()
    }

    /// A thread's own memory gets these undefined bits.
    pub(super) fn set_frame_bits(&mut self, s: &Scene<'_>, lane: usize, at: u64, bytes: &[(u8, OriginId)]) {
        let local = &mut self.warp(s).local;
        if local.is_empty() {
            local.resize_with(32, Bytes::default);
        }
        for (i, &(bits, origin)) in bytes.iter().enumerate() {
            local[lane].store(at + i as u64, 1, u64::from(bits), origin);
        }
    }
}

/// May these undefined bits of a stored element be the padding of a structure: whole bytes, above ones that are
/// defined, up to the next multiple of 4 or 8?
fn is_padding(bits: u64, size: u32) -> bool {
    let bytes = bits.to_le_bytes();
    let is_whole = bytes.iter().all(|b| *b == 0 || *b == 0xff);
    let is_tail = |part: &[u8]| {
        let first = part.iter().position(|b| *b != 0).unwrap_or(part.len());
        first == part.len() || first > 0 && part[first..].iter().all(|b| *b != 0)
    };
    is_whole && (bytes[..size.min(8) as usize].chunks(4).all(is_tail) || is_tail(&bytes[..size.min(8) as usize]))
}

#[cfg(test)]
mod tests {
    use super::is_padding;

    #[test]
    fn padding_is_above_a_member() {
        assert!(is_padding(0xffff_ff00, 4));
        assert!(is_padding(0xffff_0000, 4));
        assert!(is_padding(0xffff_ffff << 32, 8));
        assert!(!is_padding(0xffff_ffff, 4));
        assert!(!is_padding(0x0000_ff00, 4));
        assert!(!is_padding(0xfff0_0000, 4));
    }
}
