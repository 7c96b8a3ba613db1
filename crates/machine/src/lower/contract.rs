//! `mul` and `add` become `fma`, as the vendor's assembler does it.
//!
//! A floating-point `add`, `sub` or `mul` without a rounding modifier may be contracted (PTX ISA, sections 9.7.3.3 to 9.7.3.5:
//! "mul/add sequences with no rounding modifiers may be optimized to use fused-multiply-add"), and the chip's answers are those
//! of contracted code. What `ptxas` 13.0 does, read off its machine code with forty small functions and seen in answers
//! (`sweep/jnf`):
//!
//! - A product is contracted where every use of it is an `add` or `sub` of its type and `.ftz`, in its own basic block (code
//!   that nothing else jumps into or leaves; barriers, collectives and guards of sums do not end it, calls do); if one use is
//!   another, or beyond the block, none is. `mov` and `neg` in between are looked through.
//! - It has no guard and no `.sat`; the sum may have both.
//! - `div.approx.f32` and `div.full.f32` end in a product, which counts (`sweep/triton.ln`).
//! - Of two products the one with a single use is taken, else the first operand.

use std::collections::{HashMap, HashSet};

use warpvm_isa::{Modifier, Opcode, Word};
use warpvm_sem::{Form, Sink};

use super::body::{Body, Emitted};
use crate::lane_op::LaneOp;
use crate::program::{Inst, Kind, Meta, Place, PresetValue, Role};
use crate::row::{RowBuilder, RowOp};
use crate::slots::{Class, Slot};

/// How far a product is followed.
const REACH: usize = 1 << 12;
/// Most steps of a search for later reads, all of a function together.
const SEARCH: usize = 1 << 22;

/// What a product and a sum must have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    ty: Word,
    ftz: bool,
}

/// A product that may be contracted: where it is, and where it goes.
struct Product {
    at: usize,
    uses: Vec<Use>,
    /// Copies and negations of it, which fall with it.
    copies: Vec<usize>,
}

/// A sum that takes a product.
#[derive(Clone, Copy)]
struct Use {
    at: usize,
    /// Is it the second operand?
    second: bool,
    /// Does the sum add the product's negation?
    negated: bool,
    /// Are the factors overwritten in between?
    stale: [bool; 2],
}

/// The key of a `mul`, `add`, `sub` or `neg` that may be contracted, and whether it saturates.
fn key(meta: &Meta) -> Option<(Key, bool)> {
    use Word::{Bf16, Bf16x2, F16, F16x2, F32, F64, Ftz, Sat};
    let mut key = None;
    let (mut ftz, mut sat) = (false, false);
    for m in meta.modifiers.iter() {
        match m {
            Modifier::Word(Ftz) => ftz = true,
            Modifier::Word(Sat) => sat = true,
            Modifier::Word(ty @ (F32 | F64 | F16 | F16x2 | Bf16 | Bf16x2)) if key.is_none() => key = Some(*ty),
            _ => return None,
        }
    }
    key.map(|ty| (Key { ty, ftz }, sat))
}

/// The lane-wise operation of an instruction with so many sources and one result.
fn row(e: &Emitted, sources: usize) -> Option<&RowOp> {
    match &e.inst.kind {
        Kind::Row(op) if op.slots[1..].iter().filter(|s| s.is_some()).count() == sources && !op.slots[1].is_some() => {
            Some(op)
        }
        _ => None,
    }
}

/// Is it a product?
fn product_of(e: &Emitted) -> Option<Key> {
    if !matches!(e.meta.opcode, Opcode::Mul | Opcode::Div) || e.inst.guard.is_some() {
        return None;
    }
    let key = if e.meta.opcode == Opcode::Div {
        let words = &e.meta.modifiers;
        let is_quick = words.contains(&Word::Approx.into()) || words.contains(&Word::Full.into());
        (is_quick && words.contains(&Word::F32.into()))
            .then(|| Key { ty: Word::F32, ftz: words.contains(&Word::Ftz.into()) })?
    } else {
        let (key, sat) = key(&e.meta)?;
        (!sat).then_some(key)?
    };
    row(e, 2)?.slots[0].is_some().then_some(key)
}

