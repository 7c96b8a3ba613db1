//! The recorded answers of a GPU for floating-point arithmetic, comparison and conversion, against
//! [`warpvm_sem::eval`], bit for bit.
//!
//! The cases of `tests/truth` are stereotyped: one lane loads its inputs, runs a few instructions in a straight line and
//! stores a result, so that a small interpreter of text does; it knows addresses and predicates, and leaves everything
//! else to `sem`. The answers beside this file are single instructions (`data/float.md`).

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_sem::{EvalFn, Form, eval};

/// One instruction in text.
struct Instruction {
    text: String,
    negated_guard: bool,
    guard: Option<String>,
    opcode: Opcode,
    modifiers: Vec<Modifier>,
    operands: Vec<String>,
}

impl Instruction {
    fn parse(text: &str) -> Result<Self, String> {
        let (guard, rest) = match text.strip_prefix('@') {
            Some(guarded) => {
                guarded.split_once(' ').map(|(guard, rest)| (Some(guard), rest)).ok_or("no instruction")?
            }
            None => (None, text),
        };
        let (name, operands) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        let mut words = name.split('.');
        let opcode = words.next().and_then(Opcode::from_text).ok_or_else(|| format!("opcode of {text}"))?;
        let modifiers = words
            .map(|word| Word::from_text(word).map(Modifier::Word).ok_or_else(|| format!("word {word} of {text}")))
            .collect::<Result<_, _>>()?;
        Ok(Instruction {
            text: text.to_string(),
            negated_guard: guard.is_some_and(|guard| guard.starts_with('!')),
            guard: guard.map(|guard| guard.trim_start_matches('!').to_string()),
            opcode,
            modifiers,
            operands: split_operands(operands),
        })
    }

    fn form(&self) -> Form<'_> {
        Form {
            opcode: self.opcode,
            modifiers: &self.modifiers,
            selectors: &[],
            negated: &[],
            operands: self.operands.len(),
        }
    }

    /// The type of the result where it has a sign that a wider register extends.
    fn extended_bits(&self) -> Option<u32> {
        let ty = self.form().ty(0)?;
        let extends = self.opcode == Opcode::Cvt && !self.form().has(Word::Pack) && ty.is_signed() && ty.bits() < 64;
        extends.then(|| ty.bits())
    }
}

/// Splits at commas outside of braces.
fn split_operands(text: &str) -> Vec<String> {
    let mut operands = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(String::new());
                continue;
            }
            _ => {}
        }
        operands.last_mut().expect("there is always one").push(c);
    }
    operands.iter().map(|operand| operand.trim().to_string()).filter(|operand| !operand.is_empty()).collect()
}

/// Extends the sign of a narrow result to 64 bits.
fn sign_extend(value: u64, bits: u32) -> u64 {
    ((value << (64 - bits)) as i64 >> (64 - bits)) as u64
}

/// The registers of one lane with their widths.
struct Registers<'a> {
    widths: &'a HashMap<String, u32>,
    values: HashMap<&'a str, u64>,
}

impl Registers<'_> {
    fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        let (name, width) = self.widths.get_key_value(name).ok_or_else(|| format!("register {name}"))?;
        let mask = if *width == 64 { u64::MAX } else { (1 << width) - 1 };
        self.values.insert(name, value & mask);
        Ok(())
    }

    /// The value of a register, of a negated predicate or of a number.
    fn get(&self, operand: &str) -> Result<u64, String> {
        if let Some(predicate) = operand.strip_prefix('!') {
            return Ok(u64::from(self.get(predicate)? == 0));
        }
        match self.values.get(operand) {
            Some(value) => Ok(*value),
            None => operand.parse::<i64>().map(|value| value as u64).map_err(|_| format!("operand {operand}")),
        }
    }
}

/// A kernel of the stereotyped shape.
struct Program {
    widths: HashMap<String, u32>,
    parameters: Vec<String>,
    instructions: Vec<(Instruction, Option<EvalFn>)>,
}

impl Program {
    fn parse(ptx: &str) -> Result<Self, String> {
        let (head, body) = ptx.split_once("\n{").ok_or("no body")?;
        let (_, parameters) = head.rsplit_once('(').ok_or("no parameters")?;
        let parameters = parameters.trim_end_matches(')').split(',');
        let parameters = parameters.filter_map(|p| p.split_whitespace().last().map(str::to_string)).collect();
        let mut program = Program { widths: HashMap::new(), parameters, instructions: Vec::new() };
        for statement in body.trim().trim_end_matches('}').split(';').map(str::trim).filter(|s| !s.is_empty()) {
            if let Some(registers) = statement.strip_prefix(".reg ") {
                program.declare(registers)?;
            } else {
                let instruction = Instruction::parse(statement)?;
                let meaning = eval(&instruction.form());
                program.instructions.push((instruction, meaning));
            }
        }
        Ok(program)
    }

