//! Where `wgmma` reads each element of a matrix in shared memory (`tests/truth/tensor/descriptors.jsonl.gz`).
//!
//! Every element in shared memory holds its own place, some bits of it at a time, and is multiplied with one: D tells where each
//! element came from. The same is done here.

use crate::input::{self, Instruction, bytes, number, text};
use serde_json::Value;
use warpvm_sem::tensor::{Accumulate, LANES, Left, Major, Sign, WarpgroupRegister, Wgmma, WgmmaOperands};

/// Where the unit matrix lies that takes the place of B, from the start of dynamic shared memory.
const UNIT: u32 = 204_800;

#[test]
fn every_address_is_the_one_of_the_chip() {
    let mut good = 0;
    for row in input::rows("tensor/descriptors.jsonl.gz") {
        let id = text(&row, "id");
        let out = bytes(&row["out"]);
        let out: Vec<u32> = out.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let base = number(&row, "base") as u32;
        let case = Case::new(&row, base);
        let descriptors = row["descriptors"].as_array().unwrap();
        for (expected, descriptor) in out.chunks_exact(out.len() / descriptors.len()).zip(descriptors) {
            let descriptor = descriptor.as_u64().unwrap();
            let got = case.places(descriptor + u64::from(base >> 4));
            let difference = got.iter().zip(expected).find(|(got, expected)| got != expected);
            assert_eq!(difference, None, "{id}, descriptor {descriptor:#x}: place of an element, here and there");
            good += 1;
        }
    }
    assert_eq!(good, 384);
}

/// Type of the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    F16,
    Tf32,
    U8,
}

/// Which matrix the descriptor is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    A,
    B,
}

struct Case {
    kind: Kind,
    operand: Operand,
    major: Major,
    wgmma: Wgmma,
    /// Address of dynamic shared memory.
    base: u32,
    /// Threads whose results were kept.
    threads: usize,
}

impl Case {
    fn new(row: &Value, base: u32) -> Self {
        let (kind, k, end) = match text(row, "t") {
            "f16" => (Kind::F16, 16, "f32.f16.f16"),
            "tf32" => (Kind::Tf32, 8, "f32.tf32.tf32"),
            _ => (Kind::U8, 32, "s32.u8.u8"),
        };
        let words = format!("wgmma.mma_async.sync.aligned.m64n{}k{k}.{end}", number(row, "n"));
        Case {
            kind,
            operand: if text(row, "op") == "a" { Operand::A } else { Operand::B },
            major: if row["mn"] == true { Major::Mn } else { Major::K },
            wgmma: Wgmma::from_form(&Instruction::parse(&words).form()).unwrap(),
            base,
            threads: number(row, "threads") as usize,
        }
    }

    /// Bytes of an element, bits of its place that it can hold, and how many times until all are known.
    fn element(&self) -> (u32, u32, u32) {
        match self.kind {
            Kind::F16 => (2, 11, 2),
            Kind::Tf32 => (4, 11, 2),
            Kind::U8 => (1, 8, 3),
        }
    }

    /// What the chip wrote: the place of the elements of A or B, in the order of registers and threads.
    fn places(&self, descriptor: u64) -> Vec<u32> {
        let (_, bits, passes) = self.element();
        let mut places = vec![0; self.wgmma.d().count * self.threads];
        for pass in 0..passes {
            let d = self.run(descriptor, bits * pass);
            let threads = d.iter().flat_map(|register| register.iter().flatten().take(self.threads));
            for (place, &value) in places.iter_mut().zip(threads) {
                let value = if self.kind == Kind::U8 { value as u32 } else { f32::from_bits(value as u32) as u32 };
                *place |= value << (bits * pass);
            }
        }
        places
    }

    fn run(&self, descriptor: u64, shift: u32) -> Vec<WarpgroupRegister> {
        let unit = self.unit_registers();
        let unit_descriptor = u64::from((self.base + UNIT) >> 4) | (128 / 16) << 16 | (256 / 16) << 32;
        let (a, b, b_major) = match self.operand {
            Operand::A => (Left::Shared { descriptor, major: self.major }, unit_descriptor, Major::K),
            Operand::B => (Left::Registers(&unit), descriptor, self.major),
        };
        let operands =
            WgmmaOperands { a, b, b_major, accumulate: Accumulate::FromZero, a_sign: Sign::Plus, b_sign: Sign::Plus };
        let mut d = vec![[[0; LANES]; 4]; self.wgmma.d().count];
        self.wgmma.run(&operands, &|address| self.shared(address, shift), &mut d);
        d
    }

    /// Shared memory: elements hold bits of their place, but for the unit matrix.
    fn shared(&self, address: u32, shift: u32) -> [u8; 16] {
        let (size, bits, _) = self.element();
        let mut data = [0; 16];
        for (n, element) in data.chunks_exact_mut(size as usize).enumerate() {
            let at = address + n as u32 * size;
            let value = match (self.operand, at.checked_sub(self.base + UNIT)) {
                (Operand::A, Some(offset)) => self.unit(offset),
                _ => ((at / size) >> shift) & ((1 << bits) - 1),
            };
            element.copy_from_slice(&self.encode(value).to_le_bytes()[..size as usize]);
        }
        data
    }

    /// The element of the unit matrix at an offset.
    fn unit(&self, offset: u32) -> u32 {
        let (size, ..) = self.element();
        let column = offset / 256 * 8 + offset % 128 / 16;
        let row = (offset % 256 / 128 * 16 + offset % 16) / size;
        u32::from(row == column)
    }

    /// A small number as an element.
    fn encode(&self, value: u32) -> u32 {
        match self.kind {
            Kind::U8 => value,
            Kind::Tf32 => (value as f32).to_bits(),
            Kind::F16 if value == 0 => 0,
            Kind::F16 => {
                let exponent = value.ilog2();
                (exponent + 15) << 10 | (value << 10 >> exponent & 0x3ff)
            }
        }
    }

    /// A that has one where the row is the column, or where their remainders are the same.
    fn unit_registers(&self) -> Vec<WarpgroupRegister> {
        let (size, ..) = self.element();
        let per = 4 / size as usize;
        let columns = 32 / size as usize;
        let word = |warp: usize, register: usize, lane: usize| {
            (0..per).fold(0, |word, n| {
                let row = 16 * warp + lane / 4 + 8 * (register % 2);
                let column = (lane % 4 + 4 * (register / 2)) * per + n;
                word | u64::from(self.encode(u32::from(row % columns == column))) << (n as u32 * size * 8)
            })
        };
        let register = |n| std::array::from_fn(|warp| std::array::from_fn(|lane| word(warp, n, lane)));
        (0..4).map(register).collect()
    }
}