/// Is it a sum of that kind?
fn is_sum(e: &Emitted, wanted: Key) -> bool {
    matches!(e.meta.opcode, Opcode::Add | Opcode::Sub)
        && key(&e.meta).is_some_and(|(key, _)| key == wanted)
        && row(e, 2).is_some()
}

/// What an instruction reads and writes.
#[derive(Default)]
struct Access {
    reads: Vec<Slot>,
    writes: Vec<Slot>,
}

/// A function on its way, seen as a graph.
struct Graph<'c> {
    code: &'c [Emitted],
    access: Vec<Access>,
    /// Where each label is.
    labels: Vec<usize>,
    /// Jumps to each instruction.
    jumps: Vec<u32>,
    /// Reads of each slot.
    reads: HashMap<Slot, usize>,
    /// Slots that callers see.
    outside: HashSet<Slot>,
    /// Instructions whose results nobody reads.
    dead: Vec<bool>,
    /// Steps left for searches.
    budget: usize,
}

/// What computes something that nobody reads, and what only that reads, does not count. `reads` is corrected.
fn dead(code: &[Emitted], access: &[Access], reads: &mut HashMap<Slot, usize>, outside: &HashSet<Slot>) -> Vec<bool> {
    let mut writers: HashMap<Slot, Vec<usize>> = HashMap::new();
    for (at, a) in access.iter().enumerate() {
        a.writes.iter().for_each(|slot| writers.entry(*slot).or_default().push(at));
    }
    let mut dead = vec![false; code.len()];
    let mut left: Vec<usize> = (0..code.len()).collect();
    while let Some(at) = left.pop() {
        let is_read = |slot: &Slot| reads.get(slot).is_some_and(|&n| n > 0) || outside.contains(slot);
        if dead[at] || !matches!(code[at].inst.kind, Kind::Row(_)) || access[at].writes.iter().any(is_read) {
            continue;
        }
        dead[at] = true;
        for slot in &access[at].reads {
            let count = reads.entry(*slot).or_insert(1);
            *count -= 1;
            if *count == 0 {
                left.extend(writers.get(slot).into_iter().flatten());
            }
        }
    }
    dead
}

impl<'c> Graph<'c> {
    fn new(code: &'c mut [Emitted], labels: &[Option<usize>], outside: HashSet<Slot>) -> Self {
        let mut access = Vec::with_capacity(code.len());
        let mut reads = HashMap::new();
        for e in code.iter_mut() {
            let mut a = Access::default();
            e.inst.visit(&mut |role, _, slot| match role {
                Role::Write => a.writes.push(*slot),
                _ => a.reads.push(*slot),
            });
            for slot in &a.reads {
                *reads.entry(*slot).or_insert(0) += 1;
            }
            access.push(a);
        }
        let labels: Vec<usize> = labels.iter().map(|l| l.unwrap_or(code.len())).collect();
        let mut jumps = vec![0; code.len() + 1];
        for e in code.iter() {
            match &e.inst.kind {
                Kind::Branch { target, .. } => jumps[labels[*target as usize]] += 1,
                Kind::BranchIndexed { targets, .. } => targets.iter().for_each(|t| jumps[labels[*t as usize]] += 1),
                _ => {}
            }
        }
        let dead = dead(code, &access, &mut reads, &outside);
        Graph { code, access, labels, jumps, reads, outside, dead, budget: SEARCH }
    }

    fn falls_through(&self, at: usize) -> bool {
        !super::finish::ends(&self.code[at].inst)
    }

    /// The next instruction of the same basic block.
    fn next(&self, at: usize) -> Option<usize> {
        let inst = &self.code[at].inst;
        let next = match &inst.kind {
            Kind::Branch { target, .. } if inst.guard.is_none() => {
                let next = self.labels[*target as usize];
                let is_only = self.jumps[next] == 1 && (next == 0 || !self.falls_through(next - 1));
                return (is_only && next < self.code.len()).then_some(next);
            }
            Kind::Branch { .. }
            | Kind::BranchIndexed { .. }
            | Kind::Call(_)
            | Kind::Return
            | Kind::Exit
            | Kind::Trap
            | Kind::Breakpoint => return None,
            _ => at + 1,
        };
        (next < self.code.len() && self.jumps[next] == 0).then_some(next)
    }

