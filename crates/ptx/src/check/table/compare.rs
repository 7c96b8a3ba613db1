//! Comparison, selection, logic and shifts (PTX ISA, sections 9.7.6 to 9.7.8).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.6.1" {
        "set.(eq|ne).$settype.(b16|b32|b64) d, a:1, b:1";
        "set.(eq|ne).$bool.$settype.(b16|b32|b64) d, a:1, b:1, !c";
        "set.($cmp|$ucmp).$settype.(u16|u32|u64) d, a:1, b:1";
        "set.($cmp|$ucmp).$bool.$settype.(u16|u32|u64) d, a:1, b:1, !c";
        "set.$cmp.$settype.(s16|s32|s64) d, a:1, b:1";
        "set.$cmp.$bool.$settype.(s16|s32|s64) d, a:1, b:1, !c";
        "set.$fcmp.$settype.(f32|f64) d, a:1, b:1";
        "set.$fcmp.$bool.$settype.(f32|f64) d, a:1, b:1, !c";
        "set.$fcmp.ftz.(u32|s32|f32|f16@4.2+sm_53).f32 d, a:1, b:1";
        "set.$fcmp.$bool.ftz.(u32|s32|f32|f16@4.2+sm_53).f32 d, a:1, b:1, !c";
    }
    "9.7.6.2" {
        "setp.(eq|ne).(b16|b32|b64) p_{|q}, a, b";
        "setp.(eq|ne).$bool.(b16|b32|b64) p_{|q}, a, b, !c";
        "setp.($cmp|$ucmp).(u16|u32|u64) p_{|q}, a, b";
        "setp.($cmp|$ucmp).$bool.(u16|u32|u64) p_{|q}, a, b, !c";
        "setp.$cmp.(s16|s32|s64) p_{|q}, a, b";
        "setp.$cmp.$bool.(s16|s32|s64) p_{|q}, a, b, !c";
        "setp.$fcmp{.ftz}.f32 p_{|q}, a, b";
        "setp.$fcmp.$bool{.ftz}.f32 p_{|q}, a, b, !c";
        "setp.$fcmp.f64 p_{|q}, a, b";
        "setp.$fcmp.$bool.f64 p_{|q}, a, b, !c";
    }
    "9.7.6.3" {
        "selp.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64) d, a, b, !c";
    }
    "9.7.6.4" {
        "slct.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).s32 d, a, b, c:1";
        "slct{.ftz}.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).f32 d, a, b, c:1";
    }
    "9.7.7.1" {
        "set.$fcmp{.ftz}.(f16|s16@6.5|u16@6.5|s32@6.5|u32@6.5).f16 d, a:1, b:1" => "4.2 sm_53";
        "set.$fcmp.$bool{.ftz}.(f16|s16@6.5|u16@6.5|s32@6.5|u32@6.5).f16 d, a:1, b:1, !c" => "4.2 sm_53";
        "set.$fcmp.bf16.f16 d, a:1, b:1" => "7.8 sm_90";
        "set.$fcmp.$bool.bf16.f16 d, a:1, b:1, !c" => "7.8 sm_90";
        "set.$fcmp.(bf16|s16|u16|s32|u32).bf16 d, a:1, b:1" => "7.8 sm_90";
        "set.$fcmp.$bool.(bf16|s16|u16|s32|u32).bf16 d, a:1, b:1, !c" => "7.8 sm_90";
        "set.$fcmp{.ftz}.(f16x2|s32@6.5|u32@6.5).f16x2 d, a:1, b:1" => "4.2 sm_53";
        "set.$fcmp.$bool{.ftz}.(f16x2|s32@6.5|u32@6.5).f16x2 d, a:1, b:1, !c" => "4.2 sm_53";
        "set.$fcmp.(bf16x2|s32|u32).bf16x2 d, a:1, b:1" => "7.8 sm_90";
        "set.$fcmp.$bool.(bf16x2|s32|u32).bf16x2 d, a:1, b:1, !c" => "7.8 sm_90";
    }
    "9.7.7.2" {
        "setp.$fcmp{.ftz}.f16 p, a, b" => "4.2 sm_53";
        "setp.$fcmp.$bool{.ftz}.f16 p, a, b, !c" => "4.2 sm_53";
        "setp.$fcmp.bf16 p, a, b" => "7.8 sm_90";
        "setp.$fcmp.$bool.bf16 p, a, b, !c" => "7.8 sm_90";
        "setp.$fcmp{.ftz}.f16x2 p_{|q}, a, b" => "4.2 sm_53";
        "setp.$fcmp.$bool{.ftz}.f16x2 p_{|q}, a, b, !c" => "4.2 sm_53";
        "setp.$fcmp.bf16x2 p_{|q}, a, b" => "7.8 sm_90";
        "setp.$fcmp.$bool.bf16x2 p_{|q}, a, b, !c" => "7.8 sm_90";
    }
    "9.7.8.1" {
        "and.(pred|b16|b32|b64) d, a, b";
    }
    "9.7.8.2" {
        "or.(pred|b16|b32|b64) d, a, b";
    }
    "9.7.8.3" {
        "xor.(pred|b16|b32|b64) d, a, b";
    }
    "9.7.8.4" {
        "not.(pred|b16|b32|b64) d, a";
    }
    "9.7.8.5" {
        "cnot.(b16|b32|b64) d, a";
    }
    "9.7.8.6" {
        "lop3.b32 d, a, b, c, #n(0..255)" => "4.3 sm_50";
        "lop3.(and|or).b32 d_|p, a, b, c, #n(0..255), !q" => "8.2 sm_70";
    }
    "9.7.8.7" {
        "shf.(l|r).(clamp|wrap).b32 d, a, b, c:u32" => "3.1 sm_32";
    }
    "9.7.8.8" {
        "shl.(b16|b32|b64) d, a, b:u32";
    }
    "9.7.8.9" {
        "shr.(b16|b32|b64|$int) d, a, b:u32";
    }
};
