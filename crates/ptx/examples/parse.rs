//! Parses and checks the files given and prints what is wrong with them.

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
            Ok(module) => {
                let start = std::time::Instant::now();
                let errors = warpvm_ptx::check(&module);
                let check_seconds = start.elapsed().as_secs_f64();
                let rate = |seconds: f64| text.len() as f64 / 1e6 / seconds;
                eprintln!("{path}: parsed at {:.0} MB/s, checked at {:.0} MB/s", rate(seconds), rate(check_seconds));
                let lines = warpvm_ptx::LineMap::new(&text);
                for error in &errors {
                    let (line, column) = lines.position(error.span.start);
                    eprintln!("{path}:{line}:{column}: {error}");
                    code = ExitCode::FAILURE;
                }
            }
            Err(error) => {
                let (line, column) = warpvm_ptx::LineMap::new(&text).position(error.span.start);
                eprintln!("{path}:{line}:{column}: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
