//! Which bytes a tensor copy moves: see the module above.

use super::{Fill, Interleave, MapType, Shape, Swizzle, TensorMap};

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// From the tensor into shared memory.
    Load,
    /// From shared memory into the tensor, by store or reduction.
    Store,
}

/// Why the chip ends the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TileFault {
    /// The instruction has another number of coordinates than the tensor has dimensions.
    Rank {
        /// Of the tensor.
        tensor: usize,
        /// Of the instruction.
        instruction: usize,
    },
    /// A tiled map in an im2col instruction, or the other way round.
    Mode,
    /// The first coordinate is not a multiple of 16 bytes.
    Unaligned(i32),
    /// A store at a negative coordinate.
    Negative {
        /// The dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: i32,
    },
    /// An im2col copy that starts outside of its bounding box.
    OutsideBox {
        /// The dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: i32,
    },
    /// A size above 2^31.
    Size(u64),
}

impl std::fmt::Display for TileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TileFault::Rank { tensor, instruction } => {
                write!(f, "the tensor map has {tensor} dimensions, the instruction {instruction}")
            }
            TileFault::Mode => write!(f, "a tiled copy takes a tiled tensor map, an im2col copy an im2col one"),
            TileFault::Unaligned(c) => {
                write!(f, "the first coordinate of a tensor copy is a multiple of 16 bytes, not element {c}")
            }
            TileFault::Negative { dimension, coordinate } => {
                write!(f, "a tensor is not stored to at negative coordinates: {coordinate} in dimension {dimension}")
            }
            TileFault::OutsideBox { dimension, coordinate } => {
                write!(f, "coordinate {coordinate} of dimension {dimension} is outside of the bounding box")
            }
            TileFault::Size(size) => write!(f, "a tensor has at most 2^31 elements in a dimension, not {size}"),
        }
    }
}

/// A line of a tile: bytes that are side by side in shared memory before the swizzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Where it starts in the tile.
    pub shared: u64,
    /// The bytes of it that lie in the tensor; empty where none do.
    pub inside: (u32, u32),
    /// The address of the first of them.
    pub global: u64,
}

/// One dimension of a walk.
#[derive(Clone, Copy, Debug)]
struct Walk {
    /// Index of the dimension.
    dimension: usize,
    /// First coordinate.
    start: i64,
    /// Lines.
    count: u32,
    /// From line to line.
    step: i64,
}

/// A copy of a part of a tensor.
#[derive(Clone, Debug)]
pub struct Tile<'a> {
    map: &'a TensorMap,
    direction: Direction,
    coordinates: &'a [i32],
    offsets: &'a [u16],
    /// Bytes of a line.
    line: u32,
    /// Bytes from line to line in shared memory.
    pitch: u32,
    lines: u32,
}

impl<'a> Tile<'a> {
    /// A copy at some coordinates; `offsets` where it is one of an im2col map (empty for stores), else `None`.
    ///
    /// # Errors
    /// Why the chip refuses it.
    pub fn new(
        map: &'a TensorMap,
        direction: Direction,
        coordinates: &'a [i32],
        offsets: Option<&'a [u16]>,
    ) -> Result<Self, TileFault> {
        let rank = map.rank();
        if coordinates.len() != rank {
            return Err(TileFault::Rank { tensor: rank, instruction: coordinates.len() });
        }
        if offsets.is_some() != matches!(map.shape, Shape::Im2col { .. }) {
            return Err(TileFault::Mode);
        }
        if let Some(&size) = map.dims.iter().find(|&&size| size > 1 << 31) {
            return Err(TileFault::Size(size));
        }
        let is_plain = map.interleave == Interleave::None;
        if is_plain && (i64::from(coordinates[0]) * i64::from(map.ty.bytes())) % 16 != 0 {
            return Err(TileFault::Unaligned(coordinates[0]));
        }
        if direction == Direction::Store
            && let Some(dimension) = coordinates.iter().position(|&c| c < 0)
        {
            return Err(TileFault::Negative { dimension, coordinate: coordinates[dimension] });
        }
        let line = match map.interleave {
            Interleave::None => map.inner() * map.ty.bytes(),
            Interleave::Bytes16 => 16,
            Interleave::Bytes32 => 32,
        };
        let pitch = if is_plain && map.swizzle != Swizzle::None { map.swizzle.bytes() } else { line };
        let mut tile =
            Tile { map, direction, coordinates, offsets: offsets.unwrap_or_default(), line, pitch, lines: 0 };
        tile.lines = match &map.shape {
            Shape::Im2col { lower, upper, pixels, .. } => {
                tile.starts_inside(lower, upper)?;
                *pixels
            }
            Shape::Tiled(_) => tile.walks().map(|w| w.count).product(),
        };
        Ok(tile)
    }

    fn starts_inside(&self, lower: &[i32], upper: &[i32]) -> Result<(), TileFault> {
        for ((&low, &up), dimension) in lower.iter().zip(upper).zip(self.map.first_outer()..) {
            let coordinate = self.coordinates[dimension];
            let last = self.map.dims[dimension] as i64 - 1 + i64::from(up);
            if !(i64::from(low)..=last).contains(&i64::from(coordinate)) {
                return Err(TileFault::OutsideBox { dimension, coordinate });
            }
        }
        Ok(())
    }

    /// Bytes of a line.
    pub fn line_bytes(&self) -> u32 {
        self.line
    }

    /// Bytes that are moved in all, as an mbarrier counts them.
    pub fn bytes(&self) -> u32 {
        self.line * self.lines
    }

