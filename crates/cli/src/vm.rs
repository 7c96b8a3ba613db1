//! The virtual machine behind the commands.

use crate::args::{Arg, ArgValue, Buffer, Direction};
use crate::launch::Launch;
use crate::machine::{Answer, Entry, How, Machine, Module, Parameter, Schedule};
use crate::module::{Source, find_source};
use std::fmt::Write;
use std::sync::Arc;
use warpvm_isa::ScalarType;
use warpvm_machine::launch::{Config, Convergence, Dimensions, Outcome, run};
use warpvm_machine::lower::{Image, LowerError, LowerErrorKind};
use warpvm_machine::memory::{AllocError, GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;
use warpvm_machine::program::Program;
use warpvm_ptx::tree::{self, Item, Span, Variable};
use warpvm_ptx::{Error, ErrorKind};
use warpvm_report::fault::Scene;
use warpvm_report::{Diagnostic, Kind, Locator, NoteKind, Place};

/// The machine of the library.
pub struct Vm;

/// Most global memory of a launch.
const MEMORY: u64 = 1 << 35;

impl Machine for Vm {
    fn load(&self, source: &Source) -> Result<Box<dyn Module>, Vec<Diagnostic>> {
        let tree = Arc::new(parse(source).map_err(|error| vec![*error])?);
        let text: Arc<str> = Arc::from(source.ptx.as_str());
        let image = Image::new(tree.clone(), text).map_err(|errors| located_all(&errors, source))?;
        Ok(Box::new(Loaded { entries: entries(&tree), image, source: source.clone() }))
    }
}

/// Parses a module.
///
/// # Errors
/// The text is no PTX; located.
pub fn parse(source: &Source) -> crate::Result<tree::Module> {
    warpvm_ptx::parse(&source.ptx).map_err(|error| Box::new(located(&error, source)))
}

fn place(span: Span, source: &Source) -> Place {
    Place::of_span(&source.name, &source.ptx, span.start as usize, span.end as usize)
}

fn located(error: &Error, source: &Source) -> Diagnostic {
    let diagnostic = match error.kind {
        ErrorKind::Invalid => Diagnostic::invalid(&error.message),
        ErrorKind::Unsupported => Diagnostic::unsupported(&error.message),
    };
    let diagnostic = diagnostic.at(place(error.span, source), "");
    match &error.help {
        Some(help) => diagnostic.note(NoteKind::Help, help),
        None => diagnostic,
    }
}

/// One diagnostic a message, at the first of its places: an instruction that is missing is missing everywhere.
fn located_all(errors: &[LowerError], source: &Source) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for error in errors {
        let kind = match error.kind {
            LowerErrorKind::Invalid => Kind::Invalid,
            LowerErrorKind::Unsupported => Kind::Unsupported,
        };
        match all.iter_mut().find(|known| known.kind == kind && known.message == error.message) {
            Some(known) => known.count += 1,
            None => all.push(Diagnostic::new(kind, &error.message).at(place(error.span, source), "")),
        }
    }
    all
}

struct Loaded {
    entries: Vec<Entry>,
    image: Image,
    source: Source,
}

impl Module for Loaded {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn prepare(&self, entry: &Entry) -> Result<(), Vec<Diagnostic>> {
        self.program(entry).map(|_| ())
    }

    fn launch(&self, entry: &Entry, launch: &Launch, how: How) -> Answer {
        self.try_launch(entry, launch, how).unwrap_or_else(|diagnostics| Answer {
            buffers: Vec::new(),
            diagnostics,
            output: String::new(),
        })
    }
}

impl Loaded {
    fn program(&self, entry: &Entry) -> Result<Program, Vec<Diagnostic>> {
        self.image.lower(&entry.name).map_err(|errors| located_all(&errors, &self.source))
    }

