//! Tensor maps: the descriptions of tensors in global memory that the tensor memory accelerator works from
//! (`CUtensorMap`; PTX ISA, sections 5.5 and 9.7.9.27).
//!
//! [`TensorMap`] says what the host's `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col` take. [`TensorMap::check`]
//! refuses what the driver refuses, [`TensorMap::encode`] gives the same 128 bytes, [`TensorMap::decode`] reads them, and
//! [`Field::replace`] is `tensormap.replace`. [`Tile`] says which bytes a copy moves.
//!
//! # Layout
//!
//! The manual calls the 128 bytes opaque. This is what they hold, as 32-bit little-endian words; it was read off 2,469 maps
//! that driver 580.159.04 (CUDA 13.0) made on an H200 on 2026-11-30, one field changed at a time and 2,000 at random, all of
//! which come out equal (`tests/truth/tensor/maps.jsonl.gz`), and off `tensormap.replace` on words of zeros and of ones
//! (cases `tma/replace.*`).
//!
//! | word | bits | what |
//! |---|---|---|
//! | 0, 1 | 0-63 | address; the driver takes 57 bits |
//! | 2 | 0 | 1 for im2col |
//! | 2 | 4-6 | rank - 1 |
//! | 2 | 7-10 | type: u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64 bf16, from 0 |
//! | 2 | 11-12 | interleave: none, 16 bytes, 32 bytes |
//! | 2 | 13-14 | swizzle: none, 32, 64, 128 bytes |
//! | 2 | 15 | fill with NaN |
//! | 2 | 16 | `.tf32`: with type f32 or f32.ftz |
//! | 2 | 17-18 | promotion in L2: none, 64, 128, 256 bytes |
//! | 3-6 | | strides of dimensions 1 to 4, over 16, their low 32 bits |
//! | 7 | 4 each | the next four bits of each stride |
//! | 8-12 | | sizes - 1 |
//! | 13 | 3 each | steps of dimensions 0 to 4, - 1 |
//! | 13 | 24-31 | box of dimension 0, or channels a pixel, - 1 |
//! | 14 | 8 each | tiled: box of dimensions 1 to 4, - 1 |
//! | 14 | | im2col: lower corners from bit 0, upper corners from bit 16: one of 16 bits, two of 8, or three of 5 |
//! | 15 | 0-9 | im2col: pixels a column - 1 |
//! | 16 | | bytes of a box, each size divided by its step and cut: a note of the driver, not read by the chip |
//! | 18 | | alignment of the tile: 16, or 8 lines of the swizzle: likewise |
//!
//! # What a copy does
//!
//! As the chip answered (cases `tma/*`):
//!
//! - Lines of the tile lie one after the other. With a swizzle they are as far apart as the swizzle is wide, however short they
//!   are; the mbarrier counts the bytes of the elements only. The swizzle exchanges bits 4 to 6 of the address in
//!   shared memory with bits 7 to 9, as many as it has, so it starts anew at every 256, 512 or 1,024 bytes of the memory and not
//!   of the tile (`tma/swizzle.*.at*`).
//! - A dimension of box `b` and step `s` gives `ceil(b / s)` lines, at every `s`-th coordinate. Steps of dimension 0
//!   count only where the map is interleaved.
//! - Elements outside of the tensor, also those at negative coordinates, load as zero or as 16-bit words `0x7ff7`; of a store
//!   they are left out, but in dimension 0 by 16 bytes: a line is written up to the next multiple of 16 behind the
//!   tensor's last element (`tma/store.1d.any8`).
//! - Loads as `.tf32` round to nearest even to 10 bits of fraction, subnormals too, and make any NaN `0x7fffe000`, with and
//!   without `.ftz`; loads as `.f32.ftz` change nothing; stores never change a value. Reductions of the two types with `.ftz`
//!   flush subnormals (`tma/convert.*`).
//! - Reductions: `.u32` all; `.s32` and `.u64` all but `inc` and `dec`; `.s64` `min` and `max`; `.f16` and `.bf16` `add`, `min` and
//!   `max`; `.f32`, `.tf32`, `.f64` `add`. Others end the kernel.
//! - Interleaved: coordinate 0 counts slices of 16 or 32 bytes, and the dimension before the last (the slices of
//!   channels) always gives one slice, whatever its box (`tma/interleave.*`).
//! - im2col: pixels are walked from the given one through the bounding box, dimension by dimension, then to the next image, and
//!   each is read at its place plus the offsets. Corners and offsets are those of the dimensions from 1 on, or from 0 on where
//!   the map is interleaved. A start outside of the bounding box ends the kernel.
//! - These end the kernel as an illegal instruction: a first coordinate that is not a multiple of 16 bytes, a negative coordinate
//!   of a store, a size above 2^31, a map of another rank or mode than the instruction. A tile that does not start at a multiple of
//!   128 bytes is a misaligned address.
//!
//! Swizzles of other atoms (`CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B` and so on) and packed types are refused by the driver on
//! this chip, and here.

