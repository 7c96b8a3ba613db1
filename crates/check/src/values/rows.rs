//! Which bits of a warp's registers are undefined.
//!
//! Most rows are defined in all lanes: a row's state is one byte, and an instruction whose rows are all defined needs
//! nothing but a look at them. Only rows that are defined in part have bits and origins of their own.

use warpvm_machine::slots::{LaneMask, lanes};

/// Index of a row; row 0 is always defined.
pub(super) type Row = u32;

/// Index of an origin of undefined bits; 0 where it is not known yet (the register was never written).
pub(super) type OriginId = u32;

/// Undefined bits of each lane, and where they come from.
#[derive(Clone)]
pub(super) struct Shade {
    pub bits: [u64; 32],
    pub origin: [OriginId; 32],
}

impl Shade {
    /// Everything defined.
    pub const NONE: Shade = Shade { bits: [0; 32], origin: [0; 32] };

    /// Lanes with undefined bits.
    pub fn lanes(&self) -> LaneMask {
        (0..32).fold(0, |m, l| m | u32::from(self.bits[l] != 0) << l)
    }

    /// Takes over bits of another where this one has none.
    pub fn add(&mut self, lane: usize, bits: u64, origin: OriginId) {
        if bits != 0 {
            if self.bits[lane] == 0 {
                self.origin[lane] = origin;
            }
            self.bits[lane] |= bits;
        }
    }
}

const DEFINED: u8 = 0;
const UNDEFINED: u8 = 1;
const PARTLY: u8 = 2;

/// The rows of one warp.
#[derive(Clone)]
pub(super) struct Rows {
    state: Vec<u8>,
    parts: Vec<Option<Box<Shade>>>,
    exists: LaneMask,
    /// Rows that are not defined in all lanes.
    open: u32,
}

impl Rows {
    /// As at the start of a thread: nothing but `defined` is.
    pub fn new(defined: &[bool], exists: LaneMask) -> Self {
        let state = defined.iter().map(|d| if *d { DEFINED } else { UNDEFINED }).collect();
        let open = defined.iter().filter(|d| !**d).count() as u32;
        Rows { state, parts: vec![None; defined.len()], exists, open }
    }

    /// Is there nothing undefined at all?
    #[inline]
    pub fn is_clean(&self) -> bool {
        self.open == 0
    }

    fn change(&mut self, row: Row, to: u8) {
        let from = std::mem::replace(&mut self.state[row as usize], to);
        self.open = self.open + u32::from(to != DEFINED) - u32::from(from != DEFINED);
    }

    /// Not 0 where one of the rows has undefined bits.
    #[inline]
    pub fn any(&self, rows: &[Row]) -> u8 {
        rows.iter().fold(0, |any, r| any | self.state[*r as usize])
    }

    /// The undefined bits of a row of values of `width` bits.
    pub fn shade(&self, row: Row, width: u32) -> Shade {
        match self.state[row as usize] {
            DEFINED => Shade::NONE,
            UNDEFINED => Shade { bits: [ones(width); 32], origin: [0; 32] },
            _ => self.parts[row as usize].as_deref().cloned().unwrap_or(Shade::NONE),
        }
    }

    /// Lanes of a row become defined.
    #[inline]
    pub fn define(&mut self, row: Row, mask: LaneMask) {
        if self.state[row as usize] != DEFINED && mask != 0 {
            self.define_slow(row, mask);
        }
    }

    fn define_slow(&mut self, row: Row, mask: LaneMask) {
        let i = row as usize;
        if self.exists & !mask == 0 {
            self.change(row, DEFINED);
            self.parts[i] = None;
            return;
        }
        let shade = self.part(row, 64);
        lanes(mask).for_each(|l| shade.bits[l] = 0);
        self.tidy(row);
    }

    /// Lanes of a row, of `width` bits, get these undefined bits.
    pub fn set(&mut self, row: Row, width: u32, mask: LaneMask, new: &Shade) {
        if row == 0 {
            return;
        }
        if self.state[row as usize] == DEFINED && new.lanes() & mask == 0 {
            return;
        }
        let shade = self.part(row, width);
        for l in lanes(mask) {
            shade.bits[l] = new.bits[l];
            shade.origin[l] = new.origin[l];
        }
        self.tidy(row);
    }

    /// Lanes of a row were never written.
    pub fn forget(&mut self, row: Row, mask: LaneMask) {
        if row == 0 || self.state[row as usize] == UNDEFINED {
            return;
        }
        let shade = self.part(row, 64);
        for l in lanes(mask) {
            (shade.bits[l], shade.origin[l]) = (!0, 0);
        }
    }

    fn part(&mut self, row: Row, width: u32) -> &mut Shade {
        let i = row as usize;
        if self.parts[i].is_none() {
            self.parts[i] = Some(Box::new(self.shade(row, width)));
        }
        self.change(row, PARTLY);
        self.parts[i].get_or_insert_with(|| Box::new(Shade::NONE))
    }

    fn tidy(&mut self, row: Row) {
        let i = row as usize;
        if let Some(shade) = &self.parts[i]
            && shade.lanes() & self.exists == 0
        {
            self.change(row, DEFINED);
            self.parts[i] = None;
        }
    }
}

/// A number with this many low bits set.
pub(super) fn ones(width: u32) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_defined_when_all_lanes_are() {
        let mut rows = Rows::new(&[true, false], 0xff);
        assert_ne!(rows.any(&[1]), 0);
        rows.define(1, 0x0f);
        assert_eq!(rows.shade(1, 32).lanes() & 0xff, 0xf0);
        rows.define(1, 0xf0);
        assert_eq!(rows.any(&[0, 1]), 0);
    }

    #[test]
    fn bits_and_origins_move() {
        let mut rows = Rows::new(&[true, true], !0);
        let mut shade = Shade::NONE;
        shade.add(3, 0xff00, 7);
        rows.set(1, 32, !0, &shade);
        let got = rows.shade(1, 32);
        assert_eq!((got.bits[3], got.origin[3], got.lanes()), (0xff00, 7, 8));
        rows.forget(1, 1 << 4);
        assert_eq!(rows.shade(1, 32).lanes(), 0x18);
    }
}
