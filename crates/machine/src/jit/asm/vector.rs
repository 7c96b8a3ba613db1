//! Vector instructions: 256 bits with AVX2, 512 bits and mask registers with AVX-512.
//!
//! Vector registers are numbers from 0; the last four ([`T1`] and so on) are scratch and have other numbers in the
//! encoding of AVX2. A mask of lanes is a vector of 0 and -1 with AVX2, a mask register with AVX-512; masks have numbers of
//! their own, and [`M1`], [`M2`] and [`M3`] are scratch. With AVX2 they are the registers of `T4`, `T1` and `T2`.

use super::{Asm, Gpr, Mem, RAX, Rm};

/// What the processor can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Isa {
    /// 8 lanes in a vector.
    Avx2,
    /// 16 lanes in a vector.
    Avx512,
}

impl Isa {
    /// Lanes of a vector of 32-bit elements.
    pub fn lanes(self) -> usize {
        match self {
            Isa::Avx2 => 8,
            Isa::Avx512 => 16,
        }
    }

    /// Bytes of a vector.
    pub fn vector_bytes(self) -> i32 {
        4 * self.lanes() as i32
    }

    /// Bytes of a mask in memory.
    pub fn mask_bytes(self) -> i32 {
        match self {
            Isa::Avx2 => 32,
            Isa::Avx512 => 2,
        }
    }

    /// Vector registers for values.
    pub fn value_registers(self) -> usize {
        match self {
            Isa::Avx2 => 12,
            Isa::Avx512 => 28,
        }
    }
}

/// Mask registers for values: the first, and how many.
pub const MASK_REGISTERS: (usize, usize) = (3, 5);

pub const T4: u8 = 28;
pub const T1: u8 = 29;
pub const T2: u8 = 30;
pub const T3: u8 = 31;
pub const M1: u8 = 28;
pub const M2: u8 = 29;
pub const M3: u8 = 30;

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
pub const VPCMPGTQ: Vop = Vop(1, 2, 0, 0x37);
pub const VPSLLVD: Vop = Vop(1, 2, 0, 0x47);
pub const VPSRLVD: Vop = Vop(1, 2, 0, 0x45);
pub const VPSRAVD: Vop = Vop(1, 2, 0, 0x46);
pub const VADDPS: Vop = Vop(0, 1, 0, 0x58);
pub const VSUBPS: Vop = Vop(0, 1, 0, 0x5c);
pub const VMULPS: Vop = Vop(0, 1, 0, 0x59);
pub const VFMADD231PS: Vop = Vop(1, 2, 0, 0xb8);
pub const VFMADD132PS: Vop = Vop(1, 2, 0, 0x98);
pub const VFMADD213PS: Vop = Vop(1, 2, 0, 0xa8);
pub const VPSUBQ: Vop = Vop(1, 1, 0, 0xfb);
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
pub const VPMASKMOVD: Vop = Vop(1, 2, 0, 0x8c);
pub const VPMASKMOVD_STORE: Vop = Vop(1, 2, 0, 0x8e);
pub const VPTEST: Vop = Vop(1, 2, 0, 0x17);
pub const VMOVMSKPS: Vop = Vop(0, 1, 0, 0x50);

