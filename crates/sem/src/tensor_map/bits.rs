//! The 128 bytes.

use super::check::corner_bits;
use super::{Fill, Interleave, L2Promotion, MAP_BYTES, MapType, Shape, Swizzle, TensorMap, TensorMapError};

/// Bit of word 2 that makes a float a `.tf32`.
const TF32: u32 = 1 << 16;

/// The map as words.
type Words = [u32; MAP_BYTES / 4];

fn words(bytes: &[u8; MAP_BYTES]) -> Words {
    std::array::from_fn(|n| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[4 * n + i])))
}

fn bytes(words: &Words) -> [u8; MAP_BYTES] {
    std::array::from_fn(|n| words[n / 4].to_le_bytes()[n % 4])
}

/// Code of a type, and whether it is a `.tf32`.
fn type_code(ty: MapType) -> (u32, u32) {
    match ty {
        MapType::Tf32 => (MapType::F32 as u32, TF32),
        MapType::Tf32Ftz => (MapType::F32Ftz as u32, TF32),
        ty => (ty as u32, 0),
    }
}

/// Puts `value` into the bits of a word from `at` on, `width` of them.
fn put(word: &mut u32, at: u32, width: u32, value: u32) {
    let mask = ((1u64 << width) - 1) as u32;
    *word = *word & !(mask << at) | (value & mask) << at;
}

const fn get(word: u32, at: u32, width: u32) -> u32 {
    (word >> at) & ((1u64 << width) - 1) as u32
}

fn put_stride(words: &mut Words, n: usize, stride: u64) {
    words[3 + n] = (stride >> 4) as u32;
    put(&mut words[7], 4 * n as u32, 4, (stride >> 36) as u32);
}

/// The box of a dimension, or the channels.
fn put_box(words: &mut Words, n: usize, size: u32) {
    let (word, at) = if n == 0 { (13, 24) } else { (14, 8 * (n as u32 - 1)) };
    put(&mut words[word], at, 8, size.wrapping_sub(1));
}

impl TensorMap {
    /// The 128 bytes that the driver makes.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn encode(&self) -> Result<[u8; MAP_BYTES], TensorMapError> {
        self.check()?;
        let mut words: Words = [0; MAP_BYTES / 4];
        let rank = self.rank();
        words[0] = self.address as u32;
        words[1] = (self.address >> 32) as u32;
        let (code, tf32) = type_code(self.ty);
        words[2] = (rank as u32 - 1) << 4
            | code << 7
            | (self.interleave as u32) << 11
            | (self.swizzle as u32) << 13
            | (self.fill as u32) << 15
            | tf32
            | (self.l2_promotion as u32) << 17;
        for (n, &stride) in self.strides.iter().enumerate() {
            put_stride(&mut words, n, stride);
        }
        for (n, &size) in self.dims.iter().enumerate() {
            words[8 + n] = (size - 1) as u32;
        }
        for (n, &step) in self.element_strides.iter().enumerate() {
            put(&mut words[13], 3 * n as u32, 3, step - 1);
        }
        let elements = match &self.shape {
            Shape::Tiled(tile) => {
                tile.iter().enumerate().for_each(|(n, &size)| put_box(&mut words, n, size));
                tile.iter().zip(&self.element_strides).map(|(size, step)| size / step).product()
            }
            Shape::Im2col { lower, upper, channels, pixels } => {
                words[2] |= 1;
                put_box(&mut words, 0, *channels);
                let width = corner_bits(rank);
                for (n, (&low, &up)) in lower.iter().zip(upper).enumerate() {
                    put(&mut words[14], width * n as u32, width, low as u32);
                    put(&mut words[14], 16 + width * n as u32, width, up as u32);
                }
                words[15] = pixels - 1;
                channels * pixels
            }
        };
        words[16] = elements * self.ty.bytes();
        words[18] = (8 * self.swizzle.bytes()).max(16);
        Ok(bytes(&words))
    }

    /// Reads a map; `None` where the bytes are none that the chip knows.
    pub fn decode(map: &[u8; MAP_BYTES]) -> Option<Self> {
        let words = words(map);
        let flags = words[2];
        let rank = get(flags, 4, 3) as usize + 1;
        let ty = match (get(flags, 7, 4), flags & TF32 != 0) {
            (7, true) => MapType::Tf32,
            (8, true) => MapType::Tf32Ftz,
            (code, _) => *MapType::ALL[..11].get(code as usize)?,
        };
        if rank > 5 {
            return None;
        }
        let stride = |n: usize| u64::from(words[3 + n]) << 4 | u64::from(get(words[7], 4 * n as u32, 4)) << 36;
        let inner = get(words[13], 24, 8) + 1;
        let shape = if flags & 1 == 0 {
            let outer = (1..rank).map(|n| get(words[14], 8 * (n as u32 - 1), 8) + 1);
            Shape::Tiled(std::iter::once(inner).chain(outer).collect())
        } else {
            let width = corner_bits(rank);
            let corner = |at: u32| {
                let shift = 32 - width;
                (get(words[14], at, width) << shift) as i32 >> shift
            };
            let between = 0..rank.checked_sub(2).filter(|&n| n > 0)? as u32;
            Shape::Im2col {
                lower: between.clone().map(|n| corner(width * n)).collect(),
                upper: between.map(|n| corner(16 + width * n)).collect(),
                channels: inner,
                pixels: get(words[15], 0, 10) + 1,
            }
        };
        Some(TensorMap {
            ty,
            address: u64::from(words[0]) | u64::from(words[1]) << 32,
            dims: (0..rank).map(|n| u64::from(words[8 + n]) + 1).collect(),
            strides: (0..rank - 1).map(stride).collect(),
            element_strides: (0..rank).map(|n| get(words[13], 3 * n as u32, 3) + 1).collect(),
            shape,
            interleave: *Interleave::ALL.get(get(flags, 11, 2) as usize)?,
            swizzle: *Swizzle::ALL.get(get(flags, 13, 2) as usize)?,
            l2_promotion: *L2Promotion::ALL.get(get(flags, 17, 2) as usize)?,
            fill: *Fill::ALL.get(get(flags, 15, 1) as usize)?,
        })
    }
}