    /// Where control goes from an instruction, in any block.
    fn successors(&self, at: usize) -> Vec<usize> {
        let mut next = match &self.code[at].inst.kind {
            Kind::Branch { target, .. } => vec![self.labels[*target as usize]],
            Kind::BranchIndexed { targets, .. } => targets.iter().map(|t| self.labels[*t as usize]).collect(),
            _ => Vec::new(),
        };
        if self.falls_through(at) {
            next.push(at + 1);
        }
        next.retain(|&n| n < self.code.len());
        next
    }

    /// May a slot be read from here on?
    fn is_live(&mut self, slot: Slot, from: Vec<usize>) -> bool {
        let (mut left, mut seen) = (from, HashSet::new());
        while let Some(at) = left.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Some(budget) = self.budget.checked_sub(1) else { return true };
            self.budget = budget;
            if self.access[at].reads.contains(&slot) && !self.dead[at] {
                return true;
            }
            if self.code[at].inst.guard.is_some() || !self.access[at].writes.contains(&slot) {
                left.extend(self.successors(at));
            }
        }
        false
    }

    /// Follows a product to its uses; nothing where one of them is no sum.
    fn follow(&mut self, at: usize, wanted: Key) -> Option<Product> {
        let op = row(&self.code[at], 2)?;
        let factors = [op.slots[2], op.slots[3]];
        let mut product = Product { at, uses: Vec::new(), copies: Vec::new() };
        // Each name of it, whether that is its negation, and how often it was read.
        let mut names = vec![(op.slots[0], false, 0)];
        let mut ended = Vec::new();
        let mut stale = [false; 2];
        let mut last = at;
        for _ in 0..REACH {
            let Some(now) = self.next(last) else { break };
            last = now;
            let (e, access) = (&self.code[now], &self.access[now]);
            for (name, negated, count) in &mut names {
                if !access.reads.contains(name) || self.dead[now] {
                    continue;
                }
                *count += access.reads.iter().filter(|s| *s == name).count();
                if is_sum(e, wanted) {
                    let op = row(e, 2)?;
                    let second = op.slots[3] == *name;
                    if op.slots[2] == op.slots[3] || e.inst.guard.is_some_and(|g| g.slot == *name) {
                        return None;
                    }
                    let minus = second && e.meta.opcode == Opcode::Sub;
                    product.uses.push(Use { at: now, second, negated: *negated != minus, stale });
                } else if row(e, 1).is_some() && e.inst.guard.is_none() && self.is_name(e, wanted) {
                    product.copies.push(now);
                } else {
                    return None;
                }
            }
            // The same sum of a product and its own copy.
            if product.uses.iter().rev().take(2).filter(|u| u.at == now).count() > 1 {
                return None;
            }
            let is_copy = product.copies.last() == Some(&now);
            let from = is_copy.then(|| row(e, 1).map(|op| op.slots[2])).flatten();
            let from = from.and_then(|s| names.iter().find(|n| n.0 == s)).map(|n| n.1);
            if e.inst.guard.is_some() && names.iter().any(|n| access.writes.contains(&n.0)) {
                return None;
            }
            let (gone, kept) = names.into_iter().partition(|n| access.writes.contains(&n.0));
            names = kept;
            ended.extend::<Vec<_>>(gone);
            for (s, factor) in stale.iter_mut().zip(factors) {
                *s |= access.writes.contains(&factor);
            }
            if let (Some(negated), Some(op)) = (from, row(e, 1)) {
                names.push((op.slots[0], negated != (e.meta.opcode == Opcode::Neg), 0));
            }
            // Nobody reads it any more: a long block is not walked to its end for each of its products.
            if names.iter().all(|(name, _, count)| self.reads.get(name) == Some(count)) {
                break;
            }
        }
        for (name, _, count) in names {
            let all = self.reads.get(&name).copied().unwrap_or(0);
            let after = self.successors(last);
            if self.outside.contains(&name) || (all != count && self.is_live(name, after)) {
                return None;
            }
        }
        (!product.uses.is_empty()).then_some(product)
    }

    /// Does a `mov` or `neg` of the product give it another name?
    fn is_name(&self, e: &Emitted, wanted: Key) -> bool {
        match e.meta.opcode {
            Opcode::Mov => matches!(&e.inst.kind, Kind::Row(op) if op.name == Some(LaneOp::Copy)),
            Opcode::Neg => key(&e.meta).is_some_and(|(key, _)| key == wanted),
            _ => false,
        }
    }
}

