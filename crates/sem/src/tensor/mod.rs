//! Matrix multiplication as the tensor cores do it.

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

pub use element::Element;
pub use mma::{Mma, Registers};
pub use rows::{Ldmatrix, MatrixMove, ROW_BYTES, Register, Row, Stmatrix, is_movmatrix, movmatrix};