pub const VPABSD: Vop = Vop(1, 2, 0, 0x1e);
pub const VPSHUFB: Vop = Vop(1, 2, 0, 0x00);
pub const VPADDB: Vop = Vop(1, 1, 0, 0xfc);
pub const VDIVPS: Vop = Vop(0, 1, 0, 0x5e);
pub const VSQRTPS: Vop = Vop(0, 1, 0, 0x51);
pub const VMINPS: Vop = Vop(0, 1, 0, 0x5d);
pub const VMAXPS: Vop = Vop(0, 1, 0, 0x5f);
pub const VCVTDQ2PS: Vop = Vop(0, 1, 0, 0x5b);
pub const VCVTPS2DQ: Vop = Vop(1, 1, 0, 0x5b);
pub const VCVTTPS2DQ: Vop = Vop(2, 1, 0, 0x5b);
pub const VROUNDPS: Vop = Vop(1, 3, 0, 0x08);
pub const VADDPD: Vop = Vop(1, 1, 1, 0x58);
pub const VSUBPD: Vop = Vop(1, 1, 1, 0x5c);
pub const VMULPD: Vop = Vop(1, 1, 1, 0x59);
pub const VDIVPD: Vop = Vop(1, 1, 1, 0x5e);
pub const VSQRTPD: Vop = Vop(1, 1, 1, 0x51);
pub const VMINPD: Vop = Vop(1, 1, 1, 0x5d);
pub const VMAXPD: Vop = Vop(1, 1, 1, 0x5f);
pub const VFMADD231PD: Vop = Vop(1, 2, 1, 0xb8);
pub const VCVTPS2PD: Vop = Vop(0, 1, 0, 0x5a);
pub const VCVTDQ2PD: Vop = Vop(2, 1, 0, 0xe6);
pub const VPSLLVQ: Vop = Vop(1, 2, 1, 0x47);
pub const VPSRLVQ: Vop = Vop(1, 2, 1, 0x45);
// With AVX-512 only.
pub const VPTERNLOGD: Vop = Vop(1, 3, 0, 0x25);
pub const VPLZCNTD: Vop = Vop(1, 2, 0, 0x44);
pub const VPROLVD: Vop = Vop(1, 2, 0, 0x15);
pub const VPRORVD: Vop = Vop(1, 2, 0, 0x14);
pub const VCVTUDQ2PS: Vop = Vop(3, 1, 0, 0x7a);
pub const VCVTPS2UDQ: Vop = Vop(0, 1, 0, 0x79);
pub const VCVTTPS2UDQ: Vop = Vop(0, 1, 0, 0x78);
pub const VCVTUDQ2PD: Vop = Vop(2, 1, 0, 0x7a);
pub const VCVTPD2PS: Vop = Vop(1, 1, 1, 0x5a);
pub const VCVTPD2DQ: Vop = Vop(3, 1, 1, 0xe6);
pub const VCVTTPD2DQ: Vop = Vop(1, 1, 1, 0xe6);
pub const VCVTPD2UDQ: Vop = Vop(0, 1, 1, 0x79);
pub const VCVTTPD2UDQ: Vop = Vop(0, 1, 1, 0x78);
pub const VCVTPH2PS: Vop = Vop(1, 2, 0, 0x13);
pub const VRNDSCALEPD: Vop = Vop(1, 3, 1, 0x09);
pub const VPMULLQ: Vop = Vop(1, 2, 1, 0x40);
pub const VPSRAVQ: Vop = Vop(1, 2, 1, 0x46);
pub const VPMINSQ: Vop = Vop(1, 2, 1, 0x39);
pub const VPMINUQ: Vop = Vop(1, 2, 1, 0x3b);
pub const VPMAXSQ: Vop = Vop(1, 2, 1, 0x3d);
pub const VPMAXUQ: Vop = Vop(1, 2, 1, 0x3f);

const VPTESTMD: Vop = Vop(1, 2, 0, 0x27);
const VPTESTNMD: Vop = Vop(2, 2, 0, 0x27);
const VPBLENDMD: Vop = Vop(1, 2, 0, 0x64);
const VPTESTMQ: Vop = Vop(1, 2, 1, 0x27);
const VPCMPUQ: Vop = Vop(1, 3, 1, 0x1e);
const VPCMPD: Vop = Vop(1, 3, 0, 0x1f);
const VPCMPUD: Vop = Vop(1, 3, 0, 0x1e);

/// How 32-bit lanes are compared by [`Asm::compare_words`]: the codes of AVX-512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Equal = 0,
    Less = 1,
    NotGreater = 2,
    NotEqual = 4,
    NotLess = 5,
    Greater = 6,
}

impl Test {
    pub fn opposite(self) -> Test {
        match self {
            Test::Equal => Test::NotEqual,
            Test::Less => Test::NotLess,
            Test::NotGreater => Test::Greater,
            Test::NotEqual => Test::Equal,
            Test::NotLess => Test::Less,
            Test::Greater => Test::NotGreater,
        }
    }
}

/// Lanes of an index: 32 bits with a sign, or 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    Words,
    Wide,
}

/// Which lanes an AVX-512 instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Write {
    All,
    Masked(u8),
    /// The others become 0.
    Zeroed(u8),
}

impl Asm {
    fn is_512(&self) -> bool {
        self.isa == Isa::Avx512
    }

    /// The number of a register in the encoding.
    fn vector_number(&self, r: u8) -> u8 {
        if !self.is_512() && r >= 28 { r - 16 } else { r }
    }

    /// The number of a mask register in the encoding of AVX-512.
    fn mask_number(r: u8) -> u8 {
        match r {
            M1 => 1,
            M2 => 2,
            M3 => 0,
            // The result of a comparison on its way; nothing else is in [`M2`] then.
            31 => 2,
            r => r,
        }
    }