/// Which products are contracted.
fn choose(products: Vec<Product>) -> Vec<Product> {
    let mut taken = HashMap::new();
    let mut single: Vec<(usize, bool, usize)> = Vec::new();
    for (n, p) in products.iter().enumerate() {
        if let [only] = p.uses[..] {
            single.push((only.at, only.second, n));
        }
    }
    single.sort_unstable();
    for (at, _, n) in single {
        taken.entry(at).or_insert(n);
    }
    for (n, p) in products.iter().enumerate() {
        if p.uses.len() > 1 && p.uses.iter().all(|u| !taken.contains_key(&u.at)) {
            taken.extend(p.uses.iter().map(|u| (u.at, n)));
        }
    }
    let is_chosen = |(n, p): &(usize, Product)| p.uses.iter().all(|u| taken.get(&u.at) == Some(n));
    products.into_iter().enumerate().filter(is_chosen).map(|(_, p)| p).collect()
}

/// Contracts what is to be contracted in a function.
pub(super) fn contract(body: &mut Body<'_, '_>) {
    let found: Vec<(usize, Key)> =
        body.code.iter().enumerate().filter_map(|(at, e)| product_of(e).map(|key| (at, key))).collect();
    if found.is_empty() {
        return;
    }
    let results = &body.shared.signatures[body.function as usize].results;
    let outside = results.iter().filter_map(|p| if let Place::Register(_, s) = p { Some(*s) } else { None }).collect();
    let mut graph = Graph::new(&mut body.code, &body.labels, outside);
    let products: Vec<Product> = found.into_iter().filter_map(|(at, key)| graph.follow(at, key)).collect();
    let products = choose(products);
    if !products.is_empty() {
        rewrite(body, &products);
    }
}

/// Rewrites the code.
fn rewrite(body: &mut Body<'_, '_>, products: &[Product]) {
    // What stands in the place of an instruction.
    let mut instead: HashMap<usize, Vec<Emitted>> = HashMap::new();
    for p in products {
        let e = &body.code[p.at];
        let (Some(key), Some(op)) = (product_of(e), row(e, 2)) else { continue };
        let class = op.classes[2].unwrap_or(Class::R32);
        let mut factors = [op.slots[2], op.slots[3]];
        let meta = e.meta.clone();
        let mut kept = Vec::new();
        if meta.opcode == Opcode::Div && !is_reciprocal(body, factors[1]) {
            let form =
                Form { opcode: Opcode::Div, modifiers: &meta.modifiers, selectors: &[], negated: &[], operands: 3 };
            let Some([of_divisor, of_both]) = warpvm_sem::approx::factors(&form, [RowBuilder, RowBuilder]) else {
                continue;
            };
            let [x, y] = factors;
            factors = [body.temp(class), body.temp(class)];
            kept.push(unguarded(&meta, of_divisor.on(factors[0], Slot::NONE, &[y])));
            kept.push(unguarded(&meta, of_both.on(factors[1], Slot::NONE, &[x, y])));
        }
        for (n, factor) in factors.iter_mut().enumerate() {
            if kept.len() < 2 && p.uses.iter().any(|u| u.stale[n]) {
                let copy = body.temp(class);
                kept.push(unguarded(&meta, super::moves::copy(class).on(copy, Slot::NONE, &[*factor])));
                *factor = copy;
            }
        }
        let sums: Option<Vec<_>> = p.uses.iter().map(|u| fused(body, key, factors, class, u)).collect();
        let Some(sums) = sums else { continue };
        instead.extend(p.uses.iter().map(|u| u.at).zip(sums));
        p.copies.iter().for_each(|&at| drop(instead.insert(at, Vec::new())));
        instead.insert(p.at, kept);
    }
    let mut place = Vec::with_capacity(body.code.len() + 1);
    let mut code = Vec::with_capacity(body.code.len());
    for (at, e) in std::mem::take(&mut body.code).into_iter().enumerate() {
        place.push(code.len());
        match instead.remove(&at) {
            Some(list) => code.extend(list),
            None => code.push(e),
        }
    }
    place.push(code.len());
    body.code = code;
    body.labels.iter_mut().flatten().for_each(|at| *at = place[*at]);
    body.blocks.iter_mut().for_each(|(range, _)| *range = place[range.start]..place[range.end]);
}

