//! Undefined bits that `wmma.load` and `wmma.store` move.
//!
//! The machine shows an access for each piece of a register, of all lanes together, in the order of the operation's list.

use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::FragmentCopy;
use warpvm_machine::slots::{Class, LaneMask, Slot, lanes};

use super::Values;
use super::report::Use;
use super::rows::{Shade, ones};
use crate::Scene;

/// Where a piece of an element is in the registers: number of the register and lowest bit, by lane.
type Moves = Vec<[(usize, u32); 32]>;

/// The copy of a fragment that is going on.
#[derive(Default)]
pub(super) struct FragmentState {
    moves: Moves,
    /// Accesses seen.
    next: usize,
}

impl Values {
    /// Lanes begin to copy a fragment; what is loaded is defined until something else is seen.
    pub(super) fn begin_fragment(&mut self, s: &Scene<'_>, m: &FragmentCopy, here: LaneMask) {
        let first = here.trailing_zeros() as usize & 31;
        let stride = if m.stride.is_some() { s.warp.regs.row32(m.stride)[first] } else { m.op.default_stride() };
        let pieces: Vec<_> = m.op.pieces(stride).map(|p| (p.register, p.shift)).collect();
        let per_lane = (pieces.len() / (32 * m.registers.len().max(1))).max(1);
        let moves = pieces
            .chunks_exact(32 * per_lane)
            .flat_map(|register| (0..per_lane).map(move |n| std::array::from_fn(|lane| register[lane * per_lane + n])));
        self.fragment = FragmentState { moves: moves.collect(), next: 0 };
    }

    /// A piece of every lane's register is moved.
    pub(super) fn fragment(&mut self, s: &mut Scene<'_>, access: &Access<'_>, m: &FragmentCopy) {
        let count = self.fragment.moves.len();
        let Some(&places) = self.fragment.moves.get(self.fragment.next % count.max(1)) else { return };
        self.fragment.next += 1;
        if m.is_store { self.store_piece(s, access, m, &places) } else { self.load_piece(s, access, m, &places) }
    }

    fn store_piece(&mut self, s: &mut Scene<'_>, access: &Access<'_>, m: &FragmentCopy, places: &[(usize, u32); 32]) {
        let rows: Vec<_> = m.registers.iter().map(|r| self.plans.row(r.1)).collect();
        if access.space == Space::Param || self.warp(s).rows.any(&rows) == 0 && self.is_clean(s, access) {
            return;
        }
        let mut shade = Shade::NONE;
        for (number, &(class, slot)) in m.registers.iter().enumerate() {
            let own = lanes(access.lanes).filter(|l| places[*l].0 == number).fold(0, |mask, l| mask | 1 << l);
            if own != 0 {
                let from = self.read(s, access.pc, class, slot, own);
                lanes(own)
                    .for_each(|l| shade.add(l, from.bits[l] >> places[l].1 & ones(8 * access.size), from.origin[l]));
            }
        }
        self.put_out(s, access, &mut shade, 0, Use::Output);
        for lane in lanes(access.lanes) {
            let (bits, origin) = (shade.bits[lane], shade.origin[lane]);
            self.store_bits(s, access, lane, access.addresses.at(lane), access.size, bits, origin);
        }
    }

    fn load_piece(&mut self, s: &Scene<'_>, access: &Access<'_>, m: &FragmentCopy, places: &[(usize, u32); 32]) {
        if self.is_clean(s, access) {
            return;
        }
        for lane in lanes(access.lanes) {
            let (bits, origin) = self.load_bits(s, access, lane, access.addresses.at(lane), access.size);
            let (number, shift) = places[lane];
            let register: Option<&(Class, Slot)> = m.registers.get(number);
            if let (Some(&(class, slot)), true) = (register, bits != 0) {
                let mut shade = self.read(s, access.pc, class, slot, 1 << lane);
                shade.add(lane, bits << shift, origin);
                self.write(s, class, slot, 1 << lane, &shade);
            }
        }
    }
}
