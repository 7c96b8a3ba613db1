//! Accesses of one basic block to the same base row.
//!
//! Unrolled loops access `[%r8]`, `[%r8+64]`, `[%r8+128]` and so on. What the first of them finds out of the row (one
//! memory, neighbours or one word for all, the lowest and the highest, and that all the others are inside) holds for the
//! others as long as nothing writes to the row. Such accesses are marked here; the engine keeps what it finds for as long
//! as it runs the block without a pause.

use crate::program::{Address, Again, Inst, Kind, Role};
use crate::slots::{Class, Slot};

/// Rows that are remembered at a time.
pub const ROWS: usize = 4;

struct Known {
    id: u8,
    address: Address,
    first: usize,
}

/// Marks the accesses of a program whose program counters are final.
pub fn mark(code: &mut [Inst]) {
    let starts = starts_of_blocks(code);
    let mut known: Vec<Known> = Vec::with_capacity(ROWS);
    for pc in 0..code.len() {
        if starts[pc] || !matches!(code[pc].kind, Kind::Row(_) | Kind::Load(_) | Kind::Store(_)) {
            known.clear();
        }
        if let Some(address) = word_access(&code[pc]) {
            let same = known.iter().find(|k| is_same_row(&k.address, &address));
            match same.map(|k| (k.id, k.first, distance(&k.address, &address))) {
                Some((id, first, Some(by))) => {
                    reach(&mut code[first], id, by);
                    set(&mut code[pc], Again::Same { id, by });
                }
                // Too far from the first, or at an odd distance.
                Some((.., None)) => {}
                None => {
                    if known.len() == ROWS {
                        known.remove(0);
                    }
                    // Rows that were written to have left the list out of turn: the number must not be one that is in it.
                    let id = (0..ROWS as u8).find(|id| known.iter().all(|k| k.id != *id)).unwrap_or(0);
                    known.push(Known { id, address, first: pc });
                }
            }
        }
        code[pc].visit(&mut |role, class, slot| {
            if role == Role::Write {
                known.retain(|k| !overlap((k.address.class, k.address.base), (class, *slot)));
            }
        });
    }
}

/// Where control may arrive from elsewhere.
pub(super) fn starts_of_blocks(code: &[Inst]) -> Vec<bool> {
    let mut starts = vec![false; code.len()];
    for inst in code {
        match &inst.kind {
            Kind::Branch { target, .. } => starts[*target as usize] = true,
            Kind::BranchIndexed { targets, .. } => targets.iter().for_each(|t| starts[*t as usize] = true),
            _ => {}
        }
    }
    starts
}

/// The address of a load or store of a word a lane, of all lanes of its split.
fn word_access(inst: &Inst) -> Option<Address> {
    let (address, is_word) = match &inst.kind {
        Kind::Load(l) => (l.address, l.size == 4 && matches!(l.results[..], [(Class::R32, s)] if s.is_some())),
        Kind::Store(s) => (s.address, s.size == 4 && matches!(s.sources[..], [(Class::R32, _)])),
        _ => return None,
    };
    (is_word && inst.guard.is_none() && address.base.is_some()).then_some(address)
}

fn is_same_row(a: &Address, b: &Address) -> bool {
    a.base == b.base && a.class == b.class && a.space == b.space
}

/// Bytes from one access to another of the same row, in whole words.
fn distance(first: &Address, other: &Address) -> Option<i32> {
    let by = i32::try_from(other.offset.checked_sub(first.offset)?).ok()?;
    (by % 4 == 0).then_some(by)
}

fn overlap(a: (Class, Slot), b: (Class, Slot)) -> bool {
    a.1.0 < b.1.0 + b.0.bytes() && b.1.0 < a.1.0 + a.0.bytes()
}

fn again_of(inst: &mut Inst) -> Option<&mut Again> {
    match &mut inst.kind {
        Kind::Load(l) => Some(&mut l.again),
        Kind::Store(s) => Some(&mut s.again),
        _ => None,
    }
}

fn set(inst: &mut Inst, again: Again) {
    if let Some(a) = again_of(inst) {
        *a = again;
    }
}

/// The first access of a row has another one at this distance.
fn reach(inst: &mut Inst, id: u8, by: i32) {
    let Some(again) = again_of(inst) else { return };
    let (low, high) = if let Again::First { low, high, .. } = *again { (low, high) } else { (0, 0) };
    *again = Again::First { id, low: low.min(by), high: high.max(by) };
}
