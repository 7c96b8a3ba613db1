//! What names mean inside a function: registers, variables, labels, with nested scopes.

use std::collections::HashMap;

use warpvm_isa::ScalarType;
use warpvm_ptx::tree::{Module, Name};

use crate::slots::{Class, Slot};

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg {
    /// Its declared type.
    pub ty: ScalarType,
    /// Its slot (a virtual one while lowering).
    pub slot: Slot,
}

impl Reg {
    /// What its slot holds.
    pub fn class(self) -> Class {
        Class::of_bits(self.ty.bits())
    }
}

/// A label inside a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub u32);

/// What a name means.
#[derive(Clone, Debug)]
pub enum Def {
    /// A register.
    Reg(Reg),
    /// A vector register: its components.
    Vector(Vec<Reg>),
    /// `name<count>`: the prefix of registers `name0` and so on; the first slot.
    Range { ty: ScalarType, first: Slot, count: u32 },
    /// A variable in the function's frame (local memory or a `.param` area): offset and length.
    Frame { offset: u32, len: u32 },
    /// A shared variable: offset in the window.
    Shared { offset: u32 },
    /// A dynamic shared array.
    SharedDynamic,
    /// A parameter of the kernel: offset and length.
    KernelParam { offset: u32, len: u32 },
    /// A label.
    Label(Label),
    /// `.branchtargets`
    Targets(Vec<Name>),
    /// `.calltargets`, `.callprototype`: which arguments and results is known from the call itself.
    Prototype,
}

/// Nested scopes.
#[derive(Default)]
pub struct Scopes {
    defs: HashMap<Name, Vec<Def>>,
    opened: Vec<Vec<Name>>,
    /// Prefixes of register ranges by text, to resolve `%r17`.
    ranges: HashMap<String, Vec<Name>>,
}

impl Scopes {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.opened.push(Vec::new());
    }

    /// Closes the innermost scope and forgets its names.
    pub fn close(&mut self, module: &Module) {
        for name in self.opened.pop().unwrap_or_default() {
            let stack = self.defs.get_mut(&name);
            if let Some(Def::Range { .. }) = stack.and_then(Vec::pop)
                && let Some(r) = self.ranges.get_mut(module.name(name))
            {
                r.pop();
            }
        }
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, module: &Module, name: Name, def: Def) {
        if matches!(def, Def::Range { .. }) {
            self.ranges.entry(module.name(name).to_owned()).or_default().push(name);
        }
        self.defs.entry(name).or_default().push(def);
        if let Some(scope) = self.opened.last_mut() {
            scope.push(name);
        }
    }

    /// What a name means, if it is declared.
    pub fn find(&self, module: &Module, name: Name) -> Option<Def> {
        if let Some(def) = self.defs.get(&name).and_then(|s| s.last()) {
            return Some(def.clone());
        }
        let text = module.name(name);
        let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        // `%r12` may be register 12 of `%r<20>` or register 2 of `%r1<20>`.
        for split in (text.len() - digits)..text.len() {
            let (prefix, number) = text.split_at(split);
            if number.len() > 1 && number.starts_with('0') {
                continue;
            }
            let Some(range) = self.ranges.get(prefix).and_then(|r| r.last()) else { continue };
            let Some(Def::Range { ty, first, count }) = self.defs.get(range).and_then(|s| s.last()) else { continue };
            let Ok(index) = number.parse::<u32>() else { continue };
            if index < *count {
                let step = if ty.bits() == 128 { 2 } else { 1 };
                return Some(Def::Reg(Reg { ty: *ty, slot: Slot(first.0 + index * step) }));
            }
        }
        None
    }
}
