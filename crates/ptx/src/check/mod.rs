//! The checker: is a parsed module legal PTX for its `.version` and `.target`?
//!
//! Instructions are compared with a [table](table) of forms. The vendor's assembler, `ptxas` 13.0, is the measure:
//! where it is more lenient than the manual, so is this.

mod declare;
mod forms;
mod matcher;
mod need;
mod operand;
mod row;
mod scope;
mod sets;
mod table;

pub use forms::{known, rows};
pub use row::Row;

use crate::error::Error;
use crate::tree::{Function, Guard, Instruction, Item, Module, Operand, Span, Statement, Variable};
use matcher::Bound;
use need::Offer;
use operand::Operands;
use scope::{Entity, Role, Scopes};
use std::collections::HashMap;
use std::rc::Rc;
use warpvm_isa::{Modifier, Opcode, ScalarType};

/// Checks a module: instruction forms, operands, names, versions and targets.
///
/// # Examples
/// ```
/// let text = ".version 8.6 .target sm_90 .entry k() { .reg .f32 %f<3>; add.f32 %f0, %f1, 1; ret; }";
/// let errors = warpvm_ptx::check(&warpvm_ptx::parse(text).unwrap());
/// assert_eq!(errors[0].message, "operand 3 of `add.f32`: `1` is an integer, expected a value of type `.f32`");
/// ```
pub fn check(module: &Module) -> Vec<Error> {
    let mut checker = Checker {
        module,
        scopes: Scopes::new(module, counted_names(module)),
        heads: HashMap::new(),
        offer: Offer { version: module.version, target: None },
        errors: Vec::new(),
    };
    checker.header();
    checker.items();
    checker.errors
}

/// More errors than this help nobody.
const MAX_ERRORS: usize = 1000;

/// Instructions that are spelled alike share their modifiers, so the place says which they are.
type Head = (Opcode, *const [Modifier]);

struct Checker<'a> {
    module: &'a Module,
    scopes: Scopes<'a>,
    /// Forms that each head of an instruction matches, found once.
    heads: HashMap<Head, Rc<Vec<Bound<'a>>>>,
    offer: Offer,
    errors: Vec<Error>,
}

fn counted_names(module: &Module) -> impl Iterator<Item = crate::tree::Name> {
    let mut names = Vec::new();
    let mut add = |variable: &Variable| {
        if variable.count.is_some() {
            names.push(variable.name);
        }
    };
    for item in &module.items {
        match item {
            Item::Variable(variable) => add(variable),
            Item::Function(function) => each_variable(function.body.as_deref().unwrap_or_default(), &mut add),
            _ => {}
        }
    }
    names.into_iter()
}

/// Recurses over scopes, whose depth the parser limits.
fn each_variable(statements: &[Statement], visit: &mut impl FnMut(&Variable)) {
    for statement in statements {
        match statement {
            Statement::Variable(variable) => visit(variable),
            Statement::Block(inner) => each_variable(inner, visit),
            _ => {}
        }
    }
}

impl<'a> Checker<'a> {
    fn error(&mut self, error: Error) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    fn items(&mut self) {
        let module = self.module;
        for (index, item) in module.items.iter().enumerate() {
            match item {
                Item::Variable(variable) => self.module_variable(variable),
                Item::Function(function) => self.function(index, function),
                Item::Alias { alias, aliasee, span } => self.alias(*alias, *aliasee, *span),
                Item::File { .. } | Item::Section(_) | Item::Pragma(..) => {}
            }
        }
    }

    fn function(&mut self, index: usize, function: &'a Function) {
        self.declare_function(index, function);
        self.function_directives(function);
        self.scopes.enter();
        for parameter in &function.returns {
            self.parameter(parameter, Role::Output);
        }
        for parameter in &function.params {
            self.parameter(parameter, Role::Input);
        }
        if let Some(body) = &function.body {
            self.block(body);
        }
        self.scopes.leave();
    }

    /// Recurses over scopes, whose depth the parser limits.
    fn block(&mut self, statements: &'a [Statement]) {
        self.scopes.enter();
        self.labels(statements);
        for statement in statements {
            match statement {
                Statement::Variable(variable) => self.local_variable(variable),
                Statement::Instruction(instruction) => self.instruction(instruction),
                Statement::Block(inner) => self.block(inner),
                Statement::BranchTargets { label, targets, span } => {
                    self.label(*label, Entity::BranchTargets, *span);
                    self.branch_targets(targets, *span);
                }
                Statement::CallTargets { label, targets, span } => {
                    self.label(*label, Entity::Prototype, *span);
                    self.call_targets(targets, *span);
                }
                Statement::CallPrototype { label, span, .. } => self.label(*label, Entity::Prototype, *span),
                Statement::Label(..) | Statement::Loc(_) | Statement::Pragma(..) => {}
            }
        }
        self.scopes.leave();
    }

