//! The end of lowering: control flow made explicit, functions joined, slots laid out.

use std::collections::HashMap;
use std::ops::Range;

use warpvm_isa::StateSpace;
use warpvm_ptx::tree::{Function, FunctionDirective, Name};

use super::body::{Body, Emitted, Shared};
use super::cfg::post_dominators;
use super::scope::{Def, Reg};
use super::{Image, LowerError, invalid, size_of};
use crate::memory::SHARED_START;
use crate::program::{
    Block, FunctionInfo, Inst, Kind, Meta, NOWHERE, Param, Pc, Place, PresetValue, Program, Register, Role,
};
use crate::slots::{Class, Slot};

/// One function, lowered, with virtual slots and function-relative program counters.
struct Lowered {
    code: Vec<(Inst, Meta)>,
    registers: Vec<(String, Reg)>,
    /// Blocks that declare registers: a range of `code`, a range of `registers`.
    blocks: Vec<(Range<usize>, Range<usize>)>,
    /// Virtual slots that were made for it: a range.
    slots: (u32, u32),
    calls: Vec<u32>,
    is_indirect: bool,
}

/// Lowers a kernel and what it reaches.
pub fn lower_kernel(image: &Image, item: usize) -> Result<Program, Vec<LowerError>> {
    let f = image.function(item);
    let mut shared = Shared {
        image,
        classes: Vec::new(),
        presets: HashMap::new(),
        preset_list: Vec::new(),
        reached: HashMap::new(),
        queue: Vec::new(),
        signatures: Vec::new(),
        frame: 0,
        local_vars: Vec::new(),
        shared: image.shared.clone(),
        dynamic_shared: Vec::new(),
        has_indirect_call: false,
        errors: Vec::new(),
    };
    let (params, param_bytes, defs) = kernel_params(image, f);
    shared.signatures.push(super::body::Signature::default());
    shared.reached.insert(item, 0);
    let mut lowered = vec![lower_function(&mut shared, item, 0, true, defs)];
    let mut items = vec![item];
    loop {
        if shared.queue.is_empty() && shared.has_indirect_call {
            // A pointer may come from any table of the module.
            for item in image.functions_in_tables() {
                if let Err(e) = shared.reach_code(item) {
                    shared.errors.push(e);
                }
            }
        }
        let Some(next) = shared.queue.pop() else { break };
        let index = shared.reached[&next];
        let defs = shared.signatures[index as usize].defs.clone();
        let body = lower_function(&mut shared, next, index, false, defs);
        while lowered.len() <= index as usize {
            lowered.push(Lowered {
                code: Vec::new(),
                registers: Vec::new(),
                blocks: Vec::new(),
                slots: (0, 0),
                calls: Vec::new(),
                is_indirect: false,
            });
            items.push(usize::MAX);
        }
        lowered[index as usize] = body;
        items[index as usize] = next;
    }
    if !shared.errors.is_empty() {
        return Err(shared.errors);
    }
    Ok(assemble(shared, lowered, &items, params, param_bytes))
}

fn kernel_params(image: &Image, f: &Function) -> (Vec<Param>, u32, Vec<(Name, Def)>) {
    let (mut params, mut defs, mut next) = (Vec::new(), Vec::new(), 0u32);
    for v in &f.params {
        let (len, align) = size_of(v);
        let len = len.unwrap_or(0).min(1 << 16) as u32;
        let align = align.min(1 << 12);
        let offset = next.next_multiple_of(align);
        next = offset + len;
        let name = image.module.name(v.name).to_owned();
        let scalar = format!("{:?}", v.ty).to_lowercase();
        let ty = if v.dims.is_empty() { scalar } else { format!("{scalar}[{}]", len / v.ty.bytes().max(1)) };
        params.push(Param { name, offset, len, align, ty });
        defs.push((v.name, Def::KernelParam { offset, len }));
    }
    (params, next, defs)
}

fn lower_function(
    shared: &mut Shared<'_>,
    item: usize,
    index: u32,
    is_kernel: bool,
    defs: Vec<(Name, Def)>,
) -> Lowered {
    let image = shared.image;
    let first = shared.classes.len() as u32;
    let mut body = Body::new(shared, index, is_kernel);
    body.run(image.function(item), defs);
    super::contract::contract(&mut body);
    let Body { code, labels, registers, mut blocks, .. } = body;
    let mut errors = Vec::new();
    let (code, place) = resolve(code, &labels, is_kernel, &mut errors);
    for (range, _) in &mut blocks {
        *range = place[range.start]..place.get(range.end).copied().unwrap_or(code.len());
    }
    shared.errors.append(&mut errors);
    let mut calls = Vec::new();
    let mut is_indirect = false;
    for (inst, _) in &code {
        if let Kind::Call(call) = &inst.kind {
            match call.callee {
                crate::program::Callee::Function(f) => calls.push(f),
                crate::program::Callee::Indirect(_) => is_indirect = true,
                crate::program::Callee::Builtin(_) => {}
            }
        }
    }
    Lowered { code, registers, blocks, slots: (first, shared.classes.len() as u32), calls, is_indirect }
}

