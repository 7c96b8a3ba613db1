//! What names stand for: registers, variables, labels, functions, with scopes (PTX ISA, sections 5.4.6 and 11.2).

use crate::tree::{Module, Name, Variable};
use std::collections::HashMap;
use warpvm_isa::{ScalarType, StateSpace};

/// Whose variable it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Declared in a module or body.
    Plain,
    /// A parameter of this function.
    Input,
    /// What this function returns.
    Output,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entity {
    /// A register; `vector` is its number of elements.
    Register { ty: ScalarType, vector: u32 },
    /// A variable in memory.
    Variable { space: StateSpace, role: Role },
    /// A label.
    Label,
    /// A function: index into the module's items.
    Function(usize),
    /// `.branchtargets`
    BranchTargets,
    /// `.calltargets` or `.callprototype`
    Prototype,
}

impl Entity {
    pub fn of(variable: &Variable, role: Role) -> Self {
        match variable.space {
            StateSpace::Reg => Entity::Register { ty: variable.ty, vector: variable.vector },
            space => Entity::Variable { space, role },
        }
    }

    /// "a `.f32` register", "a label"
    pub fn describe(self) -> String {
        match self {
            Entity::Register { ty, vector: 1 } => format!("a `.{ty}` register"),
            Entity::Register { ty, vector } => format!("a `.v{vector} .{ty}` register"),
            Entity::Variable { space, .. } => format!("a variable in {}", space_name(space)),
            Entity::Label => "a label".to_owned(),
            Entity::Function(_) => "a function".to_owned(),
            Entity::BranchTargets => "a list of branch targets".to_owned(),
            Entity::Prototype => "a prototype or list of call targets".to_owned(),
        }
    }
}

/// `.global`
pub(crate) fn space_name(space: StateSpace) -> &'static str {
    match space {
        StateSpace::Reg => "`.reg`",
        StateSpace::Sreg => "`.sreg`",
        StateSpace::Const => "`.const`",
        StateSpace::Global => "`.global`",
        StateSpace::Local => "`.local`",
        StateSpace::Param => "`.param`",
        StateSpace::Shared => "`.shared`",
        StateSpace::Tex => "`.tex`",
        StateSpace::Generic => "generic space",
    }
}

#[derive(Clone, Copy, Debug)]
struct Binding {
    entity: Entity,
    depth: u32,
}

/// A binding of `name<count>`.
#[derive(Clone, Copy, Debug)]
struct Counted {
    binding: Binding,
    count: u32,
}

/// How a name is to be read.
#[derive(Clone, Copy)]
enum Split {
    /// Not yet found out.
    Unknown,
    /// As it is.
    Whole,
    /// As one of the names that are declared with a count, and a number.
    Number(Name, u32),
}

/// What a leaving scope puts back.
enum Undo {
    Single(Name, Option<Binding>),
    Counted(Name),
}

/// The names that are visible at one place of a module.
pub(crate) struct Scopes<'a> {
    module: &'a Module,
    single: Vec<Option<Binding>>,
    /// By name, the innermost last: it hides no more of another than it has.
    counted: Vec<Vec<Counted>>,
    /// Names that are somewhere declared with a count, by text.
    prefixes: HashMap<&'a str, Name>,
    /// How each name is to be read.
    splits: Vec<Split>,
    undo: Vec<Undo>,
    marks: Vec<usize>,
}

impl<'a> Scopes<'a> {
    /// Starts at module scope. `counted` are the names declared with a count anywhere.
    pub fn new(module: &'a Module, counted: impl Iterator<Item = Name>) -> Self {
        let names = module.names.len();
        let prefixes = counted.filter_map(|name| Some((module.names.get(name.0 as usize)?.as_str(), name))).collect();
        Scopes {
            module,
            single: vec![None; names],
            counted: vec![Vec::new(); names],
            prefixes,
            splits: vec![Split::Unknown; names],
            undo: Vec::new(),
            marks: Vec::new(),
        }
    }

    fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Single(name, before) => self.single[name.0 as usize] = before,
                Undo::Counted(name) => drop(self.counted[name.0 as usize].pop()),
            }
        }
    }

    /// What the name stands for here.
    pub fn find(&mut self, name: Name) -> Option<Entity> {
        self.binding(name).map(|binding| binding.entity)
    }

    /// What the name stands for, if it was declared in the innermost scope.
    pub fn find_here(&mut self, name: Name) -> Option<Entity> {
        let depth = self.depth();
        self.binding(name).filter(|binding| binding.depth == depth).map(|binding| binding.entity)
    }

    fn binding(&mut self, name: Name) -> Option<Binding> {
        let single = *self.single.get(name.0 as usize)?;
        if self.prefixes.is_empty() {
            return single;
        }
        let index = name.0 as usize;
        if let Split::Unknown = self.splits[index] {
            self.splits[index] = self.split(name);
        }
        let depth = |binding: &Binding| binding.depth;
        let Split::Number(prefix, number) = self.splits[index] else { return single };
        let numbered = self.counted[prefix.0 as usize].iter().rfind(|counted| number < counted.count);
        single.into_iter().chain(numbered.map(|counted| counted.binding)).max_by_key(depth)
    }

    /// All digits at the end of a name are its number: `%r12` is never number 2 of `%r1<..>`.
    fn split(&self, name: Name) -> Split {
        let text = self.module.name(name);
        let (prefix, number) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        match (self.prefixes.get(prefix), number.parse()) {
            (Some(&prefix), Ok(number)) => Split::Number(prefix, number),
            _ => Split::Whole,
        }
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Name, entity: Entity) {
        let binding = Binding { entity, depth: self.depth() };
        if let Some(place) = self.single.get_mut(name.0 as usize) {
            self.undo.push(Undo::Single(name, place.replace(binding)));
        }
    }

    /// Declares `name<count>` in the innermost scope.
    pub fn declare_counted(&mut self, name: Name, count: u32, entity: Entity) {
        let binding = Binding { entity, depth: self.depth() };
        if let Some(place) = self.counted.get_mut(name.0 as usize) {
            place.push(Counted { binding, count });
            self.undo.push(Undo::Counted(name));
        }
    }

    /// Is `name<..>` declared in the innermost scope?
    pub fn has_counted_here(&self, name: Name) -> bool {
        let depth = self.depth();
        self.counted.get(name.0 as usize).and_then(|c| c.last()).is_some_and(|counted| counted.binding.depth == depth)
    }
}
