//! The programs of `examples/`: what is legal gives what its launch file expects and is silent, and each bug is found.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn warpvm(arguments: &[&str], launch: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpvm")).args(arguments).arg("--launch").arg(launch).output().expect("runs")
}

#[test]
fn examples_do_what_they_say() {
    let files = std::fs::read_dir(root().join("examples")).expect("the folder");
    let launches: Vec<PathBuf> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    assert!(launches.len() >= 13);
    for launch in launches {
        let text = std::fs::read_to_string(&launch).expect("readable");
        let said: Value = serde_json::from_str(&text).expect("JSON");
        let check = warpvm(&["check", "--format", "json", "--seeds", "0..8"], &launch);
        let output: Value = serde_json::from_slice(&check.stdout).expect("JSON");
        let errors: Vec<&str> = output["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .filter(|f| f["severity"] != "note")
            .filter_map(|f| f["rule"].as_str())
            .collect();
        if let Some(rule) = said["fault"].as_str() {
            assert_eq!(check.status.code(), Some(1), "{}", launch.display());
            assert!(errors.contains(&rule), "{}: {errors:?}", launch.display());
        } else {
            assert_eq!((check.status.code(), &errors[..]), (Some(0), &[][..]), "{}", launch.display());
            let run = warpvm(&["run"], &launch);
            assert_eq!(run.status.code(), Some(0), "{}", launch.display());
        }
    }
}
