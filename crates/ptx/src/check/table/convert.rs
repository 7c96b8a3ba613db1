//! Conversions (PTX ISA, section 9.7.9.22 and 9.7.9.23).
//!
//! What the manual leaves open is as `ptxas` 13.0 has it: `.sat` only where the source has values outside the
//! destination, no conversion between 8-bit integers and `.bf16`, no `.sat` from `.bf16`, and no wider registers beside
//! `.bf16` and `.tf32`.

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.9.22" {
        "cvt.$int8.$int8 d:~0, $a:~1";
        "cvt.sat.u8.(u16|u32|u64|s8|s16|s32|s64) d:~0, $a:~1";
        "cvt.sat.u16.(u32|u64|s8|s16|s32|s64) d:~0, $a:~1";
        "cvt.sat.u32.(u64|s8|s16|s32|s64) d:~0, $a:~1";
        "cvt.sat.u64.(s8|s16|s32|s64) d:~0, $a:~1";
        "cvt.sat.s8.(u8|u16|u32|u64|s16|s32|s64) d:~0, $a:~1";
        "cvt.sat.s16.(u16|u32|u64|s32|s64) d:~0, $a:~1";
        "cvt.sat.s32.(u32|u64|s64) d:~0, $a:~1";
        "cvt.sat.s64.u64 d:~0, $a:~1";
        "cvt.$irnd{.ftz}{.sat}.$int8.f32 d:~0, a:~1";
        "cvt.$irnd{.sat}.$int8.(f16|f64) d:~0, a:~1";
        "cvt.$irnd.$int.bf16 d, a:1" => "7.8 sm_90";
        "cvt.$rnd{.ftz}{.sat}.f32.$int8 d:~0, a:~1";
        "cvt.$rnd{.sat}.(f16|f64).$int8 d:~0, a:~1";
        "cvt.$rnd.bf16.$int d, a:1" => "7.8 sm_90";
        "cvt{.sat}.(f16|f64).f16 d:~0, a:~1";
        "cvt{.sat}.f64.f64 d:~0, a:~1";
        "cvt.$irnd{.sat}.f16.f16 d:~0, a:~1";
        "cvt.$irnd{.sat}.f64.f64 d:~0, a:~1";
        "cvt{.ftz}{.sat}.f32.(f16|f32) d:~0, a:~1";
        "cvt{.ftz}{.sat}.f64.f32 d:~0, a:~1";
        "cvt.$irnd{.ftz}{.sat}.f32.f32 d:~0, a:~1";
        "cvt.$rnd{.ftz}{.sat}.f16.f32 d:~0, a:~1";
        "cvt.$rnd{.sat}.f32.f64 d:~0, a:~1";
        "cvt.rn.ftz{.sat}.f32.f64 d:~0, a:~1";
        "cvt.(rz|rm|rp).ftz{.sat}.f32.f64 d, a:~1";
        "cvt.$rnd{.sat}.f16.f64 d:~0, a:~1";
        "cvt{.$rnd}.(f16|f64).bf16 d, a:1" => "7.8 sm_90";
        "cvt{.$rnd}.bf16.f16 d, a:1" => "7.8 sm_90";
        "cvt.$rnd.bf16.f64 d, a:~1" => "7.8 sm_90";
        "cvt{.$irnd}.bf16.bf16 d, a:1" => "7.8 sm_90";
        "cvt{.$rnd}{.ftz@7.8+sm_90}.f32.bf16 d, a:1" => "7.1 sm_80";
        "cvt.$rnd{.ftz}.bf16.f32 d, a:1" => "7.0 sm_80";
        "cvt.(rn|rz){.relu@7.0+sm_80}{.satfinite@8.1+sm_53}.f16.f32 d:~0, a:~1";
        "cvt.(rn|rz){.relu}{.satfinite@8.1}.bf16.f32 d, a:1" => "7.0 sm_80";
        "cvt.(rn|rz){.relu}{.satfinite@8.1}.(f16x2|bf16x2).f32 d, a:1, b:1" => "7.0 sm_80";
        "cvt.rs{.relu}{.satfinite}.(f16x2|bf16x2).f32 d, a:1, b:1, c:b32" => "8.7 sm_100a,sm_103a";
        "cvt.rna{.satfinite@8.1}.tf32.f32 d, a:1" => "7.0 sm_80";
        "cvt.(rn|rz){.satfinite@8.6+sm_100}{.relu}.tf32.f32 d, a:1" => "7.8 sm_90";
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f32 d, a:1, b:1" => "7.8 sm_90 | 8.1 sm_89";
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f16x2 d, a:1" => "7.8 sm_90 | 8.1 sm_89";
        "cvt.rn{.relu}.f16x2.(e4m3x2|e5m2x2) d, a:1" => "7.8 sm_90 | 8.1 sm_89";
        "cvt.rs{.relu}.satfinite.(e4m3x4|e5m2x4|e2m3x4|e3m2x4) d:b32, a*4:f32, b:b32" => "8.7 sm_100a,sm_103a";
        "cvt.rs{.relu}.satfinite.(e4m3x4|e5m2x4|e2m3x4|e3m2x4).f32 d:b32, a*4:f32, b:b32" => "8.7 sm_100a,sm_103a";
        "cvt.rs{.relu}.satfinite.e2m1x4.f32 d:b16, a*4:f32, b:b32" => "8.7 sm_100a,sm_103a";
        "cvt.rn.satfinite{.relu}.(e2m1x2|e2m3x2|e3m2x2).f32 d, a:1, b:1" => "8.6 sm_100f,sm_110f,sm_120f";
        "cvt.rn.satfinite{.relu}.e2m1x2.f16x2 d, a:1" => "8.6 sm_100f,sm_110f,sm_120f";
        "cvt.rn{.relu}.f16x2.(e2m1x2|e2m3x2|e3m2x2) d, a:1" => "8.6 sm_100f,sm_110f,sm_120f";
        "cvt.(rz|rp){.satfinite}.ue8m0x2.f32 d, a:1, b:1" => "8.6 sm_100f,sm_110f,sm_120f";
        "cvt.(rz|rp){.satfinite}.ue8m0x2.bf16x2 d, a:1" => "8.6 sm_100f,sm_110f,sm_120f";
        "cvt.rn.bf16x2.ue8m0x2 d, a:1" => "8.6 sm_100f,sm_110f,sm_120f";
    }
    "9.7.9.23" {
        "cvt.pack.sat.(u16|s16).s32 d:b32, a:1, b:1" => "6.5 sm_72";
        "cvt.pack.sat.(u8|s8).s32.b32 d:b32, a:1, b:1, c:2" => "6.5 sm_72";
        "cvt.pack.sat.(u4|s4|u2|s2).s32.b32 d:b32, a:1, b:1, c:2" => "6.5 sm_75";
    }
};
