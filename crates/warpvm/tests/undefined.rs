//! Undefined values through matrix products and into `printf`.

use warpvm::{Arg, CheckOptions, Device, Module};

/// Rules that a check of a kernel of one warp finds.
fn rules(head: &str, body: &str) -> Vec<&'static str> {
    let ptx = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n{head}\n.visible .entry k(.param .u64 p) {{\n.reg .b32 %a<4>, %b<2>, %t;\n\
         .reg .f32 %c<4>, %d<4>;\n.reg .b32 %i<4>, %j<4>;\n.reg .b64 %p, %q;\nld.param.u64 %p, [p];\nmov.u32 %t, %tid.x;\n\
         mul.wide.u32 %q, %t, 4;\nadd.s64 %p, %p, %q;\n{body}\nret;\n}}\n"
    );
    let module = Module::from_ptx("k.ptx", &ptx).unwrap_or_else(|e| panic!("{e}"));
    let kernel = module.kernel("k").expect("a kernel");
    let mut device = Device::new(&module).expect("memory");
    let out = device.upload("out", &[0u32; 32]).expect("memory");
    let options = CheckOptions { seeds: 0..2, ..CheckOptions::default() };
    let report = device.check(&kernel, [1; 3], [32, 1, 1], &[Arg::Buffer(out)], &options).expect("a check");
    report.findings.iter().filter_map(|f| f.rule).collect()
}

fn set(registers: &[&str]) -> String {
    let lines: Vec<String> = registers.iter().map(|r| format!("mov.b32 {r}, 0;\n")).collect();
    lines.concat()
}

const MMA: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};\n";
const IMMA: &str =
    "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%j0, %j1, %j2, %j3}, {%a0, %a1}, {%b0}, {%i0, %i1, %i2, %i3};\n";

#[test]
fn elements_of_a_product_are_undefined_one_by_one() {
    let all = set(&["%a0", "%a1", "%a2", "%a3", "%b0", "%b1", "%c0", "%c1", "%c2", "%c3"]);
    let store = |d: &str| format!("st.global.f32 [%p], {d};\n");
    assert!(rules("", &format!("{all}{MMA}{}", store("%d3"))).is_empty());
    // One element of C.
    let c = set(&["%a0", "%a1", "%a2", "%a3", "%b0", "%b1", "%c0", "%c1", "%c2"]);
    assert!(rules("", &format!("{c}{MMA}{}", store("%d0"))).is_empty());
    assert_eq!(rules("", &format!("{c}{MMA}{}", store("%d3"))), ["uninit-reg"]);
    // Rows 8 to 15 of A.
    let a = set(&["%a0", "%a2", "%b0", "%b1", "%c0", "%c1", "%c2", "%c3"]);
    assert!(rules("", &format!("{a}{MMA}{}", store("%d1"))).is_empty());
    assert_eq!(rules("", &format!("{a}{MMA}{}", store("%d2"))), ["uninit-reg"]);
    // B goes into every row.
    let b = set(&["%a0", "%a1", "%a2", "%a3", "%b0", "%c0", "%c1", "%c2", "%c3"]);
    assert_eq!(rules("", &format!("{b}{MMA}{}", store("%d0"))), ["uninit-reg"]);
}

#[test]
fn an_integer_times_zero_is_zero() {
    let a = set(&["%a0", "%a1", "%i0", "%i1", "%i2", "%i3"]);
    assert!(rules("", &format!("{a}{IMMA}st.global.b32 [%p], %j0;\n")).is_empty());
    let one = a.replace("%a0, 0", "%a0, 1");
    assert_eq!(rules("", &format!("{one}{IMMA}st.global.b32 [%p], %j0;\n")), ["uninit-reg"]);
}

#[test]
fn what_is_printed_is_an_output() {
    let head = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n.global .align 1 .b8 text[6] = {37, 100, 32, 37, 102, 0};";
    let call = |stores: &str| {
        format!(
            ".local .align 8 .b8 buffer[16];\nmov.u64 %q, buffer;\ncvta.local.u64 %q, %q;\n{stores}mov.u64 %p, text;\ncvta.global.u64 %p, %p;\n\
             {{ .param .b64 f; .param .b64 v; .param .b32 r;\nst.param.b64 [f], %p;\nst.param.b64 [v], %q;\ncall.uni (r), vprintf, (f, v);\n}}"
        )
    };
    assert!(rules(head, &call("st.u32 [%q], 1;\nst.u64 [%q+8], 0;\n")).is_empty());
    assert_eq!(rules(head, &call("st.u32 [%q], 1;\n")), ["uninit-local"]);
    assert_eq!(rules(head, &call("st.u64 [%q+8], 0;\n")), ["uninit-local"]);
}