    fn declare(&mut self, registers: &str) -> Result<(), String> {
        let (ty, names) = registers.split_once(' ').ok_or("no names")?;
        let word = Word::from_text(ty.trim_start_matches('.')).ok_or("no type")?;
        let width = ScalarType::from_word(word).ok_or("no type")?.bits();
        self.widths.extend(names.split(',').map(|name| (name.trim().to_string(), width)));
        Ok(())
    }

    /// Runs one lane and gives what it stores.
    fn run(&self, lane: usize, arguments: &[Vec<u8>]) -> Result<u64, String> {
        let mut registers = Registers { widths: &self.widths, values: HashMap::new() };
        let mut pointer = 0;
        let mut stored = Err("nothing is stored".to_string());
        for (instruction, meaning) in &self.instructions {
            if let Some(guard) = &instruction.guard
                && (registers.get(guard)? != 0) == instruction.negated_guard
            {
                continue;
            }
            let operands: Vec<&str> = instruction.operands.iter().map(String::as_str).collect();
            let width = instruction.form().ty(0).map_or(0, ScalarType::bytes) as usize;
            match (instruction.opcode, operands.as_slice()) {
                (Opcode::Ld, ["%addr", parameter]) => {
                    let name = parameter.trim_matches(['[', ']']);
                    pointer = self.parameters.iter().position(|p| p == name).ok_or("no such parameter")?;
                }
                (Opcode::Ld, [register, "[%addr]"]) => {
                    let bytes = &arguments[pointer][lane * width..][..width];
                    registers.set(register, from_bytes(bytes))?;
                }
                (Opcode::St, ["[%addr]", register]) => stored = registers.get(register),
                (Opcode::Or, [d, a, b]) => {
                    let value = registers.get(a)? | registers.get(b)?;
                    registers.set(d, value)?;
                }
                (Opcode::Selp, ["%d", "1", "0", predicate]) => {
                    let value = registers.get(predicate)?;
                    registers.set("%d", value)?;
                }
                (Opcode::Mov, [halves, source]) if halves.starts_with('{') => {
                    let value = registers.get(source)?;
                    for (n, half) in halves.trim_matches(['{', '}']).split(',').enumerate() {
                        registers.set(half.trim(), value >> (16 * n))?;
                    }
                }
                (Opcode::Ret, _) => return stored,
                (_, ["%tx" | "%addr" | "%off", ..]) => {}
                (_, [d, sources @ ..]) => {
                    let sources = sources.iter().map(|o| registers.get(o)).collect::<Result<Vec<_>, _>>()?;
                    let (mut first, second) = meaning.as_ref().ok_or("no meaning")?(&sources);
                    if let Some(bits) = instruction.extended_bits() {
                        first = sign_extend(first, bits);
                    }
                    let (d, p) = d.split_once('|').unwrap_or((d, ""));
                    registers.set(d, first)?;
                    if !p.is_empty() {
                        registers.set(p, u64::from(second))?;
                    }
                }
                _ => return Err(format!("shape of {}", instruction.text)),
            }
        }
        stored
    }
}

/// Little-endian bytes as a number.
fn from_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn decode(text: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(text.as_str().expect("base64 is a string")).expect("valid base64")
}

