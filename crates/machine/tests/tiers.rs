//! Machine code against the interpreter: the same programs, the same inputs, the same bytes and faults.
//!
//! Programs are made by fixed-seed generators; `WARPVM_PROGRAMS` says how many of each.

mod programs;

use programs::{BLOCKS, Collectives, Faults, TILE_INPUT, TILE_OUTPUT, Tame, Tiles, Wild, compare};

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
