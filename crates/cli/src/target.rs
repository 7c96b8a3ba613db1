//! What `run`, `check` and `profile` work on: the module and the launch, from the command line and the launch file.

use crate::Result;
use crate::args;
use crate::cli::TargetArgs;
use crate::launch::Launch;
use crate::launch::file::{pick, read_inputs, read_rows};
use crate::launch::row::{Inputs, Row};
use crate::module::{self, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use warpvm_report::Diagnostic;

/// A module and a launch of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The module.
    pub source: Source,
    /// The launch.
    pub launch: Launch,
    /// What the launch file says that buffers hold afterwards, by parameter index.
    pub expect: BTreeMap<usize, Vec<u8>>,
}

/// Reads everything that the command line names. What it says itself wins over the launch file.
///
/// # Errors
/// Something is missing, malformed or cannot be read.
pub fn read(args: &TargetArgs) -> Result<Target> {
    let row = args.launch.as_deref().map(|path| read_row(path, args)).transpose()?;
    let mut launch = match &row {
        Some((row, inputs)) => row.launch(inputs)?,
        None => empty(args)?,
    };
    let expect = match &row {
        Some((row, _)) if row.clean => row.expected(&launch)?,
        _ => BTreeMap::new(),
    };
    launch.entry = args.entry.clone().or(launch.entry);
    launch.grid = args.grid.unwrap_or(launch.grid);
    launch.block = args.block.unwrap_or(launch.block);
    launch.smem = args.smem.unwrap_or(launch.smem);
    if !args.args.is_empty() {
        let parsed = args.args.iter().enumerate().map(|(index, text)| args::parse(text, &argument_name(index)));
        launch.args = parsed.collect::<Result<_>>()?;
    }
    let source = source(args, row.as_ref().map(|(row, _)| row), launch.entry.as_deref())?;
    launch.entry.clone_from(&source.entry);
    Ok(Target { source, launch, expect })
}

/// What an argument is called in messages; they count as buffers do, from 0.
fn argument_name(index: usize) -> String {
    format!("argument {index}")
}

/// A launch that the command line must fill.
fn empty(args: &TargetArgs) -> Result<Launch> {
    if args.file.is_none() {
        return Err(no_module());
    }
    let Some(block) = args.block else {
        let error = Diagnostic::invalid("the launch needs the number of threads in a block");
        return Err(Box::new(error.help("--block X[,Y[,Z]], and --grid for more than one block; or --launch FILE")));
    };
    Ok(Launch { entry: None, grid: [1; 3], block, smem: 0, args: Vec::new() })
}

fn no_module() -> Box<Diagnostic> {
    Box::new(Diagnostic::invalid("no module is given").help("name a .ptx or .cu file, or give --launch FILE"))
}

fn read_row(path: &Path, args: &TargetArgs) -> Result<(Row, Inputs)> {
    let row = pick(read_rows(path)?, path, args.case.as_deref())?;
    let inputs = args.inputs.as_deref().map(read_inputs).transpose()?.unwrap_or_default();
    Ok((row, inputs))
}

fn source(args: &TargetArgs, row: Option<&Row>, entry: Option<&str>) -> Result<Source> {
    if let Some(path) = &args.file {
        return module::load(path, entry, &args.compiler);
    }
    let Some(ptx) = row.and_then(|row| row.ptx.as_deref()) else {
        return Err(no_module());
    };
    let launch_file = args.launch.clone().unwrap_or_default();
    if is_path(ptx) {
        let folder = launch_file.parent().unwrap_or(Path::new(""));
        return module::load(&folder.join(ptx), entry, &args.compiler);
    }
    let name = row.map(|row| row.id.clone()).filter(|id| !id.is_empty()).map_or(launch_file, PathBuf::from);
    Ok(Source { name: name.display().to_string(), ptx: ptx.to_owned(), entry: entry.map(str::to_owned) })
}

/// Is this the path of a module rather than its text?
pub fn is_path(ptx: &str) -> bool {
    let end = Path::new(ptx).extension().unwrap_or_default();
    !ptx.contains('\n') && (end == "ptx" || end == "cu")
}
