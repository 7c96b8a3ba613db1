//! Compiles real sources. Skips with a note where there is no NVRTC, unless `WARPVM_REQUIRE_NVRTC=1` is set.

use warpvm_nvrtc::{Error, Options, Ptx, compile};

fn require() -> bool {
    std::env::var_os("WARPVM_REQUIRE_NVRTC").is_some_and(|value| value == "1")
}

/// The result, or `None` where NVRTC is missing and may be missing.
fn try_compile(source: &str, options: &Options) -> Option<Result<Ptx, Error>> {
    match compile(source, "dir/k.cu", options) {
        Err(Error::NotFound { searched }) if !require() => {
            eprintln!("skipped: no NVRTC in {}", searched.join(", "));
            None
        }
        other => Some(other),
    }
}

#[test]
fn a_kernel_becomes_ptx_with_line_information() {
    let source = "extern \"C\" __global__ void k(int *out) {\n  out[threadIdx.x] = N;\n}\n";
    let options = Options { define: vec!["N=42".into()], names: vec!["k".into()], ..Options::default() };
    let Some(result) = try_compile(source, &options) else { return };
    let ptx = result.expect("compiles");
    assert_eq!(ptx.lowered_names, ["k"]);
    assert!(ptx.text.contains(".visible .entry k("), "{}", ptx.text);
    assert!(ptx.text.contains(".target sm_90"), "{}", ptx.text);
    assert!(ptx.text.contains("dir/k.cu") && ptx.text.contains(".loc"), "{}", ptx.text);
    assert!(!ptx.text.contains('\0'));
}

#[test]
fn a_template_is_instantiated_by_its_name() {
    let source = "template <class T, int N> __global__ void reduce(T *out) { out[threadIdx.x % N] = T(N); }\n";
    let options = Options { names: vec!["reduce<float,256>".into()], arch: Some("sm_80".into()), ..Options::default() };
    let Some(result) = try_compile(source, &options) else { return };
    let ptx = result.expect("compiles");
    let name = &ptx.lowered_names[0];
    assert!(name.starts_with("_Z6reduce"), "{name}");
    assert!(ptx.text.contains(&format!(".entry {name}(")), "{}", ptx.text);
    assert!(ptx.text.contains(".target sm_80"), "{}", ptx.text);
}

#[test]
fn a_wrong_source_gives_the_words_of_the_compiler() {
    let Some(result) = try_compile("__global__ void k() {\n  y = 1;\n}\n", &Options::default()) else { return };
    let Err(Error::Compile { name, log }) = result else { panic!("{result:?}") };
    assert_eq!(name, "dir/k.cu");
    let messages = warpvm_nvrtc::messages(&log);
    assert_eq!((messages[0].file.as_str(), messages[0].line), ("dir/k.cu", 2), "{log}");
    assert!(messages[0].text.contains("\"y\" is undefined"), "{log}");
}

#[test]
fn host_code_gets_a_hint() {
    let Some(result) = try_compile("int main() { return 0; }\n", &Options::default()) else { return };
    let error = result.expect_err("no host code");
    assert!(error.help().is_some_and(|help| help.contains("__CUDACC_RTC__")), "{error:?}");
}

#[test]
fn the_headers_of_the_toolkit_are_found() {
    let source = "#include <cooperative_groups.h>\n#include <cub/block/block_reduce.cuh>\n#include <cuda_fp16.h>\n\
                  namespace cg = cooperative_groups;\n\
                  extern \"C\" __global__ void k(int *out) {\n\
                  using Reduce = cub::BlockReduce<int, 128>;\n\
                  __shared__ typename Reduce::TempStorage storage;\n\
                  int sum = Reduce(storage).Sum(int(threadIdx.x));\n\
                  if (cg::this_thread_block().thread_rank() == 0) out[0] = sum;\n}\n";
    let Some(result) = try_compile(source, &Options::default()) else { return };
    match result {
        Ok(ptx) => assert!(ptx.text.contains(".entry k("), "{}", ptx.text),
        Err(Error::Compile { log, .. }) if !require() && log.contains("open source file") => {
            eprintln!("skipped: NVRTC without CUDA's headers");
        }
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn a_malformed_option_is_an_error_of_the_caller() {
    let options = Options { other: vec!["--no-such-option".into()], ..Options::default() };
    let Some(result) = try_compile("", &options) else { return };
    assert!(matches!(&result, Err(Error::Other(text)) if text.contains("no-such-option")), "{result:?}");
}