mod bits;
mod check;
mod tile;

pub use bits::Field;
pub use check::TensorMapError;
pub use tile::{Direction, Line, Tile, TileFault};

/// Bytes of a map.
pub const MAP_BYTES: usize = 128;

/// Type of the elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named as in the manual")]
pub enum MapType {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    Bf16,
    Tf32,
    Tf32Ftz,
}

impl MapType {
    /// All of them, in the order of `tensormap.replace.tile.elemtype`.
    pub const ALL: [MapType; 13] = [
        MapType::U8,
        MapType::U16,
        MapType::U32,
        MapType::S32,
        MapType::U64,
        MapType::S64,
        MapType::F16,
        MapType::F32,
        MapType::F32Ftz,
        MapType::F64,
        MapType::Bf16,
        MapType::Tf32,
        MapType::Tf32Ftz,
    ];

    /// Bytes of an element.
    pub const fn bytes(self) -> u32 {
        match self {
            MapType::U8 => 1,
            MapType::U16 | MapType::F16 | MapType::Bf16 => 2,
            MapType::U32 | MapType::S32 | MapType::F32 | MapType::F32Ftz | MapType::Tf32 | MapType::Tf32Ftz => 4,
            MapType::U64 | MapType::S64 | MapType::F64 => 8,
        }
    }

    /// Is it a floating-point type?
    pub const fn is_float(self) -> bool {
        use MapType::*;
        matches!(self, F16 | F32 | F32Ftz | F64 | Bf16 | Tf32 | Tf32Ftz)
    }

    /// As in the manual: `u8`, `f32.ftz`, ...
    pub const fn name(self) -> &'static str {
        match self {
            MapType::U8 => "u8",
            MapType::U16 => "u16",
            MapType::U32 => "u32",
            MapType::S32 => "s32",
            MapType::U64 => "u64",
            MapType::S64 => "s64",
            MapType::F16 => "f16",
            MapType::F32 => "f32",
            MapType::F32Ftz => "f32.ftz",
            MapType::F64 => "f64",
            MapType::Bf16 => "bf16",
            MapType::Tf32 => "tf32",
            MapType::Tf32Ftz => "tf32.ftz",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }
}

/// Declares a small enumeration with the names of its values.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum $name {
            $($(#[$each])* $value,)*
        }

        impl $name {
            /// All of them, in the order of their codes.
            pub const ALL: &[$name] = &[$($name::$value),*];

            /// Its name: a number of bytes, or `none`.
            pub const fn name(self) -> &'static str {
                match self { $($name::$value => $text,)* }
            }

            /// The value of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|x| x.name() == name)
            }
        }
    };
}

named! {
    /// How channels are interleaved.
    Interleave {
        /// Not.
        #[default]
        None = "none",
        /// Slices of 16 bytes: `NC/8HWC8` with 2 bytes a channel.
        Bytes16 = "16B",
        /// Slices of 32 bytes.
        Bytes32 = "32B",
    }
}

named! {
    /// How 16-byte chunks are exchanged in shared memory.
    Swizzle {
        /// Not.
        #[default]
        None = "none",
        /// Within 32 bytes.
        Bytes32 = "32B",
        /// Within 64 bytes.
        Bytes64 = "64B",
        /// Within 128 bytes.
        Bytes128 = "128B",
    }
}

impl Swizzle {
    /// Bytes within which chunks are exchanged; 0 where none are.
    pub const fn bytes(self) -> u32 {
        match self {
            Swizzle::None => 0,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        }
    }

    /// Where a byte of shared memory goes.
    pub const fn apply(self, address: u64) -> u64 {
        let columns = self.bytes() as u64 / 16;
        if columns == 0 { address } else { address ^ ((address >> 7 & (columns - 1)) << 4) }
    }
}

named! {
    /// How much is brought to L2 at once. Without effect here.
    L2Promotion {
        /// As much as is asked for.
        #[default]
        None = "none",
        /// 64 bytes.
        Bytes64 = "64B",
        /// 128 bytes.
        Bytes128 = "128B",
        /// 256 bytes.
        Bytes256 = "256B",
    }
}

