//! `warpvm inspect`: what is in a module, read from its text.

mod flow;

use crate::cli::InspectArgs;
use crate::module::{self, Source};
use crate::vm;
use std::collections::BTreeMap;
use std::fmt::Write;
use warpvm_isa::{ScalarType, StateSpace};
use warpvm_ptx::tree::{Function, FunctionDirective, Instruction, Item, Module, Statement, Variable};
use warpvm_report::names::spelled;
use warpvm_report::{Diagnostic, Kind, text};

/// The text about a module.
///
/// # Errors
/// The file cannot be read or is malformed, or has no such kernel.
pub fn inspect(args: &InspectArgs) -> vm::Result<String> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let source = module::load(&args.file, args.entry.as_deref(), &args.compiler).map_err(one)?;
    let loaded = vm::load(&source)?;
    // The library has accepted the text, so this gives the tree that it made.
    let Ok(module) = warpvm_ptx::parse(&source.ptx) else { return Ok(String::new()) };
    let kernels = loaded.kernels();
    let entry = source.entry.as_deref();
    let only = entry.map(|entry| vm::choose(&kernels, Some(entry), &source.name)).transpose().map_err(one)?;
    let (major, minor) = module.version;
    let target: Vec<&str> = module.target.iter().map(|&name| module.name(name)).collect();
    let mut out = format!("{}: PTX {major}.{minor} for {}\n", source.name, target.join(", "));
    out.push_str(&variables(&module));
    for function in functions(&module) {
        let name = module.name(function.name);
        if only.is_some_and(|only| only != name) {
            continue;
        }
        out.push_str(&kernel(&module, function));
        if function.is_entry {
            let kernel = vm::kernel(&loaded, &Source { entry: Some(name.to_owned()), ..source.clone() });
            out.push_str(&missing(&kernel.err().unwrap_or_default()));
        }
    }
    Ok(out)
}

/// What keeps a kernel from being run.
fn missing(reasons: &[Diagnostic]) -> String {
    let mut out = String::new();
    for reason in reasons {
        let head = if reason.kind == Kind::Unsupported { "unsupported" } else { "malformed" };
        let _ = write!(out, "  {head:12} {}", reason.message);
        if let Some(label) = &reason.primary {
            let _ = write!(out, " ({})", text::position(&label.at));
        }
        let _ = writeln!(out, "{}", if reason.count > 1 { format!(", {} times", reason.count) } else { String::new() });
    }
    out
}

fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.body.is_some() => Some(function),
        _ => None,
    })
}

/// Variables of the module.
fn variables(module: &Module) -> String {
    let mut out = String::new();
    for item in &module.items {
        if let Item::Variable(variable) = item {
            let space = match variable.space {
                StateSpace::Global => "global",
                StateSpace::Const => "const",
                StateSpace::Shared => "shared",
                _ => continue,
            };
            let _ = writeln!(out, "{space:8} {:6} bytes  {}", size(variable), module.name(variable.name));
        }
    }
    out
}

fn size(variable: &Variable) -> u64 {
    let elements: u64 = variable.dims.iter().map(|dim| dim.unwrap_or(0)).product();
    u64::from(variable.ty.bytes()) * u64::from(variable.vector.max(1)) * elements
}

fn kernel(module: &Module, function: &Function) -> String {
    let mut facts = Facts::default();
    facts.collect(function.body.as_deref().unwrap_or_default());
    let kind = if function.is_entry { "kernel" } else { "function" };
    let name = module.name(function.name);
    let spelled = spelled(name).map_or_else(String::new, |spelled| format!("  {spelled}"));
    let mut out = format!("\n{kind} {name}{spelled}\n");
    for (index, parameter) in function.params.iter().enumerate() {
        let head = if index == 0 { "parameters" } else { "" };
        let _ = writeln!(out, "  {head:12} {index:>2}  {:8} {}", type_text(parameter), module.name(parameter.name));
    }
    let mut line = |head: &str, text: String| {
        if !text.is_empty() {
            let _ = writeln!(out, "  {head:12} {text}");
        }
    };
    line("requires", directives(function));
    line("registers", counts(&facts.registers));
    for (space, bytes) in &facts.memory {
        line(space, format!("{bytes} bytes"));
    }
    line("instructions", format!("{}: {}", facts.count, counts(&facts.opcodes)));
    line("across lanes", counts(&facts.collectives));
    out.push_str(&flow::text(module, function));
    out
}

/// A variable's type as PTX writes it, e.g. `.u64`, `.b8[16]`.
fn type_text(variable: &Variable) -> String {
    let dims = variable.dims.iter().map(|dim| dim.map_or("[]".to_owned(), |n| format!("[{n}]")));
    format!(".{}{}", type_word(variable.ty), dims.collect::<String>())
}

/// The manual's word for a type.
fn type_word(ty: ScalarType) -> String {
    format!("{ty:?}").to_lowercase()
}

fn directives(function: &Function) -> String {
    let words = function.directives.iter().filter_map(|directive| match directive {
        FunctionDirective::Numbers { name, values } => {
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            Some(format!(".{name} {}", values.join(", ")))
        }
        FunctionDirective::Flag(name) => Some(format!(".{name}")),
        FunctionDirective::Pragma(_) => None,
    });
    words.collect::<Vec<_>>().join("  ")
}

/// `add 5, mov 3`: the most frequent first.
fn counts(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    sorted.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

#[derive(Default)]
struct Facts {
    registers: BTreeMap<String, u64>,
    memory: BTreeMap<&'static str, u64>,
    opcodes: BTreeMap<String, u64>,
    collectives: BTreeMap<String, u64>,
    count: u64,
}

impl Facts {
    fn collect(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Variable(variable) => self.variable(variable),
                Statement::Instruction(instruction) => self.instruction(instruction),
                Statement::Block(inner) => self.collect(inner),
                _ => {}
            }
        }
    }

    fn variable(&mut self, variable: &Variable) {
        match variable.space {
            StateSpace::Reg => {
                let count = u64::from(variable.count.unwrap_or(1)) * u64::from(variable.vector.max(1));
                *self.registers.entry(format!(".{}", type_word(variable.ty))).or_default() += count;
            }
            StateSpace::Shared => *self.memory.entry("shared").or_default() += size(variable),
            StateSpace::Local => *self.memory.entry("local").or_default() += size(variable),
            _ => {}
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        self.count += 1;
        let opcode = instruction.opcode.text();
        *self.opcodes.entry(opcode.to_owned()).or_default() += 1;
        if matches!(opcode, "vote" | "shfl" | "match" | "redux" | "elect" | "activemask" | "bar" | "barrier") {
            let words = instruction.modifiers.iter().map(|word| format!(".{word}"));
            *self.collectives.entry(format!("{opcode}{}", words.collect::<String>())).or_default() += 1;
        }
    }
}
