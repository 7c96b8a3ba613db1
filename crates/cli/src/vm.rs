//! The virtual machine behind the commands.

use crate::launch::Launch;
use crate::machine::{Answer, Entry, How, Machine, Module, Parameter};
use crate::module::Source;
use std::fmt::Write;
use warpvm_isa::ScalarType;
use warpvm_ptx::tree::{self, Item, Variable};
use warpvm_ptx::{Error, ErrorKind};
use warpvm_report::{Diagnostic, NoteKind, Place};

/// The machine of the library.
pub struct Vm;

impl Machine for Vm {
    fn load(&self, source: &Source) -> Result<Box<dyn Module>, Vec<Diagnostic>> {
        let module = parse(source).map_err(|error| vec![*error])?;
        Ok(Box::new(Loaded { entries: entries(&module) }))
    }
}

/// Parses a module.
///
/// # Errors
/// The text is no PTX; located.
pub fn parse(source: &Source) -> crate::Result<tree::Module> {
    warpvm_ptx::parse(&source.ptx).map_err(|error| Box::new(located(&error, source)))
}

fn located(error: &Error, source: &Source) -> Diagnostic {
    let place = Place::of_span(&source.name, &source.ptx, error.span.start as usize, error.span.end as usize);
    let diagnostic = match error.kind {
        ErrorKind::Invalid => Diagnostic::invalid(&error.message),
        ErrorKind::Unsupported => Diagnostic::unsupported(&error.message),
    };
    let diagnostic = diagnostic.at(place, "");
    match &error.help {
        Some(help) => diagnostic.note(NoteKind::Help, help),
        None => diagnostic,
    }
}

struct Loaded {
    entries: Vec<Entry>,
}

impl Module for Loaded {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn launch(&self, entry: &Entry, _launch: &Launch, _how: How) -> Answer {
        let message = format!("kernel `{}` cannot be run: this build has no machine", entry.name);
        Answer { buffers: Vec::new(), diagnostics: vec![Diagnostic::unsupported(message)] }
    }
}

/// The kernels of a module.
pub fn entries(module: &tree::Module) -> Vec<Entry> {
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.is_entry && function.body.is_some() => Some(function),
        _ => None,
    });
    let entry = |function: &tree::Function| Entry {
        name: module.name(function.name).to_owned(),
        parameters: function.params.iter().map(|param| parameter(module, param)).collect(),
    };
    functions.map(entry).collect()
}

fn parameter(module: &tree::Module, variable: &Variable) -> Parameter {
    let mut ty = format!(".{}", type_word(variable.ty));
    let mut bytes = variable.ty.bytes() as usize * variable.vector.max(1) as usize;
    for dim in &variable.dims {
        let dim = dim.unwrap_or(0);
        let _ = write!(ty, "[{dim}]");
        bytes = bytes.saturating_mul(dim as usize);
    }
    Parameter { name: module.name(variable.name).to_owned(), ty, bytes }
}

/// The manual's word for a type.
pub fn type_word(ty: ScalarType) -> String {
    format!("{ty:?}").to_lowercase()
}