/// Was the divisor, an immediate, already turned into what is multiplied with?
fn is_reciprocal(body: &Body<'_, '_>, divisor: Slot) -> bool {
    let value = body.shared.preset_list.iter().find(|p| p.slot == divisor).map(|p| &p.value);
    matches!(value, Some(PresetValue::Constant(c)) if warpvm_sem::approx::constant_reciprocal(*c as u32).is_some())
}

fn unguarded(meta: &Meta, op: RowOp) -> Emitted {
    Emitted { inst: Inst { guard: None, kind: Kind::Row(op) }, meta: meta.clone() }
}

/// The `fma` in the place of a sum, with what turns signs before it.
fn fused(body: &mut Body<'_, '_>, key: Key, [a, b]: [Slot; 2], class: Class, u: &Use) -> Option<Vec<Emitted>> {
    let (meta, guard) = (body.code[u.at].meta.clone(), body.code[u.at].inst.guard);
    let sat = self::key(&meta).is_some_and(|(_, sat)| sat);
    let op = row(&body.code[u.at], 2)?;
    let (d, c) = (op.slots[0], op.slots[if u.second { 2 } else { 3 }]);
    let minus_c = !u.second && meta.opcode == Opcode::Sub;
    let mut list = Vec::new();
    let mut turned = |body: &mut Body<'_, '_>, turn: bool, slot: Slot| {
        if !turn {
            return slot;
        }
        let mask: u64 = match key.ty {
            Word::F64 => 1 << 63,
            Word::F16x2 | Word::Bf16x2 => 0x8000_8000,
            Word::F16 | Word::Bf16 => 0x8000,
            _ => 0x8000_0000,
        };
        let to = body.temp(class);
        let mask = body.shared.constant(class, mask);
        let built = match class {
            Class::R64 => RowBuilder.op2(|x: u64, y: u64| x ^ y),
            _ => RowBuilder.op2(|x: u32, y: u32| x ^ y),
        };
        list.push(unguarded(&meta, built.named(Some(LaneOp::Xor)).on(to, Slot::NONE, &[slot, mask])));
        to
    };
    let a = turned(body, u.negated, a);
    let c = turned(body, minus_c, c);
    let mut modifiers = vec![Modifier::Word(Word::Rn)];
    modifiers.extend(key.ftz.then_some(Modifier::Word(Word::Ftz)));
    modifiers.extend(sat.then_some(Modifier::Word(Word::Sat)));
    modifiers.push(Modifier::Word(key.ty));
    let form = Form { opcode: Opcode::Fma, modifiers: &modifiers, selectors: &[], negated: &[], operands: 4 };
    let built = warpvm_sem::lane(&form, RowBuilder).ok()?;
    let op = built.named(LaneOp::of(&form)).on(d, Slot::NONE, &[a, b, c]);
    list.push(Emitted { inst: Inst { guard, kind: Kind::Row(op) }, meta });
    Some(list)
}
