//! PTX modules made to measure: as large as libraries ship them, and kernels as large as compilers unroll them.

use std::fmt::Write;

/// A module of at least `bytes` bytes: the kernels of `text` again and again under other names.
pub fn library(text: &str, bytes: usize) -> String {
    let start = text.find(".visible .entry").expect("kernels");
    let (head, kernels) = text.split_at(start);
    let mut out = head.to_owned();
    let mut n = 0;
    while out.len() < bytes {
        let mut copy = kernels.to_owned();
        if n != 0 {
            for name in ["w1", "w2", "w3", "w4", "w5s", "w5", "w6"] {
                for end in ["(", "_param"] {
                    copy = copy.replace(&format!("{name}{end}"), &format!("{name}_{n}{end}"));
                }
            }
        }
        out.push_str(&copy);
        n += 1;
    }
    out
}

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A kernel `k` of `n` instructions without a branch, each with a register of its own.
pub fn straight(n: usize) -> String {
    let mut out = format!("{HEAD}.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<{}>;\n.reg .b64 %rd<2>;\n", n + 2);
    out.push_str("mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n");
    for i in 2..n + 2 {
        let (a, b) = (i - 1, i / 2);
        let _ = match i % 4 {
            0 => writeln!(out, "add.s32 %r{i}, %r{a}, %r{b};"),
            1 => writeln!(out, "xor.b32 %r{i}, %r{a}, {i};"),
            2 => writeln!(out, "mad.lo.s32 %r{i}, %r{a}, 3, %r{b};"),
            _ => writeln!(out, "shl.b32 %r{i}, %r{a}, 1;"),
        };
    }
    let _ = writeln!(out, "ld.param.u64 %rd0, [p];\nst.global.u32 [%rd0], %r{};\nret;\n}}", n + 1);
    out
}

/// A kernel `k` of `n` basic blocks: loops, and branches that part.
pub fn branches(n: usize) -> String {
    let mut out = format!(
        "{HEAD}.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n.reg .pred %p<{}>;\n.reg .b64 %rd<2>;\n",
        n + 1
    );
    out.push_str("mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\n");
    for i in 0..n / 2 {
        let _ = if i % 8 == 7 {
            writeln!(out, "L{i}:\nadd.s32 %r1, %r1, 1;\nsetp.lt.u32 %p{i}, %r1, {i};\n@%p{i} bra L{i};")
        } else {
            writeln!(
                out,
                "and.b32 %r2, %r0, {};\nsetp.eq.u32 %p{i}, %r2, 0;\n@%p{i} bra L{i};\nadd.s32 %r1, %r1, {i};\nL{i}:",
                i % 31 + 1
            )
        };
    }
    out.push_str("ld.param.u64 %rd0, [p];\nst.global.u32 [%rd0], %r1;\nret;\n}\n");
    out
}