named! {
    /// What elements outside of the tensor load as.
    Fill {
        /// Zero.
        #[default]
        Zero = "zero",
        /// A NaN that multiplies like zero: words `0x7ff7`.
        Nan = "nan",
    }
}

/// What of the tensor a copy takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A box: its size in each dimension.
    Tiled(Vec<u32>),
    /// Columns of pixels.
    Im2col {
        /// Lower corner of the bounding box, for each of the inner dimensions of the image (W, H, D).
        lower: Vec<i32>,
        /// Upper corner, from the end of the dimension on.
        upper: Vec<i32>,
        /// Elements of dimension 0 a pixel.
        channels: u32,
        /// Pixels.
        pixels: u32,
    },
}

/// A tensor in global memory, and how it is copied.
///
/// ```
/// use warpvm_sem::tensor_map::{MapType, Swizzle, TensorMap};
///
/// let map = TensorMap::tiled(MapType::F16, 0x1000, &[192, 64], &[384], &[64, 64]).with_swizzle(Swizzle::Bytes128);
/// let bytes = map.encode()?;
/// assert_eq!(TensorMap::decode(&bytes).as_ref(), Some(&map));
/// # Ok::<(), warpvm_sem::tensor_map::TensorMapError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorMap {
    /// Type of the elements.
    pub ty: MapType,
    /// Address of the first element.
    pub address: u64,
    /// Elements in each dimension, innermost first.
    pub dims: Vec<u64>,
    /// Bytes from element to element, for each dimension but the first.
    pub strides: Vec<u64>,
    /// Every how manieth element is taken, in each dimension.
    pub element_strides: Vec<u32>,
    /// What a copy takes.
    pub shape: Shape,
    /// How channels are interleaved.
    pub interleave: Interleave,
    /// How the tile is swizzled.
    pub swizzle: Swizzle,
    /// How much is brought to L2.
    pub l2_promotion: L2Promotion,
    /// What lies outside of the tensor.
    pub fill: Fill,
}

impl TensorMap {
    /// As `cuTensorMapEncodeTiled` makes it, with steps of 1 and without interleave, swizzle, promotion and NaN.
    pub fn tiled(ty: MapType, address: u64, dims: &[u64], strides: &[u64], tile: &[u32]) -> Self {
        Self::new(ty, address, dims, strides, Shape::Tiled(tile.to_vec()))
    }

    /// As `cuTensorMapEncodeIm2col` makes it: corners of the bounding box, channels a pixel, pixels a column.
    pub fn im2col(
        ty: MapType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        (lower, upper): (&[i32], &[i32]),
        channels: u32,
        pixels: u32,
    ) -> Self {
        let shape = Shape::Im2col { lower: lower.to_vec(), upper: upper.to_vec(), channels, pixels };
        Self::new(ty, address, dims, strides, shape)
    }

    fn new(ty: MapType, address: u64, dims: &[u64], strides: &[u64], shape: Shape) -> Self {
        TensorMap {
            ty,
            address,
            dims: dims.to_vec(),
            strides: strides.to_vec(),
            element_strides: vec![1; dims.len()],
            shape,
            interleave: Interleave::None,
            swizzle: Swizzle::None,
            l2_promotion: L2Promotion::None,
            fill: Fill::Zero,
        }
    }

    /// With these steps.
    #[must_use]
    pub fn with_element_strides(mut self, element_strides: &[u32]) -> Self {
        self.element_strides = element_strides.to_vec();
        self
    }

    /// With interleaved channels.
    #[must_use]
    pub fn with_interleave(mut self, interleave: Interleave) -> Self {
        self.interleave = interleave;
        self
    }

    /// With a swizzle.
    #[must_use]
    pub fn with_swizzle(mut self, swizzle: Swizzle) -> Self {
        self.swizzle = swizzle;
        self
    }

    /// With a promotion in L2.
    #[must_use]
    pub fn with_l2_promotion(mut self, l2_promotion: L2Promotion) -> Self {
        self.l2_promotion = l2_promotion;
        self
    }

    /// With this outside of the tensor.
    #[must_use]
    pub fn with_fill(mut self, fill: Fill) -> Self {
        self.fill = fill;
        self
    }

    /// Dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The first dimension that gives lines: where channels are interleaved, a line is a slice, and dimension 0 is the
    /// first of the others.
    fn first_outer(&self) -> usize {
        usize::from(self.interleave == Interleave::None)
    }

    /// Elements of a line of the tile.
    fn inner(&self) -> u32 {
        match &self.shape {
            Shape::Tiled(tile) => tile.first().copied().unwrap_or(0),
            Shape::Im2col { channels, .. } => *channels,
        }
    }
}
