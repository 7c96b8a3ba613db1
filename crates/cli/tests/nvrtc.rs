//! Runs a CUDA C++ file. Skips with a note where there is no NVRTC, unless `WARPVM_REQUIRE_NVRTC=1` is set.

use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> Option<(i32, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_warpvm"))
        .args(arguments)
        .current_dir(root)
        .output()
        .expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let required = std::env::var_os("WARPVM_REQUIRE_NVRTC").is_some_and(|value| value == "1");
    if text.contains("no NVRTC library") && !required {
        eprintln!("skipped: no NVRTC");
        return None;
    }
    Some((output.status.code().expect("an exit code"), text))
}

#[test]
fn a_cuda_file_is_compiled_and_run() {
    let Some((code, text)) = run(&["run", "examples/collatz.cu", "--launch", "examples/collatz.json"]) else { return };
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("steps  u32[1000]  0 1 7 2 5 8 16"), "{text}");
}

#[test]
fn a_template_is_named_as_in_cuda() {
    let arguments = ["run", "crates/cli/tests/data/template.cu", "--entry", "scale<float, 3>", "--block", "4"];
    let Some((code, text)) = run(&[&arguments[..], &["inout:f32=[1,2,3,4]"]].concat()) else { return };
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("3 6 9 12"), "{text}");
}

#[test]
fn a_compiler_error_is_bad_input() {
    let arguments = ["run", "crates/cli/tests/data/template.cu", "--entry", "scale<none>", "--block", "4"];
    let Some((code, text)) = run(&arguments) else { return };
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("does not compile") && text.contains("none"), "{text}");
}