/// Does control never continue after this instruction?
pub(super) fn ends(inst: &Inst) -> bool {
    match inst.kind {
        Kind::Exit | Kind::Trap | Kind::Branch { .. } => inst.guard.is_none(),
        Kind::Return | Kind::BranchIndexed { .. } => true,
        _ => false,
    }
}

/// Puts convergence points in and turns labels into program counters relative to the function; says as well where each
/// instruction has gone.
fn resolve(
    code: Vec<Emitted>,
    labels: &[Option<usize>],
    is_kernel: bool,
    errors: &mut Vec<LowerError>,
) -> (Vec<(Inst, Meta)>, Vec<usize>) {
    let end = code.len();
    let mut target_of = Vec::with_capacity(labels.len());
    for label in labels {
        target_of.push(label.unwrap_or(end).min(end.saturating_sub(1)));
    }
    for e in &code {
        let span = e.meta.span;
        let mut unbound = |l: u32| {
            if labels[l as usize].is_none() {
                errors.push(invalid(span, "a label that this branch uses is never placed"));
            }
        };
        match &e.inst.kind {
            Kind::Branch { target, .. } => unbound(*target),
            Kind::BranchIndexed { targets, .. } => targets.iter().for_each(|t| unbound(*t)),
            _ => {}
        }
    }
    // Basic blocks.
    let mut leader = vec![false; end + 1];
    leader[0] = true;
    for (i, e) in code.iter().enumerate() {
        match &e.inst.kind {
            Kind::Branch { target, .. } => {
                leader[target_of[*target as usize]] = true;
                leader[i + 1] = true;
            }
            Kind::BranchIndexed { targets, .. } => {
                targets.iter().for_each(|t| leader[target_of[*t as usize]] = true);
                leader[i + 1] = true;
            }
            Kind::Exit | Kind::Return | Kind::Trap => leader[i + 1] = true,
            _ => {}
        }
    }
    let starts: Vec<usize> = (0..end).filter(|&i| leader[i]).collect();
    let mut block_of = vec![0; end];
    for (b, &start) in starts.iter().enumerate() {
        let stop = starts.get(b + 1).copied().unwrap_or(end);
        block_of[start..stop].fill(b);
    }
    let last = |b: usize| starts.get(b + 1).copied().unwrap_or(end) - 1;
    // A block that only ends its lanes holds up nobody: branches to it do not count.
    let only_exits: Vec<bool> = (0..starts.len())
        .map(|b| {
            is_kernel && last(b) == starts[b] && matches!(code[starts[b]].inst, Inst { guard: None, kind: Kind::Exit })
        })
        .collect();
    let mut successors = Vec::with_capacity(starts.len());
    for b in 0..starts.len() {
        let inst = &code[last(b)].inst;
        let mut next = Vec::new();
        match &inst.kind {
            Kind::Branch { target, .. } => next.push(block_of[target_of[*target as usize]]),
            Kind::BranchIndexed { targets, .. } => {
                next.extend(targets.iter().map(|t| block_of[target_of[*t as usize]]));
            }
            _ => {}
        }
        if !ends(inst) && b + 1 < starts.len() {
            next.push(b + 1);
        }
        if next.iter().any(|&n| !only_exits[n]) {
            next.retain(|&n| !only_exits[n]);
        }
        next.dedup();
        successors.push(next);
    }
    let idom = post_dominators(&successors);
    let mut converges = vec![false; starts.len()];
    for (b, dom) in idom.iter().enumerate() {
        let parts = matches!(
            &code[last(b)].inst,
            Inst { guard: Some(_), kind: Kind::Branch { .. } } | Inst { kind: Kind::BranchIndexed { .. }, .. }
        );
        if let (true, Some(d)) = (parts, dom) {
            converges[*d] = true;
        }
    }
    // Final places.
    let mut place = vec![0; end];
    let mut block_place = vec![0; starts.len()];
    let mut pc = 0;
    for i in 0..end {
        if leader[i] {
            let b = block_of[i];
            block_place[b] = pc;
            pc += u32::from(converges[b]);
        }
        place[i] = pc;
        pc += 1;
    }
    let mut out: Vec<(Inst, Meta)> = Vec::with_capacity(pc as usize);
    for (i, mut e) in code.into_iter().enumerate() {
        let b = block_of[i];
        if leader[i] && converges[b] {
            let meta = Meta { synthetic: true, ..e.meta.clone() };
            out.push((Inst { guard: None, kind: Kind::Converge }, meta));
        }
        let meet = idom[b].filter(|&d| converges[d]).map_or(NOWHERE, |d| block_place[d]);
        let place = |label: u32| block_place[block_of[target_of[label as usize]]];
        match &mut e.inst.kind {
            Kind::Branch { target, reconverge } => {
                *target = place(*target);
                *reconverge = if e.inst.guard.is_some() { meet } else { NOWHERE };
            }
            Kind::BranchIndexed { targets, reconverge, .. } => {
                targets.iter_mut().for_each(|t| *t = place(*t));
                *reconverge = meet;
            }
            _ => {}
        }
        out.push((e.inst, e.meta));
    }
    (out, place.into_iter().map(|pc| pc as usize).collect())
}

