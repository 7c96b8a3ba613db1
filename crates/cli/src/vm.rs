//! From what the command line says to the library and back.

use crate::args::{ArgValue, Buffer, Direction};
use crate::launch::Launch;
use crate::module::{Source, find_source};
use warpvm::{Arg, Device, Error, Kernel, Module, Options, Schedule};
use warpvm_report::names::{meant, spelled};
use warpvm_report::{Diagnostic, Kind, outcome, sources};

/// A failure with all there is to say.
pub type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// Loads a module.
///
/// # Errors
/// It is malformed, or uses what is not supported.
pub fn load(source: &Source) -> Result<Module> {
    Module::from_ptx(&source.name, &source.ptx).map_err(merged)
}

/// The kernel of that name, or the only one.
///
/// # Errors
/// None or several fit; or the kernel is malformed, or uses what is not supported.
pub fn kernel(module: &Module, source: &Source) -> Result<Kernel> {
    let names = module.kernels();
    let name = choose(&names, source.entry.as_deref(), &source.name).map_err(|error| vec![*error])?;
    module.kernel(name).map_err(merged)
}

/// The name of that kernel, or of the only one.
///
/// # Errors
/// None or several fit.
pub fn choose<'a>(names: &'a [String], wanted: Option<&str>, file: &str) -> crate::Result<&'a str> {
    let meant = match wanted {
        Some(wanted) => meant(names, wanted),
        None => names.iter().map(String::as_str).collect(),
    };
    let list = |names: &[&str]| {
        let spell = |name: &&str| spelled(name).map_or_else(|| format!("`{name}`"), |s| format!("`{s}` (`{name}`)"));
        names.iter().map(spell).collect::<Vec<_>>().join(", ")
    };
    let all = || list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (message, help) = match (wanted, &meant[..]) {
        (_, [only]) => return Ok(only),
        (_, []) if names.is_empty() => (
            format!("`{file}` has no kernel"),
            "a template is instantiated by naming it: --entry 'k<float>'".to_owned(),
        ),
        (Some(wanted), []) => (format!("`{file}` has no kernel `{wanted}`"), format!("its kernels: {}", all())),
        (Some(wanted), several) => (
            format!("`{file}` has {} kernels `{wanted}`", several.len()),
            format!("choose one with --entry: {}", list(several)),
        ),
        (None, several) => {
            (format!("`{file}` has {} kernels", several.len()), format!("choose one with --entry: {}", list(several)))
        }
    };
    Err(Box::new(Diagnostic::invalid(message).help(help)))
}

/// One diagnostic a message, at the first of its places: an instruction that is missing is missing everywhere.
fn merged(error: Error) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for diagnostic in error.diagnostics {
        match all.iter_mut().find(|known| known.kind == diagnostic.kind && known.message == diagnostic.message) {
            Some(known) => known.count += diagnostic.count,
            None => all.push(diagnostic),
        }
    }
    all
}

/// What a launch gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// What the buffers hold, by parameter index; `None` for scalars. Empty where the launch failed.
    pub buffers: Vec<Option<Vec<u8>>>,
    /// What the kernel printed.
    pub output: String,
    /// What there is to say; a launch that failed has at least one error here.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a kernel to its end.
pub fn launch(module: &Module, kernel: &Kernel, source: &Source, launch: &Launch, options: Options) -> Answer {
    try_launch(module, kernel, launch, options)
        .unwrap_or_else(|error| Answer { diagnostics: complete(error, source, options), ..Answer::default() })
}

/// The diagnostics of a launch that failed, with the sources' lines and the seed.
pub fn complete(error: Error, source: &Source, options: Options) -> Vec<Diagnostic> {
    let mut diagnostics = error.diagnostics;
    sources::attach(&mut diagnostics, &|path| find_source(path, &source.name));
    for diagnostic in &mut diagnostics {
        diagnostic.seed = match options.schedule {
            Schedule::Seeded(seed) if matches!(diagnostic.kind, Kind::Finding(_)) => Some(seed),
            _ => diagnostic.seed,
        };
    }
    diagnostics
}

