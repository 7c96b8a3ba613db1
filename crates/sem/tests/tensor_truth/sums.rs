//! Products of generated matrices (`tests/truth/tensor/sums.jsonl.gz`).
//!
//! A case is one instruction. It multiplied `per` tiles for each of its groups, and the chip gave one sum over all results of a
//! group, so that very many results are compared; the results themselves are there for the first tiles. To look closer:
//! `TENSOR_ONLY=text` picks cases whose id has that text, `TENSOR_GROUPS=n` compares so many groups of each instead of
//! one in 64.

use crate::generate::{Kind, Mode, Operand, sum_term};
use crate::input::{self, Instruction, bytes, number, text};
use serde_json::Value;
use warpvm_isa::Word;
use warpvm_sem::Form;
use warpvm_sem::tensor::{
    Accumulate, Element, LANES, Left, Major, Metadata, Mma, Sign, SparseMma, SparseWgmma, WarpRegister,
    WarpgroupRegister, Wgmma, WgmmaOperands,
};

#[test]
fn every_sum_is_given() {
    let only = std::env::var("TENSOR_ONLY").unwrap_or_default();
    let limit = std::env::var("TENSOR_GROUPS").ok().and_then(|text| text.parse().ok());
    let (mut good, mut failures) = (0, Vec::new());
    for row in input::rows("tensor/sums.jsonl.gz").filter(|row| text(row, "id").contains(&only)) {
        match check(&row, limit) {
            Ok(()) => good += 1,
            Err(why) => failures.push(format!("{}: {why}", text(&row, "id"))),
        }
    }
    assert!(failures.is_empty(), "{good} cases are equal, {} are not:\n{}", failures.len(), failures.join("\n"));
    assert!(good == 548 || !only.is_empty(), "{good} cases");
}

