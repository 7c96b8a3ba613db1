//! The answers of an H200 for matrix multiplication and matrix moves, bit for bit.

mod descriptors;
mod generate;
mod input;
mod layouts;
mod recorded;
mod refused;
mod sums;
