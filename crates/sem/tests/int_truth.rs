//! The recorded answers of a GPU (`tests/truth`) for the integer, logic, condition-code, comparison, DPX and video families,
//! against [`warpvm_sem::eval`], bit for bit; and further answers of the same chip beside this file (`data/README.md`).
//!
//! The cases are stereotyped: one lane loads its inputs, runs a few instructions in a straight line and stores a result.
//! So a small interpreter of text is enough here, and `sem` is tested without the parser and the machine. Comparison cases
//! on floating-point operands are tested beside the floating-point code.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_sem::{EvalFn, Form, eval};

const FAMILIES: [&str; 8] = ["int", "logic", "cc", "cond", "dpx", "video", "simd", "more"];

#[test]
fn every_recorded_answer_is_given() {
    let inputs = Inputs::load(&["../../tests/truth/inputs.json.gz", "tests/data/more_inputs.json.gz"]);
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures = Vec::new();
    for line in lines("../../tests/truth/instructions.jsonl.gz").chain(lines("tests/data/more.jsonl.gz")) {
        let case: Value = serde_json::from_str(&line).expect("a case is JSON");
        let id = case["id"].as_str().expect("a case has an id");
        let family = id.split('/').next().unwrap_or_default();
        if !FAMILIES.contains(&family) {
            continue;
        }
        let program = Program::parse(case["ptx"].as_str().expect("a case has PTX"));
        if family == "cond" && program.instructions.iter().any(Instruction::works_on_floats) {
            continue;
        }
        let count = families.entry(family.to_string()).or_default();
        count.1 += 1;
        match check(&case, &program, &inputs) {
            Ok(()) => count.0 += 1,
            Err(why) => failures.push(format!("{id}: {why}")),
        }
    }
    for (family, (good, all)) in &families {
        println!("{family:8} {good:5} of {all:5}");
    }
    assert!(families.len() == FAMILIES.len(), "families are missing: {families:?}");
    let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} cases differ\n{shown}", failures.len());
}

/// Runs every lane of a case and compares the output buffer.
fn check(case: &Value, program: &Program, inputs: &Inputs) -> Result<(), String> {
    let meanings = program.meanings()?;
    let args = case["args"].as_array().ok_or("no args")?;
    let lanes = case["block"][0].as_u64().ok_or("no block")?;
    let mut buffers: Vec<Vec<u8>> = args.iter().map(|arg| inputs.buffer(arg)).collect::<Result<_, _>>()?;
    for lane in 0..lanes {
        program.run(&meanings, lane, &mut buffers)?;
    }
    for (index, expected) in case["expect"].as_object().ok_or("no expect")? {
        let expected = BASE64_STANDARD.decode(expected.as_str().ok_or("no text")?).map_err(|e| e.to_string())?;
        let got = &buffers[index.parse::<usize>().map_err(|e| e.to_string())?];
        let width = expected.len() / lanes as usize;
        if let Some(at) = (0..lanes as usize).find(|n| got[n * width..][..width] != expected[n * width..][..width]) {
            return Err(describe(at, lanes as usize, &buffers, got, &expected));
        }
    }
    Ok(())
}

/// Inputs, actual and expected result of the first lane that differs.
fn describe(lane: usize, lanes: usize, buffers: &[Vec<u8>], got: &[u8], expected: &[u8]) -> String {
    let of_lane = |bytes: &[u8]| load(bytes, lane * (bytes.len() / lanes), bytes.len() / lanes);
    let inputs: Vec<String> = buffers[1..].iter().map(|bytes| format!("{:#x}", of_lane(bytes))).collect();
    format!("lane {lane}: {} gave {:#x}, expected {:#x}", inputs.join(" "), of_lane(got), of_lane(expected))
}

/// The named input arrays.
struct Inputs(HashMap<String, String>);

impl Inputs {
    fn load(files: &[&str]) -> Self {
        let arrays = files.iter().flat_map(|name| {
            let arrays: HashMap<String, String> = serde_json::from_reader(open(name)).expect("inputs are JSON");
            arrays
        });
        Inputs(arrays.collect())
    }

    fn buffer(&self, arg: &Value) -> Result<Vec<u8>, String> {
        if let Some(bytes) = arg["out"].as_u64() {
            return Ok(vec![0; bytes as usize]);
        }
        let name = arg["in"].as_str().ok_or("an argument is neither input nor output")?;
        let text = self.0.get(name).ok_or("no such input")?;
        BASE64_STANDARD.decode(text).map_err(|e| e.to_string())
    }
}

