//! An assembler for the x86-64 instructions that the compiler emits: general ones here, AVX2 and AVX-512 in [`vector`].
//!
//! It knows encodings only. General registers are numbers as in the encoding; a branch goes to a label that is bound
//! before or after it.

mod vector;

pub use vector::*;

/// A general register.
pub type Gpr = u8;
pub const RAX: Gpr = 0;
pub const RCX: Gpr = 1;
pub const RDX: Gpr = 2;
pub const RBX: Gpr = 3;
pub const RSP: Gpr = 4;
pub const RBP: Gpr = 5;
pub const RSI: Gpr = 6;
pub const RDI: Gpr = 7;
pub const R8: Gpr = 8;
pub const R9: Gpr = 9;
pub const R10: Gpr = 10;
pub const R11: Gpr = 11;
pub const R12: Gpr = 12;
pub const R13: Gpr = 13;
pub const R14: Gpr = 14;
pub const R15: Gpr = 15;

/// `base + index + disp`; the index may be a vector register, for gathers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mem {
    pub base: Gpr,
    pub index: Option<u8>,
    pub disp: i32,
}

/// `[base + disp]`
pub const fn at(base: Gpr, disp: i32) -> Mem {
    Mem { base, index: None, disp }
}

/// A register or memory operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rm {
    Reg(u8),
    Mem(Mem),
    /// One 32-bit word of memory for all lanes (AVX-512).
    Each(Mem),
}

impl From<Mem> for Rm {
    fn from(m: Mem) -> Self {
        Rm::Mem(m)
    }
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(usize);

/// A two-operand general instruction: the opcode of `op r, r/m`; the digit of `op r/m, imm32` follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alu {
    Add = 0,
    Or = 1,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}

/// A condition code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cc {
    Overflow = 0,
    NotOverflow = 1,
    Below = 2,
    NotBelow = 3,
    Zero = 4,
    NotZero = 5,
    NotAbove = 6,
    Above = 7,
    Negative = 8,
    NotNegative = 9,
    Less = 12,
    NotLess = 13,
    NotGreater = 14,
    Greater = 15,
}

impl Cc {
    /// True where this one is not.
    pub fn opposite(self) -> Self {
        match self {
            Cc::Overflow => Cc::NotOverflow,
            Cc::NotOverflow => Cc::Overflow,
            Cc::Below => Cc::NotBelow,
            Cc::NotBelow => Cc::Below,
            Cc::Zero => Cc::NotZero,
            Cc::NotZero => Cc::Zero,
            Cc::NotAbove => Cc::Above,
            Cc::Above => Cc::NotAbove,
            Cc::Negative => Cc::NotNegative,
            Cc::NotNegative => Cc::Negative,
            Cc::Less => Cc::NotLess,
            Cc::NotLess => Cc::Less,
            Cc::NotGreater => Cc::Greater,
            Cc::Greater => Cc::NotGreater,
        }
    }
}

/// Code being written.
pub struct Asm {
    pub code: Vec<u8>,
    isa: Isa,
    labels: Vec<Option<usize>>,
    fixups: Vec<(usize, usize)>,
}

