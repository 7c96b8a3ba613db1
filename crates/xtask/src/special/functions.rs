//! The recorded functions: their names, their PTX forms, and which inputs a chunk holds.

use warpvm_isa::{Modifier, Opcode, Word};

/// Which inputs a function was asked with, and how input and answer enter a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// All values of one 32-bit operand, in order.
    All32,
    /// One hashed number a case, its halves the two operands.
    Hashed32x2,
    /// One hashed number a case.
    Hashed64,
}

/// A recorded function.
#[derive(Clone, Debug)]
pub struct Function {
    /// First word of the instruction.
    pub opcode: Opcode,
    /// The other words.
    pub modifiers: Vec<Modifier>,
    /// What a chunk holds.
    pub inputs: Inputs,
}

/// The function of a name of `names.txt`.
pub fn named(name: &str) -> Option<Function> {
    use Word::{Approx, Bf16x2, F16x2, F32, F64, Ftz, Full};
    let (opcode, words, inputs): (_, &[Word], _) = match name {
        "div_approx" => (Opcode::Div, &[Approx, F32], Inputs::Hashed32x2),
        "div_approx_ftz" => (Opcode::Div, &[Approx, Ftz, F32], Inputs::Hashed32x2),
        "div_full" => (Opcode::Div, &[Full, F32], Inputs::Hashed32x2),
        "div_full_ftz" => (Opcode::Div, &[Full, Ftz, F32], Inputs::Hashed32x2),
        "ex2_bf16x2" => (Opcode::Ex2, &[Approx, Ftz, Bf16x2], Inputs::All32),
        "ex2_f16x2" => (Opcode::Ex2, &[Approx, F16x2], Inputs::All32),
        "tanh_bf16x2" => (Opcode::Tanh, &[Approx, Bf16x2], Inputs::All32),
        "tanh_f16x2" => (Opcode::Tanh, &[Approx, F16x2], Inputs::All32),
        "rcp64" => (Opcode::Rcp, &[Approx, Ftz, F64], Inputs::Hashed64),
        "rsqrt64" => (Opcode::Rsqrt, &[Approx, F64], Inputs::Hashed64),
        "rsqrt64_ftz" => (Opcode::Rsqrt, &[Approx, Ftz, F64], Inputs::Hashed64),
        _ => {
            let (base, words): (_, &[Word]) = match name.strip_suffix("_ftz") {
                Some(base) => (base, &[Approx, Ftz, F32]),
                None => (name, &[Approx, F32]),
            };
            (single(base)?, words, Inputs::All32)
        }
    };
    let modifiers = words.iter().map(|word| Modifier::Word(*word)).collect();
    Some(Function { opcode, modifiers, inputs })
}

/// The opcode of a function of one f32.
fn single(name: &str) -> Option<Opcode> {
    Some(match name {
        "cos" => Opcode::Cos,
        "ex2" => Opcode::Ex2,
        "lg2" => Opcode::Lg2,
        "rcp" => Opcode::Rcp,
        "rsqrt" => Opcode::Rsqrt,
        "sin" => Opcode::Sin,
        "sqrt" => Opcode::Sqrt,
        "tanh" => Opcode::Tanh,
        _ => return None,
    })
}
