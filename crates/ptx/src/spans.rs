//! Taking the spans out of a tree, so that two trees can be compared by what they say.

use crate::tree::*;

impl Module {
    /// Sets every span to zero; two modules are then equal exactly where they say the same.
    pub fn clear_spans(&mut self) {
        for item in &mut self.items {
            match item {
                Item::Variable(variable) => variable.span = Span::default(),
                Item::Function(function) => clear_function(function),
                Item::Section(section) => section.span = Span::default(),
                Item::Alias { span, .. } | Item::File { span, .. } | Item::Pragma(_, span) => *span = Span::default(),
            }
        }
    }
}

fn clear_variables(variables: &mut [Variable]) {
    for variable in variables {
        variable.span = Span::default();
    }
}

fn clear_function(function: &mut Function) {
    function.span = Span::default();
    clear_variables(&mut function.returns);
    clear_variables(&mut function.params);
    clear_statements(function.body.as_deref_mut().unwrap_or_default());
}

/// Recurses over scopes, whose depth the parser limits.
fn clear_statements(statements: &mut [Statement]) {
    for statement in statements {
        match statement {
            Statement::Variable(variable) => variable.span = Span::default(),
            Statement::Instruction(instruction) => instruction.span = Span::default(),
            Statement::Block(inner) => clear_statements(inner),
            Statement::Loc(loc) => loc.span = Span::default(),
            Statement::CallPrototype { returns, params, span, .. } => {
                *span = Span::default();
                clear_variables(returns);
                clear_variables(params);
            }
            Statement::Label(_, span)
            | Statement::Pragma(_, span)
            | Statement::BranchTargets { span, .. }
            | Statement::CallTargets { span, .. } => *span = Span::default(),
        }
    }
}
