//! Control flow of a function: its basic blocks and where each leads.

use std::collections::HashMap;
use std::fmt::Write;
use warpvm_isa::Opcode;
use warpvm_ptx::tree::{Function, Instruction, Module, Name, Operand, Statement};

/// A run of instructions that is entered at the top and left at the end.
#[derive(Default)]
struct Block {
    labels: Vec<Name>,
    instructions: u64,
    exits: Exits,
}

/// How a block is left.
#[derive(Default, Clone)]
struct Exits {
    targets: Vec<Name>,
    falls_through: bool,
    ends: Option<&'static str>,
}

#[derive(Default)]
struct Builder {
    blocks: Vec<Block>,
    /// Lists of `.branchtargets`.
    lists: HashMap<Name, Vec<Name>>,
}

/// The blocks as text, one a line; nothing for straight-line code.
pub fn text(module: &Module, function: &Function) -> String {
    let mut builder = Builder::default();
    builder.open(None);
    builder.walk(function.body.as_deref().unwrap_or_default());
    let blocks = builder.finish();
    if blocks.len() < 2 {
        return String::new();
    }
    let numbers: HashMap<Name, usize> =
        blocks.iter().enumerate().flat_map(|(number, block)| block.labels.iter().map(move |&l| (l, number))).collect();
    let mut out = String::from("  control flow\n");
    for (number, block) in blocks.iter().enumerate() {
        let labels: Vec<&str> = block.labels.iter().map(|&label| module.name(label)).collect();
        let ways = leads_to(block, number, blocks.len(), &numbers);
        let line = format!("    B{number:<3} {:4} instructions  {ways:24} {}", block.instructions, labels.join(" "));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn leads_to(block: &Block, number: usize, count: usize, numbers: &HashMap<Name, usize>) -> String {
    let mut ways: Vec<String> = Vec::new();
    for target in block.exits.targets.iter().filter_map(|target| numbers.get(target)) {
        let back = if *target <= number { " (loop)" } else { "" };
        ways.push(format!("B{target}{back}"));
    }
    if block.exits.falls_through && number + 1 < count {
        ways.push(format!("B{}", number + 1));
    }
    ways.extend(block.exits.ends.map(str::to_owned));
    ways.dedup();
    format!("-> {}", ways.join(", "))
}

impl Builder {
    fn open(&mut self, label: Option<Name>) {
        match self.blocks.last_mut() {
            Some(block) if block.instructions == 0 => block.labels.extend(label),
            _ => self.blocks.push(Block {
                labels: label.into_iter().collect(),
                exits: Exits { falls_through: true, ..Exits::default() },
                instructions: 0,
            }),
        }
    }

    fn walk(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Label(label, _) => self.open(Some(*label)),
                Statement::Block(inner) => self.walk(inner),
                Statement::BranchTargets { label, targets, .. } => {
                    self.lists.insert(*label, targets.clone());
                }
                Statement::Instruction(instruction) => self.instruction(instruction),
                _ => {}
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let Some(block) = self.blocks.last_mut() else { return };
        block.instructions += 1;
        let guarded = instruction.guard.is_some();
        let exits = match instruction.opcode {
            Opcode::Bra | Opcode::Brx => {
                Exits { targets: names(&instruction.operands), falls_through: guarded, ends: None }
            }
            Opcode::Ret => Exits { targets: Vec::new(), falls_through: guarded, ends: Some("ret") },
            Opcode::Exit => Exits { targets: Vec::new(), falls_through: guarded, ends: Some("exit") },
            Opcode::Trap => Exits { targets: Vec::new(), falls_through: guarded, ends: Some("trap") },
            _ => return,
        };
        block.exits = exits;
        self.open(None);
    }

    /// The blocks, with lists of branch targets looked up and no empty block at the end.
    fn finish(mut self) -> Vec<Block> {
        if self.blocks.last().is_some_and(|block| block.instructions == 0 && block.labels.is_empty()) {
            self.blocks.pop();
        }
        for block in &mut self.blocks {
            let targets = block.exits.targets.iter();
            block.exits.targets =
                targets.flat_map(|target| self.lists.get(target).cloned().unwrap_or_else(|| vec![*target])).collect();
        }
        self.blocks
    }
}

fn names(operands: &[Operand]) -> Vec<Name> {
    let names = operands.iter().filter_map(|operand| match operand {
        Operand::Name(name) => Some(*name),
        _ => None,
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpvm_ptx::tree::Item;

    #[test]
    fn a_loop_in_a_branch() {
        let module = warpvm_ptx::parse(
            ".version 8.6 .target sm_90 .address_size 64
             .entry k() { .reg .pred %p; .reg .b32 %r;
               mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p bra DONE;
             LOOP: sub.u32 %r, %r, 1; setp.ne.u32 %p, %r, 0; @%p bra LOOP;
             DONE: ret; }",
        )
        .expect("good PTX");
        let Item::Function(function) = &module.items[0] else { panic!("a kernel") };
        let lines: Vec<String> = text(&module, function).lines().map(|line| line.trim().to_owned()).collect();
        assert_eq!(lines[0], "control flow");
        assert!(lines[1].starts_with("B0      3 instructions  -> B2, B1"), "{}", lines[1]);
        assert!(lines[2].starts_with("B1      3 instructions  -> B1 (loop), B2") && lines[2].ends_with("LOOP"));
        assert!(lines[3].starts_with("B2      1 instructions  -> ret") && lines[3].ends_with("DONE"));
    }
}
