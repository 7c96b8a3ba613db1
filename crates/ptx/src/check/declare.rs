//! Declarations and directives: header, variables, functions, labels (PTX ISA, chapters 5 and 11).

use super::Checker;
use super::need::{Need, Target};
use super::scope::{Entity, Role, space_name};
use crate::error::Error;
use crate::tree::{Function, FunctionDirective, Item, Linkage, Name, Span, Statement, Variable};
use warpvm_isa::{ScalarType, StateSpace};

/// What directives need.
const DIRECTIVES: &[(&str, &str)] = &[
    ("maxnreg", "1.3"),
    ("maxntid", "1.3"),
    ("reqntid", "2.1"),
    ("minnctapersm", "2.0"),
    ("maxnctapersm", "2.0"),
    ("noreturn", "6.4 sm_30"),
    ("reqnctapercluster", "7.8 sm_90"),
    ("explicitcluster", "7.8 sm_90"),
    ("maxclusterrank", "7.8 sm_90"),
    ("blocksareclusters", "9.0 sm_90"),
    ("abi_preserve", "9.0 sm_80"),
    ("abi_preserve_control", "9.0 sm_80"),
];

impl<'a> Checker<'a> {
    /// `.version` and `.target`
    pub(super) fn header(&mut self) {
        let span = Span::default();
        for &name in &self.module.target {
            let text = self.module.name(name);
            if matches!(text, "texmode_unified" | "texmode_independent" | "debug" | "map_f64_to_f32") {
                continue;
            }
            match Target::parse(text).map(|target| (target, target.since())) {
                Some((target, Some(since))) => {
                    self.offer.target = Some(target);
                    if since > self.module.version {
                        let message = format!("`.target {text}` needs `.version` {}.{} or later", since.0, since.1);
                        self.error(Error::invalid(span, message));
                    }
                }
                _ => self.error(Error::invalid(span, format!("unknown target `{text}`"))),
            }
        }
        if !matches!(self.module.address_size, 32 | 64) {
            let message = format!("`.address_size` is 32 or 64, found {}", self.module.address_size);
            self.error(Error::invalid(span, message));
        }
    }

    fn need(&mut self, what: &str, needs: &str, span: Span) {
        let unmet = Need::parse(needs).and_then(|need| need.unmet(self.offer));
        if let Some(unmet) = unmet {
            self.error(Error::invalid(span, format!("{what} needs {unmet}")));
        }
    }

    fn duplicate(&mut self, name: Name, span: Span) {
        let message = format!("`{}` is already declared in this scope", self.module.name(name));
        self.error(Error::invalid(span, message));
    }

    /// Declares a variable, with or without a count.
    fn declare(&mut self, variable: &Variable, role: Role) {
        let entity = Entity::of(variable, role);
        let is_duplicate = match variable.count {
            Some(_) => self.scopes.has_counted_here(variable.name),
            None => self.scopes.find_here(variable.name).is_some(),
        };
        if is_duplicate {
            self.duplicate(variable.name, variable.span);
        }
        match variable.count {
            Some(count) => self.scopes.declare_counted(variable.name, count, entity),
            None => self.scopes.declare(variable.name, entity),
        }
    }

    pub(super) fn module_variable(&mut self, variable: &'a Variable) {
        self.variable(variable);
        if variable.space == StateSpace::Reg {
            let message = "a register cannot be declared at module scope";
            self.error(Error::invalid(variable.span, message));
        }
        // A declaration elsewhere may be followed by its definition.
        if self.scopes.find_here(variable.name).is_some() && self.is_declaration(variable.name) {
            self.scopes.declare(variable.name, Entity::of(variable, Role::Plain));
            return;
        }
        self.declare(variable, Role::Plain);
    }

    /// Is every variable of this name at module scope but one `.extern`, `.weak` or `.common`?
    fn is_declaration(&self, name: Name) -> bool {
        let strict = self.module.items.iter().filter(|item| match item {
            Item::Variable(other) => {
                other.name == name && !matches!(other.linkage, Linkage::Extern | Linkage::Weak | Linkage::Common)
            }
            _ => false,
        });
        strict.take(2).count() <= 1
    }

    pub(super) fn local_variable(&mut self, variable: &'a Variable) {
        self.variable(variable);
        self.declare(variable, Role::Plain);
    }

    pub(super) fn parameter(&mut self, variable: &'a Variable, role: Role) {
        self.variable(variable);
        // Prototypes call their parameters `_`.
        if self.module.name(variable.name) != "_" {
            self.declare(variable, role);
        }
    }

