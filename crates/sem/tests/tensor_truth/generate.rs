//! The inputs of the recorded tensor cases: every register is a pure function of seed, tile, operand, register and lane.
//!
//! The chip ran the same functions. A tile draws a [`Mode`]: how wide the exponents of A, B and C are spread and where,
//! how many elements are zero, whether there are special values, how full the significands are.

/// Mixes 64 bits.
pub fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What one result register adds to the sum of its group.
pub fn sum_term(tile: u64, register: usize, lane: usize, value: u64) -> u64 {
    mix(mix(tile).wrapping_add(((register * 32 + lane) as u64) << 48).wrapping_add(value))
}

/// An element type as the generator knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A float: exponent bits, fraction bits, bits of the element, and whether its last code alone is a NaN.
    Float { exponent: u32, fraction: u32, bits: u32, e4m3: bool },
    /// 8-bit integers.
    I8,
    /// Anything else: random bits.
    Bits,
    /// 32-bit integer accumulators.
    S32,
}

impl Kind {
    /// From the word in an instruction.
    pub fn of(word: &str) -> Self {
        let float = |exponent, fraction, bits| Kind::Float { exponent, fraction, bits, e4m3: false };
        match word {
            "f16" => float(5, 10, 16),
            "bf16" => float(8, 7, 16),
            "tf32" | "f32" => float(8, 23, 32),
            "e4m3" => Kind::Float { exponent: 4, fraction: 3, bits: 8, e4m3: true },
            "e5m2" => float(5, 2, 8),
            "f64" => float(11, 52, 64),
            "s8" | "u8" => Kind::I8,
            "s32" => Kind::S32,
            _ => Kind::Bits,
        }
    }
}

/// The choices of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Seed of everything in the tile.
    pub key: u64,
    class: u64,
    width: [u64; 3],
    c_shift: i32,
    zeros: u64,
    special: u64,
    fraction: u64,
    c_kind: u64,
    place: [u64; 2],
}

/// Which operand of A, B, C and the metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    A,
    B,
    C,
    Metadata,
}

impl Mode {
    /// The choices of tile `tile` under `seed`.
    pub fn new(seed: u64, tile: u64) -> Self {
        let t = mix(seed << 40 | tile);
        Mode {
            key: mix(t),
            class: t & 7,
            width: [(t >> 3) & 7, (t >> 6) & 7, (t >> 9) & 7],
            c_shift: ((t >> 12) & 63) as i32 - 32,
            zeros: (t >> 18) & 3,
            special: (t >> 20) & 3,
            fraction: (t >> 22) & 3,
            c_kind: (t >> 24) & 3,
            place: [(t >> 28) & 255, (t >> 36) & 255],
        }
    }

    fn hash(&self, operand: Operand, register: usize, lane: usize, element: usize) -> u64 {
        mix(self.key ^ ((operand as u64) << 32 | (register as u64) << 20 | (lane as u64) << 8 | element as u64))
    }

    /// The exponent around which the elements of A or B lie.
    fn centre(&self, exponent: u32, operand: Operand) -> i32 {
        match (self.class, operand) {
            (7, _) => ((self.place[operand as usize] << exponent) >> 8) as i32,
            (5, Operand::A) => 0,
            (6, Operand::A) => (1 << exponent) - 1,
            _ => (1 << (exponent - 1)) - 1,
        }
    }

    fn zero_sixteenths(&self) -> u64 {
        [0, 4, 12, 15][self.zeros as usize]
    }

    fn element(&self, h: u64, kind: Kind, low: i32, width: i32, zero_sixteenths: u64) -> u64 {
        let Kind::Float { exponent: exponent_bits, fraction: fraction_bits, e4m3, .. } = kind else { return 0 };
        let sign = (h & 1) << (exponent_bits + fraction_bits);
        if (h >> 17) & 15 < zero_sixteenths {
            return sign;
        }
        let top = (1 << exponent_bits) - 1;
        let mut exponent = low + ((((h >> 1) & 0xffff) as i32 * width) >> 16);
        let (first, second) = if fraction_bits > 23 {
            let g = mix(h);
            (g >> 12, mix(g) >> 12)
        } else {
            let place = 23 - fraction_bits;
            (((h >> 26) & 0x7f_ffff) >> place, ((h >> 41) & 0x7f_ffff) >> place)
        };
        let full = (1 << fraction_bits) - 1;
        let mut fraction = first & full;
        match self.fraction {
            2 => fraction &= if fraction_bits >= 2 { full ^ (full >> 2) } else { full },
            3 => fraction &= second,
            _ => {}
        }
        let special = self.special == 3 && (h >> 21).is_multiple_of(16);
        if e4m3 {
            if exponent == top && fraction == full && !special {
                fraction = full - 1;
            }
        } else if exponent == top {
            if !special {
                exponent = top - 1;
            } else if (h >> 25) & 1 != 0 {
                fraction = 0;
            }
        }
        sign | (exponent as u64) << fraction_bits | fraction
    }

