//! From which variable an address was certainly made, found from the program alone.
//!
//! Each register is looked at as a whole: what all its writes have in common. It is a number, one variable's address plus a
//! number, or anything. Only the operations of plain pointer arithmetic keep an address one; differences of addresses, bits taken
//! out of one and a choice between two are anything, and nothing is said of accesses by them. Arguments and results of calls
//! are followed through the `.param` memory that they are passed in; what all calls of a function have in common counts.

use std::collections::HashMap;

use warpvm_isa::Opcode;
use warpvm_machine::program::{
    Address, AddressKind, AddressSpace, Call, Callee, Kind, Pc, Place, Program, Role, Symbol,
};
use warpvm_machine::slots::Slot;

/// What is known of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Value {
    /// Nothing writes it, as far as was seen.
    #[default]
    None,
    /// A number: no address of a variable is in it.
    Number,
    /// The address of a variable plus a number.
    Of(Symbol),
    /// Anything.
    Any,
}

impl Value {
    /// What a register holds that is written by two instructions.
    fn or(self, other: Value) -> Value {
        match (self, other) {
            (Value::None, v) | (v, Value::None) => v,
            (a, b) if a == b => a,
            _ => Value::Any,
        }
    }

    fn plus(self, other: Value) -> Value {
        match (self, other) {
            (Value::None, _) | (_, Value::None) => Value::None,
            (Value::Number, v) | (v, Value::Number) => v,
            _ => Value::Any,
        }
    }

    /// What any other operation makes of it.
    fn number(self) -> Value {
        if matches!(self, Value::Of(_)) { Value::Any } else { self }
    }
}

/// What is known of all registers, by slot / 4.
pub(super) struct Provenance {
    values: Vec<Value>,
    /// The same of bytes of the frame that arguments and results lie in, by offset of the first.
    cells: HashMap<u32, Value>,
    /// What a load gives: a number, unless differences of addresses may lie in memory.
    loaded: Value,
}