    fn try_launch(&self, entry: &Entry, launch: &Launch, how: How) -> Result<Answer, Vec<Diagnostic>> {
        let program = self.program(entry)?;
        let mut memory = GlobalMemory::new(MEMORY).map_err(|e| no_memory(&e))?;
        self.image.instantiate(&mut memory).map_err(|e| no_memory(&e))?;
        let (params, bases) = place_arguments(&program, launch, &mut memory)?;
        let dimensions =
            Dimensions { grid: launch.grid, block: launch.block, cluster: program.cluster.unwrap_or([1, 1, 1]) };
        let request = warpvm_machine::launch::Launch { dimensions, dynamic_shared: launch.smem, params: &params };
        let (ended, _) = run(&program, &memory, &request, &config(how), || Nobody)
            .map_err(|error| vec![Diagnostic::invalid(error.to_string())])?;
        let buffers = bases.iter().map(|base| base.and_then(|(base, len)| memory.read(base, len)).map(<[u8]>::to_vec));
        Ok(Answer {
            buffers: buffers.collect(),
            diagnostics: self.tell(&program, &memory, &ended, how).into_iter().collect(),
            output: String::from_utf8_lossy(&ended.output).into_owned(),
        })
    }

    /// What ended the launch too early, if something did.
    fn tell(&self, program: &Program, memory: &GlobalMemory, ended: &Outcome, how: How) -> Option<Diagnostic> {
        let fault = ended.fault.as_ref()?;
        let read = |path: &str| find_source(path, &self.source.name);
        let locator = Locator::new(&self.source.name, &self.source.ptx, &self.image.module, &read);
        let mut diagnostic = Scene { program, memory, locator: &locator }.tell(fault);
        if let Schedule::Seeded(seed) = how.schedule {
            diagnostic.seed = Some(seed);
        }
        Some(diagnostic)
    }
}

fn config(how: How) -> Config {
    use warpvm_machine::launch::Schedule as Order;
    let default = Config::default();
    let (schedule, convergence) = match how.schedule {
        Schedule::Fast => (Order::Fast, Convergence::Barriers),
        Schedule::Seeded(seed) => (Order::Seeded(seed), Convergence::Barriers),
        Schedule::Stack => (Order::Fast, Convergence::Stack),
    };
    Config { schedule, convergence, max_steps: how.limit.unwrap_or(default.max_steps), threads: how.threads }
}

fn no_memory(error: &AllocError) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Kind::Exhausted, error.to_string())]
}

/// Base and length of each argument that is a buffer.
type Bases = Vec<Option<(u64, u64)>>;

/// Makes the buffers and lays out the parameters.
fn place_arguments(
    program: &Program,
    launch: &Launch,
    memory: &mut GlobalMemory,
) -> Result<(Vec<u8>, Bases), Vec<Diagnostic>> {
    let mut params = vec![0; program.param_bytes as usize];
    let mut bases = Vec::new();
    for (param, arg) in program.params.iter().zip(&launch.args) {
        let (base, bytes) = match &arg.value {
            ArgValue::Scalar { ty, bits } => (None, bits.to_le_bytes()[..ty.bytes].to_vec()),
            ArgValue::Bytes(data) => (None, data.clone()),
            ArgValue::Buffer(buffer) => {
                let base = place_buffer(buffer, buffer_name(arg, &param.name), memory).map_err(|e| no_memory(&e))?;
                (Some((base, buffer.bytes as u64)), base.to_le_bytes().to_vec())
            }
        };
        let start = param.offset as usize;
        if let Some(slot) = params.get_mut(start..start + bytes.len()) {
            slot.copy_from_slice(&bytes);
        }
        bases.push(base);
    }
    Ok((params, bases))
}

fn buffer_name(arg: &Arg, param: &str) -> String {
    arg.name.clone().unwrap_or_else(|| param.to_owned())
}

fn place_buffer(buffer: &Buffer, name: String, memory: &mut GlobalMemory) -> Result<u64, AllocError> {
    let initialised = buffer.direction != Direction::Uninit;
    let base = memory.allocate(buffer.bytes as u64, Origin::Buffer(name), initialised)?;
    if let Some(data) = &buffer.data {
        memory.write(base, data);
    }
    Ok(base)
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