    /// A register full of elements of one kind.
    fn pack(&self, kind: Kind, operand: Operand, register: usize, lane: usize, window: (i32, i32), zeros: u64) -> u64 {
        let Kind::Float { bits, .. } = kind else { return 0 };
        let element = |n| self.element(self.hash(operand, register, lane, n), kind, window.0, window.1, zeros);
        if bits >= 32 {
            return element(0);
        }
        (0..32 / bits).fold(0, |word, n| word | element(n as usize + 1) << (n * bits))
    }

    /// A register of A or B.
    pub fn multiplicand(&self, kind: Kind, operand: Operand, register: usize, lane: usize) -> u64 {
        if let Kind::Float { exponent, .. } = kind {
            let width = width(self.width[operand as usize], exponent);
            let low = (self.centre(exponent, operand) - width / 2).clamp(0, (1 << exponent) - width);
            return self.pack(kind, operand, register, lane, (low, width), self.zero_sixteenths());
        }
        let h = self.hash(operand, register, lane, 0);
        let mut word = h as u32;
        if self.fraction == 2 && kind == Kind::I8 {
            word = (0..4).fold(0, |x, i| x | [0x7f, 0x80, 0xff, 0][(word >> (8 * i)) as usize & 3] << (8 * i));
        }
        if self.fraction == 3 {
            word &= (h >> 32) as u32;
        }
        if self.zeros == 3 && h >> 60 != 0 {
            word = 0;
        }
        u64::from(word)
    }

    /// A register of C, whose elements lie where the products of A and B do, or somewhat beside.
    pub fn accumulator(&self, kind: Kind, of_a: Kind, of_b: Kind, register: usize, lane: usize) -> u64 {
        let word = self.hash(Operand::C, register, lane, 0) as u32;
        let exponent_of = |kind| if let Kind::Float { exponent, .. } = kind { exponent } else { 0 };
        match (kind, self.c_kind) {
            (_, 0) => 0,
            (Kind::S32, 1) => u64::from(word),
            (Kind::S32, 2) => {
                u64::from((if word & 1 != 0 { 0x7fff_ffff } else { 0x8000_0000 }) ^ ((word >> 1) & 0xffff))
            }
            (Kind::S32, _) => u64::from(word & 0x1_ffff),
            _ => {
                let (a, b, c) = (exponent_of(of_a), exponent_of(of_b), exponent_of(kind));
                let bias = |exponent: u32| (1 << (exponent - 1)) - 1;
                let shift = if c == 5 { self.c_shift / 2 } else { self.c_shift };
                let centre = bias(c) + self.centre(a, Operand::A) - bias(a) + self.centre(b, Operand::B) - bias(b);
                let centre = (centre + shift).clamp(0, (1 << c) - 1);
                let width = width(self.width[2], c);
                let low = (centre - width / 2).clamp(0, (1 << c) - width);
                self.pack(kind, Operand::C, register, lane, (low, width), 1)
            }
        }
    }

    /// Sparsity metadata: valid pairs of two-bit indices, or for `tf32` one of two.
    pub fn metadata(&self, one_of_two: bool, lane: usize) -> u32 {
        let h = self.hash(Operand::Metadata, 0, lane, 0);
        (0..8).fold(0, |word, i| {
            let q = (h >> (i * 8)) & 255;
            let pair =
                if one_of_two { [0x4, 0xe][q as usize & 1] } else { [0x4, 0x8, 0xc, 0x9, 0xd, 0xe][q as usize % 6] };
            word | pair << (4 * i)
        })
    }
}

/// Number of exponents in a window of the `n`-th width.
fn width(n: u64, exponent: u32) -> i32 {
    if n == 7 { 1 << exponent } else { (1 << n).min(1 << exponent) }
}