impl Provenance {
    pub fn of(program: &Program) -> Self {
        let values = vec![Value::None; program.register_bytes as usize / 4 + 1];
        let mut p = Provenance { values, cells: HashMap::new(), loaded: Value::Number };
        for preset in &program.presets {
            p.add(preset.slot, Value::Number);
        }
        p.find_cells(program);
        // Registers only ever become less known: a few rounds.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for pc in 0..program.code.len() as Pc {
                changed |= p.step(program, pc);
            }
        }
        p
    }

    /// Finds the bytes that values are passed in. Those whose address is taken hold anything.
    fn find_cells(&mut self, program: &Program) {
        let is_indirect = |kind: &Kind| matches!(kind, Kind::Call(Call { callee: Callee::Indirect(_), .. }));
        let has_indirect = program.code.iter().any(|inst| is_indirect(&inst.kind));
        let mut of_calls = Vec::new();
        for f in &program.functions {
            of_calls.extend(f.formals.iter().chain(&f.results).map(|place| (*place, has_indirect)));
        }
        for inst in &program.code {
            let Kind::Call(call) = &inst.kind else { continue };
            of_calls.extend(call.args.iter().chain(&call.results).map(|place| (*place, false)));
        }
        let taken = |first: u32, end: u32| {
            program.code.iter().zip(&program.meta).any(|(inst, meta)| {
                matches!(&inst.kind, Kind::Address(a) if a.op == AddressKind::LocalVariable)
                    && matches!(meta.symbol, Symbol::Local(at) if (first..end).contains(&at))
            })
        };
        for (place, is_any) in of_calls {
            match place {
                Place::Register(_, slot) if is_any => {
                    self.add(slot, Value::Any);
                }
                Place::Register(..) => {}
                Place::Memory(first, len) => {
                    let end = first.saturating_add(len.min(256));
                    let value = if is_any || len > 256 || taken(first, end) { Value::Any } else { Value::None };
                    for at in first..end {
                        self.add_cell(at, value);
                    }
                }
            }
        }
    }

    /// A cell may hold this as well; is that new?
    fn add_cell(&mut self, at: u32, value: Value) -> bool {
        let old = self.cells.entry(at).or_default();
        let new = old.or(value);
        std::mem::replace(old, new) != new
    }

    /// The cell that an instruction names, where it is one.
    fn cell(&self, a: &Address) -> Option<u32> {
        let at = u32::try_from(a.offset).ok().filter(|_| a.space == AddressSpace::Frame && !a.base.is_some())?;
        self.cells.contains_key(&at).then_some(at)
    }

    /// Values go from places to places.
    fn pass(&mut self, from: &[Place], to: &[Place]) -> bool {
        let mut changed = false;
        for (from, to) in from.iter().zip(to) {
            changed |= match (*from, *to) {
                (Place::Register(_, a), Place::Register(_, b)) => self.add(b, self.value(a)),
                (Place::Register(_, a), Place::Memory(b, _)) => self.add_cell(b, self.value(a)),
                (Place::Memory(a, _), Place::Register(_, b)) => self.add(b, self.held(a)),
                (Place::Memory(a, len), Place::Memory(b, room)) => {
                    let len = len.min(room).min(256);
                    (0..len).fold(false, |changed, i| self.add_cell(b + i, self.held(a + i)) | changed)
                }
            };
        }
        changed
    }

    fn held(&self, at: u32) -> Value {
        self.cells.get(&at).copied().unwrap_or(Value::Any)
    }

    /// A call of a function of the program; of any other nothing is known.
    fn call(&mut self, program: &Program, call: &Call) -> bool {
        if let Callee::Function(f) = call.callee {
            let f = &program.functions[f as usize];
            return self.pass(&call.args, &f.formals) | self.pass(&f.results, &call.results);
        }
        call.results.iter().fold(false, |changed, place| {
            changed
                | match *place {
                    Place::Register(_, slot) => self.add(slot, Value::Any),
                    Place::Memory(at, _) => self.add_cell(at, Value::Any),
                }
        })
    }

    /// The variable that an instruction's address was made from.
    pub fn symbol(&self, program: &Program, pc: Pc, a: &Address) -> Symbol {
        let named = program.meta[pc as usize].symbol;
        match self.value(a.base) {
            Value::Of(symbol) => symbol,
            Value::Number if named == Symbol::None => Symbol::None,
            Value::Number if !a.base.is_some() || program.presets.iter().any(|p| p.slot == a.base) => named,
            _ => Symbol::None,
        }
    }

    fn value(&self, slot: Slot) -> Value {
        if slot.is_some() { self.values.get(slot.0 as usize / 4).copied().unwrap_or(Value::Any) } else { Value::Number }
    }

    /// A register may hold this as well; is that new?
    fn add(&mut self, slot: Slot, value: Value) -> bool {
        let Some(old) = self.values.get_mut(slot.0 as usize / 4).filter(|_| slot.is_some()) else { return false };
        let new = old.or(value);
        std::mem::replace(old, new) != new
    }

    fn add_all(&mut self, slots: impl Iterator<Item = Slot>, value: Value) -> bool {
        let mut changed = false;
        for slot in slots {
            changed |= self.add(slot, value);
        }
        changed
    }

    fn step(&mut self, program: &Program, pc: Pc) -> bool {
        let meta = &program.meta[pc as usize];
        let sources = || meta.operands.iter().filter(|o| o.0 == Role::Read).map(|o| self.value(o.2));
        let all = || sources().fold(Value::Number, |all, v| all.plus(v.number()));
        let value = match &program.code[pc as usize].kind {
            Kind::Row(op) => {
                let count = op.classes[2..].iter().flatten().count();
                let sources: Vec<Value> = op.slots[2..].iter().take(count).map(|s| self.value(*s)).collect();
                let value = row(meta.opcode, &sources, meta.symbol);
                if meta.opcode == Opcode::Sub && value == Value::Any {
                    self.loaded = Value::Any;
                }
                value
            }
            Kind::Load(load) if self.cell(&load.address).is_some() => {
                let first = self.cell(&load.address).unwrap_or_default();
                let mut changed = false;
                for (i, &(_, slot)) in load.results.iter().enumerate() {
                    changed |= self.add(slot, self.held(first + i as u32 * load.size));
                }
                return changed;
            }
            Kind::Load(_) | Kind::Atomic(_) => self.loaded,
            Kind::Store(store) => {
                let Some(first) = self.cell(&store.address) else { return false };
                let mut changed = false;
                for (i, &(_, slot)) in store.sources.iter().enumerate() {
                    changed |= self.add_cell(first + i as u32 * store.size, self.value(slot));
                }
                return changed;
            }
            Kind::Call(call) => return self.call(program, call),
            Kind::Address(a) => match a.op {
                AddressKind::LocalVariable => Value::Number.plus(of(meta.symbol)),
                AddressKind::MapaShared | AddressKind::MapaGeneric => self.value(a.source),
                _ => all(),
            },
            Kind::Stack(_) => Value::Any,
            _ => all(),
        };
        let written = meta.operands.iter().filter(|o| o.0 == Role::Write);
        self.add_all(written.map(|o| o.2), value)
    }
}

fn of(symbol: Symbol) -> Value {
    match symbol {
        Symbol::None => Value::Number,
        Symbol::Several => Value::Any,
        one => Value::Of(one),
    }
}

/// What a lane-wise operation gives; `named` is the variable whose address is one of its sources.
fn row(opcode: Opcode, sources: &[Value], named: Symbol) -> Value {
    use Opcode as O;
    // The address of a local variable is computed first: it is a source like any other.
    let named = if sources.contains(&of(named)) { Value::Number } else { of(named) };
    let all = || sources.iter().fold(named.number(), |all, v| all.plus(v.number()));
    match (opcode, sources) {
        // One source: the operation itself, or what brings a source to its width.
        // The second source of `cvta` is the start of a window.
        (O::Mov | O::Cvta, [a]) | (O::Cvta, [a, _]) => a.plus(named),
        (O::Cvt | O::Add | O::Sub | O::Mad, [a]) => *a,
        (O::Add, [a, b]) => a.plus(*b).plus(named),
        (O::Sub, [a, b]) if named == Value::Number => a.plus(b.number()),
        (O::Mad, [a, b, c]) => a.number().plus(b.number()).plus(*c).plus(named),
        (O::Selp, [a, b, _]) if named == Value::Number => a.or(*b),
        _ => all(),
    }
}
