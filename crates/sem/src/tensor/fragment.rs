//! Which lane and register holds which element of a matrix (PTX ISA 9.7.14.4 and 9.7.14.5, matrix fragments).
//!
//! All shapes follow one rule. Eight groups of four lanes hold eight lines of a matrix: rows of A, C and D, columns of B. Inside
//! a group the lanes hold consecutive registers full of elements (of C and D: two elements). Further registers hold eight
//! lines more if they come in blocks of sixteen, then what is further along the lines, then the next block.
//!
//! `wmma` uses the same fragments as `mma`, though the manual does not say so (`wmma.load.*` in `tests/truth/tensor`). It computes
//! `.m8n32k16` as the transposed `.m32n8k16`, and repeats `.f16` fragments of A and B until they fill eight registers.

use super::element::Element;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// One register of every lane of a warp, zero-extended.
pub type WarpRegister = [u64; LANES];

/// Registers of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Registers {
    /// How many.
    pub count: usize,
    /// Width of each: 32 or 64.
    pub bits: u32,
}

/// How many lines belong together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Block {
    Eight = 8,
    Sixteen = 16,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// A or B.
    Factor,
    /// C or D.
    Result,
}

/// Whether the lines are rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Lines {
    Rows,
    Columns,
}

/// A matrix that is spread over the registers of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fragment {
    role: Role,
    lines: Lines,
    block: Block,
    /// Number of lines.
    count: usize,
    /// Elements of a line.
    length: usize,
    element: Element,
    /// Registers that the instruction names; more than needed where the fragment is repeated.
    named: usize,
}

impl Fragment {
    fn new(role: Role, lines: Lines, block: Block, (count, length): (usize, usize), element: Element) -> Self {
        let named = count * length / LANES / element.per_register();
        Fragment { role, lines, block, count, length, element, named }
    }

    /// A of `rows` x `columns`.
    pub(super) fn left(rows: usize, columns: usize, element: Element) -> Self {
        let block = if rows == 8 { Block::Eight } else { Block::Sixteen };
        Self::new(Role::Factor, Lines::Rows, block, (rows, columns), element)
    }

    /// B of `rows` x `columns`.
    pub(super) fn right(rows: usize, columns: usize, element: Element) -> Self {
        Self::new(Role::Factor, Lines::Columns, Block::Eight, (columns, rows), element)
    }

    /// C or D of `rows` x `columns`.
    pub(super) fn result(rows: usize, columns: usize, element: Element) -> Self {
        let block = if rows == 8 { Block::Eight } else { Block::Sixteen };
        Self::new(Role::Result, Lines::Rows, block, (rows, columns), element)
    }

    /// The matrix whose rows are the columns of this one.
    pub(super) fn transposed(self) -> Self {
        let lines = if self.lines == Lines::Rows { Lines::Columns } else { Lines::Rows };
        Fragment { lines, ..self }
    }

    /// The same, repeated until it fills so many registers.
    pub(super) fn repeated(self, named: usize) -> Self {
        Fragment { named, ..self }
    }

    /// Rows and columns.
    pub(super) fn size(self) -> (usize, usize) {
        self.turn(self.count, self.length)
    }

    /// Registers that the instruction names.
    pub(super) fn registers(self) -> Registers {
        Registers { count: self.named, bits: self.element.register_bits() }
    }

    /// Registers that hold all elements once.
    fn distinct(self) -> usize {
        self.count * self.length / LANES / self.element.per_register()
    }

    fn turn(self, line: usize, along: usize) -> (usize, usize) {
        if self.lines == Lines::Rows { (line, along) } else { (along, line) }
    }

    /// Line and place in the line of the first element of a register of lane 0.
    fn origin(self, register: usize) -> (usize, usize) {
        let register = register % self.distinct();
        let per = self.element.per_register();
        let block = self.block as usize;
        let halves = block / 8;
        match self.role {
            Role::Factor => {
                let in_block = block * self.length / LANES / per;
                let (number, rest) = (register / in_block, register % in_block);
                (number * block + 8 * (rest % halves), 4 * per * (rest / halves))
            }
            Role::Result => {
                let in_block = block * self.length / LANES;
                let (number, rest) = (register * per / in_block, register * per % in_block);
                let pair = rest / 2;
                (number * block + 8 * (pair % halves), 8 * (pair / halves) + rest % 2)
            }
        }
    }

    /// Elements from a lane to the next one in its group.
    fn step(self) -> usize {
        if self.role == Role::Factor { self.element.per_register() } else { 2 }
    }

    /// Elements of a register.
    pub(super) fn per_register(self) -> usize {
        self.element.per_register()
    }

    /// Row and column of element `n` of a register of a lane.
    pub(super) fn place(self, register: usize, lane: usize, n: usize) -> (usize, usize) {
        let (line, along) = self.origin(register);
        self.turn(line + lane / 4, along + lane % 4 * self.step() + n)
    }

    /// Calls `take` with row, column and value of every element.
    pub(super) fn read(self, registers: &[WarpRegister], mut take: impl FnMut(usize, usize, u64)) {
        // A loop of its own for each direction.
        match self.lines {
            Lines::Rows => self.read_lines(registers, take),
            Lines::Columns => self.read_lines(registers, |line, along, value| take(along, line, value)),
        }
    }

    /// Calls `take` with line, place in the line and value of every element.
    #[inline(always)]
    fn read_lines(self, registers: &[WarpRegister], mut take: impl FnMut(usize, usize, u64)) {
        let (step, per, bits) = (self.step(), self.element.per_register(), self.element.bits());
        let mask = u64::MAX >> (64 - bits);
        for (register, row) in registers.iter().enumerate().take(self.distinct()) {
            let (line, along) = self.origin(register);
            for (lane, &word) in row.iter().enumerate() {
                let (line, along) = (line + lane / 4, along + lane % 4 * step);
                let mut rest = word;
                for n in 0..per {
                    take(line, along + n, rest & mask);
                    rest = rest.wrapping_shr(bits);
                }
            }
        }
    }

    /// Fills the registers from a function of row and column.
    pub(super) fn write(self, registers: &mut [WarpRegister], value: impl Fn(usize, usize) -> u64) {
        let (step, per) = (self.step(), self.element.per_register());
        let shift = self.element.bits() % 64;
        for (register, row) in registers.iter_mut().enumerate() {
            let (line, along) = self.origin(register);
            for (lane, word) in row.iter_mut().enumerate() {
                *word = (0..per).fold(0, |word, n| {
                    let (row, column) = self.turn(line + lane / 4, along + lane % 4 * step + n);
                    word | value(row, column) << (n as u32 * shift)
                });
            }
        }
    }
}