    fn map_rm(&self, rm: Rm) -> Rm {
        match rm {
            Rm::Reg(r) => Rm::Reg(self.vector_number(r)),
            other => other,
        }
    }

    fn vex(&mut self, op: Vop, length: u8, reg: u8, second: u8, rm: Rm) {
        let Vop(prefix, map, w, opcode) = op;
        let (x, b) = Self::extension(rm);
        let first = (!(reg >> 3) & 1) << 7 | (!x & 1) << 6 | (!b & 1) << 5 | map;
        self.bytes(&[0xc4, first, w << 7 | (!second & 15) << 3 | length << 2 | prefix, opcode]);
        self.modrm(reg, rm, 1);
    }

    /// 512 bits.
    fn evex(&mut self, op: Vop, reg: u8, second: u8, rm: Rm, write: Write) {
        self.evex_of(2, op, reg, second, rm, write);
    }

    fn evex_of(&mut self, length: u8, op: Vop, reg: u8, second: u8, rm: Rm, write: Write) {
        let Vop(prefix, map, w, opcode) = op;
        let w = w | u8::from(
            matches!(op, VPADDQ | VPSUBQ | VPMULDQ | VPMULUDQ | VPBROADCASTQ) || op.1 == 1 && op.3 == 0x73,
        );
        let (x, b) = match rm {
            Rm::Reg(r) => (r >> 4, r >> 3),
            Rm::Mem(m) | Rm::Each(m) => (m.index.map_or(0, |i| i >> 3), m.base >> 3),
        };
        let first = (!(reg >> 3) & 1) << 7 | (!x & 1) << 6 | (!b & 1) << 5 | (!(reg >> 4) & 1) << 4 | map;
        let (zero, k) = match write {
            Write::All => (0, 0),
            Write::Masked(k) => (0, k),
            Write::Zeroed(k) => (1, k),
        };
        let each = u8::from(matches!(rm, Rm::Each(_)));
        let last = zero << 7 | length << 5 | each << 4 | (!(second >> 4) & 1) << 3 | k;
        self.bytes(&[0x62, first, w << 7 | (!second & 15) << 3 | 4 | prefix, last, opcode]);
        let unit = match op {
            _ if each == 1 => 4 << w,
            Vop(1, 2, _, 0x90 | 0x91 | 0xa0 | 0xa1) => 4 << w,
            VPBROADCASTD => 4,
            VPBROADCASTQ => 8,
            VPBROADCASTB => 1,
            VPMOVZXBD | VPMOVSXBD | Vop(2, 2, 0, 0x31) => 16,
            Vop(2, 2, 0, 0x33) | VPMOVZXWD | VPMOVSXWD | VPMOVSXDQ | VPMOVZXDQ => 32,
            _ => 64,
        };
        self.modrm(reg, rm, unit);
    }

    fn any(&mut self, op: Vop, reg: u8, second: u8, rm: Rm) {
        let (reg, second, rm) = (self.vector_number(reg), self.vector_number(second), self.map_rm(rm));
        if self.is_512() {
            self.evex(op, reg, second, rm, Write::All);
        } else {
            self.vex(op, 1, reg, second, rm);
        }
    }

    /// `op d, a, b`
    pub fn v(&mut self, op: Vop, d: u8, a: u8, b: impl Into<Rm>) {
        self.any(op, d, a, b.into());
    }

    /// `op d, a`
    pub fn v1(&mut self, op: Vop, d: u8, a: impl Into<Rm>) {
        self.any(op, d, 0, a.into());
    }

    /// `op d, a` of AVX-512 for the lanes of a mask; the others become 0.
    pub fn v1_zeroed(&mut self, op: Vop, d: u8, a: impl Into<Rm>, mask: u8) {
        self.evex(op, d, 0, a.into(), Write::Zeroed(Self::mask_number(mask)));
    }

    /// The whole vector from a register or memory; a word for all lanes is spread.
    pub fn v_load(&mut self, d: u8, from: impl Into<Rm>) {
        match from.into() {
            Rm::Each(m) => self.v1(VPBROADCASTD, d, m),
            from => self.v1(VMOVDQU, d, from),
        }
    }

    /// The lanes of a mask from memory; 0 in the others.
    pub fn v_load_zeroed(&mut self, d: u8, from: Mem, mask: u8) {
        if self.is_512() { self.v1_zeroed(VMOVDQU, d, from, mask) } else { self.v(VPMASKMOVD, d, mask, from) }
    }

    pub fn v_store(&mut self, to: Mem, from: u8) {
        self.any(VMOVDQU_STORE, from, 0, to.into());
    }

