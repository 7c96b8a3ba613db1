//! Matrix multiplication as the tensor cores of an H200 do it, bit for bit (PTX ISA 9.7.14 and 9.7.15).
//!
//! The instructions are values: [`Mma`] (`mma`, `wmma.mma`), [`SparseMma`] (`mma.sp`), [`Wgmma`] and [`SparseWgmma`]
//! (`wgmma.mma_async`), [`WmmaMove`] (`wmma.load`, `wmma.store`), [`MatrixMove`] (`ldmatrix`, `stmatrix`), and the function
//! [`movmatrix`]. Each says how many registers it takes and works on whole registers of a warp or a warpgroup; memory is reached
//! by the caller. A form that an H200 does not have is `None`.
//!
//! # How floats are summed
//!
//! The manual promises next to nothing about precision and order. This is what the chip does; every statement was found with,
//! and is tested by, the cases of `tests/truth/tensor` and the family `tensor` of `tests/truth/instructions.jsonl.gz`.
//!
//! One element of D is a sum of products and C, made in fixed point:
//!
//! 1. Products are exact. A product has as its *place* the sum of the exponents of its factors, as they are stored: a subnormal
//!    factor is not normalized, and a product of significands of 2 or more does not count one up. C has the place of its
//!    own exponent. Zeros have none.
//! 2. The largest place decides the unit: `2^(largest - 25)`. The largest place counts as at least -133, which shows where
//!    the result is a subnormal `.f32` (`mma.*.f32.tf32.tf32.f32`).
//! 3. Every term is cut to that unit, toward zero.
//! 4. The integers are added exactly.
//! 5. The sum is cut toward zero to `.f32`, with subnormal numbers, or rounded to nearest even to `.f16`. From 2^128 on (`.f16`:
//!    where rounding leads there) it is infinite. A zero is positive, whatever the signs, also where a negative sum was cut to it.
//!
//! An infinity times zero, infinities of both signs and a NaN give the NaN `0x7fffffff` or `0x7fff`, whatever was in the
//! operands; otherwise an infinite term makes the sum infinite, even if finite terms overflow the other way.
//!
//! | instruction | bits kept | terms of a sum | D |
//! |---|---|---|---|
//! | `.f16`, `.bf16`, `.tf32` of `mma`, `wgmma`, dense or sparse | 25 | the stored part of a row of A, and C | `.f32` or `.f16` |
//! | the same of `wmma` | 25 | 16 (`.tf32`: twice 4), and C | see [`Mma`] for C and D of different types |
//! | `.e4m3`, `.e5m2` of `wgmma` | 13 | the stored part of a row of A, and C | `.f16`; of `.f32` the low 10 bits are zero, cut |
//! | `.e4m3`, `.e5m2` of `mma` | 25 | as `.f16`: elements 0 and 1 of every four from zero; 2 and 3 from that; C is added | `.f32` or `.f16` |
//! | `mma.m8n8k4` of `.f16` | | `.f32` arithmetic, one product after the other (`quads.rs`) | |
//!
//! - `.tf32` operands are cut to 10 bits of fraction: the low 13 bits of a register do not count, not even to tell NaN from
//!   infinity.
//! - A subnormal `.e4m3` is normalized where it becomes `.f16` (`mma`), and is not in `wgmma`.
//! - `imm-scale` of -1 flips the signs of the elements; `scale-d` of false puts a positive zero in place of D.
//!
//! # Other types
//!
//! - `.f64` is a chain of fused multiply-adds in order of k, from C, each rounded as the instruction says; a NaN is passed on as by
//!   `fma.f64` (`mma.*.f64.*`).
//! - Integers are exact until C is added; that wraps, or with `.satfinite` saturates, once. So it is with 4-bit integers and
//!   single bits.
//!
//! # Selectors and long columns
//!
//! A sparsity selector names lanes as far as there are enough of them: below 4, 2 or 1 as one, two or four lanes of every four
//! give metadata. `wgmma.mma_async.sp` takes them as `mma.sp` does (`wgmma*#1#*` in `tests/truth/tensor/sums.jsonl.gz`). ptxas 13.0 also takes 2
//! and 3 for `mma.sp.m16n8k32` with `.f32.f16.f16.f32`; the chip ends such a kernel as an illegal instruction, so they are refused
//! here. A sparse B in shared memory with a swizzle of 32 bytes, whose columns are longer than the swizzle: the leading stride leads
//! on, as in the MN-major layouts (`*#sw32*`).
//!
//! # What was not asked
//!
//! The chip was not asked for metadata that name one element twice or go down (taken as they are), and bits of a matrix descriptor
//! that the manual leaves out (ignored).

mod descriptor;
mod double;
mod element;
mod float;
mod format;
mod fragment;
mod integer;
mod matrices;
mod mma;
mod product;
mod quads;
mod round;
mod rows;
mod shape;
mod sparse;
mod wgmma;
mod wmma;

pub use descriptor::Major;
pub use element::Element;
pub use fragment::{LANES, Registers, WarpRegister};
pub use mma::Mma;
pub use product::Undefined;
pub use rows::{Ldmatrix, MatrixMove, ROW_BYTES, Register, Row, Stmatrix, is_movmatrix, movmatrix};
pub use sparse::{Metadata, SparseMma};
pub use wgmma::{Accumulate, Left, Sign, SparseWgmma, WarpgroupRegister, Wgmma, WgmmaOperands};
pub use wmma::{Piece, WmmaMove};
