//! The text of a module: a PTX file, or a CUDA C++ file compiled on the way.

use crate::Result;
use crate::cli::CompilerArgs;
use crate::launch::file::read_text;
use std::fs;
use std::path::Path;
use warpvm_nvrtc::{Error, Options, messages};
use warpvm_report::sources::SourceFile;
use warpvm_report::{Diagnostic, NoteKind, Place};

/// A module as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file name for messages.
    pub name: String,
    /// PTX.
    pub ptx: String,
    /// The kernel that was asked for, by its name in the PTX.
    pub entry: Option<String>,
}

/// Reads a file, and compiles it if it is CUDA C++.
///
/// # Errors
/// It cannot be read or does not compile.
pub fn load(path: &Path, entry: Option<&str>, compiler: &CompilerArgs) -> Result<Source> {
    let text = read_text(path)?;
    let name = path.display().to_string();
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    match end {
        "cu" | "cuh" | "cpp" | "cc" => compile(&text, &name, entry, compiler),
        _ => Ok(Source { name, ptx: text, entry: entry.map(str::to_owned) }),
    }
}

fn compile(text: &str, name: &str, entry: Option<&str>, compiler: &CompilerArgs) -> Result<Source> {
    // A name that is mangled already is not C++; it is looked for in the PTX as it is.
    let expression = entry.filter(|entry| !entry.starts_with("_Z"));
    let options = Options {
        nvrtc: compiler.nvrtc.clone(),
        include: compiler.include.clone(),
        define: compiler.define.clone(),
        std: compiler.std.clone(),
        arch: compiler.arch.clone(),
        use_fast_math: compiler.use_fast_math,
        other: compiler.nvrtc_option.clone(),
        names: expression.map(str::to_owned).into_iter().collect(),
    };
    let ptx = warpvm_nvrtc::compile(text, name, &options).map_err(|error| diagnostic(&error, name, text))?;
    let entry = ptx.lowered_names.into_iter().next().or_else(|| entry.map(str::to_owned));
    let name = Path::new(name).with_extension("ptx").display().to_string();
    Ok(Source { name, ptx: ptx.text, entry })
}

/// The text of a source file that a module's line information names. The path may be relative to where the compiler
/// ran, which nobody knows now: it is looked up from here, from the module's folder, and from the folders above that;
/// at last the file is looked for beside the module.
pub fn find_source(path: &str, module: &str) -> Option<SourceFile> {
    const UP: usize = 4;
    let path = Path::new(path);
    let folder = Path::new(module).parent().unwrap_or(Path::new(""));
    let folder = fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let above = folder.ancestors().take(UP).map(|root| root.join(path));
    let beside = path.file_name().map(|name| folder.join(name));
    let found = std::iter::once(path.to_owned()).chain(above).chain(beside).find(|candidate| candidate.is_file())?;
    let text = fs::read_to_string(&found).ok()?;
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let shown = found.strip_prefix(here).unwrap_or(&found);
    Some(SourceFile { path: shown.display().to_string(), text })
}

/// A compiler's failure in our form: located at its first error, with all that it said.
fn diagnostic(error: &Error, name: &str, text: &str) -> Box<Diagnostic> {
    let mut out = Diagnostic::invalid(error.to_string());
    if let Error::Compile { log, .. } = error {
        let first = messages(log).into_iter().find(|message| message.severity.contains("error"));
        if let Some(message) = first {
            let mut place = Place::in_file(&message.file, message.line, 0);
            if message.file == name {
                place = whole_line(place, text.lines().nth(message.line.saturating_sub(1) as usize));
            }
            out = out.at(place, message.text);
        }
        out = out.note(NoteKind::Note, format!("the compiler says\n{}", log.trim_end()));
    }
    if let Some(help) = error.help() {
        out = out.help(help);
    }
    Box::new(out)
}

/// The compiler gives no columns: the mark goes under all of the line.
fn whole_line(mut place: Place, line: Option<&str>) -> Place {
    if let Some(line) = line {
        let blank = line.chars().take_while(|c| c.is_whitespace()).count();
        place.column = blank as u32 + 1;
        place.length = line.trim().chars().count() as u32;
        place.text = Some(line.to_owned());
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpvm_report::text::{Color, render};

    #[test]
    fn a_compiler_error_keeps_the_words_of_the_compiler() {
        let log = "k.cu(2): error: identifier \"y\" is undefined\n    y = 1;\n    ^\n\n1 error detected.\n".to_owned();
        let error = Error::Compile { name: "k.cu".into(), log };
        let expected = "\
error: `k.cu` does not compile
 --> k.cu:2:3
2 |   y = 1;
  |   ^^^^^^ identifier \"y\" is undefined
  = note: the compiler says
          k.cu(2): error: identifier \"y\" is undefined
              y = 1;
              ^

          1 error detected.
";
        assert_eq!(render(&diagnostic(&error, "k.cu", "void k() {\n  y = 1;\n}\n"), Color::Off), expected);
    }

    #[test]
    fn without_nvrtc_one_command_is_named() {
        let error = Error::NotFound { searched: vec![] };
        let text = render(&diagnostic(&error, "k.cu", ""), Color::Off);
        assert!(text.contains("= help: pip install nvidia-cuda-nvrtc\n"), "{text}");
    }
}