    /// The lanes of a mask to memory.
    pub fn v_store_masked(&mut self, to: Mem, from: u8, mask: u8) {
        if !self.is_512() {
            return self.v(VPMASKMOVD_STORE, from, mask, to);
        }
        self.evex(VMOVDQU_STORE, from, 0, to.into(), Write::Masked(Self::mask_number(mask)));
    }

    /// The same with 64-bit lanes.
    pub fn v_store_masked_wide(&mut self, to: Mem, from: u8, mask: u8) {
        let Vop(prefix, map, _, opcode) = VMOVDQU_STORE;
        let wide = Vop(prefix, map, 1, opcode);
        self.evex(wide, from, 0, to.into(), Write::Masked(Self::mask_number(mask)));
    }

    /// The low bytes or half-words of the 32-bit lanes (of a mask) to memory, with AVX-512.
    pub fn v_store_narrow(&mut self, to: Mem, from: u8, size: u32, mask: Option<u8>) {
        let write = mask.map_or(Write::All, |m| Write::Masked(Self::mask_number(m)));
        self.evex(Vop(2, 2, 0, if size == 1 { 0x31 } else { 0x33 }), from, 0, to.into(), write);
    }

    /// Shift by a constant: digit 6 is left, 2 logical right, 4 arithmetic right.
    pub fn v_shift(&mut self, digit: u8, d: u8, a: u8, amount: u8) {
        let (d, a) = (self.vector_number(d), self.vector_number(a));
        let op = Vop(1, 1, 0, 0x72);
        if self.is_512() {
            self.evex(op, digit, d, Rm::Reg(a), Write::All);
        } else {
            self.vex(op, 1, digit, d, Rm::Reg(a));
        }
        self.code.push(amount);
    }

    /// Where the mask is set `new`, elsewhere `old`.
    pub fn v_blend(&mut self, d: u8, old: u8, new: impl Into<Rm>, mask: u8) {
        let new = new.into();
        if self.is_512() {
            let k = Self::mask_number(mask);
            match new {
                Rm::Each(m) if d == old => self.evex(VPBROADCASTD, d, 0, Rm::Mem(m), Write::Masked(k)),
                new if d == old => self.evex(VMOVDQU, d, 0, new, Write::Masked(k)),
                new => self.evex(VPBLENDMD, d, old, new, Write::Masked(k)),
            }
        } else {
            self.any(VBLENDVPS, d, old, new);
            self.code.push(self.vector_number(mask) << 4);
        }
    }

    /// `op d, a, b` for the lanes of a mask, with AVX-512.
    pub fn v_masked(&mut self, op: Vop, d: u8, a: u8, b: impl Into<Rm>, mask: u8) {
        self.evex(op, d, a, b.into(), Write::Masked(Self::mask_number(mask)));
    }

    /// `op d, a, b` with an immediate.
    pub fn v_imm(&mut self, op: Vop, d: u8, a: u8, b: impl Into<Rm>, imm: u8) {
        self.any(op, d, a, b.into());
        self.code.push(imm);
    }

    /// `op d, a, b` of registers with a rounding of its own (0 nearest, 1 down, 2 up, 3 to zero), with AVX-512.
    pub fn v_rounded(&mut self, op: Vop, d: u8, a: u8, b: u8, rounding: u8) {
        self.evex_of(rounding, op, d, a, Rm::Reg(b), Write::All);
        // The bit that makes a rounding of the vector length, in the last byte of the prefix.
        let at = self.code.len() - 3;
        self.code[at] |= 0x10;
    }

    /// Where the mask is set `new`, elsewhere `old`, of 64-bit lanes with AVX-512.
    pub fn v_blend_wide(&mut self, d: u8, old: u8, new: u8, mask: u8) {
        self.evex(Vop(1, 2, 1, 0x64), d, old, Rm::Reg(new), Write::Masked(Self::mask_number(mask)));
    }

    /// The signs of 32-bit lanes as a mask, with AVX-512.
    pub fn m_signs(&mut self, mask: u8, a: u8) {
        self.evex(Vop(2, 2, 0, 0x39), Self::mask_number(mask), 0, Rm::Reg(a), Write::All);
    }

    /// A comparison of 64-bit lanes to a mask, with AVX-512.
    pub fn compare_longs(&mut self, mask: u8, a: u8, b: u8, test: Test, signed: bool) {
        let op = Vop(1, 3, 1, if signed { 0x1f } else { 0x1e });
        self.evex(op, Self::mask_number(mask), a, Rm::Reg(b), Write::All);
        self.code.push(test as u8);
    }