fn assemble(
    mut shared: Shared<'_>,
    lowered: Vec<Lowered>,
    items: &[usize],
    params: Vec<Param>,
    param_bytes: u32,
) -> Program {
    let image = shared.image;
    let f = image.function(items[0]);
    let recursive = recursion(&lowered);
    let dynamic_start = (SHARED_START + shared.shared.used).next_multiple_of(shared.shared.dynamic_align.max(16));
    for (slot, offset) in std::mem::take(&mut shared.dynamic_shared) {
        let class = shared.classes[slot.0 as usize];
        let value = PresetValue::Constant(u64::from(dynamic_start).wrapping_add(offset as u64));
        shared.preset_list.push(crate::program::Preset { class, slot, value });
    }
    let mut lowered = lowered;
    let (places, register_bytes) = layout(&shared, &mut lowered);
    let real = |slot: Slot| Slot(places[slot.0 as usize]);
    let mut program = Program {
        entry: image.module.name(f.name).to_owned(),
        code: Vec::new(),
        meta: Vec::new(),
        functions: Vec::new(),
        params,
        param_bytes,
        register_bytes,
        presets: shared.preset_list.iter().map(|p| crate::program::Preset { slot: real(p.slot), ..*p }).collect(),
        shared_bytes: shared.shared.used,
        shared_vars: std::mem::take(&mut shared.shared.vars),
        dynamic_shared_start: dynamic_start,
        local_bytes: shared.frame.next_multiple_of(16) as u32,
        local_vars: std::mem::take(&mut shared.local_vars),
        may_recurse: shared.has_indirect_call || recursive.iter().any(|r| *r),
        constants: constants(image),
        required_block: numbers(f, "reqntid").map(|v| triple(&v)),
        max_threads: numbers(f, "maxntid").map(|v| v.iter().fold(1u32, |a, b| a.saturating_mul(*b))),
        cluster: numbers(f, "reqnctapercluster").map(|v| triple(&v)),
        codes: HashMap::new(),
        registers: Vec::new(),
        blocks: Vec::new(),
        files: image.files.clone(),
        source: image.source.clone(),
        compiled: crate::jit::Cache::default(),
        strands: std::sync::OnceLock::new(),
    };
    for (index, function) in lowered.into_iter().enumerate() {
        let start = program.code.len() as Pc;
        for (name, reg) in &function.registers {
            let slot = real(reg.slot);
            if slot.0 == UNUSED {
                continue;
            }
            program.registers.push(Register { name: name.clone(), class: reg.class(), slot, function: index as u32 });
        }
        for (range, registers) in function.blocks {
            // The condition code belongs to the thread, wherever it is met first.
            let own = function.registers[registers].iter().filter(|(name, _)| name != super::body::CARRY);
            let rows = own.map(|(_, reg)| (reg.class(), real(reg.slot)));
            program.blocks.push(Block {
                function: index as u32,
                start: start + range.start as Pc,
                end: start + range.end as Pc,
                rows: rows.filter(|(_, slot)| slot.0 != UNUSED).collect(),
            });
        }
        for (mut inst, mut meta) in function.code {
            shift(&mut inst.kind, start);
            inst.visit(&mut |role, class, slot| {
                *slot = real(*slot);
                meta.operands.push((role, class, *slot));
            });
            meta.operands.sort_by_key(|(role, ..)| *role == Role::Read);
            program.code.push(inst);
            program.meta.push(meta);
        }
        let signature = &shared.signatures[index];
        let place = |p: &Place| match *p {
            Place::Register(class, slot) => Place::Register(class, real(slot)),
            memory => memory,
        };
        let (first, last) = function.slots;
        let is_used = |s: &u32| places[*s as usize] != UNUSED;
        let mut rows: Vec<(Class, Slot)> =
            (first..last).filter(is_used).map(|s| (shared.classes[s as usize], real(Slot(s)))).collect();
        rows.extend(signature.formals.iter().chain(&signature.results).filter_map(|p| match place(p) {
            Place::Register(class, slot) => Some((class, slot)),
            Place::Memory(..) => None,
        }));
        let low = rows.iter().map(|r| r.1.0).min().unwrap_or(0);
        let high = rows.iter().map(|r| r.1.0 + r.0.bytes()).max().unwrap_or(0);
        program.functions.push(FunctionInfo {
            name: image.module.name(image.function(items[index]).name).to_owned(),
            start,
            end: program.code.len() as Pc,
            slots: (Slot(low), Slot(high)),
            rows,
            recursive: recursive[index],
            formals: signature.formals.iter().map(place).collect(),
            results: signature.results.iter().map(place).collect(),
        });
        program.codes.insert(Image::code_of(items[index]), index as u32);
    }
    super::again::mark(&mut program.code);
    program
}

