//! Machine code against the interpreter: the same programs, the same inputs, the same bytes and faults.
//!
//! Programs are made by fixed-seed generators; `WARPVM_PROGRAMS` says how many of each.

mod programs;

use programs::{
    BLOCKS, Collectives, Faults, OPERATION_INPUT, OPERATION_OUTPUT, Operations, TILE_INPUT, TILE_OUTPUT, Tame, Tiles,
    Wild, compare,
};

fn count(usual: u64) -> u64 {
    std::env::var("WARPVM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn tiers_agree_on_random_programs() {
    for seed in 0..count(300) {
        let text = Tame::new(seed).program();
        for block in [64, 96, 45] {
            compare(&format!("seed {seed}"), &text, [block, 1, 1], 4096, 1 << 17, Faults::Any);
        }
    }
}

#[test]
fn tiers_agree_on_collectives() {
    for seed in 0..count(600) {
        for block in [64, 32, 45, 100] {
            let text = Collectives::new(seed, block).program();
            compare(&format!("collectives seed {seed}"), &text, [block, 1, 1], 4096, 1 << 16, Faults::Any);
        }
    }
}

#[test]
fn tiers_agree_on_wild_addresses() {
    for seed in 0..count(600) {
        let maker = Wild::new(seed);
        let faults = if maker.parts() { Faults::Any } else { Faults::Same };
        let text = maker.program();
        for block in [64, 32, 51] {
            compare(&format!("wild seed {seed}"), &text, [block, 1, 1], programs::INPUT / 4, programs::OUTPUT, faults);
        }
    }
}

#[test]
fn tiers_agree_on_tiles_and_histograms() {
    for seed in 0..count(600) {
        let text = Tiles::new(seed).program();
        let block = BLOCKS[seed as usize % BLOCKS.len()];
        compare(&format!("tiles seed {seed}"), &text, block, TILE_INPUT / 4, TILE_OUTPUT, Faults::Any);
    }
}

#[test]
fn tiers_agree_on_all_operations() {
    for seed in 0..count(600) {
        let text = Operations::new(seed).program();
        let block = [64, 96, 45, 32][seed as usize % 4];
        let (input, output) = (OPERATION_INPUT / 4, OPERATION_OUTPUT);
        compare(&format!("operations seed {seed}"), &text, [block, 1, 1], input, output, Faults::Any);
    }
}

/// Threads that exit before a barrier, in every CTA: those of the next have not.
#[test]
fn tiers_agree_on_exits_before_a_barrier() {
    let text = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %id, %c, %n, %g, %x;
  .reg .b64 %out, %w;
  .reg .pred %p;
  .shared .align 4 .b8 sm[1024];
  mov.u32 %id, %tid.x;
  mov.u32 %c, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %g, %c, %n, %id;
  shl.b32 %x, %id, 2;
  setp.gt.u32 %p, %id, 40;
  @%p bra DONE;
  st.shared.u32 [%x+1024], %g;
  bar.sync 0;
  xor.b32 %x, %x, 4;
  ld.shared.u32 %c, [%x+1024];
  mul.wide.u32 %w, %g, 4;
  ld.param.u64 %out, [p_out];
  add.s64 %out, %out, %w;
  st.global.u32 [%out], %c;
DONE:
  ret;
}
";
    for block in [64, 96, 45] {
        compare("exits", text, [block, 1, 1], 4096, 1 << 13, Faults::Any);
    }
}

