//! Floating-point arithmetic: single, double, half, brain, mixed (PTX ISA, sections 9.7.3 to 9.7.5).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.3.1" {
        "testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p, a" => "2.0 sm_20";
    }
    "9.7.3.2" {
        "copysign.(f32|f64) d, a, b" => "2.0 sm_20";
    }
    "9.7.3.3" {
        "add{.$rnd}{.ftz}{.sat}.f32 d, a, b";
        "add{.$rnd}.f64 d, a, b";
        "add{.$rnd}{.ftz}.f32x2 d, a, b" => "8.6 sm_100";
    }
    "9.7.3.4" {
        "sub{.$rnd}{.ftz}{.sat}.f32 d, a, b";
        "sub{.$rnd}.f64 d, a, b";
        "sub{.$rnd}{.ftz}.f32x2 d, a, b" => "8.6 sm_100";
    }
    "9.7.3.5" {
        "mul{.$rnd}{.ftz}{.sat}.f32 d, a, b";
        "mul{.$rnd}.f64 d, a, b";
        "mul{.$rnd}{.ftz}.f32x2 d, a, b" => "8.6 sm_100";
    }
    "9.7.3.6" {
        "fma.$rnd{.ftz}{.sat}.f32 d, a, b, c" => "2.0 sm_20";
        "fma.$rnd.f64 d, a, b, c";
        "fma.$rnd{.ftz}.f32x2 d, a, b, c" => "8.6 sm_100";
    }
    "9.7.3.7" {
        "mad.$rnd{.ftz}{.sat}.f32 d, a, b, c" => "2.0 sm_20";
        "mad.$rnd.f64 d, a, b, c";
    }
    "9.7.3.8" {
        "div.approx{.ftz}.f32 d, a, b";
        "div.full{.ftz}.f32 d, a, b";
        "div.$rnd{.ftz}.f32 d, a, b" => "1.4 sm_20";
        "div.$rnd.f64 d, a, b" => "1.4 sm_13";
    }
    "9.7.3.9" {
        "abs{.ftz}.f32 d, a";
        "abs.f64 d, a";
    }
    "9.7.3.10" {
        "neg{.ftz}.f32 d, a";
        "neg.f64 d, a";
    }
    "9.7.3.11" {
        "min{.ftz}{.NaN@7.0+sm_80}.f32 d, a, b";
        "min{.ftz}{.NaN}.xorsign.abs.f32 d, a, b" => "7.2 sm_86";
        "min{.ftz}{.NaN}{.abs}.f32 d, a, b, c" => "8.8 sm_100";
        "min.f64 d, a, b";
    }
    "9.7.3.12" {
        "max{.ftz}{.NaN@7.0+sm_80}.f32 d, a, b";
        "max{.ftz}{.NaN}.xorsign.abs.f32 d, a, b" => "7.2 sm_86";
        "max{.ftz}{.NaN}{.abs}.f32 d, a, b, c" => "8.8 sm_100";
        "max.f64 d, a, b";
    }
    "9.7.3.13" {
        "rcp.approx{.ftz}.f32 d, a";
        "rcp.$rnd{.ftz}.f32 d, a" => "1.4 sm_20";
        "rcp.$rnd{.ftz}.f64 d, a" => "1.4 sm_13";
    }
    "9.7.3.14" {
        "rcp.approx.ftz.f64 d, a" => "2.1 sm_20";
    }
    "9.7.3.15" {
        "sqrt.approx{.ftz}.f32 d, a";
        "sqrt.$rnd{.ftz}.f32 d, a" => "1.4 sm_20";
        "sqrt.$rnd.f64 d, a" => "1.4 sm_13";
    }
    "9.7.3.16" {
        "rsqrt.approx{.ftz}.f32 d, a";
        "rsqrt.approx.f64 d, a" => "1.4 sm_13";
    }
    "9.7.3.17" {
        "rsqrt.approx.ftz.f64 d, a" => "4.0 sm_20";
    }
    "9.7.3.18" {
        "sin.approx{.ftz}.f32 d, a";
    }
    "9.7.3.19" {
        "cos.approx{.ftz}.f32 d, a";
    }
    "9.7.3.20" {
        "lg2.approx{.ftz}.f32 d, a";
    }
    "9.7.3.21" {
        "ex2.approx{.ftz}.f32 d, a";
    }
    "9.7.3.22" {
        "tanh.approx.f32 d, a" => "7.0 sm_75";
    }
    "9.7.4.1" {
        "add{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b" => "4.2 sm_53";
        "add{.rn}.(bf16|bf16x2) d, a, b" => "7.8 sm_90";
    }
    "9.7.4.2" {
        "sub{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b" => "4.2 sm_53";
        "sub{.rn}.(bf16|bf16x2) d, a, b" => "7.8 sm_90";
    }
    "9.7.4.3" {
        "mul{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b" => "4.2 sm_53";
        "mul{.rn}.(bf16|bf16x2) d, a, b" => "7.8 sm_90";
    }
    "9.7.4.4" {
        "fma.rn{.ftz}{.sat}.(f16|f16x2) d, a, b, c" => "4.2 sm_53";
        "fma.rn{.ftz}.relu.(f16|f16x2) d, a, b, c" => "7.0 sm_80";
        "fma.$rnd{.relu}.(bf16|bf16x2) d, a, b, c" => "7.0 sm_80";
        "fma.rn.oob{.(relu|sat)}.(f16|f16x2) d, a, b, c" => "8.1 sm_90";
        "fma.$rnd.oob{.relu}.(bf16|bf16x2) d, a, b, c" => "8.1 sm_90";
    }
    "9.7.4.5" {
        "neg{.ftz}.(f16|f16x2) d, a" => "6.0 sm_53";
        "neg.(bf16|bf16x2) d, a" => "7.0 sm_80";
    }
    "9.7.4.6" {
        "abs{.ftz}.(f16|f16x2) d, a" => "6.5 sm_53";
        "abs.(bf16|bf16x2) d, a" => "7.0 sm_80";
    }
    "9.7.4.7" {
        "min{.ftz}{.NaN}.(f16|f16x2) d, a, b" => "7.0 sm_80";
        "min{.NaN}.(bf16|bf16x2) d, a, b" => "7.0 sm_80";
        "min{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a, b" => "7.2 sm_86";
        "min{.NaN}.xorsign.abs.(bf16|bf16x2) d, a, b" => "7.2 sm_86";
    }
    "9.7.4.8" {
        "max{.ftz}{.NaN}.(f16|f16x2) d, a, b" => "7.0 sm_80";
        "max{.NaN}.(bf16|bf16x2) d, a, b" => "7.0 sm_80";
        "max{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a, b" => "7.2 sm_86";
        "max{.NaN}.xorsign.abs.(bf16|bf16x2) d, a, b" => "7.2 sm_86";
    }
    "9.7.4.9" {
        "tanh.approx.(f16|f16x2) d, a" => "7.0 sm_75";
        "tanh.approx.(bf16|bf16x2) d, a" => "7.8 sm_90";
    }
    "9.7.4.10" {
        "ex2.approx.(f16|f16x2) d, a" => "7.0 sm_75";
        "ex2.approx.ftz.(bf16|bf16x2) d, a" => "7.8 sm_90";
    }
    "9.7.5.1" {
        "add{.$rnd}{.sat}.f32.(f16|bf16) d, a:1, c" => "8.6 sm_100";
    }
    "9.7.5.2" {
        "sub{.$rnd}{.sat}.f32.(f16|bf16) d, a:1, c" => "8.6 sm_100";
    }
    "9.7.5.3" {
        "fma.$rnd{.sat}.f32.(f16|bf16) d, a:1, b:1, c" => "8.6 sm_100";
    }
};
