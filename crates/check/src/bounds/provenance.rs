//! From which variable an address was certainly made, found from the program alone.
//!
//! Each register is looked at as a whole: what all its writes have in common. It is a number, one variable's address plus a
//! number, or anything. Only the operations of plain pointer arithmetic keep an address one; differences of addresses, bits taken
//! out of one, a choice between two, and what a call gives are anything, and nothing is said of accesses by them.

use warpvm_isa::Opcode;
use warpvm_machine::program::{Address, AddressKind, Kind, Pc, Place, Program, Role, Symbol};
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
    /// What a load gives: a number, unless differences of addresses may lie in memory.
    loaded: Value,
}

impl Provenance {
    pub fn of(program: &Program) -> Self {
        let mut p =
            Provenance { values: vec![Value::None; program.register_bytes as usize / 4 + 1], loaded: Value::Number };
        for preset in &program.presets {
            p.add(preset.slot, Value::Number);
        }
        for place in program.functions.iter().flat_map(|f| f.formals.iter().chain(&f.results)) {
            if let Place::Register(_, slot) = *place {
                p.add(slot, Value::Any);
            }
        }
        // Registers only ever become less known: a few rounds.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for pc in 0..program.code.len() as Pc {
                changed |= p.step(program, pc);
            }
        }
        p
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
            Kind::Load(_) | Kind::Atomic(_) => self.loaded,
            Kind::Call(call) => {
                let results = call.results.iter().filter_map(|p| match *p {
                    Place::Register(_, slot) => Some(slot),
                    Place::Memory(..) => None,
                });
                return self.add_all(results, Value::Any);
            }
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
        (O::Mov | O::Cvta, [a]) => a.plus(named),
        (O::Cvt | O::Add | O::Sub | O::Mad, [a]) => *a,
        (O::Add, [a, b]) => a.plus(*b).plus(named),
        (O::Sub, [a, b]) if named == Value::Number => a.plus(b.number()),
        (O::Mad, [a, b, c]) => a.number().plus(b.number()).plus(*c).plus(named),
        (O::Selp, [a, b, _]) if named == Value::Number => a.or(*b),
        _ => all(),
    }
}
