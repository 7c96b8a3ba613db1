//! The cases of `tests/truth/instructions.jsonl.gz` that multiply or move matrices.
//!
//! Each runs one warp: lanes load their registers from named arrays, execute one tensor instruction and store the result. The
//! preparation differs by kind of instruction only, and is done here by hand.

use crate::input::{self, Instruction, bytes, text};
use serde_json::Value;
use std::collections::HashMap;
use warpvm_sem::tensor::{self, Ldmatrix, Mma, Row, Stmatrix};

const LANES: usize = 32;

#[test]
fn every_recorded_tensor_case_is_given() {
    let arrays = arrays();
    let (mut good, mut failures) = (0, Vec::new());
    for case in input::rows("instructions.jsonl.gz") {
        let id = text(&case, "id");
        let Some(line) = instruction_of(text(&case, "ptx")).filter(|_| id.starts_with("tensor/")) else { continue };
        let inputs: Vec<&[u8]> = case["args"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|arg| arg["in"].as_str())
            .map(|name| &*arrays[name])
            .collect();
        let expected = bytes(&case["expect"]["0"]);
        let instruction = Instruction::parse(line.split_whitespace().next().unwrap());
        let got = answer(&instruction, &inputs, expected.len() / LANES);
        match got.iter().zip(&expected).position(|(x, y)| x != y) {
            None if got.len() == expected.len() => good += 1,
            at => failures.push(format!(
                "{id}: {} bytes, expected {}, first difference at {at:?}",
                got.len(),
                expected.len()
            )),
        }
    }
    assert!(failures.is_empty(), "{good} cases are equal, others are not:\n{}", failures.join("\n"));
    assert_eq!(good, 31);
}

/// The tensor instruction of a kernel.
fn instruction_of(ptx: &str) -> Option<&str> {
    let starts = ["mma.", "ldmatrix.", "stmatrix.", "movmatrix."];
    ptx.lines().map(str::trim).find(|line| starts.iter().any(|start| line.starts_with(start)))
}

/// What the kernel writes; `width` bytes for each lane.
fn answer(instruction: &Instruction, inputs: &[&[u8]], width: usize) -> Vec<u8> {
    let word = |n: usize, lane: usize| u32::from_le_bytes(inputs[n][lane * 4..][..4].try_into().unwrap());
    let form = instruction.form();
    if let Some(mma) = Mma::from_form(&form) {
        return run_mma(&mma, inputs);
    }
    if tensor::is_movmatrix(&form) {
        return tensor::movmatrix(&std::array::from_fn(|lane| word(0, lane)))
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
    }
    let words = |row: [u32; 4]| -> Row { std::array::from_fn(|n| row[n / 4].to_le_bytes()[n % 4]) };
    if text_is(instruction, "ldmatrix") {
        let load = Ldmatrix::from_form(&form).expect("a legal form");
        let rows: Vec<Row> =
            (0..LANES as u32).map(|lane| words([0, 1, 2, 3].map(|n| word(0, lane as usize) + n))).collect();
        // Registers that the instruction does not write hold the input plus their number plus one.
        let mut registers: Vec<[u32; LANES]> =
            (0..width / 4).map(|n| std::array::from_fn(|lane| word(0, lane) + n as u32 + 1)).collect();
        load.load(&rows[..load.rows()], &mut registers[..load.registers()]);
        return (0..LANES)
            .flat_map(|lane| registers.iter().flat_map(move |r| r[lane].to_le_bytes()).collect::<Vec<_>>())
            .collect();
    }
    let store = Stmatrix::from_form(&form).expect("a legal form");
    let mut rows: Vec<Row> = (0..LANES as u32).map(|lane| words([lane; 4])).collect();
    let registers: Vec<[u32; LANES]> =
        (0..store.registers()).map(|n| std::array::from_fn(|lane| word(n, lane))).collect();
    store.store(&registers, &mut rows[..store.rows()]);
    rows.iter().flat_map(|row| row[..width].to_vec()).collect()
}

fn text_is(instruction: &Instruction, opcode: &str) -> bool {
    instruction.opcode.text() == opcode
}

fn run_mma(mma: &Mma, inputs: &[&[u8]]) -> Vec<u8> {
    let mut inputs = inputs.iter();
    let mut take = |registers: tensor::Registers| -> Vec<[u64; LANES]> {
        let width = registers.bits as usize / 8;
        let lane = |bytes: &[u8], lane: usize| {
            bytes[lane * width..][..width].iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))
        };
        inputs.by_ref().take(registers.count).map(|bytes| std::array::from_fn(|l| lane(bytes, l))).collect()
    };
    let (a, b, c) = (take(mma.a()), take(mma.b()), take(mma.c()));
    let mut d = vec![[0; LANES]; mma.d().count];
    mma.run(&a, &b, &c, &mut d);
    let width = mma.d().bits as usize / 8;
    (0..LANES)
        .flat_map(|lane| d.iter().flat_map(move |r| r[lane].to_le_bytes()[..width].to_vec()).collect::<Vec<_>>())
        .collect()
}

/// The named input arrays.
fn arrays() -> HashMap<String, Vec<u8>> {
    let all: Value = serde_json::from_reader(input::open("inputs.json.gz")).unwrap();
    all.as_object().unwrap().iter().map(|(name, value)| (name.clone(), bytes(value))).collect()
}
