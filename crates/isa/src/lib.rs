//! The vocabulary of PTX: opcodes, modifiers, types, state spaces, special registers. No state.

pub mod sreg;
pub mod types;
pub mod words;

pub use sreg::SpecialRegister;
pub use types::{Rounding, ScalarType, StateSpace};
pub use words::{Modifier, Opcode, Word};
