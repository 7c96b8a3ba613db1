//! What the commands need of the virtual machine.

use crate::Result;
use crate::launch::Launch;
use crate::module::Source;
use warpvm_report::Diagnostic;

/// A machine that modules are loaded into.
pub trait Machine: Sync {
    /// Parses and lowers a module.
    ///
    /// # Errors
    /// The module is malformed, or uses what is not supported.
    fn load(&self, source: &Source) -> std::result::Result<Box<dyn Module>, Vec<Diagnostic>>;
}

/// A loaded module.
pub trait Module {
    /// Its kernels.
    fn entries(&self) -> &[Entry];

    /// Finds out whether a kernel can be run.
    ///
    /// # Errors
    /// It is malformed, or uses what is not supported.
    fn prepare(&self, entry: &Entry) -> std::result::Result<(), Vec<Diagnostic>>;

    /// Runs a kernel to its end.
    fn launch(&self, entry: &Entry, launch: &Launch, how: How) -> Answer;
}

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type as PTX writes it, e.g. `.u64`, `.b8[16]`.
    pub ty: String,
    /// Its size.
    pub bytes: usize,
}

/// How to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// Which lanes run next.
    pub schedule: Schedule,
    /// Warp instructions after which to stop.
    pub limit: Option<u64>,
    /// Host threads to use; 0 for all.
    pub threads: usize,
}

/// Which lanes run next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schedule {
    /// For results.
    #[default]
    Fast,
    /// Drawn from a seed.
    Seeded(u64),
    /// As before Volta.
    Stack,
}

/// What a launch gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// What the buffers hold, by parameter index; `None` for scalars.
    pub buffers: Vec<Option<Vec<u8>>>,
    /// What the kernel printed.
    pub output: String,
    /// What there is to say; a launch that failed has at least one error here.
    pub diagnostics: Vec<Diagnostic>,
}

/// The kernel of that name, or the only one.
///
/// # Errors
/// None or several fit.
pub fn choose<'a>(entries: &'a [Entry], wanted: Option<&str>, file: &str) -> Result<&'a Entry> {
    let names = || entries.iter().map(|entry| format!("`{}`", entry.name)).collect::<Vec<_>>().join(", ");
    let wrong = |message: String| Diagnostic::invalid(message);
    match (wanted, entries) {
        (_, []) => Err(Box::new(
            wrong(format!("`{file}` has no kernel"))
                .help("a template is instantiated by naming it: --entry 'k<float>'"),
        )),
        (None, [only]) => Ok(only),
        (None, _) => Err(Box::new(
            wrong(format!("`{file}` has {} kernels", entries.len()))
                .help(format!("choose one with --entry: {}", names())),
        )),
        (Some(wanted), _) => entries.iter().find(|entry| entry.name == wanted).ok_or_else(|| {
            Box::new(wrong(format!("`{file}` has no kernel `{wanted}`")).help(format!("its kernels: {}", names())))
        }),
    }
}
