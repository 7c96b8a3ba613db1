//! The compiler's log: taken apart for machine-readable reports, and read for hints.

use crate::INSTALL_HEADERS;

/// One message of the compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The file it is about.
    pub file: String,
    /// The line.
    pub line: u32,
    /// `error`, `warning`, `catastrophic error`, ...
    pub severity: String,
    /// What it says.
    pub text: String,
}

/// The messages of a log: its lines of the form `file(line): severity: text`.
pub fn messages(log: &str) -> Vec<Message> {
    log.lines().filter_map(message).collect()
}

fn message(line: &str) -> Option<Message> {
    let (place, rest) = line.split_once("): ")?;
    let (file, number) = place.rsplit_once('(')?;
    let (severity, text) = rest.split_once(": ")?;
    let number = number.parse().ok()?;
    let known = ["error", "warning", "remark"].iter().any(|word| severity.contains(word));
    known.then(|| Message { file: file.into(), line: number, severity: severity.into(), text: text.into() })
}

/// What to do about an error that has a common cause.
pub(crate) fn help(log: &str) -> Option<String> {
    if log.contains("could not open source file") || log.contains("cannot open source file") {
        return Some(format!(
            "CUDA's own headers come with a toolkit or with `{INSTALL_HEADERS}`; headers of the host \
             (<cstdio>, <vector>) are not available to NVRTC: put them in `#ifndef __CUDACC_RTC__`; -I adds a folder"
        ));
    }
    if log.contains("JIT mode") {
        return Some(
            "NVRTC compiles device code only: put host code in `#ifndef __CUDACC_RTC__ ... #endif`".to_owned(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_apart() {
        let log = "k (1).cu(3): error: identifier \"x\" is undefined\n    x = 1;\n    ^\n\n\
                   k.cu(9): warning #177-D: variable \"y\" was declared but never referenced\n\
                   1 error detected in the compilation of \"k.cu\".\n";
        let found = messages(log);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].file.as_str(), found[0].line), ("k (1).cu", 3));
        assert_eq!(found[0].text, "identifier \"x\" is undefined");
        assert_eq!(found[1].severity, "warning #177-D");
    }
}