/// What `tensormap.replace` replaces (PTX ISA, section 9.7.9.27.1.1), with the number of the dimension where there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named as in the manual")]
pub enum Field {
    GlobalAddress,
    Rank,
    BoxDim(u8),
    GlobalDim(u8),
    GlobalStride(u8),
    ElementStride(u8),
    Elemtype,
    InterleaveLayout,
    SwizzleMode,
    FillMode,
}

impl Field {
    /// Changes the field in the bytes, as the chip does it: no value is refused, and other bits stay. A `.tf32` sets its bit,
    /// other types leave it (`tma/replace.elemtype.*.ones`); the swizzle clears bit 22 of word 2.
    pub fn replace(self, map: &mut [u8; MAP_BYTES], value: u64) {
        let mut words = words(map);
        let low = value as u32;
        match self {
            Field::GlobalAddress => {
                words[0] = low;
                words[1] = (value >> 32) as u32;
            }
            Field::Rank => put(&mut words[2], 4, 3, low),
            Field::BoxDim(n) => put_box(&mut words, usize::from(n.min(4)), low),
            Field::GlobalDim(n) => words[8 + usize::from(n.min(4))] = low.wrapping_sub(1),
            Field::GlobalStride(n) => put_stride(&mut words, usize::from(n.min(3)), value),
            Field::ElementStride(n) => put(&mut words[13], 3 * u32::from(n.min(4)), 3, low.wrapping_sub(1)),
            Field::Elemtype => {
                let (code, tf32) = MapType::ALL.get(low as usize).map_or((low, 0), |&ty| type_code(ty));
                put(&mut words[2], 7, 4, code);
                words[2] |= tf32;
            }
            Field::InterleaveLayout => put(&mut words[2], 11, 2, low),
            Field::SwizzleMode => {
                put(&mut words[2], 13, 2, low);
                words[2] &= !(1 << 22);
            }
            Field::FillMode => put(&mut words[2], 15, 1, low),
        }
        *map = bytes(&words);
    }
}