    /// The same of doubles, by the immediate of `vcmppd`.
    pub fn compare_doubles(&mut self, mask: u8, a: u8, b: u8, imm: u8) {
        self.evex(Vop(1, 1, 1, 0xc2), Self::mask_number(mask), a, Rm::Reg(b), Write::All);
        self.code.push(imm);
    }

    /// Two masks of eight lanes as one of sixteen, with AVX-512.
    pub fn m_join(&mut self, d: u8, upper: u8, lower: u8) {
        // kunpckbw
        let number = Self::mask_number;
        self.vex(Vop(1, 1, 0, 0x4b), 1, number(d), number(upper), Rm::Reg(number(lower)));
    }

    /// Sets the zero flag where none of the lowest eight lanes is in a mask, with AVX-512.
    pub fn m_any_of_eight(&mut self, a: u8) {
        // kortestb
        let a = Self::mask_number(a);
        self.vex(Vop(1, 1, 0, 0x98), 0, a, 0, Rm::Reg(a));
    }

    /// The low half-words of the 32-bit lanes as a vector of half the length, with AVX-512.
    pub fn narrow_words(&mut self, d: u8, a: u8) {
        self.evex(Vop(2, 2, 0, 0x33), a, 0, Rm::Reg(d), Write::All);
    }

    /// 16-bit floats of a vector of half the length from 32-bit ones, to nearest even, with AVX-512.
    pub fn halves_of(&mut self, d: u8, a: u8) {
        self.evex(Vop(1, 3, 0, 0x1d), a, 0, Rm::Reg(d), Write::All);
        self.code.push(0);
    }

    /// 32-bit lanes turned left, with AVX-512.
    pub fn turn_left(&mut self, d: u8, a: u8, amount: u8) {
        self.evex(Vop(1, 1, 0, 0x72), 1, d, Rm::Reg(a), Write::All);
        self.code.push(amount);
    }

    /// 32-bit lanes turned right, with AVX-512.
    pub fn turn_right(&mut self, d: u8, a: u8, amount: u8) {
        self.evex(Vop(1, 1, 0, 0x72), 0, d, Rm::Reg(a), Write::All);
        self.code.push(amount);
    }

    /// A shift of 64-bit lanes.
    pub fn v_shift_wide(&mut self, digit: u8, d: u8, a: u8, amount: u8) {
        let (d, a) = (self.vector_number(d), self.vector_number(a));
        let op = Vop(1, 1, 0, 0x73);
        if self.is_512() {
            self.evex(op, digit, d, Rm::Reg(a), Write::All);
        } else {
            self.vex(op, 1, digit, d, Rm::Reg(a));
        }
        self.code.push(amount);
    }

    /// The low words of the 64-bit lanes of two vectors as one vector, with AVX-512; `high` is changed.
    pub fn low_words(&mut self, d: u8, low: u8, high: u8) {
        // vpmovqd ymm, zmm; vinserti64x4
        self.evex(Vop(2, 2, 0, 0x35), low, 0, Rm::Reg(d), Write::All);
        self.evex(Vop(2, 2, 0, 0x35), high, 0, Rm::Reg(high), Write::All);
        self.evex(Vop(1, 3, 1, 0x3a), d, d, Rm::Reg(high), Write::All);
        self.code.push(1);
    }

    /// The mask of the upper half of the lanes as a mask of lower ones, with AVX-512.
    pub fn m_upper(&mut self, d: u8, a: u8) {
        // kshiftrw
        self.vex(Vop(1, 3, 1, 0x30), 0, Self::mask_number(d), 0, Rm::Reg(Self::mask_number(a)));
        self.code.push(8);
    }

    /// A comparison of floats, by the immediate of `vcmpps`, to a mask.
    pub fn compare_floats(&mut self, mask: u8, a: u8, b: impl Into<Rm>, imm: u8) {
        let b = b.into();
        if self.is_512() {
            self.evex(VCMPPS, Self::mask_number(mask), a, b, Write::All);
        } else {
            self.any(VCMPPS, mask, a, b);
        }
        self.code.push(imm);
    }

    /// A comparison of 32-bit lanes to a mask, with AVX-512.
    pub fn compare_words(&mut self, mask: u8, a: u8, b: impl Into<Rm>, test: Test, signed: bool) {
        let op = if signed { VPCMPD } else { VPCMPUD };
        self.evex(op, Self::mask_number(mask), a, b.into(), Write::All);
        self.code.push(test as u8);
    }

