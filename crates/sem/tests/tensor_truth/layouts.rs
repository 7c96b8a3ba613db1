//! Where `wmma.load` and `wmma.store` find each element (`tests/truth/tensor/layouts.jsonl.gz`).
//!
//! In memory every element holds its own number, as many low bits of it as fit; a load is repeated for the next bits, until
//! all are known. A store writes registers that hold the number of their place.

use crate::input::{self, Instruction, bytes, number, text};
use serde_json::Value;
use warpvm_sem::tensor::{LANES, WmmaMove};

#[test]
fn every_element_is_where_the_chip_has_it() {
    let mut failures = Vec::new();
    let mut good = 0;
    for row in input::rows("tensor/layouts.jsonl.gz") {
        let instruction = Instruction::parse(text(&row, "id"));
        let id = text(&row, "id");
        let Some(movement) = WmmaMove::from_form(&instruction.form()) else {
            failures.push(format!("{id}: not supported"));
            continue;
        };
        let equal = if id.contains(".load.") { loads(&row, &movement) } else { stores(&row, &movement) };
        if equal && movement.registers().count as u64 == number(&row, "nreg") {
            good += 1;
        } else {
            failures.push(format!("{id}: differs"));
        }
    }
    assert!(failures.is_empty(), "{good} cases are equal, others are not:\n{}", failures.join("\n"));
    assert_eq!(good, 114);
}

/// Compares the registers after each pass.
fn loads(row: &Value, movement: &WmmaMove) -> bool {
    let bits = number(row, "bits") as u32;
    let registers = movement.registers();
    let out = bytes(&row["out"]);
    let width = registers.bits as usize / 8;
    (0..number(row, "passes")).all(|pass| {
        let memory = numbered(number(row, "total"), bits, pass as u32);
        let mut expected = vec![[0u64; LANES]; registers.count];
        for piece in movement.pieces(number(row, "ldm") as u32) {
            let bytes = &memory[piece.offset as usize..][..piece.bytes as usize];
            expected[piece.register][piece.lane] |= value(bytes) << piece.shift;
        }
        let size = registers.count * LANES * width;
        let got = out[pass as usize * size..][..size].chunks_exact(width).map(value);
        expected.concat().into_iter().eq(got)
    })
}

/// Memory whose elements hold some bits of their own number.
fn numbered(count: u64, bits: u32, pass: u32) -> Vec<u8> {
    let mut memory = vec![0u8; (count * u64::from(bits)).div_ceil(8) as usize + 8];
    for element in 0..count {
        let at = element * u64::from(bits);
        let kept = if bits == 64 { element } else { (element >> (bits * pass)) & ((1 << bits) - 1) };
        for (n, byte) in (kept << (at % 8)).to_le_bytes().into_iter().enumerate() {
            memory[at as usize / 8 + n] |= byte;
        }
    }
    memory
}

/// Compares memory, which was all ones before.
fn stores(row: &Value, movement: &WmmaMove) -> bool {
    let out = bytes(&row["out"]);
    let mut memory = vec![0xff; out.len()];
    let halves = number(row, "bits") == 16;
    for piece in movement.pieces(number(row, "ldm") as u32) {
        let place = (piece.register * LANES + piece.lane) as u64;
        let held = if halves { (2 * place) | (2 * place + 1) << 16 } else { place };
        let bytes = (held >> piece.shift).to_le_bytes();
        memory[piece.offset as usize..][..piece.bytes as usize].copy_from_slice(&bytes[..piece.bytes as usize]);
    }
    memory == out
}

fn value(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}
