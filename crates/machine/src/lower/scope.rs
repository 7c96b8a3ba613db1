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

/// `name<count>`: registers `name0` and so on. The name itself may be that of something else.
#[derive(Clone, Copy, Debug)]
pub struct RegisterRange {
    /// Their declared type.
    pub ty: ScalarType,
    /// The slot of the first.
    pub first: Slot,
    /// How many.
    pub count: u32,
}

/// Nested scopes.
#[derive(Default)]
pub struct Scopes {
    /// What names mean, and how many scopes were open; the innermost last.
    defs: HashMap<Name, Vec<(usize, Def)>>,
    /// Register ranges by the text of their names, to resolve `%r17`, likewise.
    ranges: HashMap<String, Vec<(usize, RegisterRange)>>,
    opened: Vec<Opened>,
}

/// What a scope has declared.
#[derive(Default)]
struct Opened {
    names: Vec<Name>,
    ranges: Vec<Name>,
}

impl Scopes {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.opened.push(Opened::default());
    }

    /// Closes the innermost scope and forgets its names.
    pub fn close(&mut self, module: &Module) {
        let scope = self.opened.pop().unwrap_or_default();
        for name in scope.names {
            self.defs.get_mut(&name).and_then(Vec::pop);
        }
        for name in scope.ranges {
            self.ranges.get_mut(module.name(name)).and_then(Vec::pop);
        }
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Name, def: Def) {
        self.defs.entry(name).or_default().push((self.opened.len(), def));
        if let Some(scope) = self.opened.last_mut() {
            scope.names.push(name);
        }
    }

    /// Declares a range of registers in the innermost scope.
    pub fn declare_range(&mut self, module: &Module, name: Name, range: RegisterRange) {
        self.ranges.entry(module.name(name).to_owned()).or_default().push((self.opened.len(), range));
        if let Some(scope) = self.opened.last_mut() {
            scope.ranges.push(name);
        }
    }

    /// What a name means, if it is declared.
    pub fn find(&self, module: &Module, name: Name) -> Option<Def> {
        let single = self.defs.get(&name).and_then(|s| s.last());
        let text = module.name(name);
        match (single, self.numbered(text)) {
            (Some((depth, def)), Some((other, _))) if *depth >= other => Some(def.clone()),
            (_, Some((_, reg))) => Some(Def::Reg(reg)),
            (single, None) => single.map(|s| s.1.clone()),
        }
    }

    /// A register of a range, and how deep that was declared. All digits at the end are the number: `%r12` is never
    /// number 2 of `%r1<4>`.
    fn numbered(&self, text: &str) -> Option<(usize, Reg)> {
        let (prefix, number) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        let index = number.parse::<u32>().ok()?;
        // An inner range hides no more than it has.
        let &(depth, RegisterRange { ty, first, .. }) = self.ranges.get(prefix)?.iter().rfind(|r| index < r.1.count)?;
        let step = if ty.bits() == 128 { 2 } else { 1 };
        Some((depth, Reg { ty, slot: Slot(first.0 + index * step) }))
    }
}