/// Compares the groups of a case.
fn check(row: &Value, limit: Option<usize>) -> Result<(), String> {
    let case = Case::new(row).ok_or("not supported")?;
    let per = number(row, "per");
    let (seed, dumped) = (number(row, "seed"), number(row, "dumped"));
    let dump = bytes(&row["dump"]);
    let sums = bytes(&row["sums"]);
    let limit = limit.unwrap_or(sums.len() / 8 / 64).max(1);
    let sums = sums.chunks_exact(8).map(|sum| u64::from_le_bytes(sum.try_into().unwrap()));
    let mut wrong = Vec::new();
    let mut groups = 0;
    for (group, expected) in sums.enumerate().take(limit) {
        let mut sum = 0u64;
        for tile in group as u64 * per..(group as u64 + 1) * per {
            let registers = case.run(&Mode::new(seed, tile));
            if tile < dumped {
                compare(tile, &registers, case.width(), &dump)?;
            }
            for (number, register) in registers.iter().enumerate() {
                let terms = register.iter().enumerate().map(|(lane, &value)| sum_term(tile, number, lane, value));
                sum = terms.fold(sum, u64::wrapping_add);
            }
        }
        groups += 1;
        if sum != expected {
            wrong.push(group);
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {groups} groups differ, first {}", wrong.len(), wrong[0]))
}

/// Compares the results of a tile with those that the chip gave.
fn compare(tile: u64, registers: &[Vec<u64>], width: usize, dump: &[u8]) -> Result<(), String> {
    let size = registers.iter().map(Vec::len).sum::<usize>() * width;
    let expected = dump[tile as usize * size..][..size].chunks_exact(width);
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
    let got = registers.iter().enumerate().flat_map(|(n, r)| r.iter().enumerate().map(move |(lane, &x)| (n, lane, x)));
    match got.zip(expected.map(value)).find(|((_, _, got), expected)| got != expected) {
        None => Ok(()),
        Some(((register, lane, got), expected)) => {
            Err(format!("tile {tile} register {register} lane {lane}: got {got:#x}, expected {expected:#x}"))
        }
    }
}

/// An instruction with everything that the tile does not choose.
struct Case {
    kinds: Kinds,
    instruction: Multiplication,
}

/// Kinds of elements of A, B and C.
struct Kinds {
    a: Kind,
    b: Kind,
    c: Kind,
    /// Does the metadata choose one of two?
    one_of_two: bool,
}

enum Multiplication {
    Dense(Mma),
    Sparse { mma: SparseMma, selector: u32 },
    Warpgroup { wgmma: Asynchronous, source: Source, tail: Vec<i64>, swizzled: Option<(u64, u64)> },
}

#[derive(Clone, Copy)]
enum Asynchronous {
    Dense(Wgmma),
    Sparse { wgmma: SparseWgmma, selector: u32 },
}

/// Where `wgmma` has A.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Registers,
    Shared,
}

impl Case {
    fn new(row: &Value) -> Option<Self> {
        let id = text(row, "id");
        let (words, rest) = id.split_once('#').unwrap_or((id, ""));
        let instruction = Instruction::parse(words);
        let types: Vec<&str> =
            words.split('.').filter(|&word| Word::from_text(word).and_then(Element::from_word).is_some()).collect();
        let kinds = Kinds::new(&types);
        let selector = rest.split('#').find_map(|part| part.parse().ok()).unwrap_or(0);
        let instruction = multiplication(row, &instruction.form(), selector)?;
        Some(Case { kinds, instruction })
    }

    /// Bytes of a result register.
    fn width(&self) -> usize {
        match &self.instruction {
            Multiplication::Dense(mma) => mma.d().bits as usize / 8,
            _ => 4,
        }
    }

    /// Multiplies one tile: registers of D, each with its lanes.
    fn run(&self, mode: &Mode) -> Vec<Vec<u64>> {
        match &self.instruction {
            Multiplication::Dense(mma) => {
                let (a, b, c) = self.warp_operands(mode, mma.a().count, mma.b().count, mma.c().count);
                let mut d = vec![[0; LANES]; mma.d().count];
                mma.run(&a, &b, &c, &mut d);
                d.iter().map(|register| register.to_vec()).collect()
            }
            Multiplication::Sparse { mma, selector } => {
                let (a, b, c) = self.warp_operands(mode, mma.a().count, mma.b().count, mma.c().count);
                let register = std::array::from_fn(|lane| u64::from(mode.metadata(self.kinds.one_of_two, lane)));
                let mut d = vec![[0; LANES]; mma.d().count];
                mma.run(&a, &b, &c, Metadata { register: &register, selector: *selector }, &mut d);
                d.iter().map(|register| register.to_vec()).collect()
            }
            Multiplication::Warpgroup { wgmma, source, tail, swizzled } => {
                self.warpgroup(mode, *wgmma, *source, tail, *swizzled)
            }
        }
    }

    fn warp_operands(
        &self,
        mode: &Mode,
        a: usize,
        b: usize,
        c: usize,
    ) -> (Vec<WarpRegister>, Vec<WarpRegister>, Vec<WarpRegister>) {
        let Kinds { a: of_a, b: of_b, c: of_c, .. } = self.kinds;
        (
            warp(a, |register, lane| mode.multiplicand(of_a, Operand::A, register, lane)),
            warp(b, |register, lane| mode.multiplicand(of_b, Operand::B, register, lane)),
            warp(c, |register, lane| mode.accumulator(of_c, of_a, of_b, register, lane)),
        )
    }

    /// `swizzled`: leading and other stride of a B with a swizzle of 32 bytes.
    fn warpgroup(
        &self,
        mode: &Mode,
        wgmma: Asynchronous,
        source: Source,
        tail: &[i64],
        swizzled: Option<(u64, u64)>,
    ) -> Vec<Vec<u64>> {
        /// Words in front of B in shared memory.
        const B: usize = 1024;
        let Kinds { a: of_a, b: of_b, c: of_c, .. } = self.kinds;
        // Words of a column of B, registers of D, and the stride of B from eight columns to the next.
        let (columns, words, count, stride) = match wgmma {
            Asynchronous::Dense(wgmma) => (wgmma.columns(), 8, wgmma.d().count, 256),
            Asynchronous::Sparse { wgmma, .. } => (wgmma.columns(), 16, wgmma.d().count, 512),
        };
        let word = |kind, operand| move |n| mode.multiplicand(kind, operand, n / LANES, n % LANES) as u32;
        let mut memory: Vec<u32> = (0..512).map(word(of_a, Operand::A)).collect();
        memory.resize(B, 0);
        let length = if swizzled.is_some() { B } else { columns * words };
        memory.extend((0..length).map(word(of_b, Operand::B)));
        let shared = |address: u32| -> [u8; 16] {
            std::array::from_fn(|n| memory[(address as usize + n) / 4].to_le_bytes()[n % 4])
        };
        let a = warpgroup(4, |register, thread| mode.multiplicand(of_a, Operand::A, 32 + register, thread));
        let mut d = warpgroup(count, |register, thread| mode.accumulator(of_c, of_a, of_b, register, thread));
        let sign = |n: usize| if tail.get(n) == Some(&-1) { Sign::Minus } else { Sign::Plus };
        let major = |n: usize| if tail.get(n) == Some(&1) { Major::Mn } else { Major::K };
        let strides = |stride: u64| (128 / 16) << 16 | (stride / 16) << 32;
        let operands = WgmmaOperands {
            a: match source {
                Source::Registers => Left::Registers(&a),
                Source::Shared => Left::Shared { descriptor: strides(256), major: major(2) },
            },
            b: (B as u64 * 4 / 16)
                | swizzled.map_or(strides(stride), |(leading, stride)| leading << 12 | stride << 28 | 3 << 62),
            b_major: if source == Source::Registers { major(2) } else { major(3) },
            accumulate: if mode.key >> 62 != 0 { Accumulate::FromD } else { Accumulate::FromZero },
            a_sign: sign(0),
            b_sign: sign(1),
        };
        match wgmma {
            Asynchronous::Dense(wgmma) => wgmma.run(&operands, &shared, &mut d),
            Asynchronous::Sparse { wgmma, selector } => {
                let metadata = |_, thread| u64::from(mode.metadata(self.kinds.one_of_two, thread));
                wgmma.run(&operands, (&warpgroup(1, metadata)[0], selector), &shared, &mut d);
            }
        }
        d.iter().map(|warps| warps.concat()).collect()
    }
}

fn multiplication(row: &Value, form: &Form<'_>, selector: u32) -> Option<Multiplication> {
    if let Some(mma) = Mma::from_form(form) {
        return Some(Multiplication::Dense(mma));
    }
    if let Some(mma) = SparseMma::from_form(form) {
        return Some(Multiplication::Sparse { mma, selector });
    }
    let wgmma = match (Wgmma::from_form(form), SparseWgmma::from_form(form)) {
        (Some(wgmma), _) => Asynchronous::Dense(wgmma),
        (_, Some(wgmma)) => Asynchronous::Sparse { wgmma, selector },
        _ => return None,
    };
    let source = if number(row, "areg") == 0 { Source::Shared } else { Source::Registers };
    let tail = text(row, "tail").split(',').filter_map(|word| word.trim().parse().ok()).collect();
    let swizzled = row.get("leading").map(|_| (number(row, "leading"), number(row, "stride")));
    Some(Multiplication::Warpgroup { wgmma, source, tail, swizzled })
}

impl Kinds {
    /// From the types of an instruction: D, A, B and C, or without A and B (`.f16`), or without C (as D).
    fn new(types: &[&str]) -> Self {
        let [a, b, c] = match *types {
            [_, c] => ["f16", "f16", c],
            [d, a, b] => [a, b, d],
            [_, a, b, c] => [a, b, c],
            _ => panic!("types {types:?}"),
        };
        let one_of_two = a == "tf32";
        let [a, b, c] = [a, b, c].map(Kind::of);
        Kinds { a, b, c, one_of_two }
    }
}

fn warp(count: usize, value: impl Fn(usize, usize) -> u64) -> Vec<WarpRegister> {
    (0..count).map(|register| std::array::from_fn(|lane| value(register, lane))).collect()
}

fn warpgroup(count: usize, value: impl Fn(usize, usize) -> u64) -> Vec<WarpgroupRegister> {
    let warps =
        |register: usize| std::array::from_fn(|warp| std::array::from_fn(|lane| value(register, warp * LANES + lane)));
    (0..count).map(warps).collect()
}
