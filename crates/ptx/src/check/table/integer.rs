//! Integer arithmetic, extended precision and bit fields (PTX ISA, sections 9.7.1 and 9.7.2).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.1.1" {
        "add.$int d, a, b";
        "add.sat.s32 d, a, b";
        "add.(u16x2|s16x2) d, a, b" => "8.0 sm_90";
    }
    "9.7.1.2" {
        "sub.$int d, a, b";
        "sub.sat.s32 d, a, b";
    }
    "9.7.1.3" {
        "mul.lo.$int d, a, b";
        "mul.hi.$int d, a, b";
        "mul.wide.(u16|s16|u32|s32) d:wide, a, b";
    }
    "9.7.1.4" {
        "mad.lo.$int d, a, b, c";
        "mad.hi.$int d, a, b, c";
        "mad.hi.sat.s32 d, a, b, c";
        "mad.wide.(u16|s16|u32|s32) d:wide, a, b, c:wide";
    }
    "9.7.1.5" {
        "mul24.lo.(u32|s32) d, a, b";
        "mul24.hi.(u32|s32) d, a, b";
    }
    "9.7.1.6" {
        "mad24.lo.(u32|s32) d, a, b, c";
        "mad24.hi.(u32|s32) d, a, b, c";
        "mad24.hi.sat.s32 d, a, b, c";
    }
    "9.7.1.7" {
        "sad.$int d, a, b, c";
    }
    "9.7.1.8" {
        "div.$int d, a, b";
    }
    "9.7.1.9" {
        "rem.$int d, a, b";
    }
    "9.7.1.10" {
        "abs.(s16|s32|s64) d, a";
    }
    "9.7.1.11" {
        "neg.(s16|s32|s64) d, a";
    }
    "9.7.1.12" {
        "min.$int d, a, b";
        "min.relu.s32 d, a, b" => "8.0 sm_90";
        "min{.relu}.s16x2 d, a, b" => "8.0 sm_90";
        "min.u16x2 d, a, b" => "8.0 sm_90";
    }
    "9.7.1.13" {
        "max.$int d, a, b";
        "max.relu.s32 d, a, b" => "8.0 sm_90";
        "max{.relu}.s16x2 d, a, b" => "8.0 sm_90";
        "max.u16x2 d, a, b" => "8.0 sm_90";
    }
    "9.7.1.14" {
        "popc.(b32|b64) d:u32, a" => "2.0 sm_20";
    }
    "9.7.1.15" {
        "clz.(b32|b64) d:u32, a" => "2.0 sm_20";
    }
    "9.7.1.16" {
        "bfind{.shiftamt}.(u32|u64|s32|s64) d:u32, a" => "2.0 sm_20";
    }
    "9.7.1.17" {
        "fns.b32 d, a, b, c" => "6.0 sm_30";
    }
    "9.7.1.18" {
        "brev.(b32|b64) d, a" => "2.0 sm_20";
    }
    "9.7.1.19" {
        "bfe.(u32|u64|s32|s64) d, a, b(0..255):u32, c(0..255):u32" => "2.0 sm_20";
    }
    "9.7.1.20" {
        "bfi.(b32|b64) d, a, b, c(0..255):u32, e(0..255):u32" => "2.0 sm_20";
    }
    "9.7.1.21" {
        "szext.(clamp|wrap).(u32|s32) d, a, b:u32" => "7.6 sm_70";
    }
    "9.7.1.22" {
        "bmsk.(clamp|wrap).b32 d, a, b:u32" => "7.6 sm_70";
    }
    "9.7.1.23" {
        "dp4a.(u32|s32).(u32|s32) d:u32, a:u32, b:u32, c:u32" => "5.0 sm_61";
    }
    "9.7.1.24" {
        "dp2a.(lo|hi).(u32|s32).(u32|s32) d:u32, a:u32, b:u32, c:u32" => "5.0 sm_61";
    }
    "9.7.2.1" {
        "add.cc.(u32|s32|u64@4.3|s64@4.3) d, a, b";
    }
    "9.7.2.2" {
        "addc{.cc}.(u32|s32|u64@4.3|s64@4.3) d, a, b";
    }
    "9.7.2.3" {
        "sub.cc.(u32|s32|u64@4.3|s64@4.3) d, a, b";
    }
    "9.7.2.4" {
        "subc{.cc}.(u32|s32|u64@4.3|s64@4.3) d, a, b";
    }
    "9.7.2.5" {
        "mad.lo.cc.(u32|s32|u64@4.3|s64@4.3) d, a, b, c" => "3.0 sm_20";
        "mad.hi.cc.(u32|s32|u64@4.3|s64@4.3) d, a, b, c" => "3.0 sm_20";
    }
    "9.7.2.6" {
        "madc.lo{.cc}.(u32|s32|u64@4.3|s64@4.3) d, a, b, c" => "3.0 sm_20";
        "madc.hi{.cc}.(u32|s32|u64@4.3|s64@4.3) d, a, b, c" => "3.0 sm_20";
    }
};