/// A compressed file, its path relative to this crate.
fn open(name: &str) -> GzDecoder<File> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
    GzDecoder::new(File::open(path).expect("truth is in the repository"))
}

fn lines(name: &str) -> impl Iterator<Item = String> {
    BufReader::new(open(name)).lines().map(|line| line.expect("truth is text"))
}

/// Little-endian bytes as a number.
fn load(bytes: &[u8], at: usize, width: usize) -> u64 {
    bytes[at..at + width].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// A straight-line kernel.
struct Program {
    /// Bits of each register.
    registers: HashMap<String, u32>,
    /// Parameter names in order.
    params: Vec<String>,
    instructions: Vec<Instruction>,
}

/// One instruction as text, taken apart.
struct Instruction {
    /// Register and whether it is negated.
    guard: Option<(String, bool)>,
    opcode: Opcode,
    modifiers: Vec<Modifier>,
    /// Operands without selectors and signs, destination first.
    operands: Vec<String>,
    selectors: Vec<String>,
    negated: Vec<bool>,
}

impl Program {
    fn parse(text: &str) -> Self {
        let mut program = Program { registers: HashMap::new(), params: Vec::new(), instructions: Vec::new() };
        let (head, body) = text.split_once('{').expect("a kernel has a body");
        let params = head.split_once('(').expect("a kernel has parameters").1;
        for param in params.trim().trim_end_matches(')').split(',') {
            program.params.push(param.split_whitespace().last().expect("a parameter has a name").to_string());
        }
        for statement in body.split(';').map(str::trim).filter(|s| !s.is_empty() && !s.starts_with('}')) {
            match statement.strip_prefix(".reg ") {
                Some(declaration) => program.declare(declaration),
                None => program.instructions.push(Instruction::parse(statement)),
            }
        }
        program
    }

    fn declare(&mut self, declaration: &str) {
        let (ty, names) = declaration.split_once(' ').expect("a declaration has names");
        let ty = Word::from_text(&ty[1..]).and_then(ScalarType::from_word).expect("a known type");
        self.registers.extend(names.split(',').map(|name| (name.trim().to_string(), ty.bits())));
    }

    /// The meaning of each instruction that is not a memory access.
    fn meanings(&self) -> Result<Vec<Option<EvalFn>>, String> {
        self.instructions
            .iter()
            .map(|i| match i.opcode {
                Opcode::Ld | Opcode::St | Opcode::Ret => Ok(None),
                _ => i.meaning().map(Some),
            })
            .collect()
    }

    /// Runs one lane. Buffer `n` is at address `n << 32`.
    fn run(&self, meanings: &[Option<EvalFn>], lane: u64, buffers: &mut [Vec<u8>]) -> Result<(), String> {
        let mut state: HashMap<&str, u64> = HashMap::from([("%tid.x", lane)]);
        let mut carry = false;
        for (instruction, meaning) in self.instructions.iter().zip(meanings) {
            if let Some((guard, negated)) = &instruction.guard
                && (state[guard.as_str()] != 0) == *negated
            {
                continue;
            }
            match meaning {
                Some(meaning) => step(instruction, meaning, &mut state, &mut carry)?,
                None => self.access(instruction, &mut state, buffers)?,
            }
        }
        Ok(())
    }

    /// A load or store.
    fn access<'a>(
        &self,
        instruction: &'a Instruction,
        state: &mut HashMap<&'a str, u64>,
        buffers: &mut [Vec<u8>],
    ) -> Result<(), String> {
        let Some(width) = instruction.form().ty(0).map(|ty| ty.bytes() as usize) else { return Ok(()) };
        let place = |operand: &str, state: &HashMap<&str, u64>| {
            let address = state.get(operand.trim_matches(['[', ']'])).ok_or("no address")?;
            Ok::<_, String>(((address >> 32) as usize, *address as u32 as usize))
        };
        let [first, second] = &instruction.operands[..] else { return Err("a vector access".to_string()) };
        if instruction.opcode == Opcode::St {
            let (buffer, offset) = place(first, state)?;
            let bytes = value(second, state)?.to_le_bytes();
            buffers[buffer][offset..offset + width].copy_from_slice(&bytes[..width]);
        } else if instruction.modifiers.contains(&Modifier::Word(Word::Param)) {
            let index = self.params.iter().position(|name| *name == second.trim_matches(['[', ']']));
            state.insert(first, (index.ok_or("no such parameter")? as u64) << 32);
        } else {
            let (buffer, offset) = place(second, state)?;
            state.insert(first, load(&buffers[buffer], offset, width));
        }
        Ok(())
    }
}

