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
mod round;
mod rows;
mod wgmma;

pub use element::Element;
pub use mma::{Mma, Registers};
pub use rows::{Ldmatrix, MatrixMove, ROW_BYTES, Register, Row, Stmatrix, is_movmatrix, movmatrix};
pub use descriptor::Major;
pub use wgmma::{Accumulate, Left, Sign, WarpgroupRegister, Wgmma, WgmmaOperands};
