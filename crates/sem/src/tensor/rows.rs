//! `ldmatrix`, `stmatrix` and `movmatrix`: 8x8 matrices of 16-bit elements between rows in memory and a warp
//! (PTX ISA 9.7.14.5.15 to 9.7.14.5.17).
//!
//! Lane `4 i + j` holds the elements `2 j` and `2 j + 1` of row `i`, the first in its low half; with `.trans`, of column `i`.
//! Shapes other than `.m8n8` and types other than `.b16` need a newer chip than an H200.

use warpvm_isa::{Modifier, Opcode, Word};

use crate::Form;

/// Lanes of a warp.
const LANES: usize = 32;

/// Rows and columns of a matrix.
const SIDE: usize = 8;

/// Bytes of a row in memory; its address must be a multiple of it.
pub const ROW_BYTES: usize = 16;

/// A row as it lies in memory.
pub type Row = [u8; ROW_BYTES];

/// One 32-bit register of every lane.
pub type Register = [u32; LANES];

/// How a matrix lies in the registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Order {
    /// A lane holds a piece of a row.
    Rows,
    /// `.trans`: a lane holds a piece of a column.
    Columns,
}

/// An `ldmatrix` or `stmatrix` instruction.
///
/// It has one register for each matrix. Lane `l` gives the address of row `l % 8` of matrix `l / 8`; the addresses of the lanes
/// from [`MatrixMove::rows`] on do not count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatrixMove {
    matrices: usize,
    order: Order,
}

/// `ldmatrix`
pub type Ldmatrix = MatrixMove;

/// `stmatrix`
pub type Stmatrix = MatrixMove;

impl MatrixMove {
    /// The instruction that a form names, if the chip has it.
    pub fn from_form(form: &Form<'_>) -> Option<Self> {
        if !matches!(form.opcode, Opcode::Ldmatrix | Opcode::Stmatrix) || !is_m8n8_b16(form) {
            return None;
        }
        let matrices = form.words().find_map(|word| match word {
            Word::X1 => Some(1),
            Word::X2 => Some(2),
            Word::X4 => Some(4),
            _ => None,
        })?;
        Some(MatrixMove { matrices, order: if form.has(Word::Trans) { Order::Columns } else { Order::Rows } })
    }

    /// Number of registers, one for each matrix.
    pub fn registers(&self) -> usize {
        self.matrices
    }

    /// Number of rows in memory; lane `n` gives the address of row `n`.
    pub fn rows(&self) -> usize {
        self.matrices * SIDE
    }

    /// Rows as they were read, in the order of the lanes that gave their addresses, to registers.
    pub fn load(&self, rows: &[Row], registers: &mut [Register]) {
        for (matrix, register) in rows.chunks_exact(SIDE).zip(registers) {
            *register = pack(|row, column| {
                let at = 2 * column;
                u16::from_le_bytes([matrix[row][at], matrix[row][at + 1]])
            });
            self.turn(register);
        }
    }

    /// Registers to rows as they are to be written.
    pub fn store(&self, registers: &[Register], rows: &mut [Row]) {
        for (matrix, &register) in rows.chunks_exact_mut(SIDE).zip(registers) {
            let mut register = register;
            self.turn(&mut register);
            for (lane, word) in register.iter().enumerate() {
                let at = lane % 4 * 4;
                matrix[lane / 4][at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
        }
    }

    /// Transposes where the registers hold columns.
    fn turn(&self, register: &mut Register) {
        if self.order == Order::Columns {
            *register = movmatrix(register);
        }
    }
}

/// `movmatrix.sync.aligned.m8n8.trans.b16`: the transposed matrix.
pub fn movmatrix(a: &Register) -> Register {
    pack(|row, column| (a[column * 4 + row / 2] >> (row % 2 * 16)) as u16)
}

/// Is it a `movmatrix` that the chip has?
pub fn is_movmatrix(form: &Form<'_>) -> bool {
    form.opcode == Opcode::Movmatrix && is_m8n8_b16(form) && form.has(Word::Trans)
}

fn is_m8n8_b16(form: &Form<'_>) -> bool {
    form.has(Word::B16) && form.modifiers.contains(&Modifier::Shape { m: 8, n: 8, k: 0 })
}

/// The register that holds the elements by rows.
fn pack(element: impl Fn(usize, usize) -> u16) -> Register {
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        u32::from(element(row, column)) | u32::from(element(row, column + 1)) << 16
    })
}