fn try_launch(
    module: &Module,
    kernel: &Kernel,
    launch: &Launch,
    options: Options,
) -> std::result::Result<Answer, Error> {
    let Prepared { mut device, args, buffers } = prepare(module, kernel, launch)?;
    let options = Options { shared_bytes: launch.smem, ..options };
    let report = device.launch(kernel, launch.grid, launch.block, &args, &options)?;
    Ok(Answer {
        buffers: buffers.into_iter().map(|buffer| buffer.map(|buffer| device.download::<u8>(buffer))).collect(),
        output: String::from_utf8_lossy(&report.output).into_owned(),
        diagnostics: Vec::new(),
    })
}

/// A device with the buffers of a launch in place.
pub struct Prepared {
    /// The device.
    pub device: Device,
    /// What the kernel is given.
    pub args: Vec<Arg>,
    /// The buffer of each argument that is one.
    pub buffers: Vec<Option<warpvm::Buffer>>,
}

/// Makes a device and places the buffers.
///
/// # Errors
/// Memory is used up.
pub fn prepare(module: &Module, kernel: &Kernel, launch: &Launch) -> std::result::Result<Prepared, Error> {
    let mut device = Device::new(module)?;
    let names: Vec<String> = kernel.parameters().into_iter().map(|parameter| parameter.name).collect();
    let mut args = Vec::new();
    let mut buffers = Vec::new();
    for (index, arg) in launch.args.iter().enumerate() {
        let (passed, buffer) = match &arg.value {
            ArgValue::Scalar { ty, bits } => (Arg::Bytes(bits.to_le_bytes()[..ty.bytes].to_vec()), None),
            ArgValue::Bytes(data) => (Arg::Bytes(data.clone()), None),
            ArgValue::Buffer(buffer) => {
                let name = arg.name.as_deref().or(names.get(index).map(String::as_str)).unwrap_or("?");
                let placed = place(&mut device, buffer, name)?;
                (Arg::Buffer(placed), Some(placed))
            }
            // Made when all buffers are in place.
            ArgValue::TensorMap(_) => (Arg::Bytes(Vec::new()), None),
        };
        args.push(passed);
        buffers.push(buffer);
    }
    for (index, arg) in launch.args.iter().enumerate() {
        let ArgValue::TensorMap(map) = &arg.value else { continue };
        let buffer: Option<warpvm::Buffer> = map.target(&launch.args).and_then(|target| buffers[target]);
        let buffer = buffer.ok_or_else(|| {
            let text = format!("argument {index}: there is no buffer `{}` for the tensor map", map.buffer);
            Error { diagnostics: vec![Diagnostic::invalid(text)] }
        })?;
        args[index] = Arg::tensor_map(&map.placed(buffer.address))?;
    }
    Ok(Prepared { device, args, buffers })
}

fn place(device: &mut Device, buffer: &Buffer, name: &str) -> std::result::Result<warpvm::Buffer, Error> {
    match (&buffer.data, buffer.direction) {
        (Some(data), _) => device.upload(name, data),
        (None, Direction::Uninit) => device.allocate_uninitialised(name, buffer.bytes as u64),
        (None, _) => device.allocate(name, buffer.bytes as u64),
    }
}

/// Did a launch end as it should?
pub fn is_good(answer: &Answer) -> bool {
    outcome(&answer.diagnostics) == warpvm_report::Outcome::Clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_kernel_needs_no_name() {
        let names = ["a".to_owned(), "b".to_owned()];
        let message = |wanted, names: &[String]| choose(names, wanted, "f").map(str::to_owned).map_err(|e| e.message);
        assert_eq!(message(None, &names[..1]), Ok("a".to_owned()));
        assert_eq!(message(Some("b"), &names), Ok("b".to_owned()));
        assert_eq!(message(None, &names), Err("`f` has 2 kernels".to_owned()));
        assert_eq!(message(Some("c"), &names), Err("`f` has no kernel `c`".to_owned()));
        assert_eq!(message(None, &[]), Err("`f` has no kernel".to_owned()));
    }
}
