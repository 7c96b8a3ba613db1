//! Undefined values left in a buffer that only the host can want.
//!
//! A buffer that nobody wrote before the launch may be scratch, where undefined values may lie, or an output. It is an output
//! where the launch never reads it (but to add to what it holds, whose undefined bits come from that read itself): what is
//! still undefined in it at the end was stored for the host or a later launch. Bytes that were never stored are left alone.

use std::collections::HashMap;

use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Who};
use warpvm_machine::program::Pc;
use warpvm_machine::slots::{LaneMask, lanes};

use super::bytes::GlobalBytes;
use super::report::{Left, Origins};
use super::rows::{OriginId, Shade};
use crate::{Context, Findings, Scene};

/// Most stores that are kept in mind of a launch.
const MOST: usize = 1 << 16;

/// A buffer of the host that nobody had written.
struct Candidate {
    base: u64,
    end: u64,
    /// Instructions that read it.
    readers: Vec<Pc>,
}

/// Undefined values of one origin that one instruction stored.
struct Stores {
    cta: [u32; 3],
    who: Who,
    lanes: LaneMask,
    /// Address and length.
    places: Vec<(u64, u32)>,
}

/// See the module.
pub(super) struct Outputs {
    candidates: Vec<Candidate>,
    stores: HashMap<(Pc, OriginId), Stores>,
    count: usize,
}

impl Outputs {
    pub fn new(cx: &Context) -> Self {
        let is_candidate = |a: &&warpvm_machine::memory::Allocation| {
            !a.initialised && !a.freed && matches!(a.origin, warpvm_machine::memory::Origin::Buffer(_))
        };
        let candidate = |a: &warpvm_machine::memory::Allocation| Candidate {
            base: a.base,
            end: a.base + a.len,
            readers: Vec::new(),
        };
        let candidates = cx.allocations.iter().filter(is_candidate).map(candidate).collect();
        Outputs { candidates, stores: HashMap::new(), count: 0 }
    }

    /// Is there such a buffer?
    #[inline]
    pub fn is_needed(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// Lanes read.
    pub fn read(&mut self, access: &Access<'_>) {
        if access.space != Space::Global {
            return;
        }
        for c in &mut self.candidates {
            let is_in = |l: usize| (c.base..c.end).contains(&access.addresses.at(l));
            if lanes(access.lanes).any(is_in) && !c.readers.contains(&access.pc) {
                c.readers.push(access.pc);
            }
        }
    }

    /// Lanes store undefined bits, of elements at `offset` from their addresses.
    pub fn store(&mut self, s: &Scene<'_>, access: &Access<'_>, offset: u64, shade: &Shade, mask: LaneMask) {
        let len = u64::from(access.size).saturating_sub(offset) as u32;
        for lane in lanes(mask) {
            let at = access.addresses.at(lane) + offset;
            if self.count == MOST || !self.candidates.iter().any(|c| (c.base..c.end).contains(&at)) {
                continue;
            }
            let new = || Stores { cta: s.warp.cta, who: s.who, lanes: 0, places: Vec::new() };
            let stores = self.stores.entry((access.pc, shade.origin[lane])).or_insert_with(new);
            if stores.who == s.who {
                stores.lanes |= 1 << lane;
            }
            stores.places.push((at, len));
            self.count += 1;
        }
    }

    /// The launch has ended as it should.
    pub fn finish(&mut self, cx: &Context, global: &GlobalBytes, origins: &mut Origins, found: &mut Findings) {
        let mut stores: Vec<_> = self.stores.drain().collect();
        stores.sort_by_key(|(key, _)| *key);
        let is_left = |&(at, len): &(u64, u32)| (0..len).any(|i| global.load(at + u64::from(i), 1).0 != 0);
        stores.retain_mut(|(_, stores)| {
            stores.places.retain(is_left);
            !stores.places.is_empty()
        });
        for ((pc, origin), left) in &stores {
            let (at, _) = left.places[0];
            let Some(buffer) = self.candidates.iter().find(|c| (c.base..c.end).contains(&at)) else { continue };
            // Who reads only what becomes the rest that is left does not use it.
            let is_own = |reader: &Pc| stores.iter().any(|((_, o), _)| origins.place(*o) == *reader);
            if !buffer.readers.iter().all(is_own) {
                continue;
            }
            let allocation = cx.allocations.iter().find(|a| a.base == buffer.base);
            let name = allocation.map_or(String::new(), |a| crate::words::within(a, at));
            origins.report_left(
                found,
                *origin,
                &Left { pc: *pc, cta: left.cta, who: left.who, lanes: left.lanes, name },
            );
        }
    }
}
