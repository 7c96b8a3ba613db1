//! The source files that a module's line information names.

use std::path::Path;

use warpvm_report::sources::SourceFile;

/// How many folders above the module are tried.
const UP: usize = 4;

/// Finds a source file that the module at `module` names. The path may be relative to where the compiler ran, which
/// nobody knows now: it is looked up from here, from the module's folder, and from the folders above that; at last the
/// file is looked for beside the module.
pub fn find_source(path: &str, module: &str) -> Option<SourceFile> {
    let path = Path::new(path);
    let folder = Path::new(module).parent().unwrap_or(Path::new(""));
    let folder = std::fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let above = folder.ancestors().take(UP).map(|root| root.join(path));
    let beside = path.file_name().map(|name| folder.join(name));
    let found = std::iter::once(path.to_owned()).chain(above).chain(beside).find(|candidate| candidate.is_file())?;
    let text = std::fs::read_to_string(&found).ok()?;
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    let shown = found.strip_prefix(here).unwrap_or(&found);
    Some(SourceFile { path: shown.display().to_string(), text })
}