    /// The same for the lanes of the mask that the result replaces.
    pub fn compare_words_masked(&mut self, mask: u8, a: u8, b: impl Into<Rm>, test: Test, signed: bool) {
        let op = if signed { VPCMPD } else { VPCMPUD };
        let k = Self::mask_number(mask);
        self.evex(op, k, a, b.into(), Write::Masked(k));
        self.code.push(test as u8);
    }

    /// [`Asm::compare_floats`] for the lanes of the mask that the result replaces, with AVX-512.
    pub fn compare_floats_masked(&mut self, mask: u8, a: u8, b: impl Into<Rm>, imm: u8) {
        let k = Self::mask_number(mask);
        self.evex(VCMPPS, k, a, b.into(), Write::Masked(k));
        self.code.push(imm);
    }

    /// A comparison of unsigned 64-bit lanes to a mask, for the lanes of another, with AVX-512.
    pub fn compare_wide(&mut self, mask: u8, a: u8, b: impl Into<Rm>, test: Test, of: Option<u8>) {
        self.evex(VPCMPUQ, Self::mask_number(mask), a, b.into(), Self::write_of(of));
        self.code.push(test as u8);
    }

    /// The same for 32-bit lanes.
    pub fn compare_words_of(&mut self, mask: u8, a: u8, b: impl Into<Rm>, test: Test, of: Option<u8>) {
        self.evex(VPCMPUD, Self::mask_number(mask), a, b.into(), Self::write_of(of));
        self.code.push(test as u8);
    }

    /// Which 64-bit lanes of `a & b` are not 0, of those of another mask, with AVX-512.
    pub fn test_wide(&mut self, mask: u8, a: u8, b: impl Into<Rm>, of: Option<u8>) {
        self.evex(VPTESTMQ, Self::mask_number(mask), a, b.into(), Self::write_of(of));
    }

    /// The same for 32-bit lanes.
    pub fn test_words_of(&mut self, mask: u8, a: u8, b: impl Into<Rm>, of: Option<u8>) {
        self.evex(VPTESTMD, Self::mask_number(mask), a, b.into(), Self::write_of(of));
    }

    fn write_of(of: Option<u8>) -> Write {
        of.map_or(Write::All, |m| Write::Masked(Self::mask_number(m)))
    }

    /// Brings elements of 32 bits, or of 64 where `wide`, from the places that the lanes of the index add to the base, for
    /// the lanes of a mask, which is cleared. The registers differ.
    pub fn gather(&mut self, to: u8, from: Mem, mask: u8, index: Index, wide: bool) {
        self.indexed(0x90, to, from, mask, index, wide);
    }

    /// Stores elements there, lane after lane, with AVX-512.
    pub fn scatter(&mut self, to: Mem, from: u8, mask: u8, index: Index, wide: bool) {
        self.indexed(0xa0, from, to, mask, index, wide);
    }

    fn indexed(&mut self, opcode: u8, reg: u8, m: Mem, mask: u8, index: Index, wide: bool) {
        let op = Vop(1, 2, u8::from(wide), opcode | u8::from(index == Index::Wide));
        if !self.is_512() {
            let index = m.index.map(|i| self.vector_number(i));
            let (reg, mask) = (self.vector_number(reg), self.vector_number(mask));
            return self.vex(op, 1, reg, mask, Mem { index, ..m }.into());
        }
        // The highest bit of the index is where that of a second operand would be.
        let high = m.index.unwrap_or(0) & 16;
        self.evex(op, reg, high, m.into(), Write::Masked(Self::mask_number(mask)));
    }

    /// Lanes of two vectors, `d` and `b`, that an index names: those of `b` from 16 on; with AVX-512.
    pub fn permute_two(&mut self, d: u8, index: u8, b: impl Into<Rm>) {
        // vpermt2d
        self.v(Vop(1, 2, 0, 0x7e), d, index, b);
    }

    /// Lanes of two vectors, `a` and `b`, that `d` names: those of `b` from 16 on; with AVX-512.
    pub fn permute_both(&mut self, d: u8, a: u8, b: impl Into<Rm>) {
        // vpermi2d
        self.v(Vop(1, 2, 0, 0x76), d, a, b);
    }

    /// Where a bit is set the lane of `new`, elsewhere that of `old`, with AVX2.
    pub fn v_blend_constant(&mut self, d: u8, old: u8, new: u8, bits: u8) {
        // vpblendd
        self.v(Vop(1, 3, 0, 0x02), d, old, Rm::Reg(new));
        self.code.push(bits);
    }