fn shift(kind: &mut Kind, start: Pc) {
    let add = |pc: &mut Pc| *pc = if *pc == NOWHERE { NOWHERE } else { *pc + start };
    match kind {
        Kind::Branch { target, reconverge } => {
            add(target);
            add(reconverge);
        }
        Kind::BranchIndexed { targets, reconverge, .. } => {
            targets.iter_mut().for_each(add);
            add(reconverge);
        }
        _ => {}
    }
}

/// Byte offsets of the virtual slots: constants first, then rows by size, so that every row is aligned.
fn layout(shared: &Shared<'_>, lowered: &mut [Lowered]) -> (Vec<u32>, u32) {
    let used = used_slots(shared, lowered);
    let mut places = vec![UNUSED; shared.classes.len()];
    let mut next = 0u32;
    for class in [Class::R64, Class::R32, Class::Pred] {
        next = next.next_multiple_of(class.bytes().min(64));
        for (slot, c) in shared.classes.iter().enumerate() {
            if *c == class && used[slot] {
                places[slot] = next;
                next += class.bytes();
            }
        }
    }
    (places, next)
}

/// The place of a virtual slot that nothing reads or writes.
const UNUSED: u32 = u32::MAX;

/// Virtual slots that an instruction, a preset or a call needs: a declaration alone takes no memory.
fn used_slots(shared: &Shared<'_>, lowered: &mut [Lowered]) -> Vec<bool> {
    let mut used = vec![false; shared.classes.len()];
    let mut mark = |class: Class, slot: Slot| {
        used[slot.0 as usize] = true;
        if class == Class::R128 {
            used[slot.0 as usize + 1] = true;
        }
    };
    for function in lowered {
        for (inst, _) in &mut function.code {
            inst.visit(&mut |_, class, slot| mark(class, *slot));
        }
    }
    shared.preset_list.iter().for_each(|p| mark(p.class, p.slot));
    for signature in &shared.signatures {
        for p in signature.formals.iter().chain(&signature.results) {
            if let Place::Register(class, slot) = *p {
                mark(class, slot);
            }
        }
    }
    used
}

/// Functions in a cycle of the call graph. A call through a pointer may call any function whose address is taken.
fn recursion(lowered: &[Lowered]) -> Vec<bool> {
    let n = lowered.len();
    let all: Vec<u32> = (1..n as u32).collect();
    let next = |i: usize| if lowered[i].is_indirect { &all } else { &lowered[i].calls };
    (0..n)
        .map(|start| {
            let mut seen = vec![false; n];
            let mut stack: Vec<u32> = next(start).clone();
            while let Some(f) = stack.pop() {
                if f as usize == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[f as usize], true) {
                    stack.extend(next(f as usize));
                }
            }
            false
        })
        .collect()
}

fn constants(image: &Image) -> Vec<std::ops::Range<u64>> {
    let placed = image.variables.values().filter(|v| v.space == StateSpace::Const);
    placed.map(|v| v.address..v.address + v.len).collect()
}

fn numbers(f: &Function, wanted: &str) -> Option<Vec<u32>> {
    f.directives.iter().find_map(|d| match d {
        FunctionDirective::Numbers { name, values } if name == wanted => Some(values.clone()),
        _ => None,
    })
}

fn triple(v: &[u32]) -> [u32; 3] {
    [v.first().copied().unwrap_or(1), v.get(1).copied().unwrap_or(1), v.get(2).copied().unwrap_or(1)]
}