impl Asm {
    pub fn new(isa: Isa) -> Self {
        Asm { code: Vec::new(), isa, labels: Vec::new(), fixups: Vec::new() }
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.code.len());
    }

    /// Offset of a bound label.
    pub fn place(&self, label: Label) -> Option<usize> {
        self.labels[label.0]
    }

    /// Fills in the distances of all branches. False where a label was never bound.
    pub fn resolve(&mut self) -> bool {
        for &(at, label) in &self.fixups {
            let Some(to) = self.labels[label] else { return false };
            let distance = to as i64 - (at as i64 + 4);
            self.code[at..at + 4].copy_from_slice(&(distance as i32).to_le_bytes());
        }
        true
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// The operand bytes; a short displacement counts in units of `unit` bytes.
    fn modrm(&mut self, reg: u8, rm: Rm, unit: i32) {
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(r) => self.code.push(0xc0 | reg | (r & 7)),
            Rm::Mem(m) | Rm::Each(m) => {
                let short = if m.disp % unit == 0 { i8::try_from(m.disp / unit).ok() } else { None };
                let mode = match short {
                    Some(0) if m.base & 7 != 5 => 0,
                    Some(_) => 0x40,
                    None => 0x80,
                };
                if m.index.is_some() || m.base & 7 == 4 {
                    let index = m.index.map_or(4, |i| i & 7);
                    self.bytes(&[mode | reg | 4, index << 3 | (m.base & 7)]);
                } else {
                    self.code.push(mode | reg | (m.base & 7));
                }
                match (mode, short) {
                    (0, _) => {}
                    (_, Some(d)) => self.code.push(d as u8),
                    (_, None) => self.bytes(&m.disp.to_le_bytes()),
                }
            }
        }
    }

    fn extension(rm: Rm) -> (u8, u8) {
        match rm {
            Rm::Reg(r) => (0, r >> 3),
            Rm::Mem(m) | Rm::Each(m) => (m.index.map_or(0, |i| i >> 3), m.base >> 3),
        }
    }

    /// A general instruction with a prefix for wide or high registers.
    fn general(&mut self, wide: bool, opcode: &[u8], reg: u8, rm: Rm) {
        let (x, b) = Self::extension(rm);
        let rex = 0x40 | u8::from(wide) << 3 | (reg >> 3) << 2 | x << 1 | b;
        // The prefix does no harm where it says nothing, and byte registers need it.
        self.code.push(rex);
        self.bytes(opcode);
        self.modrm(reg, rm, 1);
    }

    pub fn load(&mut self, wide: bool, to: Gpr, from: impl Into<Rm>) {
        self.general(wide, &[0x8b], to, from.into());
    }

    pub fn store(&mut self, wide: bool, to: Mem, from: Gpr) {
        self.general(wide, &[0x89], from, to.into());
    }

    pub fn store_byte(&mut self, to: Mem, from: Gpr) {
        self.general(false, &[0x88], from, to.into());
    }

    pub fn load_byte(&mut self, to: Gpr, from: Mem) {
        self.general(false, &[0x0f, 0xb6], to, from.into());
    }

    /// `movzx` or `movsx` of a byte or half-word: the opcode's second byte says which.
    pub fn load_narrow(&mut self, opcode: u8, to: Gpr, from: Mem) {
        self.general(false, &[0x0f, opcode], to, from.into());
    }

    pub fn mov(&mut self, wide: bool, to: Gpr, from: Gpr) {
        self.general(wide, &[0x8b], to, Rm::Reg(from));
    }

    /// Any 64-bit number.
    pub fn constant(&mut self, to: Gpr, value: u64) {
        if let Ok(small) = u32::try_from(value) {
            self.bytes(&[0x40 | to >> 3, 0xb8 | (to & 7)]);
            self.bytes(&small.to_le_bytes());
        } else {
            self.bytes(&[0x48 | to >> 3, 0xb8 | (to & 7)]);
            self.bytes(&value.to_le_bytes());
        }
    }

    /// Stores a sign-extended 32-bit number.
    pub fn store_constant(&mut self, wide: bool, to: Mem, value: i32) {
        self.general(wide, &[0xc7], 0, to.into());
        self.bytes(&value.to_le_bytes());
    }

    pub fn alu(&mut self, op: Alu, wide: bool, a: Gpr, b: impl Into<Rm>) {
        self.general(wide, &[(op as u8) << 3 | 3], a, b.into());
    }

    pub fn alu_constant(&mut self, op: Alu, wide: bool, a: impl Into<Rm>, value: i32) {
        if let Ok(small) = i8::try_from(value) {
            self.general(wide, &[0x83], op as u8, a.into());
            self.code.push(small as u8);
        } else {
            self.alu_constant_long(op, wide, a, value);
        }
    }

    /// The same with four bytes for the constant, to be filled in later.
    pub fn alu_constant_long(&mut self, op: Alu, wide: bool, a: impl Into<Rm>, value: i32) {
        self.general(wide, &[0x81], op as u8, a.into());
        self.bytes(&value.to_le_bytes());
    }

    /// `op [mem], reg`
    pub fn alu_store(&mut self, op: Alu, wide: bool, to: Mem, from: Gpr) {
        self.general(wide, &[(op as u8) << 3 | 1], from, to.into());
    }

    /// `add dword [base + index * 2^scale + disp], imm`
    pub fn add_scaled(&mut self, base: Gpr, index: Gpr, scale: u8, disp: i32, value: i32) {
        let short = i8::try_from(value).ok();
        let rex = 0x40 | (index >> 3) << 1 | base >> 3;
        let sib = scale << 6 | (index & 7) << 3 | (base & 7);
        self.bytes(&[rex, if short.is_some() { 0x83 } else { 0x81 }, 0x84, sib]);
        self.bytes(&disp.to_le_bytes());
        match short {
            Some(value) => self.code.push(value as u8),
            None => self.bytes(&value.to_le_bytes()),
        }
    }

    pub fn imul(&mut self, wide: bool, a: Gpr, b: impl Into<Rm>) {
        self.general(wide, &[0x0f, 0xaf], a, b.into());
    }

    /// Digit 4 is left, 5 logical right, 7 arithmetic right.
    pub fn shift(&mut self, digit: u8, wide: bool, a: Gpr, amount: u8) {
        self.general(wide, &[0xc1], digit, Rm::Reg(a));
        self.code.push(amount);
    }

    /// `shl r32, cl`
    pub fn shift_left(&mut self, a: Gpr) {
        self.general(false, &[0xd3], 4, Rm::Reg(a));
    }

    pub fn not(&mut self, wide: bool, a: Gpr) {
        self.general(wide, &[0xf7], 2, Rm::Reg(a));
    }

    /// The number of the lowest bit that is set, or of the highest; there is one.
    pub fn bit_scan(&mut self, highest: bool, to: Gpr, from: Gpr) {
        self.general(false, &[0x0f, if highest { 0xbd } else { 0xbc }], to, Rm::Reg(from));
    }

    /// The prefix that makes the next instruction atomic.
    pub fn lock(&mut self) {
        self.code.push(0xf0);
    }

    pub fn negate(&mut self, a: Gpr) {
        self.general(true, &[0xf7], 3, Rm::Reg(a));
    }

    pub fn sign_extend(&mut self, to: Gpr, from: impl Into<Rm>) {
        self.general(true, &[0x63], to, from.into());
    }

    pub fn lea(&mut self, wide: bool, to: Gpr, m: Mem) {
        self.general(wide, &[0x8d], to, m.into());
    }

    /// `test r8, imm8`
    pub fn test_byte(&mut self, a: Gpr, bits: u8) {
        self.general(false, &[0xf6], 0, Rm::Reg(a));
        self.code.push(bits);
    }

    pub fn test(&mut self, a: Gpr) {
        self.general(false, &[0x85], a, Rm::Reg(a));
    }

    pub fn set(&mut self, cc: Cc, to: Gpr) {
        self.general(false, &[0x0f, 0x90 | cc as u8], 0, Rm::Reg(to));
        self.general(false, &[0x0f, 0xb6], to, Rm::Reg(to));
    }

    pub fn jump(&mut self, to: Label) {
        self.code.push(0xe9);
        self.branch_to(to);
    }

    pub fn jump_if(&mut self, cc: Cc, to: Label) {
        self.bytes(&[0x0f, 0x80 | cc as u8]);
        self.branch_to(to);
    }

    fn branch_to(&mut self, to: Label) {
        self.fixups.push((self.code.len(), to.0));
        self.bytes(&[0; 4]);
    }

    /// To the address in memory.
    pub fn jump_to(&mut self, target: Mem) {
        self.general(false, &[0xff], 4, target.into());
    }

    /// `lea r, [rip + label]`
    pub fn address_of(&mut self, to: Gpr, label: Label) {
        self.bytes(&[0x48 | (to >> 3) << 2, 0x8d, 0x05 | (to & 7) << 3]);
        self.branch_to(label);
    }

    pub fn call(&mut self, target: Mem) {
        self.general(false, &[0xff], 2, target.into());
    }

    /// A call within the code.
    pub fn call_label(&mut self, to: Label) {
        self.bytes(&[0xe8]);
        self.branch_to(to);
    }

    pub fn push(&mut self, r: Gpr) {
        self.bytes(&[0x40 | r >> 3, 0x50 | (r & 7)]);
    }

    pub fn pop(&mut self, r: Gpr) {
        self.bytes(&[0x40 | r >> 3, 0x58 | (r & 7)]);
    }

    pub fn ret(&mut self) {
        self.code.push(0xc3);
    }
}