    /// The lower half of another vector as the upper one of this.
    pub fn join_halves(&mut self, d: u8, upper: u8) {
        // vinserti64x4, vinserti128
        let op = if self.is_512() { Vop(1, 3, 1, 0x3a) } else { Vop(1, 3, 0, 0x38) };
        self.v(op, d, d, Rm::Reg(upper));
        self.code.push(1);
    }

    /// The signs of the four 64-bit lanes, with AVX2.
    pub fn signs_wide(&mut self, to: Gpr, a: u8) {
        let a = self.vector_number(a);
        self.vex(Vop(1, 1, 0, 0x50), 1, to, 0, Rm::Reg(a));
    }

    /// Which lanes of `a & b` are not 0 where `is_set`, otherwise which are, with AVX-512.
    pub fn test_words(&mut self, mask: u8, a: u8, b: impl Into<Rm>, is_set: bool) {
        let op = if is_set { VPTESTMD } else { VPTESTNMD };
        self.evex(op, Self::mask_number(mask), a, b.into(), Write::All);
    }

    /// A general register to all lanes.
    pub fn broadcast(&mut self, to: u8, from: Gpr, wide: bool) {
        if self.is_512() {
            self.evex(Vop(1, 2, u8::from(wide), 0x7c), to, 0, Rm::Reg(from), Write::All);
        } else {
            // vmovd or vmovq
            let n = self.vector_number(to);
            self.vex(Vop(1, 1, u8::from(wide), 0x6e), 0, n, 0, Rm::Reg(from));
            self.v1(if wide { VPBROADCASTQ } else { VPBROADCASTD }, to, Rm::Reg(to));
        }
    }

    /// The upper half of an AVX2 register, as an extract to its lower half.
    pub fn upper_half(&mut self, d: u8, a: u8) {
        let (d, a) = (self.vector_number(d), self.vector_number(a));
        if self.is_512() {
            // vextracti64x4 ymm, zmm, 1
            self.evex(Vop(1, 3, 1, 0x3b), a, 0, Rm::Reg(d), Write::All);
        } else {
            self.vex(Vop(1, 3, 0, 0x39), 1, a, 0, Rm::Reg(d));
        }
        self.code.push(1);
    }

    /// Four 32-bit lanes of a vector: a register whose first lanes they are.
    pub fn quarter(&mut self, temp: u8, a: u8, number: u8) -> u8 {
        match (number, self.isa) {
            (0, _) => return a,
            (_, Isa::Avx2) => self.upper_half(temp, a),
            (_, Isa::Avx512) => {
                // vextracti32x4
                self.evex(Vop(1, 3, 0, 0x39), a, 0, Rm::Reg(temp), Write::All);
                self.code.push(number);
            }
        }
        temp
    }

    /// The first or the second pair of 32-bit lanes to a general register.
    pub fn pair(&mut self, to: Gpr, a: u8, second: bool) {
        let op = if second { Vop(1, 3, 1, 0x16) } else { Vop(1, 1, 1, 0x7e) };
        let a = self.vector_number(a);
        if self.is_512() {
            self.evex_of(0, op, a, 0, Rm::Reg(to), Write::All);
        } else {
            self.vex(op, 0, a, 0, Rm::Reg(to));
        }
        if second {
            self.code.push(1);
        }
    }

    pub fn v_zero_upper(&mut self) {
        self.bytes(&[0xc5, 0xf8, 0x77]);
    }

    fn k(&mut self, length: u8, opcode: u8, d: u8, a: u8, b: u8) {
        let number = Self::mask_number;
        self.vex(Vop(0, 1, 0, opcode), length, number(d), number(a), Rm::Reg(number(b)));
    }

    /// `d = a`
    pub fn m_move(&mut self, d: u8, a: u8) {
        if d == a {
            return;
        }
        if self.is_512() {
            self.k(0, 0x90, d, M3, a);
        } else {
            self.v_load(d, Rm::Reg(a));
        }
    }

    /// All lanes where a register is -1, none where it is 0.
    pub fn m_spread(&mut self, d: u8, from: Gpr) {
        if self.is_512() {
            // kmovw
            self.vex(Vop(0, 1, 0, 0x92), 0, Self::mask_number(d), 0, Rm::Reg(from));
        } else {
            self.broadcast(d, from, false);
        }
    }

    /// A mask from memory.
    pub fn m_load(&mut self, d: u8, from: Mem) {
        if self.is_512() {
            self.vex(Vop(0, 1, 0, 0x90), 0, Self::mask_number(d), 0, from.into());
        } else {
            self.v_load(d, from);
        }
    }