    /// What must hold of any variable.
    fn variable(&mut self, variable: &'a Variable) {
        let name = self.module.name(variable.name);
        let in_register = variable.space == StateSpace::Reg;
        let complaint = match variable.ty {
            _ if variable.align.is_some_and(|align| !align.is_power_of_two()) => {
                Some("an alignment must be a power of two".to_owned())
            }
            ScalarType::Pred if !in_register => Some(format!("the predicate `{name}` must be in `.reg` space")),
            ScalarType::Pred if variable.vector > 1 => Some("predicates have no vectors".to_owned()),
            ty if is_instruction_type(ty) => {
                Some(format!("`.{ty}` is a type of instructions, variables cannot have it"))
            }
            ty if variable.vector * ty.bits() > 128 => {
                Some(format!("a vector of {} `.{ty}` has more than 128 bits", variable.vector))
            }
            _ if in_register && !variable.dims.is_empty() => Some(format!("`{name}` cannot be an array of registers")),
            _ if variable.init.is_some() && !matches!(variable.space, StateSpace::Global | StateSpace::Const) => {
                Some(format!("`{name}` cannot have an initial value in {}", space_name(variable.space)))
            }
            _ => None,
        };
        if let Some(message) = complaint {
            self.error(Error::invalid(variable.span, message));
        }
        match variable.ty {
            ScalarType::B128 => self.need("type `.b128`", "8.3 sm_70", variable.span),
            ScalarType::F16 | ScalarType::F16x2 => {
                self.need(&format!("type `.{}` of a variable", variable.ty), "4.2 sm_53", variable.span);
            }
            _ => {}
        }
        if variable.ptr.is_some() {
            self.need("`.ptr`", "2.2", variable.span);
        }
    }

    pub(super) fn declare_function(&mut self, index: usize, function: &'a Function) {
        let found = self.scopes.find_here(function.name);
        let before = if let Some(Entity::Function(before)) = found { self.module.items.get(before) } else { None };
        if found.is_some() && before.is_none() {
            self.duplicate(function.name, function.span);
        }
        if let Some(Item::Function(before)) = before {
            self.compare_declarations(before, function);
        }
        self.scopes.declare(function.name, Entity::Function(index));
        if function.is_entry && !function.returns.is_empty() {
            let message = format!("the kernel `{}` cannot return values", self.module.name(function.name));
            self.error(Error::invalid(function.span, message));
        }
    }

    /// A function may be declared and defined, once each, alike.
    fn compare_declarations(&mut self, before: &Function, function: &Function) {
        let name = self.module.name(function.name);
        if before.body.is_some() && function.body.is_some() {
            self.duplicate(function.name, function.span);
        } else if before.params.len() != function.params.len() || before.returns.len() != function.returns.len() {
            let message = format!("`{name}` is declared with other parameters");
            self.error(Error::invalid(function.span, message));
        }
    }

    pub(super) fn function_directives(&mut self, function: &'a Function) {
        for directive in &function.directives {
            let (FunctionDirective::Numbers { name, .. } | FunctionDirective::Flag(name)) = directive else {
                continue;
            };
            if let Some((_, needs)) = DIRECTIVES.iter().find(|(known, _)| known == name) {
                self.need(&format!("`.{name}`"), needs, function.span);
            }
        }
    }

    pub(super) fn alias(&mut self, alias: Name, aliasee: Name, span: Span) {
        self.need("`.alias`", "6.3 sm_30", span);
        if let Some(Entity::Function(index)) = self.scopes.find(aliasee) {
            self.scopes.declare(alias, Entity::Function(index));
        } else {
            let message = format!("`{}` is no function that is declared before", self.module.name(aliasee));
            self.error(Error::invalid(span, message));
        }
    }

    /// Declares the labels of a block: they may be used before they stand.
    pub(super) fn labels(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            if let Statement::Label(name, span) = statement {
                self.label(*name, Entity::Label, *span);
            }
        }
    }

    /// Declares a label, or a list or prototype that has one.
    pub(super) fn label(&mut self, name: Name, entity: Entity, span: Span) {
        if self.scopes.find_here(name).is_some() {
            self.duplicate(name, span);
        }
        self.scopes.declare(name, entity);
    }

    pub(super) fn branch_targets(&mut self, targets: &[Name], span: Span) {
        for &target in targets {
            if self.scopes.find(target) != Some(Entity::Label) {
                let message = format!("`{}` is no label", self.module.name(target));
                self.error(Error::invalid(span, message));
            }
        }
    }

    pub(super) fn call_targets(&mut self, targets: &[Name], span: Span) {
        for &target in targets {
            if !matches!(self.scopes.find(target), Some(Entity::Function(_))) {
                let message = format!("`{}` is no function", self.module.name(target));
                self.error(Error::invalid(span, message));
            }
        }
    }
}

/// Types that no variable may have (PTX ISA, sections 5.2.2 and 5.2.5).
fn is_instruction_type(ty: ScalarType) -> bool {
    use ScalarType as T;
    matches!(
        ty,
        T::Bf16 | T::Bf16x2 | T::Tf32 | T::E4m3 | T::E5m2 | T::E4m3x2 | T::E5m2x2 | T::U16x2 | T::S16x2 | T::F32x2
    )
}
