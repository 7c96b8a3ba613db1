//! Kernel arguments, as written on the command line or in a launch file.

mod grammar;
mod source;
pub mod tensor_map;

pub use grammar::{parse, parse_source};

use crate::element::ElementType;

/// How a buffer is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// The kernel reads it.
    In,
    /// The kernel writes it; zeroed before the launch.
    Out,
    /// Both.
    InOut,
    /// Memory that nobody writes before the launch.
    Uninit,
}

impl Direction {
    /// The word of the grammar.
    pub const fn word(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
            Direction::Uninit => "uninit",
        }
    }

    /// Is its content a result of the launch?
    pub const fn is_result(self) -> bool {
        matches!(self, Direction::Out | Direction::InOut)
    }
}

/// One kernel parameter's argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// What the user calls it (`steps=out:u32[100]`).
    pub name: Option<String>,
    /// Its value.
    pub value: ArgValue,
}

/// The value of an argument.
#[derive(Clone, PartialEq, Debug)]
pub enum ArgValue {
    /// A scalar passed by value.
    Scalar {
        /** Its type. */
        ty: ElementType,
        /** Its bits. */
        bits: u64,
    },
    /// A struct passed by value.
    Bytes(Vec<u8>),
    /// A pointer to a buffer.
    Buffer(Buffer),
    /// A tensor map by value.
    TensorMap(tensor_map::TensorMapArg),
}

/// A buffer in global memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// How it is used.
    pub direction: Direction,
    /// The type of its elements.
    pub ty: ElementType,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its first content, as many bytes as said; zeroes where `None`, or undefined for [`Direction::Uninit`].
    pub data: Option<Vec<u8>>,
}

impl Arg {
    /// The buffer, if it is one.
    pub fn buffer(&self) -> Option<&Buffer> {
        match &self.value {
            ArgValue::Buffer(buffer) => Some(buffer),
            ArgValue::Scalar { .. } | ArgValue::Bytes(_) | ArgValue::TensorMap(_) => None,
        }
    }
}
