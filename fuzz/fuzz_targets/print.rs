//! What parses prints as text that parses.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(module) = warpvm_ptx::parse(text) {
        let printed = warpvm_ptx::print(&module);
        assert!(warpvm_ptx::parse(&printed).is_ok(), "{printed}");
    }
});