/// One lane-wise instruction.
fn step<'a>(
    instruction: &'a Instruction,
    meaning: &EvalFn,
    state: &mut HashMap<&'a str, u64>,
    carry: &mut bool,
) -> Result<(), String> {
    let mut values = Vec::new();
    for operand in &instruction.operands[1..] {
        values.push(value(operand, state)?);
    }
    if instruction.takes_carry() {
        values.push(u64::from(*carry));
    }
    let (first, second) = meaning(&values);
    match instruction.operands[0].split_once('|') {
        Some((d, p)) => state.extend([(d, first), (p, u64::from(second))]),
        None => state.extend([(instruction.operands[0].as_str(), first)]),
    }
    if instruction.modifiers.contains(&Modifier::Word(Word::Cc)) {
        *carry = second;
    }
    Ok(())
}

/// The value of a source operand: a register, a negated predicate or a literal.
fn value(operand: &str, state: &HashMap<&str, u64>) -> Result<u64, String> {
    if let Some(negated) = operand.strip_prefix('!') {
        return Ok(value(negated, state)? ^ 1);
    }
    if let Some(value) = state.get(operand) {
        return Ok(*value);
    }
    let (negative, digits) = operand.strip_prefix('-').map_or((false, operand), |digits| (true, digits));
    let number = match digits.get(..2) {
        Some("0x" | "0f" | "0F" | "0d" | "0D") => u64::from_str_radix(&digits[2..], 16),
        _ => digits.parse(),
    };
    number.map(|n| if negative { n.wrapping_neg() } else { n }).map_err(|_| format!("no value for `{operand}`"))
}

impl Instruction {
    fn parse(text: &str) -> Self {
        let (guard, text) = match text.strip_prefix('@') {
            Some(rest) => {
                let (guard, rest) = rest.split_once(' ').expect("an instruction follows a guard");
                (Some((guard.trim_start_matches('!').to_string(), guard.starts_with('!'))), rest.trim())
            }
            None => (None, text),
        };
        let (words, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut words = words.split('.');
        let opcode = Opcode::from_text(words.next().unwrap_or_default()).expect("a known opcode");
        let modifiers =
            words.map(|w| Modifier::Word(Word::from_text(w).unwrap_or_else(|| panic!("no word {w}")))).collect();
        let is_video = opcode.text().starts_with('v');
        let mut parsed = Instruction { guard, opcode, modifiers, operands: vec![], selectors: vec![], negated: vec![] };
        for operand in operands.split(',').map(str::trim).filter(|o| !o.is_empty()) {
            let minus = operand.starts_with("-%");
            let operand = if minus { &operand[1..] } else { operand };
            let (name, selector) =
                if is_video { operand.split_once('.').unwrap_or((operand, "")) } else { (operand, "") };
            parsed.operands.push(name.to_string());
            parsed.selectors.push(selector.to_string());
            parsed.negated.push(minus);
        }
        parsed
    }

    fn form(&self) -> Form<'_> {
        Form {
            opcode: self.opcode,
            modifiers: &self.modifiers,
            selectors: &[],
            negated: &self.negated,
            operands: self.operands.len(),
        }
    }

    fn meaning(&self) -> Result<EvalFn, String> {
        let selectors: Vec<&str> = self.selectors.iter().map(String::as_str).collect();
        let form = Form { selectors: &selectors, ..self.form() };
        eval(&form).ok_or_else(|| format!("no meaning for {} {:?}", self.opcode, self.modifiers))
    }

    fn takes_carry(&self) -> bool {
        matches!(self.opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc)
    }

    /// Is this an operation on floating-point operands, which moves and selections are not?
    fn works_on_floats(&self) -> bool {
        let mut types = (0..2).filter_map(|n| self.form().ty(n));
        match self.opcode {
            Opcode::Ld | Opcode::St | Opcode::Mov | Opcode::Selp => false,
            Opcode::Set | Opcode::Slct => types.next_back().is_some_and(ScalarType::is_float),
            _ => types.any(ScalarType::is_float),
        }
    }
}