    fn instruction(&mut self, instruction: &'a Instruction) {
        if let Some(guard) = instruction.guard {
            self.guard(guard, instruction.span);
        }
        let bounds = self.bind(instruction);
        if bounds.is_empty() {
            let forms = forms::of(instruction.opcode);
            let message = matcher::explain(forms, instruction.opcode, &instruction.modifiers);
            self.error(Error::invalid(instruction.span, message));
            return;
        }
        if let Err(error) = self.operands(&bounds, instruction) {
            self.error(error);
        }
        if instruction.opcode == Opcode::Call {
            self.call(instruction);
        }
    }

    fn bind(&mut self, instruction: &'a Instruction) -> Rc<Vec<Bound<'a>>> {
        let head = (instruction.opcode, std::ptr::from_ref(&*instruction.modifiers));
        if let Some(known) = self.heads.get(&head) {
            return known.clone();
        }
        let forms = forms::of(instruction.opcode).iter();
        let bounds: Vec<Bound> = forms.filter_map(|form| matcher::bind(form, &instruction.modifiers).ok()).collect();
        let bounds = Rc::new(bounds);
        self.heads.insert(head, bounds.clone());
        bounds
    }

    /// Looks for a form that the operands fit and that version and target allow; says what is wrong with the one
    /// that comes nearest.
    fn operands(&mut self, bounds: &[Bound<'a>], instruction: &'a Instruction) -> Result<(), Error> {
        let mut nearest: Option<operand::Misfit> = None;
        let mut unmet = None;
        for bound in bounds {
            let module = self.module;
            let mut operands = Operands { module, scopes: &mut self.scopes, bound, instruction };
            match operands.check() {
                Ok(()) => match bound.unmet(self.offer) {
                    None => return Ok(()),
                    Some(lacking) => unmet = unmet.or(Some(lacking)),
                },
                Err(misfit) => {
                    if nearest.as_ref().is_none_or(|other| other.at < misfit.at) {
                        nearest = Some(misfit);
                    }
                }
            }
        }
        match (unmet, nearest) {
            (Some(unmet), _) => Err(Error::invalid(instruction.span, unmet)),
            (None, Some(misfit)) => {
                let error = Error::invalid(instruction.span, misfit.message);
                Err(Error { help: misfit.help, ..error })
            }
            (None, None) => Ok(()),
        }
    }

    fn guard(&mut self, guard: Guard, span: Span) {
        let name = self.module.name(guard.predicate);
        match self.scopes.find(guard.predicate) {
            Some(Entity::Register { ty: ScalarType::Pred, vector: 1 }) => {}
            Some(entity) => {
                let message = format!("the guard `{name}` is {}, expected a `.pred` register", entity.describe());
                self.error(Error::invalid(span, message));
            }
            None => self.error(Error::invalid(span, format!("unknown name `{name}`"))),
        }
    }

    /// Counts the arguments of a direct call.
    fn call(&mut self, instruction: &Instruction) {
        let function = instruction.operands.iter().find_map(|operand| match operand {
            Operand::Name(name) => match self.scopes.find(*name) {
                Some(Entity::Function(index)) => Some((*name, index)),
                _ => None,
            },
            _ => None,
        });
        let Some((name, index)) = function else {
            return;
        };
        let Some(Item::Function(callee)) = self.module.items.get(index) else {
            return;
        };
        let text = self.module.name(name);
        if callee.is_entry {
            let message = format!("`{text}` is a kernel, only a `.func` can be called");
            self.error(Error::invalid(instruction.span, message));
            return;
        }
        let mut returns = 0;
        let mut arguments = 0;
        let mut seen = false;
        for operand in &instruction.operands {
            match operand {
                Operand::List(list) if seen => arguments = list.len(),
                Operand::List(list) => returns = list.len(),
                _ => seen = true,
            }
        }
        for (what, wanted, found) in
            [("return values", callee.returns.len(), returns), ("arguments", callee.params.len(), arguments)]
        {
            if wanted != found {
                let message = format!("`{text}` has {wanted} {what}, this call has {found}");
                self.error(Error::invalid(instruction.span, message));
            }
        }
    }
}
