//! How undefined bits go through lane-wise operations.
//!
//! The operation itself is asked wherever that is exact: what moves bits is run on the undefined bits in place of the
//! values, what works bit by bit is run with all ways to fill them. Elsewhere a rule stands in that never calls a bit
//! undefined that all values of the undefined bits agree on, but for operations that take a value as a whole.

use warpvm_isa::{Modifier, ScalarType, Word};
use warpvm_machine::RowOp;
use warpvm_machine::program::Meta;
use warpvm_machine::slots::{LaneMask, lanes};

use super::plan::How;
use super::rows::{Shade, ones};

/// An operation with the values and undefined bits of its sources.
pub(super) struct Operation<'a> {
    pub op: &'a RowOp,
    pub meta: &'a Meta,
    pub values: Vec<[u64; 32]>,
    pub shades: Vec<Shade>,
    pub lanes: LaneMask,
}

/// Undefined bits of the first and second result, by lane.
pub(super) type Undefined = ([u64; 32], LaneMask);

impl Operation<'_> {
    /// Undefined bits of the results.
    pub fn run(&self, how: How) -> Undefined {
        let width = u32::from(self.op.bits[0]);
        let (mut first, mut second) = match how {
            How::Moves(controls) => self.moves(controls),
            How::Bitwise(count) => self.bitwise(count),
            How::Carries => self.carries(),
            How::Chooses => self.chooses(),
            How::Compares => self.compares(),
            How::Elements(bits) => self.elements(bits),
            How::Packs(bits) => self.packs(bits),
            How::Tried(bits) => self.tried(bits),
            How::Whole => self.whole(),
        };
        first.iter_mut().for_each(|bits| *bits &= ones(width));
        second &= self.lanes;
        (first, second)
    }

    fn by_lane(&self, mut f: impl FnMut(usize) -> u64) -> [u64; 32] {
        let mut out = [0; 32];
        lanes(self.lanes).for_each(|l| out[l] = f(l));
        out
    }

    fn any(&self, lane: usize) -> bool {
        self.shades.iter().any(|s| s.bits[lane] != 0)
    }

    fn any_lanes(&self) -> LaneMask {
        self.shades.iter().fold(0, |m, s| m | s.lanes())
    }

    fn whole(&self) -> Undefined {
        (self.by_lane(|l| if self.any(l) { !0 } else { 0 }), self.any_lanes())
    }

    /// The operation on these sources, and how it differs between them.
    fn differs(&self, variants: &[Vec<[u64; 32]>]) -> Undefined {
        let mut out = ([0; 32], 0);
        let mut base: Option<Undefined> = None;
        for sources in variants {
            let got = self.op.eval(sources);
            match &base {
                None => base = Some(got),
                Some((first, second)) => {
                    (0..32).for_each(|l| out.0[l] |= got.0[l] ^ first[l]);
                    out.1 |= got.1 ^ second;
                }
            }
        }
        out
    }

    /// Bits are moved as the control sources say: those keep their values.
    fn moves(&self, controls: u8) -> Undefined {
        let source = |fill: bool| -> Vec<[u64; 32]> {
            (0..self.values.len())
                .map(|i| match (controls >> i & 1 != 0, fill) {
                    (true, _) => self.values[i],
                    (false, true) => self.shades[i].bits,
                    (false, false) => [0; 32],
                })
                .collect()
        };
        let mut out = self.differs(&[source(false), source(true)]);
        let lost = |l: usize| self.shades.iter().enumerate().any(|(i, s)| controls >> i & 1 != 0 && s.bits[l] != 0);
        lanes(self.lanes).filter(|l| lost(*l)).for_each(|l| out.0[l] = !0);
        out
    }

    /// The sources with their undefined bits filled as `pattern` says for each.
    fn filled(&self, pattern: impl Fn(usize) -> u64) -> Vec<[u64; 32]> {
        let fill = |i: usize| {
            let p = pattern(i);
            std::array::from_fn(|l| self.values[i][l] & !self.shades[i].bits[l] | self.shades[i].bits[l] & p)
        };
        (0..self.values.len()).map(fill).collect()
    }

    fn bitwise(&self, count: usize) -> Undefined {
        let count = count.min(self.values.len());
        let variants: Vec<_> = (0..1u32 << count)
            .map(|way| self.filled(|i| if i < count && way >> i & 1 != 0 { !0 } else { 0 }))
            .collect();
        let mut out = self.differs(&variants);
        // A table of undefined bits says nothing.
        let table = self.shades.get(count).map_or(0, Shade::lanes);
        lanes(self.lanes & table).for_each(|l| out.0[l] = !0);
        out.1 |= self.lanes & table;
        out
    }

    fn tried(&self, bits: u32) -> Undefined {
        let patterns = [0, !0, 0x5555_5555_5555_5555, 0x8000_8000_8000_8080, 0x0101_0101_0101_0101];
        let variants: Vec<_> = patterns.iter().map(|p| self.filled(|_| *p)).collect();
        let (first, second) = self.differs(&variants);
        (first.map(|x| spread(x, bits)), second)
    }

    fn elements(&self, bits: u32) -> Undefined {
        let first = self.by_lane(|l| {
            let all = self.shades.iter().enumerate().fold(0, |x, (i, s)| {
                // A source of another shape (a predicate) belongs to every element.
                let is_packed = u32::from(self.op.bits[2 + i]) > bits;
                x | if is_packed || s.bits[l] == 0 { s.bits[l] } else { !0 }
            });
            spread(all, bits)
        });
        (first, self.any_lanes())
    }

    fn packs(&self, bits: u32) -> Undefined {
        let half = |i: usize, l: usize| self.shades.get(i).is_some_and(|s| s.bits[l] != 0);
        let width = u32::from(self.op.bits[0]);
        if width != 2 * bits {
            return self.whole();
        }
        let first = self.by_lane(|l| {
            let high = if half(0, l) { ones(bits) << bits } else { 0 };
            high | if half(1, l) { ones(bits) } else { 0 }
        });
        (first, self.any_lanes())
    }

    /// Sums and products: bits below the lowest undefined one are defined; so are those above all that a sum may reach.
    fn carries(&self) -> Undefined {
        let is_sum = self.values.len() == 2 && self.meta.opcode == warpvm_isa::Opcode::Add;
        let first = self.by_lane(|l| {
            let low = self.shades.iter().filter(|s| s.bits[l] != 0).map(|s| s.bits[l].trailing_zeros()).min();
            let Some(low) = low else { return 0 };
            let up = !0 << low;
            if is_sum { up & self.reach_of_sum(l) } else { up }
        });
        (first, self.any_lanes())
    }

    /// Bits that differ between the smallest and the largest sum, and those below.
    fn reach_of_sum(&self, lane: usize) -> u64 {
        let sum = |largest: bool| {
            (0..2).fold(0u128, |sum, i| {
                let u = self.shades[i].bits[lane];
                let v = self.values[i][lane];
                sum + u128::from(if largest { v | u } else { v & !u })
            })
        };
        let (smallest, largest) = (sum(false), sum(true));
        let width = u32::from(self.op.bits[0]);
        if smallest >> width != largest >> width {
            return !0;
        }
        match (smallest ^ largest) as u64 & ones(width) {
            0 => 0,
            differs => ones(64 - differs.leading_zeros()),
        }
    }

    fn chooses(&self) -> Undefined {
        let (mut first, _) = self.moves(1 << 2);
        let by_sign = self.meta.opcode == warpvm_isa::Opcode::Slct;
        let sign = u32::from(self.op.bits[4]).saturating_sub(1);
        for l in lanes(self.lanes) {
            let choice = self.shades[2].bits[l];
            let is_open = if by_sign {
                choice >> sign & 1 != 0 || is_float_choice(self.meta) && choice != 0
            } else {
                choice != 0
            };
            if is_open {
                let (a, b) = (self.values[0][l], self.values[1][l]);
                first[l] = a ^ b | self.shades[0].bits[l] | self.shades[1].bits[l];
            } else if choice != 0 {
                first[l] = self.chosen(l);
            }
        }
        (first, 0)
    }

    /// Undefined bits of the one that a `slct` with a defined sign takes.
    fn chosen(&self, lane: usize) -> u64 {
        let sign = u32::from(self.op.bits[4]).saturating_sub(1);
        let takes_second = self.values[2][lane] >> sign & 1 != 0;
        self.shades[usize::from(takes_second)].bits[lane]
    }

    fn compares(&self) -> Undefined {
        let open = self.by_lane(|l| u64::from(self.is_open(l)));
        let third = self.values.len() > 2;
        // The comparison comes out both ways where it is open.
        let samples = [(0, 0), (0, 1), (1, 0)];
        let mut variants = Vec::new();
        for (a, b) in samples {
            for fill in [0, !0] {
                let mut sources = self.filled(|_| fill);
                for l in lanes(self.lanes).filter(|l| open[*l] != 0) {
                    sources[0][l] = self.sample(a);
                    sources[1][l] = self.sample(b);
                }
                variants.push(sources);
                if !third {
                    break;
                }
            }
        }
        // Where it is not, the sources that are undefined in part are filled in one way.
        for sources in &mut variants {
            for l in lanes(self.lanes).filter(|l| open[*l] == 0) {
                for i in 0..2 {
                    sources[i][l] = self.values[i][l];
                }
            }
        }
        let (first, second) = self.differs(&variants);
        let width = u32::from(self.op.bits[0]);
        (first.map(|x| if x != 0 { ones(width) } else { 0 }), second)
    }

    fn compared(&self) -> Option<ScalarType> {
        let of = |m: &Modifier| match m {
            Modifier::Word(w) => ScalarType::from_word(*w),
            _ => None,
        };
        self.meta.modifiers.iter().rev().find_map(of)
    }

    /// 0 or 1 of the type that is compared.
    fn sample(&self, n: u64) -> u64 {
        let one = match self.compared() {
            Some(ScalarType::F64) => 1f64.to_bits(),
            Some(ScalarType::F32) => u64::from(1f32.to_bits()),
            Some(ScalarType::F16) => 0x3c00,
            Some(ScalarType::F16x2) => 0x3c00_3c00,
            Some(ScalarType::Bf16) => 0x3f80,
            Some(ScalarType::Bf16x2) => 0x3f80_3f80,
            _ => 1,
        };
        n * one
    }

    /// May the comparison come out either way?
    fn is_open(&self, lane: usize) -> bool {
        let (u, w) = (self.shades[0].bits[lane], self.shades[1].bits[lane]);
        if u | w == 0 {
            return false;
        }
        let Some(ty) = self.compared().filter(|t| !t.is_float()) else { return true };
        let (a, b) = (self.values[0][lane], self.values[1][lane]);
        let words = || {
            self.meta.modifiers.iter().filter_map(|m| match m {
                Modifier::Word(w) => Some(*w),
                _ => None,
            })
        };
        if words().any(|w| matches!(w, Word::Eq | Word::Ne)) {
            return (a ^ b) & !(u | w) == 0;
        }
        let width = ty.bits();
        // Order by value: the sign bit of signed numbers counts the other way round.
        let flip = if ty.is_signed() { 1 << (width - 1) } else { 0 };
        let range = |v: u64, u: u64| {
            let v = (v ^ flip) & ones(width);
            (v & !u, v | u & ones(width))
        };
        let ((a_low, a_high), (b_low, b_high)) = (range(a, u), range(b, w));
        !(a_high < b_low || a_low > b_high)
    }
}

fn is_float_choice(meta: &Meta) -> bool {
    let last = meta.modifiers.iter().rev().find_map(|m| match m {
        Modifier::Word(w) => ScalarType::from_word(*w),
        _ => None,
    });
    last.is_some_and(ScalarType::is_float)
}

/// Elements of `bits` bits in which a bit is set, as a whole.
fn spread(x: u64, bits: u32) -> u64 {
    if bits >= 64 {
        return if x != 0 { !0 } else { 0 };
    }
    (0..64 / bits).map(|n| ones(bits) << (n * bits)).filter(|e| x & e != 0).fold(0, |all, e| all | e)
}
