//! Syntax that the recorded modules do not show.

use warpvm_ptx::{parse, print};

fn module(body: &str) -> String {
    format!(".version 9.0\n.target sm_90a\n.address_size 64\n{body}")
}

fn function(statements: &str) -> String {
    module(&format!(".visible .entry k(.param .u64 p)\n{{\n{statements}\n}}\n"))
}

#[track_caller]
fn round_trip(text: &str) {
    let mut first = parse(text).unwrap_or_else(|error| panic!("{error} at {:?}\n{text}", error.span));
    let printed = print(&first);
    let mut second = parse(&printed).unwrap_or_else(|error| panic!("{error} at {:?}\n{printed}", error.span));
    first.clear_spans();
    second.clear_spans();
    assert_eq!(first, second, "{text}\n{printed}");
}

#[track_caller]
fn refused(text: &str, message: &str) {
    match parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => assert!(error.to_string().contains(message), "`{error}` lacks `{message}`"),
    }
}

#[test]
fn module_scope() {
    for item in [
        ".visible .global .align 8 .u64 t[2] = {generic(a), generic(b)+4};",
        ".const .align 4 .b8 s[4] = {0xFF(x), 0xFF00(x+4), 0xFF0000(generic(x)), 7};",
        ".global .f32 f[2][2] = {{1.0, -2.5e3}, {0f3F800000, 0d3FF0000000000000}};",
        ".extern .shared .align 16 .b8 smem[];",
        ".weak .global .attribute(.managed) .align 4 .u32 m;",
        ".common .global .u32 c;",
        ".global .v4 .f32 v = {1.0, 2.0, 3.0, 4.0};",
        ".global .samplerref s = {addr_mode_0 = clamp_to_border, filter_mode = nearest};",
        ".global .texref tex;",
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);",
        ".visible .func (.reg .u32 %res) inc (.reg .u32 %ptr) .noreturn { ret; }",
        ".func .attribute(.unified(1, 2)) f();",
        ".alias f, g;",
        ".file 1 \"a b/c.cu\", 123, 456",
        ".pragma \"nounroll\", \"x\";",
        ".section .debug_info { L: .b8 1, 2, -3 .b32 .debug_abbrev+4 .b64 a-b, L }",
        ".entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 q[24]) .maxntid 128, 1, 1\n\
         .minnctapersm 2 .maxnreg 64 .reqnctapercluster 2, 1, 1 .explicitcluster .pragma \"a\"; { ret; }",
        ".global .u32 size[(4 + 2) * 3 - WARP_SZ / 8];",
    ] {
        round_trip(&module(item));
    }
}

#[test]
fn statements() {
    for statement in [
        ".reg .b32 a, b<4000000000>, c;",
        ".reg .v2 .f32 v; add.f32 v.x, v.y, v.r;",
        "L: bra.uni L;",
        "ts: .branchtargets L1, L2; brx.idx.uni %r1, ts;",
        "p: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;",
        "p: .calltargets f, g; call (r), %rd1, (a, 5, 0f3F800000), p;",
        "call f; call.uni f, (a); call (r, s), f; call (r), f, ();",
        "{ { .reg .pred q; @!q bra X; } X: }",
        ".loc 1 2 3, function_name $L__info+12, inlined_at 1 4 5 ret;",
        ".pragma \"used_bytes_mask 0xfff\";",
        "setp.eq.and.s32 p|q, a, b, !r; setp.eq.s32 _|q, a, b;",
        "vadd.s32.s32.s32 a.b0, b.h1, -c.b3, d; vadd4.u32.u32.u32 a.b3210, b.b7654, c, d;",
        "prmt.b32.f4e a, b, c, d;",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a,b,c,d},{e,f,g,h},{i,j},{k,l,m,n};",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [a], [m, {x, y}], [b];",
        "tex.2d.v4.f32.f32 {a,b,c,d}, [t, s, {x,y}];",
        "ld.global.v4.u32 {a,_,b,_}, [p+-16]; ld.local.u32 a, [8]; ld.global.u32 a, arr[3]; mov.u64 d, arr[r];",
        "mov.u32 a, %tid.x; mov.u32 b, %ntid.r; mov.v4.u32 v, %tid; mov.u32 c, %clock;",
        "mov.u32 a, WARP_SZ; mov.u32 a, -WARP_SZ+1; mov.u64 d, arr+4;",
        "mov.u32 a, (1+2)*3 | 1<<4 ^ 5&6; mov.u32 a, 5>3 ? 077 : 0b11; mov.u64 d, 0xFFFFFFFFFFFFFFFFU;",
        "mov.u64 d, -9223372036854775808; mov.s64 d, (.s64)0x8000000000000000;",
        "mov.f64 f, .5; mov.f64 f, 1.; mov.f64 f, -1.5e-3+2.0; mov.f32 f, 0F3f800000; mov.pred p, !0;",
        "add: /* comment */ add .u32 a, // more\n a, 1;",
    ] {
        round_trip(&function(statement));
    }
}

