//! An assembler for the x86-64 instructions that the compiler emits: general ones and AVX2.
//!
//! It knows encodings only. Registers are numbers as in the encoding; a branch goes to a label that is bound before or
//! after it.

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
    Below = 2,
    NotBelow = 3,
    Zero = 4,
    NotZero = 5,
    NotAbove = 6,
    Above = 7,
    Less = 12,
    NotLess = 13,
    NotGreater = 14,
    Greater = 15,
}

/// A vector instruction: prefix (1 is 66, 2 F3), opcode map, `W`, opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vop(pub u8, pub u8, pub u8, pub u8);

pub const VPADDD: Vop = Vop(1, 1, 0, 0xfe);
pub const VPADDQ: Vop = Vop(1, 1, 0, 0xd4);
pub const VPSUBD: Vop = Vop(1, 1, 0, 0xfa);
pub const VPMULLD: Vop = Vop(1, 2, 0, 0x40);
pub const VPAND: Vop = Vop(1, 1, 0, 0xdb);
pub const VPANDN: Vop = Vop(1, 1, 0, 0xdf);
pub const VPOR: Vop = Vop(1, 1, 0, 0xeb);
pub const VPXOR: Vop = Vop(1, 1, 0, 0xef);
pub const VPMINSD: Vop = Vop(1, 2, 0, 0x39);
pub const VPMINUD: Vop = Vop(1, 2, 0, 0x3b);
pub const VPMAXSD: Vop = Vop(1, 2, 0, 0x3d);
pub const VPMAXUD: Vop = Vop(1, 2, 0, 0x3f);
pub const VPMINUB: Vop = Vop(1, 1, 0, 0xda);
pub const VPMAXUB: Vop = Vop(1, 1, 0, 0xde);
pub const VPSUBB: Vop = Vop(1, 1, 0, 0xf8);
pub const VPMADDUBSW: Vop = Vop(1, 2, 0, 0x04);
pub const VPMADDWD: Vop = Vop(1, 1, 0, 0xf5);
pub const VPCMPEQD: Vop = Vop(1, 1, 0, 0x76);
pub const VPCMPGTD: Vop = Vop(1, 1, 0, 0x66);
pub const VPSLLVD: Vop = Vop(1, 2, 0, 0x47);
pub const VPSRLVD: Vop = Vop(1, 2, 0, 0x45);
pub const VPSRAVD: Vop = Vop(1, 2, 0, 0x46);
pub const VADDPS: Vop = Vop(0, 1, 0, 0x58);
pub const VSUBPS: Vop = Vop(0, 1, 0, 0x5c);
pub const VMULPS: Vop = Vop(0, 1, 0, 0x59);
pub const VFMADD231PS: Vop = Vop(1, 2, 0, 0xb8);
pub const VCMPPS: Vop = Vop(0, 1, 0, 0xc2);
pub const VBLENDVPS: Vop = Vop(1, 3, 0, 0x4a);
pub const VPERMD: Vop = Vop(1, 2, 0, 0x36);
const VMOVDQU: Vop = Vop(2, 1, 0, 0x6f);
const VMOVDQU_STORE: Vop = Vop(2, 1, 0, 0x7f);
pub const VPBROADCASTD: Vop = Vop(1, 2, 0, 0x58);
pub const VPBROADCASTQ: Vop = Vop(1, 2, 0, 0x59);
pub const VPBROADCASTB: Vop = Vop(1, 2, 0, 0x78);
pub const VPMOVZXBD: Vop = Vop(1, 2, 0, 0x31);
pub const VPMOVSXBD: Vop = Vop(1, 2, 0, 0x21);
pub const VPMOVZXWD: Vop = Vop(1, 2, 0, 0x33);
pub const VPMOVSXWD: Vop = Vop(1, 2, 0, 0x23);
pub const VPMOVSXDQ: Vop = Vop(1, 2, 0, 0x25);
pub const VPMOVZXDQ: Vop = Vop(1, 2, 0, 0x35);
pub const VPMULDQ: Vop = Vop(1, 2, 0, 0x28);
pub const VPMULUDQ: Vop = Vop(1, 1, 0, 0xf4);
pub const VPTEST: Vop = Vop(1, 2, 0, 0x17);
pub const VMOVMSKPS: Vop = Vop(0, 1, 0, 0x50);

/// Code being written.
#[derive(Default)]
pub struct Asm {
    pub code: Vec<u8>,
    labels: Vec<Option<usize>>,
    fixups: Vec<(usize, usize)>,
}

impl Asm {
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

