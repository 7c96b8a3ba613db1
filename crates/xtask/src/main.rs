//! `cargo xtask TASK`

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("special") => xtask::special::command(arguments),
        _ => Err("usage: cargo xtask special [--function NAME] [--threads N]".to_owned()),
    };
    match outcome {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
