//! Any text: parsed, checked and lowered without a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(module) = warpvm::Module::from_ptx("fuzz.ptx", text) {
        for name in module.kernels() {
            let _ = module.kernel(&name);
        }
    }
});