    pub fn m_store(&mut self, to: Mem, a: u8) {
        if self.is_512() {
            self.vex(Vop(0, 1, 0, 0x91), 0, Self::mask_number(a), 0, to.into());
        } else {
            self.v_store(to, a);
        }
    }

    /// `d = a & b`
    pub fn m_and(&mut self, d: u8, a: u8, b: u8) {
        if self.is_512() { self.k(1, 0x41, d, a, b) } else { self.v(VPAND, d, a, Rm::Reg(b)) }
    }

    /// `d = !a & b`
    pub fn m_and_not(&mut self, d: u8, a: u8, b: u8) {
        if self.is_512() { self.k(1, 0x42, d, a, b) } else { self.v(VPANDN, d, a, Rm::Reg(b)) }
    }

    /// `d = a | b`
    pub fn m_or(&mut self, d: u8, a: u8, b: u8) {
        if self.is_512() { self.k(1, 0x45, d, a, b) } else { self.v(VPOR, d, a, Rm::Reg(b)) }
    }

    /// `d = a ^ b`
    pub fn m_xor(&mut self, d: u8, a: u8, b: u8) {
        if self.is_512() { self.k(1, 0x47, d, a, b) } else { self.v(VPXOR, d, a, Rm::Reg(b)) }
    }

    /// `d = !a`; `ones` is a vector of ones in memory.
    pub fn m_not(&mut self, d: u8, a: u8, ones: Mem) {
        if self.is_512() { self.k(0, 0x44, d, M3, a) } else { self.v(VPXOR, d, a, ones) }
    }

    /// All lanes.
    pub fn m_ones(&mut self, d: u8) {
        if self.is_512() {
            self.k(1, 0x46, d, d, d);
        } else {
            self.v(VPCMPEQD, d, d, Rm::Reg(d));
        }
    }

    /// Sets the zero flag where `a | b` has no lane; `a` may be changed.
    pub fn m_any(&mut self, a: u8, b: u8) {
        if self.is_512() {
            self.k(0, 0x98, a, M3, b);
        } else {
            if a != b {
                self.v(VPOR, a, a, Rm::Reg(b));
            }
            self.v1(VPTEST, a, Rm::Reg(a));
        }
    }

    /// Sets a flag where not all lanes are in the mask: jump on the condition that comes back. Uses `rax`.
    pub fn m_not_all(&mut self, a: u8) -> super::Cc {
        if self.is_512() {
            self.k(0, 0x98, a, M3, a);
            super::Cc::NotBelow
        } else {
            self.v1(VMOVMSKPS, RAX, Rm::Reg(a));
            self.alu_constant(super::Alu::Cmp, false, Rm::Reg(RAX), 0xff);
            super::Cc::NotZero
        }
    }

    /// A bit a lane.
    pub fn m_bits(&mut self, to: Gpr, a: u8) {
        if self.is_512() {
            self.vex(Vop(0, 1, 0, 0x93), 0, to, 0, Rm::Reg(Self::mask_number(a)));
        } else {
            let a = self.vector_number(a);
            self.vex(VMOVMSKPS, 1, to, 0, Rm::Reg(a));
        }
    }

    /// A mask from bits in memory, a bit a lane. `bits` is a vector with a lane's own bit in memory.
    pub fn m_expand(&mut self, d: u8, from: Mem, bits: Mem) {
        if self.is_512() {
            self.m_load(d, from);
        } else {
            self.v1(VPBROADCASTB, d, from);
            self.v(VPAND, d, d, bits);
            self.v(VPCMPEQD, d, d, bits);
        }
    }

    /// Adds the lanes of a mask to one in memory. Uses `rax` or `temp`.
    pub fn m_add_to(&mut self, to: Mem, a: u8, temp: u8) {
        if self.is_512() {
            self.m_bits(RAX, a);
            self.bytes(&[0x66]);
            self.alu_store(super::Alu::Or, false, to, RAX);
        } else {
            self.v(VPOR, temp, a, to);
            self.v_store(to, temp);
        }
    }

    /// Stores the lowest bits of a register, one a lane of a chunk.
    pub fn store_bits(&mut self, to: Mem, from: Gpr) {
        if self.is_512() {
            self.bytes(&[0x66]);
            self.store(false, to, from);
        } else {
            self.store_byte(to, from);
        }
    }

    /// Loads the bits of a chunk.
    pub fn load_bits(&mut self, to: Gpr, from: Mem) {
        self.load_narrow(if self.is_512() { 0xb7 } else { 0xb6 }, to, from);
    }
}
