//! The coefficient tables, read from the chip's answers over whole binades.

mod ex2;
mod lg2;
mod rcp;
mod rsqrt;
mod sin;
mod sqrt;
mod tanh;

pub(super) use ex2::EX2;
pub(super) use lg2::LG2;
pub(super) use rcp::RCP;
pub(super) use rsqrt::RSQRT;
pub(super) use sin::SIN;
pub(super) use sqrt::SQRT;
pub(super) use tanh::TANH;
