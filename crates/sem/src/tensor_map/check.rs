//! What the driver refuses (`CUDA_ERROR_INVALID_VALUE`), with the reason that it does not give.
//!
//! Held against 3,706 maps, good and bad.

use super::{Fill, Interleave, Shape, Swizzle, TensorMap};

/// Most bytes of a tile: the shared memory of a CTA.
const MOST_BYTES: u64 = 227 * 1024;

/// Why a tensor map is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TensorMapError {
    /// Other than 1 to 5 dimensions; 3 to 5 where the map is interleaved or im2col.
    Rank {
        /// The rank.
        rank: usize,
        /// The lowest.
        least: usize,
    },
    /// A list of another length than the rank asks for.
    Length {
        /// Which.
        list: &'static str,
        /// Its length.
        is: usize,
        /// What it must be.
        must_be: usize,
    },
    /// A value outside of its range.
    Range {
        /// What.
        what: &'static str,
        /// Its dimension.
        dimension: usize,
        /// The value.
        value: i64,
        /// The lowest.
        least: i64,
        /// The highest.
        most: i64,
    },
    /// An address or stride that is not a multiple of 16, or of 32 with slices of 32 bytes.
    Alignment {
        /// What.
        what: &'static str,
        /// The value.
        value: u64,
        /// What it must be a multiple of.
        align: u64,
    },
    /// A line of the tile is not a multiple of 16 bytes.
    Line(u64),
    /// A line is longer than the swizzle.
    Swizzled {
        /// Bytes of the line.
        line: u64,
        /// Bytes of the swizzle.
        swizzle: u32,
    },
    /// NaN for a type that has none.
    Fill,
    /// A tile that no shared memory holds.
    Bytes(u64),
    /// A bounding box without a pixel.
    EmptyBox {
        /// In this dimension.
        dimension: usize,
    },
}

impl std::fmt::Display for TensorMapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TensorMapError::Rank { rank, least } => write!(f, "a tensor has {least} to 5 dimensions here, not {rank}"),
            TensorMapError::Length { list, is, must_be } => write!(f, "`{list}` has {is} values, not {must_be}"),
            TensorMapError::Range { what, dimension, value, least, most } => {
                write!(f, "{what} of dimension {dimension} is {value}, not {least} to {most}")
            }
            TensorMapError::Alignment { what, value, align } => {
                write!(f, "{what} {value:#x} is not a multiple of {align}")
            }
            TensorMapError::Line(line) => write!(f, "a line of the box has {line} bytes, not a multiple of 16"),
            TensorMapError::Swizzled { line, swizzle } => {
                write!(f, "a line of the box has {line} bytes, more than the swizzle of {swizzle}")
            }
            TensorMapError::Fill => write!(f, "only floating-point types are filled with NaN"),
            TensorMapError::Bytes(bytes) => write!(f, "a box of {bytes} bytes is larger than shared memory"),
            TensorMapError::EmptyBox { dimension } => write!(f, "the bounding box is empty in dimension {dimension}"),
        }
    }
}

impl std::error::Error for TensorMapError {}

type Result = std::result::Result<(), TensorMapError>;

fn range(what: &'static str, dimension: usize, value: i64, least: i64, most: i64) -> Result {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(TensorMapError::Range { what, dimension, value, least, most })
    }
}

fn length<T>(list: &'static str, values: &[T], must_be: usize) -> Result {
    if values.len() == must_be { Ok(()) } else { Err(TensorMapError::Length { list, is: values.len(), must_be }) }
}

fn each<T: Copy + TryInto<i64>>(what: &'static str, values: &[T], least: i64, most: i64) -> Result {
    let number = |value: T| value.try_into().unwrap_or(i64::MAX);
    values.iter().enumerate().try_for_each(|(n, &value)| range(what, n, number(value), least, most))
}

impl TensorMap {
    /// Is it a map that the driver makes?
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result {
        let rank = self.rank();
        let is_im2col = matches!(self.shape, Shape::Im2col { .. });
        let least = if is_im2col || self.interleave != Interleave::None { 3 } else { 1 };
        if !(least..=5).contains(&rank) {
            return Err(TensorMapError::Rank { rank, least });
        }
        length("strides", &self.strides, rank - 1)?;
        length("element_strides", &self.element_strides, rank)?;
        each("the size", &self.dims, 1, 1 << 32)?;
        each("the stride", &self.strides, 0, (1 << 40) - 1)?;
        each("the element stride", &self.element_strides, 1, 8)?;
        self.check_alignment()?;
        if self.fill == Fill::Nan && !self.ty.is_float() {
            return Err(TensorMapError::Fill);
        }
        let elements = self.check_shape()?;
        let line = u64::from(self.inner() * self.ty.bytes());
        if !line.is_multiple_of(16) {
            return Err(TensorMapError::Line(line));
        }
        let swizzle = self.swizzle.bytes();
        if self.interleave == Interleave::None && self.swizzle != Swizzle::None && line > u64::from(swizzle) {
            return Err(TensorMapError::Swizzled { line, swizzle });
        }
        let bytes = elements * u64::from(self.ty.bytes());
        if bytes > MOST_BYTES { Err(TensorMapError::Bytes(bytes)) } else { Ok(()) }
    }

    fn check_alignment(&self) -> Result {
        let align = if self.interleave == Interleave::Bytes32 { 32 } else { 16 };
        let aligned = |what, value: u64| {
            if value.is_multiple_of(align) { Ok(()) } else { Err(TensorMapError::Alignment { what, value, align }) }
        };
        aligned("the address", self.address)?;
        self.strides.iter().try_for_each(|&stride| aligned("the stride", stride))?;
        range("the address", 0, i64::try_from(self.address).unwrap_or(i64::MAX), 0, (1 << 57) - 1)
    }

    /// Gives the number of elements that the driver counts.
    fn check_shape(&self) -> std::result::Result<u64, TensorMapError> {
        let rank = self.rank();
        match &self.shape {
            Shape::Tiled(tile) => {
                length("box", tile, rank)?;
                each("the box", tile, 1, 256)?;
                let steps = tile.iter().zip(&self.element_strides);
                Ok(steps.map(|(size, step)| u64::from(size / step)).product())
            }
            Shape::Im2col { lower, upper, channels, pixels } => {
                length("lower", lower, rank - 2)?;
                length("upper", upper, rank - 2)?;
                let limit = 1 << (corner_bits(rank) - 1);
                each("the lower corner", lower, -limit, limit - 1)?;
                each("the upper corner", upper, -limit, limit - 1)?;
                range("the channels", 0, i64::from(*channels), 1, 256)?;
                range("the pixels", 0, i64::from(*pixels), 1, 1024)?;
                for ((&low, &up), dimension) in lower.iter().zip(upper).zip(self.first_outer()..) {
                    if self.dims[dimension] as i64 - 1 + i64::from(up) < i64::from(low) {
                        return Err(TensorMapError::EmptyBox { dimension });
                    }
                }
                Ok(u64::from(*channels) * u64::from(*pixels))
            }
        }
    }
}

/// Bits of a corner of the bounding box.
pub(super) const fn corner_bits(rank: usize) -> u32 {
    match rank {
        3 => 16,
        4 => 8,
        _ => 5,
    }
}