fn open(path: &str) -> impl BufRead {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    BufReader::new(GzDecoder::new(File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"))))
}

fn read_inputs(path: &str) -> HashMap<String, Vec<u8>> {
    let mut text = String::new();
    open(path).read_to_string(&mut text).expect("text");
    let inputs: HashMap<String, Value> = serde_json::from_str(&text).expect("an object");
    inputs.iter().map(|(name, data)| (name.clone(), decode(data))).collect()
}

fn cases(path: &str) -> impl Iterator<Item = Value> {
    open(path).lines().map(|line| serde_json::from_str(&line.expect("text")).expect("a case a line"))
}

/// Runs all lanes of a case.
fn check_case(case: &Value, program: &Program, inputs: &HashMap<String, Vec<u8>>) -> Result<(), String> {
    let arguments = case["args"].as_array().expect("arguments");
    let buffers: Vec<Vec<u8>> = arguments
        .iter()
        .map(|argument| argument["in"].as_str().map_or_else(Vec::new, |name| inputs[name].clone()))
        .collect();
    let expected = decode(&case["expect"]["0"]);
    let lanes = case["block"][0].as_u64().expect("a block size") as usize;
    let width = expected.len() / lanes;
    for lane in 0..lanes {
        let got = program.run(lane, &buffers)?;
        let want = from_bytes(&expected[lane * width..][..width]);
        if got != want {
            let values: Vec<String> = buffers
                .iter()
                .filter(|buffer| !buffer.is_empty())
                .map(|buffer| {
                    format!("{:#x}", from_bytes(&buffer[lane * buffer.len() / lanes..][..buffer.len() / lanes]))
                })
                .collect();
            return Err(format!("lane {lane}: {} gives {got:#x}, the chip {want:#x}", values.join(" ")));
        }
    }
    Ok(())
}

#[test]
fn recorded_cases_agree() {
    let inputs = read_inputs("../../tests/truth/inputs.json.gz");
    let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut failures = Vec::new();
    for case in cases("../../tests/truth/instructions.jsonl.gz") {
        let id = case["id"].as_str().expect("an id").to_string();
        let family = id.split('/').next().unwrap_or_default().to_string();
        if !matches!(family.as_str(), "float" | "cvt" | "cond") {
            continue;
        }
        let program = Program::parse(case["ptx"].as_str().expect("PTX"));
        let count = counts.entry(family).or_default();
        count.1 += 1;
        match program.and_then(|program| check_case(&case, &program, &inputs)) {
            Ok(()) => count.0 += 1,
            Err(failure) => failures.push(format!("{id}: {failure}")),
        }
    }
    println!("family: right, all: {counts:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(counts["float"].1 >= 123 && counts["cvt"].1 >= 479 && counts["cond"].1 >= 182, "cases are missing");
}

#[test]
fn further_answers_agree() {
    let inputs = read_inputs("tests/data/float_inputs.json.gz");
    let mut failures = Vec::new();
    let mut right = 0;
    for case in cases("tests/data/float.jsonl.gz") {
        let text = case["instruction"].as_str().expect("an instruction").trim_end_matches(';');
        let instruction = Instruction::parse(text).expect("an instruction");
        match eval(&instruction.form()) {
            Some(meaning) => match check_answers(&case, &instruction, &meaning, &inputs) {
                Ok(()) => right += 1,
                Err(failure) => failures.push(format!("{text}: {failure}")),
            },
            None => failures.push(format!("{text}: no meaning")),
        }
    }
    println!("forms that agree: {right}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(right >= 2001, "cases are missing");
}

/// Evaluates one instruction for all elements.
fn check_answers(
    case: &Value,
    instruction: &Instruction,
    meaning: &EvalFn,
    inputs: &HashMap<String, Vec<u8>>,
) -> Result<(), String> {
    const ELEMENTS: usize = 512;
    let name = case["inputs"].as_str().ok_or("no inputs")?;
    let expected = decode(&case["expect"]);
    let width = expected.len() / ELEMENTS;
    for n in 0..ELEMENTS {
        let sources: Vec<u64> =
            instruction.operands[1..].iter().map(|operand| source(operand, name, inputs, n, ELEMENTS)).collect();
        let (mut got, second) = meaning(&sources);
        if let Some(bits) = instruction.extended_bits() {
            got = sign_extend(got, bits);
        }
        if instruction.operands[0].contains('|') {
            got |= u64::from(second) << 1;
        }
        let want = from_bytes(&expected[n * width..][..width]);
        if got & (u64::MAX >> (64 - 8 * width)) != want {
            return Err(format!("{sources:#x?} gives {got:#x}, the chip {want:#x}"));
        }
    }
    Ok(())
}

/// The value of `%h0`, `%r1`, `%l2`, `%p0` or `!%p0`.
fn source(operand: &str, name: &str, inputs: &HashMap<String, Vec<u8>>, n: usize, elements: usize) -> u64 {
    let register = operand.trim_start_matches('!');
    let input = match &register[1..] {
        "p0" => "p",
        other if other.ends_with('0') => "a",
        other if other.ends_with('1') => "b",
        _ => "c",
    };
    let data = &inputs[&format!("{name}.{input}")];
    let width = data.len() / elements;
    let value = from_bytes(&data[n * width..][..width]);
    match &register[1..2] {
        "p" => value ^ u64::from(operand != register),
        "h" => value & 0xffff,
        "r" => value & 0xffff_ffff,
        _ => value,
    }
}