#[test]
fn folds_constants_as_the_manual_says() {
    let value = |expression: &str| {
        let text = print(&parse(&function(&format!("mov.u64 d, {expression};"))).expect(expression));
        let line = text.lines().find(|line| line.contains("mov.u64")).expect("the instruction").to_owned();
        line.trim().trim_start_matches("mov.u64 d, ").trim_end_matches(';').to_owned()
    };
    assert_eq!(value("1 + 2 * 3"), "7");
    assert_eq!(value("-7 / 2"), "-3");
    assert_eq!(value("-7 % 3"), "-1");
    assert_eq!(value("-8 >> 1"), "-4");
    assert_eq!(value("0x8000000000000000 >> 63"), "1");
    assert_eq!(value("1 << 40"), "1099511627776");
    assert_eq!(value("-1 < 1"), "1");
    assert_eq!(value("-1 < 1U"), "0");
    assert_eq!(value("!5 || 3 && 0"), "0");
    assert_eq!(value("WARP_SZ * 4 == 128 ? 1.5 : 2.5"), "0d3FF8000000000000");
}

#[test]
fn errors_say_what_was_expected() {
    refused("", "expected `.version`");
    refused(".version 8 .target sm_90", "expected a version");
    refused(".version 8.0 .entry k() { ret; }", "expected `.target`");
    refused(&function("mov.u32 %r1 %r2;"), "expected `,` or `;` after an operand, found `%r2`");
    refused(&function("mvo.u32 a, b;"), "unknown instruction `mvo` (did you mean `mov`?)");
    refused(&function("add.u23 a, b, c;"), "unknown modifier `.u23` of `add` (did you mean `.u");
    refused(&function("ld.global.u32 a, [b-4];"), "write a negative offset as `+-4`");
    refused(&function("mov.u32 a, 5/0;"), "divides by zero");
    refused(&function("mov.u32 a, 99999999999999999999;"), "does not fit 64 bits");
    refused(&function("mov.f32 a, 0f123;"), "expected 8 hexadecimal digits in this floating literal, found 3");
    refused(&function("mov.u32 a, \u{e4};"), "unexpected character");
    refused(&function("/* open"), "this comment has no end");
    refused(&function(&"{".repeat(100_000)), "nested more than");
    refused(&function(&format!("mov.u32 a, {}1;", "(".repeat(100_000))), "nested more than");
    refused(&function(&format!("mov.u32 a, {}1;", "-".repeat(100_000))), "nested more than");
    refused(&function(&format!("mov.u32 a, {}1;", "1?".repeat(100_000))), "nested more than");
    refused(&module(&format!(".global .u32 a = {};", "{".repeat(100_000))), "nested more than");
}

#[test]
fn line_map_counts_from_one() {
    let map = warpvm_ptx::LineMap::new("ab\nc\n\nd");
    assert_eq!(map.position(0), (1, 1));
    assert_eq!(map.position(2), (1, 3));
    assert_eq!(map.position(3), (2, 1));
    assert_eq!(map.position(5), (3, 1));
    assert_eq!(map.position(7), (4, 2));
    assert_eq!(map.range(2), 3..5);
    assert_eq!(map.range(4), 6..7);
    assert_eq!(map.range(0), 0..0);
    assert_eq!(map.range(9), 0..0);
}
