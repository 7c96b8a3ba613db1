//! Matrix multiplication as the tensor cores do it.

mod descriptor;
mod double;
mod element;
mod float;
mod format;
mod fragment;
mod integer;
mod matrices;
mod mma;
mod quads;
mod round;
mod rows;
mod shape;
mod sparse;
mod wgmma;

pub use element::Element;
pub use fragment::{LANES, Registers, WarpRegister};
pub use mma::{Mma, SparseMma};
pub use sparse::Metadata;
pub use rows::{Ldmatrix, MatrixMove, ROW_BYTES, Register, Row, Stmatrix, is_movmatrix, movmatrix};
pub use descriptor::Major;
pub use wgmma::{Accumulate, Left, Sign, SparseWgmma, WarpgroupRegister, Wgmma, WgmmaOperands};
