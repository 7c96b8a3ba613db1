//! Modules and kernels.

use std::sync::Arc;

use warpvm_machine::lower::{Image, LowerError, LowerErrorKind};
use warpvm_machine::program::Program;
use warpvm_ptx::tree::Span;
use warpvm_report::{Diagnostic, NoteKind, Place};

use crate::Error;

/// A PTX module, parsed and checked, its variables placed.
#[derive(Clone)]
pub struct Module {
    pub(crate) image: Arc<Image>,
    pub(crate) path: Arc<str>,
}

/// A kernel of a module, ready to be launched.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) program: Arc<Program>,
    pub(crate) path: Arc<str>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Its type, e.g. `u64` or `b8[16]`.
    pub ty: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its alignment in bytes.
    pub align: usize,
}

impl Module {
    /// Parses and checks a PTX text (PTX ISA, chapters 4 to 11). `path` is the name that messages use.
    ///
    /// # Errors
    /// Invalid, with every place where the text is not legal PTX; unsupported, where a directive at module scope is
    /// known but not there yet.
    pub fn from_ptx(path: &str, text: &str) -> Result<Self, Error> {
        let tree = warpvm_ptx::parse(text).map_err(|e| Error { diagnostics: vec![located(path, text, &e)] })?;
        let problems = warpvm_ptx::check(&tree);
        if !problems.is_empty() {
            return Err(Error { diagnostics: problems.iter().map(|e| located(path, text, e)).collect() });
        }
        let image = Image::new(Arc::new(tree), text.into()).map_err(|e| lowering(path, text, &e))?;
        Ok(Module { image: Arc::new(image), path: path.into() })
    }

    /// Reads and checks a `.ptx` file.
    ///
    /// # Errors
    /// As [`Module::from_ptx`]; invalid where the file cannot be read.
    pub fn from_file(path: &str) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::invalid(format!("cannot read `{path}`: {e}")))?;
        Module::from_ptx(path, &text)
    }

    /// Names of the kernels, in the order of the text.
    pub fn kernels(&self) -> Vec<String> {
        self.image.entries()
    }

    /// Makes a kernel ready to run. A C++ kernel may be named as in the source, as far as that tells it from others:
    /// `scale<float>` for `ns::scale<float>(float*, float)`.
    ///
    /// # Errors
    /// Invalid, where there is none of that name or several; unsupported, with every instruction that is known but not there yet.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let names = self.kernels();
        let meant = warpvm_report::names::meant(&names, name);
        let name = match meant[..] {
            [one] => one,
            [] => name,
            [..] => {
                let list = meant.join("`, `");
                return Err(Error::invalid(format!("`{}` has several kernels `{name}`: `{list}`", self.path)));
            }
        };
        let program = self.image.lower(name).map_err(|e| lowering(&self.path, &self.image.source, &e))?;
        Ok(Kernel { program: Arc::new(program), path: self.path.clone() })
    }
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.program.entry
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> Vec<Parameter> {
        let parameter = |p: &warpvm_machine::program::Param| Parameter {
            name: p.name.clone(),
            ty: p.ty.clone(),
            bytes: p.len as usize,
            align: p.align as usize,
        };
        self.program.params.iter().map(parameter).collect()
    }

    /// The program form, for tools.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

fn place(path: &str, text: &str, span: Span) -> Place {
    Place::of_span(path, text, span.start as usize, span.end as usize)
}

fn located(path: &str, text: &str, error: &warpvm_ptx::Error) -> Diagnostic {
    let diagnostic = match error.kind {
        warpvm_ptx::ErrorKind::Invalid => Diagnostic::invalid(&error.message),
        warpvm_ptx::ErrorKind::Unsupported => Diagnostic::unsupported(&error.message),
    };
    let diagnostic = diagnostic.at(place(path, text, error.span), "");
    match &error.help {
        Some(help) => diagnostic.note(NoteKind::Help, help),
        None => diagnostic,
    }
}

fn lowering(path: &str, text: &str, errors: &[LowerError]) -> Error {
    let diagnostic = |e: &LowerError| {
        let d = match e.kind {
            LowerErrorKind::Invalid => Diagnostic::invalid(&e.message),
            LowerErrorKind::Unsupported => Diagnostic::unsupported(&e.message),
        };
        if e.span.end == 0 { d } else { d.at(place(path, text, e.span), "") }
    };
    Error { diagnostics: errors.iter().map(diagnostic).collect() }
}