/// Lanes leave compiled code at `brx.idx` with all that is alive at any of its targets, one of which runs into the next.
#[test]
fn tiers_agree_on_a_switch() {
    let text = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %id, %c, %n, %a, %i, %o, %p;
  .reg .b64 %in, %out, %w;
  mov.u32 %id, %tid.x;
  mov.u32 %c, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %id, %c, %n, %id;
  mul.wide.u32 %w, %id, 4;
  ld.param.u64 %in, [p_in];
  add.s64 %in, %in, %w;
  mov.b32 %o, -1;
  mov.b32 %p, -2;
  ld.global.b32 %a, [%in];
  and.b32 %i, %a, 3;
  ts: .branchtargets A, B, C, D;
  brx.idx %i, ts;
A:
  add.u32 %o, %a, 1;
  bra DONE;
B:
  mul.lo.u32 %o, %a, 3;
C:
  xor.b32 %o, %o, 0x5a5a;
  bra DONE;
D:
  add.u32 %o, %a, %p;
DONE:
  ld.param.u64 %out, [p_out];
  add.s64 %out, %out, %w;
  st.global.b32 [%out], %o;
  ret;
}
";
    for block in [64, 256] {
        compare("switch", text, [block, 1, 1], 4096, 1 << 13, Faults::Any);
    }
}

/// Operations that compiled code has in its own way, over many numbers of all sizes, and more of those near one: of all
/// results a sum that depends on their order.
#[test]
fn tiers_agree_on_many_numbers() {
    let rounds = count(300);
    let special = ["rcp", "rsqrt", "sqrt", "ex2"].map(|f| [format!("{f}.approx"), format!("{f}.approx.ftz")]);
    let one = special.into_iter().flatten().map(|f| format!("{f}.f32 %d, %a;"));
    let two = ["div.full", "div.full.ftz", "div.approx", "div.approx.ftz", "min", "max", "mul.ftz", "add.rm", "mul.rz"];
    let two = two.iter().map(|f| format!("{f}.f32 %d, %a, %b;"));
    let others = [
        "fma.rn.ftz.f32 %d, %a, %b, %a;",
        "fma.rp.f32 %d, %a, %b, %b;",
        "cvt.rni.s32.f32 %d, %a;",
        "cvt.rpi.u32.f32 %d, %a;",
        "cvt.rn.f32.u32 %d, %x;",
        "div.u32 %d, %x, %a;",
        "rem.s32 %d, %x, %a;",
        "fma.rn.f16x2 %d, %x, %a, %y;",
        "add.f16x2 %d, %x, %a;",
        "mul.ftz.f16x2 %d, %x, %y;",
        "fma.rn.bf16x2 %d, %x, %a, %y;",
    ];
    for operation in one.chain(two).chain(others.iter().map(|&f| f.to_owned())) {
        let text = format!(
            "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{{
  .reg .b32 %t<4>, %x, %y, %a, %b, %d, %n, %sum;
  .reg .b64 %out, %w;
  .reg .pred %p;
  mov.u32 %t0, %ctaid.x;
  mov.u32 %t1, %ntid.x;
  mov.u32 %t2, %tid.x;
  mad.lo.u32 %t0, %t0, %t1, %t2;
  mul.wide.u32 %w, %t0, 4;
  ld.param.u64 %out, [p_out];
  add.s64 %out, %out, %w;
  mul.lo.u32 %x, %t0, 0x9e3779b1;
  mov.u32 %n, 0;
  mov.u32 %sum, 0;
AGAIN:
  mad.lo.u32 %x, %x, 1664525, 1013904223;
  xor.b32 %y, %x, 0x5bd1e995;
  mov.b32 %a, %x;
  mov.b32 %b, %y;
  {operation}
  mad.lo.u32 %sum, %sum, 31, %d;
  shr.u32 %t3, %x, 23;
  and.b32 %t3, %t3, 15;
  add.u32 %t3, %t3, 118;
  shl.b32 %t3, %t3, 23;
  and.b32 %a, %x, 0x807fffff;
  or.b32 %a, %a, %t3;
  and.b32 %b, %y, 0x807fffff;
  or.b32 %b, %b, 0x3f800000;
  {operation}
  mad.lo.u32 %sum, %sum, 31, %d;
  add.u32 %n, %n, 1;
  setp.lt.u32 %p, %n, {rounds};
  @%p bra AGAIN;
  st.global.u32 [%out], %sum;
  ret;
}}
"
        );
        compare(&operation, &text, [256, 1, 1], 4, 1 << 12, Faults::Any);
    }
}
