//! Where NVRTC and CUDA's headers are.
//!
//! In this order: the place the user names; `CUDA_HOME` and `CUDA_PATH`; the usual toolkit folders; the Python
//! packages `nvidia-cuda-nvrtc` (folder `nvidia/cu13`) and `nvidia-cuda-nvrtc-cu12` (folder `nvidia/cuda_nvrtc`) of the
//! active Python; the system's own library path.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// The library and the header folders that go with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toolchain {
    /// The NVRTC library.
    pub nvrtc: PathBuf,
    /// Folders with CUDA's headers.
    pub include: Vec<PathBuf>,
}

/// Folders below a toolkit that may hold the library.
const LIBRARY_FOLDERS: [&str; 7] = [
    "lib64",
    "lib",
    "targets/x86_64-linux/lib",
    "targets/sbsa-linux/lib",
    "lib/x86_64-linux-gnu",
    "lib/aarch64-linux-gnu",
    "bin",
];

/// Folders below a toolkit, or beside it among Python packages, that may hold headers.
const INCLUDE_FOLDERS: [&str; 6] = [
    "include",
    "targets/x86_64-linux/include",
    "targets/sbsa-linux/include",
    "../cuda_runtime/include",
    "../cuda_nvcc/include",
    "../cuda_cccl/include",
];

/// Finds NVRTC, at `wanted` only where it is given.
///
/// # Errors
/// [`Error::NotFound`] with the places that were searched.
pub fn toolchain(wanted: Option<&Path>) -> Result<Toolchain, Error> {
    if let Some(path) = wanted {
        return in_place(path).ok_or_else(|| Error::NotFound { searched: vec![path.display().to_string()] });
    }
    let mut searched = Vec::new();
    let look = |root: PathBuf, searched: &mut Vec<String>| {
        let found = in_place(&root);
        searched.push(root.display().to_string());
        found
    };
    for root in toolkit_roots() {
        if let Some(found) = look(root, &mut searched) {
            return Ok(found);
        }
    }
    for root in python_roots() {
        if let Some(found) = look(root, &mut searched) {
            return Ok(found);
        }
    }
    system_folders().into_iter().find_map(|folder| look(folder, &mut searched)).ok_or(Error::NotFound { searched })
}

/// The toolchain at a path: the library itself, a folder that holds it, or a toolkit.
fn in_place(path: &Path) -> Option<Toolchain> {
    if path.is_file() {
        return Some(with_includes(path.to_owned()));
    }
    let folders = std::iter::once(path.to_owned()).chain(LIBRARY_FOLDERS.iter().map(|folder| path.join(folder)));
    folders.into_iter().find_map(|folder| newest_library(&folder)).map(with_includes)
}

/// The NVRTC library with the highest version in a folder.
fn newest_library(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let best = names.filter(|name| is_library(name)).max_by_key(|name| version(name))?;
    Some(folder.join(best))
}

/// `libnvrtc.so`, `libnvrtc.so.13`, `nvrtc64_130_0.dll`; not the built-ins, not the alternative build.
fn is_library(name: &str) -> bool {
    name == "libnvrtc.so"
        || name.starts_with("libnvrtc.so.")
        || name == "libnvrtc.dylib"
        || (name.starts_with("nvrtc64_")
            && Path::new(name).extension().is_some_and(|end| end == "dll")
            && !name.contains("alt"))
}

/// The numbers in a name, to compare versions.
fn version(name: &str) -> Vec<u32> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn with_includes(library: PathBuf) -> Toolchain {
    // ROOT/lib/libnvrtc.so, or ROOT/targets/x86_64-linux/lib/libnvrtc.so, whose headers lie beside that lib.
    let roots: Vec<&Path> = library.ancestors().skip(2).take(2).collect();
    let mut include = Vec::new();
    for root in roots {
        for folder in INCLUDE_FOLDERS {
            let folder = root.join(folder);
            include.extend([folder.join("cccl"), folder].into_iter().filter(|dir| has_headers(dir)));
        }
        if !include.is_empty() {
            break;
        }
    }
    Toolchain { nvrtc: library, include }
}

/// Does this folder hold CUDA's headers?
fn has_headers(folder: &Path) -> bool {
    ["cuda_runtime.h", "cuda_fp16.h", "cuda/std", "crt/host_defines.h"].iter().any(|name| folder.join(name).exists())
}

fn toolkit_roots() -> Vec<PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(|name| env::var_os(name).map(PathBuf::from));
    let mut roots: Vec<PathBuf> = named.filter(|root| !root.as_os_str().is_empty()).collect();
    roots.extend(["/usr/local/cuda", "/opt/cuda"].map(PathBuf::from));
    // /usr/local/cuda-13.0 where no link `cuda` was made; the newest first.
    let entries = fs::read_dir("/usr/local").into_iter().flatten().filter_map(Result::ok);
    let mut versions: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_versioned(path)).collect();
    versions.sort_by_key(|path| std::cmp::Reverse(version(&path.to_string_lossy())));
    roots.extend(versions);
    roots
}

fn is_versioned(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("cuda-"))
}

/// The folders of NVIDIA's packages in the active Python.
fn python_roots() -> Vec<PathBuf> {
    let mut roots = Vec::new();
    for site in site_packages() {
        let nvidia = site.join("nvidia");
        roots.extend(
            ["cu14", "cu13", "cuda_nvrtc"].map(|name| nvidia.join(name)).into_iter().filter(|dir| dir.is_dir()),
        );
    }
    roots
}

fn site_packages() -> Vec<PathBuf> {
    const LIST: &str = "import sys; print('\\n'.join(p for p in sys.path if p.endswith('-packages')))";
    let ask = |python: &PathBuf| {
        let output =
            Command::new(python).args(["-c", LIST]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let active = env::var_os("VIRTUAL_ENV").map(|venv| Path::new(&venv).join("bin/python"));
    let candidates = active.into_iter().chain(["python3", "python"].map(PathBuf::from));
    let text = candidates.into_iter().find_map(|python| ask(&python)).unwrap_or_default();
    text.lines().map(PathBuf::from).collect()
}

/// Folders of the system's loader, for packaged toolkits.
fn system_folders() -> Vec<PathBuf> {
    let extra = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].map(PathBuf::from);
    env::split_paths(&extra).filter(|path| !path.as_os_str().is_empty()).chain(usual).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_compiler_itself_is_taken() {
        assert!(is_library("libnvrtc.so.13") && is_library("libnvrtc.so") && is_library("nvrtc64_130_0.dll"));
        assert!(!is_library("libnvrtc-builtins.so.13.0") && !is_library("libnvrtc.alt.so.13"));
        assert!(
            version("libnvrtc.so.13.0.88") > version("libnvrtc.so.12.9")
                && version("libnvrtc.so.9") < version("libnvrtc.so.12")
        );
    }

    #[test]
    fn a_place_without_it_is_named_in_the_error() {
        let error = toolchain(Some(Path::new("/nonexistent/cuda"))).unwrap_err();
        assert!(matches!(&error, Error::NotFound { searched } if searched == &["/nonexistent/cuda"]));
        assert!(error.help().is_some_and(|help| help.starts_with(crate::INSTALL)));
    }
}
