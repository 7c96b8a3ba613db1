//! From program counters to PTX instructions and basic blocks.

use std::collections::HashSet;
use std::sync::Arc;

use warpvm_isa::Opcode;
use warpvm_machine::program::{Kind, NOWHERE, Pc, Program, Role};
use warpvm_machine::slots::Slot;
use warpvm_ptx::tree::Span;

/// One PTX instruction of the program.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The program counter at which it is counted: the first that has its guard, or the first.
    pub pc: Pc,
    /// Its text.
    pub span: Span,
    /// Its first word.
    pub opcode: Opcode,
    /// Index of its function.
    pub function: u32,
    /// Index of its basic block.
    pub block: u32,
    /// Is there a convergence point before it?
    pub converges: bool,
    /// Can lanes wait in it: a collective or a barrier?
    pub waits: bool,
    /// Does it have a guard?
    pub is_guarded: bool,
    /// Is it an atomic whose old value nobody reads? The chip has another instruction for it (`RED`).
    pub is_reduction: bool,
    /// Does lowering put a branch around it, so that the guard shows in that branch?
    pub is_wrapped: bool,
}

/// A run of instructions that is entered at the top and left at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its first instruction.
    pub first: u32,
    /// Its last.
    pub last: u32,
}

/// The instructions and blocks of a program.
pub struct Map {
    /// The program.
    pub program: Arc<Program>,
    /// Its PTX instructions in order.
    pub instructions: Vec<Instruction>,
    /// Its basic blocks in order.
    pub blocks: Vec<Block>,
    /// For each program counter, its instruction.
    of: Vec<u32>,
}

impl Map {
    /// Looks through a program.
    pub fn new(program: Arc<Program>) -> Self {
        let mut of = Vec::with_capacity(program.code.len());
        let mut instructions: Vec<Instruction> = Vec::new();
        let mut last: Option<(Span, u32)> = None;
        // A convergence point belongs to the instruction after it.
        let mut converges = false;
        let operands = program.meta.iter().flat_map(|m| &m.operands);
        let read: HashSet<Slot> = operands.filter(|o| o.0 == Role::Read).map(|o| o.2).collect();
        for (pc, (inst, meta)) in program.code.iter().zip(&program.meta).enumerate() {
            let is_converge = matches!(inst.kind, Kind::Converge);
            let key = (meta.span, meta.function);
            if is_converge {
                converges = true;
                of.push(instructions.len() as u32);
                last = None;
                continue;
            }
            let waits = matches!(inst.kind, Kind::Collective(_) | Kind::Barrier(_));
            let is_wrapped = meta.synthetic && matches!(inst.kind, Kind::Branch { .. });
            if last == Some(key) {
                if let Some(known) = instructions.last_mut() {
                    known.waits |= waits;
                    if !known.is_guarded && inst.guard.is_some() {
                        (known.pc, known.is_guarded, known.is_wrapped) = (pc as Pc, true, is_wrapped);
                    }
                }
            } else {
                instructions.push(Instruction {
                    pc: pc as Pc,
                    span: meta.span,
                    opcode: meta.opcode,
                    function: meta.function,
                    block: 0,
                    converges,
                    waits,
                    is_guarded: inst.guard.is_some(),
                    is_reduction: matches!(&inst.kind, Kind::Atomic(a) if a.results.iter().all(|r| !read.contains(&r.1))),
                    is_wrapped,
                });
                converges = false;
            }
            last = Some(key);
            of.push(instructions.len() as u32 - 1);
        }
        let mut map = Map { program, instructions, blocks: Vec::new(), of };
        map.find_blocks();
        map
    }

    /// The instruction that a program counter belongs to.
    pub fn instruction(&self, pc: Pc) -> usize {
        self.of[pc as usize] as usize
    }

    /// The place where lanes that part in an instruction meet again.
    pub fn meets_at(&self, instruction: usize) -> Option<usize> {
        let pc = match &self.program.code[self.instructions[instruction].pc as usize].kind {
            Kind::Branch { reconverge, .. } | Kind::BranchIndexed { reconverge, .. } => *reconverge,
            _ => NOWHERE,
        };
        (pc != NOWHERE && (pc as usize) < self.of.len()).then(|| self.instruction(pc))
    }

    fn find_blocks(&mut self) {
        let mut leads = vec![false; self.instructions.len() + 1];
        for f in &self.program.functions {
            if let Some(&first) = self.of.get(f.start as usize) {
                leads[first as usize] = true;
            }
        }
        for (i, instruction) in self.instructions.iter().enumerate() {
            if instruction.is_wrapped {
                continue;
            }
            let targets: &[Pc] = match &self.program.code[instruction.pc as usize].kind {
                Kind::Branch { target, .. } => std::slice::from_ref(target),
                Kind::BranchIndexed { targets, .. } => targets,
                Kind::Exit | Kind::Return | Kind::Trap => &[],
                _ => continue,
            };
            targets.iter().filter_map(|t| self.of.get(*t as usize)).for_each(|t| leads[*t as usize] = true);
            leads[i + 1] = true;
        }
        for (i, (instruction, leads)) in self.instructions.iter_mut().zip(leads).enumerate() {
            match self.blocks.last_mut() {
                Some(block) if !leads => block.last = i as u32,
                _ => self.blocks.push(Block { first: i as u32, last: i as u32 }),
            }
            instruction.block = self.blocks.len() as u32 - 1;
        }
    }
}
