//! Parses the files given and prints what is wrong with them.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                code = ExitCode::FAILURE;
                continue;
            }
        };
        let mut parsed = warpvm_ptx::parse(&text);
        let start = std::time::Instant::now();
        if parsed.is_ok() {
            drop(parsed);
            parsed = warpvm_ptx::parse(&text);
        }
        let seconds = start.elapsed().as_secs_f64();
        match parsed {
            Ok(_) => eprintln!("{path}: parsed at {:.0} MB/s", text.len() as f64 / 1e6 / seconds),
            Err(error) => {
                let (line, column) = warpvm_ptx::LineMap::new(&text).position(error.span.start);
                eprintln!("{path}:{line}:{column}: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