    /// Bytes of shared memory that the lines lie in, with what the swizzle leaves between them.
    pub fn shared_bytes(&self) -> u64 {
        u64::from(self.pitch) * u64::from(self.lines)
    }

    /// The dimensions of a box that give lines, innermost first.
    fn walks(&self) -> impl Iterator<Item = Walk> + '_ {
        let rank = self.map.rank();
        let is_plain = self.map.interleave == Interleave::None;
        let sizes = match &self.map.shape {
            Shape::Tiled(tile) => &tile[..],
            Shape::Im2col { .. } => &[],
        };
        sizes.iter().enumerate().skip(self.map.first_outer()).map(move |(dimension, &size)| {
            let step = self.map.element_strides[dimension];
            let is_slices = !is_plain && dimension + 2 == rank;
            let count = if is_slices { 1 } else { size.div_ceil(step) };
            Walk { dimension, start: i64::from(self.coordinates[dimension]), count, step: i64::from(step) }
        })
    }

    /// Bytes from element to element of a dimension.
    fn stride(&self, dimension: usize) -> i64 {
        match dimension {
            0 => i64::from(if self.map.interleave == Interleave::None { self.map.ty.bytes() } else { self.line }),
            n => self.map.strides[n - 1] as i64,
        }
    }

    /// Calls `f` with every line, in the order of shared memory.
    pub fn for_each_line(&self, mut f: impl FnMut(Line)) {
        let mut at: Vec<i64> = self.coordinates.iter().map(|&c| i64::from(c)).collect();
        match &self.map.shape {
            Shape::Tiled(_) => {
                let walks: Vec<Walk> = self.walks().collect();
                let mut index = vec![0; walks.len()];
                for n in 0..self.lines {
                    for (walk, &i) in walks.iter().zip(&index) {
                        at[walk.dimension] = walk.start + i64::from(i) * walk.step;
                    }
                    f(self.line_at(n, &at));
                    for (walk, i) in walks.iter().zip(&mut index) {
                        *i += 1;
                        if *i < walk.count {
                            break;
                        }
                        *i = 0;
                    }
                }
            }
            Shape::Im2col { lower, upper, .. } => {
                let mut moved = at.clone();
                let first = self.map.first_outer();
                for n in 0..self.lines {
                    moved.copy_from_slice(&at);
                    moved[first..].iter_mut().zip(self.offsets).for_each(|(c, &offset)| *c += i64::from(offset));
                    f(self.line_at(n, &moved));
                    self.next_pixel(&mut at, lower, upper);
                }
            }
        }
    }

    /// To the next pixel of the bounding box; behind the last, into the next image.
    fn next_pixel(&self, at: &mut [i64], lower: &[i32], upper: &[i32]) {
        for ((&low, &up), dimension) in lower.iter().zip(upper).zip(self.map.first_outer()..) {
            at[dimension] += i64::from(self.map.element_strides[dimension]);
            if at[dimension] < self.map.dims[dimension] as i64 + i64::from(up) {
                return;
            }
            at[dimension] = i64::from(low);
        }
        let last = at.len() - 1;
        at[last] += i64::from(self.map.element_strides[last]);
    }

    fn line_at(&self, n: u32, at: &[i64]) -> Line {
        let shared = u64::from(n) * u64::from(self.pitch);
        let is_plain = self.map.interleave == Interleave::None;
        let is_in = |(dimension, &c): (usize, &i64)| c >= 0 && (c as u64) < self.map.dims[dimension];
        let outside = Line { shared, inside: (0, 0), global: 0 };
        if !at.iter().enumerate().skip(self.map.first_outer()).all(is_in) {
            return outside;
        }
        let (mut first, mut last) = (0, i64::from(self.line));
        if is_plain {
            let bytes = i64::from(self.map.ty.bytes());
            first = (-at[0] * bytes).max(0);
            last = ((self.map.dims[0] as i64 - at[0]) * bytes).min(last);
            if self.direction == Direction::Store {
                last = ((last + 15) & !15).min(i64::from(self.line));
            }
        }
        if last <= first {
            return outside;
        }
        let offset: i64 = at.iter().enumerate().map(|(n, &c)| c.wrapping_mul(self.stride(n))).sum();
        let global = self.map.address.wrapping_add((offset + first) as u64);
        Line { shared, inside: (first as u32, last as u32), global }
    }

    /// The bytes of a line that lies outside of the tensor.
    pub fn filled_line(&self) -> Vec<u8> {
        match self.map.fill {
            Fill::Zero => vec![0; self.line as usize],
            Fill::Nan => [0xf7, 0x7f].repeat(self.line as usize / 2),
        }
    }

    /// What loaded bytes become.
    pub fn convert(&self, bytes: &mut [u8]) {
        if matches!(self.map.ty, MapType::Tf32 | MapType::Tf32Ftz) && self.direction == Direction::Load {
            for element in bytes.chunks_exact_mut(4) {
                let value = u32::from_le_bytes([element[0], element[1], element[2], element[3]]);
                element.copy_from_slice(&to_tf32(value).to_le_bytes());
            }
        }
    }
}

/// Rounds to nearest even to 10 bits of fraction.
fn to_tf32(x: u32) -> u32 {
    const DROPPED: u32 = 13;
    let magnitude = x & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return 0x7fff_e000;
    }
    let half = (1 << (DROPPED - 1)) - 1;
    let odd = x >> DROPPED & 1;
    (x + half + odd) >> DROPPED << DROPPED
}