    fn modrm(&mut self, reg: u8, rm: Rm) {
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(r) => self.code.push(0xc0 | reg | (r & 7)),
            Rm::Mem(m) => {
                let short = i8::try_from(m.disp);
                let mode = if short.is_ok() { 0x40 } else { 0x80 };
                if m.index.is_some() || m.base & 7 == 4 {
                    let index = m.index.map_or(4, |i| i & 7);
                    self.bytes(&[mode | reg | 4, index << 3 | (m.base & 7)]);
                } else {
                    self.code.push(mode | reg | (m.base & 7));
                }
                match short {
                    Ok(d) => self.code.push(d as u8),
                    Err(_) => self.bytes(&m.disp.to_le_bytes()),
                }
            }
        }
    }

    fn extension(rm: Rm) -> (u8, u8) {
        match rm {
            Rm::Reg(r) => (0, r >> 3),
            Rm::Mem(m) => (m.index.map_or(0, |i| i >> 3), m.base >> 3),
        }
    }

    /// A general instruction with a prefix for wide or high registers.
    fn general(&mut self, wide: bool, opcode: &[u8], reg: u8, rm: Rm) {
        let (x, b) = Self::extension(rm);
        let rex = 0x40 | u8::from(wide) << 3 | (reg >> 3) << 2 | x << 1 | b;
        // The prefix does no harm where it says nothing, and byte registers need it.
        self.code.push(rex);
        self.bytes(opcode);
        self.modrm(reg, rm);
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
        self.general(wide, &[0x81], op as u8, a.into());
        self.bytes(&value.to_le_bytes());
    }

    /// `op [mem], reg`
    pub fn alu_store(&mut self, op: Alu, wide: bool, to: Mem, from: Gpr) {
        self.general(wide, &[(op as u8) << 3 | 1], from, to.into());
    }

    pub fn imul(&mut self, wide: bool, a: Gpr, b: impl Into<Rm>) {
        self.general(wide, &[0x0f, 0xaf], a, b.into());
    }

    /// Digit 4 is left, 5 logical right, 7 arithmetic right.
    pub fn shift(&mut self, digit: u8, wide: bool, a: Gpr, amount: u8) {
        self.general(wide, &[0xc1], digit, Rm::Reg(a));
        self.code.push(amount);
    }

    /// Left by `cl`.
    pub fn shift_left_cl(&mut self, a: Gpr) {
        self.general(false, &[0xd3], 4, Rm::Reg(a));
    }

    pub fn not(&mut self, wide: bool, a: Gpr) {
        self.general(wide, &[0xf7], 2, Rm::Reg(a));
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

    pub fn call(&mut self, target: Mem) {
        self.general(false, &[0xff], 2, target.into());
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

    fn vex(&mut self, op: Vop, length: u8, reg: u8, second: u8, rm: Rm) {
        let Vop(prefix, map, w, opcode) = op;
        let (x, b) = Self::extension(rm);
        let first = (!(reg >> 3) & 1) << 7 | (!x & 1) << 6 | (!b & 1) << 5 | map;
        self.bytes(&[0xc4, first, w << 7 | (!second & 15) << 3 | length << 2 | prefix, opcode]);
        self.modrm(reg, rm);
    }

    /// `op d, a, b` on 256 bits.
    pub fn v(&mut self, op: Vop, d: u8, a: u8, b: impl Into<Rm>) {
        self.vex(op, 1, d, a, b.into());
    }

    /// The same with an immediate (or a fourth register in its upper half).
    pub fn v_imm(&mut self, op: Vop, d: u8, a: u8, b: impl Into<Rm>, imm: u8) {
        self.vex(op, 1, d, a, b.into());
        self.code.push(imm);
    }

    /// `op d, a`
    pub fn v1(&mut self, op: Vop, d: u8, a: impl Into<Rm>) {
        self.vex(op, 1, d, 0, a.into());
    }

    pub fn v_load(&mut self, d: u8, from: impl Into<Rm>) {
        self.vex(VMOVDQU, 1, d, 0, from.into());
    }

    pub fn v_store(&mut self, to: Mem, from: u8) {
        self.vex(VMOVDQU_STORE, 1, from, 0, to.into());
    }

    /// Shift by a constant: digit 6 is left, 2 logical right, 4 arithmetic right; of 32-bit or 64-bit elements.
    pub fn v_shift(&mut self, digit: u8, wide: bool, d: u8, a: u8, amount: u8) {
        self.vex(Vop(1, 1, 0, if wide { 0x73 } else { 0x72 }), 1, digit, d, Rm::Reg(a));
        self.code.push(amount);
    }

    /// `vblendvps d, old, new, mask`
    pub fn v_blend(&mut self, d: u8, old: u8, new: impl Into<Rm>, mask: u8) {
        self.v_imm(VBLENDVPS, d, old, new, mask << 4);
    }

    pub fn v_zero_upper(&mut self) {
        self.bytes(&[0xc5, 0xf8, 0x77]);
    }
}
