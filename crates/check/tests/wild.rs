//! Addresses that lead nowhere end the launch with a finding; nothing panics, and nothing grows by them.

mod common;

use common::Kernel;

/// Instructions that use the address in `%a` (32 bits) or `%d` (64 bits).
const SHARED: &[&str] = &[
    "ld.shared.u8 %r, [%a];",
    "ld.shared.v4.u32 {%r, %r1, %r2, %r3}, [%a];",
    "st.shared.u16 [%a], %h;",
    "st.shared.v2.u64 [%a], {%x, %x};",
    "atom.shared.add.u32 %r, [%a], 1;",
    "atom.shared.cas.b64 %x, [%a], %x, %x;",
    "red.shared.max.u32 [%a], 1;",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r, %r1, %r2, %r3}, [%a];",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%a], {%r, %r1};",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%a], 16;",
    "cp.async.ca.shared.global [%a], [%o], 16;",
    "cp.async.ca.shared.global [%a], [%o], 4, 2;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%o], 16, [%m];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%o], 16, [%a];",
    "cp.async.bulk.global.shared::cta.bulk_group [%o], [%a], 16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%o], [%a], 16;",
    "cp.async.mbarrier.arrive.shared.b64 [%a];",
    "mbarrier.init.shared.b64 [%a], 1;",
    "mbarrier.inval.shared.b64 [%a];",
    "mbarrier.arrive.shared.b64 %x, [%a];",
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%a], 16;",
    "mbarrier.test_wait.shared.b64 %p, [%a], %x;",
    "mbarrier.try_wait.parity.shared.b64 %p, [%a], 0;",
    "mbarrier.pending_count.b64 %r, %x;\nmbarrier.arrive_drop.shared.b64 %x, [%a];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%a], %r, [%m];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%s], %r, [%a];",
    "red.async.relaxed.cluster.global.add.shared::cluster.mbarrier::complete_tx::bytes.u32 [%a], %r, [%m];",
    "ld.shared::cluster.u32 %r, [%a];",
    "st.shared::cluster.u32 [%a], %r;",
    "mapa.shared::cluster.u32 %a, %a, 0;\nld.shared::cluster.u32 %r, [%a];",
];

const WIDE: &[&str] = &[
    "ld.u32 %r, [%d];",
    "st.v4.f32 [%d], {%f, %f, %f, %f};",
    "atom.add.u32 %r, [%d], 1;",
    "ld.global.u8 %r, [%d];",
    "ld.global.nc.v4.u32 {%r, %r1, %r2, %r3}, [%d];",
    "st.global.u64 [%d], %x;",
    "atom.global.exch.b128 %q, [%d], %q;",
    "red.global.add.v2.f32 [%d], {%f, %f};",
    "ld.local.u64 %x, [%d];",
    "st.local.u8 [%d], %r;",
    "ld.const.u32 %r, [%d];",
    "ld.shared.u32 %r, [%d];",
    "cp.async.ca.shared.global [%s], [%d], 16;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%d], 16, [%m];",
    "cp.async.bulk.prefetch.L2.global [%d], 16;",
    "cp.async.bulk.global.shared::cta.bulk_group [%d], [%s], 16;",
    "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%d], {%f, %f, %f, %f, %f, %f, %f, %f}, 16;",
    "prefetch.global.L2 [%d];",
    "discard.global.L2 [%d], 128;",
];

const NARROW_PLACES: &[u32] =
    &[0, 1, 16, 1008, 1023, 2047, 2048, 4096, 0x7fff_fff0, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];
const WIDE_PLACES: &[u64] = &[
    0,
    16,
    1 << 20,
    (1 << 24) + 16,
    0xffff_fff0,
    1 << 32,
    (1 << 40) - 16,
    1 << 47,
    0x7fff_ffff_ffff_fff0,
    0xffff_ffff_ffff_fff0,
    u64::MAX,
];

fn check(body: &str) {
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.const .u32 c = 1;\n.visible .entry k(.param .u64 k_out)\n{{\n\
         .shared .align 16 .b8 s[1024];\n.local .align 16 .b8 l[64];\n\
         .reg .b32 %a, %s, %m, %r, %r<8>;\n.reg .b64 %d, %o, %x;\n.reg .b16 %h;\n.reg .f32 %f;\n.reg .pred %p;\n\
         .reg .b128 %q;\n\
         ld.param.u64 %o, [k_out];\nmov.u32 %s, s;\nadd.u32 %m, %s, 512;\nmov.b64 %x, 0;\nmov.b16 %h, 0;\n\
         mov.f32 %f, 0f00000000;\nmov.u32 %r, 0;\nmov.b32 %r1, 0;\nmov.b128 %q, {{%x, %x}};\nst.local.u32 [l], %r;\n\
         {body}\nret;\n}}\n"
    );
    Kernel::new(&text).check(32, 0..3);
}

#[test]
fn shared_addresses() {
    for body in SHARED {
        for place in NARROW_PLACES {
            check(&format!("mov.u32 %a, {place};\n{body}"));
            check(&format!("mov.u32 %r7, %laneid;\nshl.b32 %r7, %r7, 4;\nadd.u32 %a, %r7, {place};\n{body}"));
        }
    }
}

#[test]
fn wide_addresses() {
    for body in WIDE {
        for place in WIDE_PLACES {
            check(&format!("mov.u64 %d, {place};\n{body}"));
            check(&format!("mov.u32 %r7, %laneid;\nmul.wide.u32 %d, %r7, 16;\nadd.u64 %d, %d, {place};\n{body}"));
        }
    }
}
