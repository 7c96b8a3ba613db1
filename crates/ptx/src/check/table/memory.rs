//! Loads, stores, moves and addresses (PTX ISA, section 9.7.9).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.9.3" {
        "mov.(pred|b16|b32|b64|b128@8.3+sm_70|$int|f32|f64) d, @value";
        "mov.(b16|b32|b64|b128@8.3+sm_70) @pack, @pack";
        "mov.(v2|v4).(b16|b32|b64|$int|f32|f64) <d>, <a>";
    }
    "9.7.9.6" {
        "shfl.(up|down|bfly|idx).b32 d{|p}, a, b, c" => "3.0 <6.4 | 3.0 <sm_70";
    }
    "9.7.9.7" {
        "shfl.sync.(up|down|bfly|idx).b32 d{|p}, a, b, c, e:u32" => "6.0 sm_30";
    }
    "9.7.9.8" {
        "prmt.b32{.(f4e|b4e|rc8|ecl|ecr|rc16)} d, a, b, c" => "2.0 sm_20";
    }
    "9.7.9.9" {
        "ld{.weak@6.0+sm_70}{.$ldspace}{.$ldcop}{.$vector}.$memtype <d>:~0, [a]";
        "ld{.weak@6.0+sm_70}{.global}{.$ldcop}{.L2::cache_hint@7.4+sm_80}{.$prefetch}{.$vector}.$memtype <d>:~0, [a]{, c:b64 ? L2::cache_hint}";
        "ld{.weak}{.global}.$evict{.L2::cache_hint@7.4+sm_80}{.$prefetch}{.$vector}.$memtype <d>:~0, [a]{, c:b64 ? L2::cache_hint}" => "7.4 sm_70";
        "ld.volatile{.(global|$shared)}{.$vector}.$memtype <d>:~0, [a]";
        "ld.volatile{.global}.$prefetch{.$vector}.$memtype <d>:~0, [a]";
        "ld.(relaxed|acquire).$scope{.(global|$shared)}{.$vector}.$scalar <d>:~0, [a]" => "6.0 sm_70";
        "ld.(relaxed|acquire).$scope{.global}{.$evict@7.4}{.L2::cache_hint@7.4+sm_80}{.$prefetch}{.$vector}.$scalar <d>:~0, [a]{, c:b64 ? L2::cache_hint}" => "6.0 sm_70";
        "ld.(relaxed|acquire).$scope128{.(global|$shared)}.b128 <d>:~0, [a]" => "8.3 sm_70";
        "ld.(relaxed|acquire).$scope128{.global}{.$evict}{.L2::cache_hint@7.4+sm_80}{.$prefetch}.b128 <d>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.3 sm_70";
        "ld.mmio.relaxed.sys{.global}.$scalar <d>:~0, [a]" => "8.2 sm_70";
        "ld.mmio.relaxed.sys{.global}.b128 <d>:~0, [a]" => "8.4 sm_70";
        "ld{.weak}{.global}{.$ldcop}{.$evict2}{.L2::cache_hint}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
        "ld{.weak}{.global}{.$evict}{.$evict2}{.L2::cache_hint}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
        "ld.volatile{.global}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]" => "8.8 sm_100";
        "ld.(relaxed|acquire).$scope{.global}{.$evict}{.$evict2}{.L2::cache_hint}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
    }
    "9.7.9.10" {
        "ld.global{.(ca|cg|cs)}.nc{.L2::cache_hint@7.4+sm_80}{.$prefetch}{.$vector}.$memtype <d>:~0, [a]{, c:b64 ? L2::cache_hint}" => "3.1 sm_32";
        "ld.global.nc.$evict{.L2::cache_hint@7.4+sm_80}{.$prefetch}{.$vector}.$memtype <d>:~0, [a]{, c:b64 ? L2::cache_hint}" => "7.4 sm_70";
        "ld.global{.(ca|cg|cs)}.nc{.$evict2}{.L2::cache_hint}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
        "ld.global.nc{.$evict}{.$evict2}{.L2::cache_hint}{.$prefetch}.(v4|v8).$scalar <<d>>:~0, [a]{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
    }
    "9.7.9.11" {
        "ldu{.global}{.(v2|v4)}.$memtype <d>:~0, [a]" => "2.0 sm_20";
    }
    "9.7.9.12" {
        "st{.weak@6.0+sm_70}{.$stspace}{.(wb|cg|cs|wt)}{.$vector}.$memtype [a], <b>:~0";
        "st{.weak@6.0+sm_70}{.global}{.(wb|cg|cs|wt)}.L2::cache_hint{.$vector}.$memtype [a], <b>:~0, c:b64" => "7.4 sm_80";
        "st{.weak}{.global}.$evict{.L2::cache_hint@7.4+sm_80}{.$vector}.$memtype [a], <b>:~0{, c:b64 ? L2::cache_hint}" => "7.4 sm_70";
        "st.volatile{.(global|$shared)}{.$vector}.$memtype [a], <b>:~0";
        "st.(relaxed|release).$scope{.(global|$shared)}{.$vector}.$scalar [a], <b>:~0" => "6.0 sm_70";
        "st.(relaxed|release).$scope{.global}{.$evict@7.4}{.L2::cache_hint@7.4+sm_80}{.$vector}.$scalar [a], <b>:~0{, c:b64 ? L2::cache_hint}" => "6.0 sm_70";
        "st.(relaxed|release).$scope128{.(global|$shared)}.b128 [a], <b>:~0" => "8.3 sm_70";
        "st.(relaxed|release).$scope128{.global}{.$evict}{.L2::cache_hint@7.4+sm_80}.b128 [a], <b>:~0{, c:b64 ? L2::cache_hint}" => "8.3 sm_70";
        "st.mmio.relaxed.sys{.global}.$scalar [a], <b>:~0" => "8.2 sm_70";
        "st.mmio.relaxed.sys{.global}.b128 [a], <b>:~0" => "8.4 sm_70";
        "st{.weak}{.global}{.(wb|cg|cs|wt)}{.$evict2}{.L2::cache_hint}.(v4|v8).$scalar [a], <<b>>:~0{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
        "st{.weak}{.global}{.$evict}{.$evict2}{.L2::cache_hint}.(v4|v8).$scalar [a], <<b>>:~0{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
        "st.volatile{.global}.(v4|v8).$scalar [a], <<b>>:~0" => "8.8 sm_100";
        "st.(relaxed|release).$scope{.global}{.$evict}{.$evict2}{.L2::cache_hint}.(v4|v8).$scalar [a], <<b>>:~0{, c:b64 ? L2::cache_hint}" => "8.8 sm_100";
    }
    "9.7.9.13" {
        "st.async{.weak}{.(shared::cluster|shared::cta)}.mbarrier::complete_tx::bytes{.(v2|v4)}.(b32|b64|u32|u64|s32|s64|f32|f64) [a], <b>, [c]" => "8.1 sm_90";
        "st.async.mmio.release.(gpu|sys){.global}.(b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64) [a], b" => "8.7 sm_100";
    }
    "9.7.9.14" {
        "st.bulk{.weak}{.shared::cta} [a], b:b64, #n(0..0)" => "8.6 sm_100";
    }
    "9.7.9.15" {
        "multimem.ld_reduce{.weak}{.global}.add.(u32|s32|u64|f32|f64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.(u32|s32|u64|f32|f64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.(min|max).(u32|s32|u64|s64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max).(u32|s32|u64|s64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.(and|or|xor).(b32|b64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(and|or|xor).(b32|b64) d, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.(min|max|add){.(v2|v4)}.(f16x2|bf16x2) <d>:b32, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max|add){.(v2|v4)}.(f16x2|bf16x2) <d>:b32, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.(min|max|add).(v2|v4|v8).(f16|bf16) <d>, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max|add).(v2|v4|v8).(f16|bf16) <d>, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.add.(v2|v4).f32 <d>, [a]" => "8.1 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.(v2|v4).f32 <d>, [a]" => "8.1 sm_90";
        "multimem.ld_reduce{.weak}{.global}.add.acc::f32{.(v2|v4)}.(f16x2|bf16x2) <d>:b32, [a]" => "8.2 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.acc::f32{.(v2|v4)}.(f16x2|bf16x2) <d>:b32, [a]" => "8.2 sm_90";
        "multimem.ld_reduce{.weak}{.global}.add.acc::f32.(v2|v4|v8).(f16|bf16) <d>, [a]" => "8.2 sm_90";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.acc::f32.(v2|v4|v8).(f16|bf16) <d>, [a]" => "8.2 sm_90";
        "multimem.ld_reduce{.weak}{.global}.(min|max|add){.(v2|v4)}.(e5m2x4|e4m3x4) <d>:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max|add){.(v2|v4)}.(e5m2x4|e4m3x4) <d>:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce{.weak}{.global}.(min|max|add).(v2|v4|v8).(e5m2x2|e4m3x2) <d>:b16, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max|add).(v2|v4|v8).(e5m2x2|e4m3x2) <d>:b16, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce{.weak}{.global}.(min|max|add).(v4|v8).(e5m2|e4m3) <d>:b8, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.(min|max|add).(v4|v8).(e5m2|e4m3) <d>:b8, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce{.weak}{.global}.add.acc::f16{.(v2|v4)}.(e5m2x4|e4m3x4) <d>:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.acc::f16{.(v2|v4)}.(e5m2x4|e4m3x4) <d>:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce{.weak}{.global}.add.acc::f16.(v2|v4|v8).(e5m2x2|e4m3x2) <d>:b16, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.acc::f16.(v2|v4|v8).(e5m2x2|e4m3x2) <d>:b16, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce{.weak}{.global}.add.acc::f16.(v4|v8).(e5m2|e4m3) <d>:b8, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.ld_reduce.(relaxed|acquire).$scope{.global}.add.acc::f16.(v4|v8).(e5m2|e4m3) <d>:b8, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st{.weak}{.global}.(b32|b64|u32|u64|s32|s64|f32|f64) [a], b" => "8.1 sm_90";
        "multimem.st.(relaxed|release).$scope{.global}.(b32|b64|u32|u64|s32|s64|f32|f64) [a], b" => "8.1 sm_90";
        "multimem.st{.weak}{.global}{.(v2|v4)}.(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.st.(relaxed|release).$scope{.global}{.(v2|v4)}.(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.st{.weak}{.global}.(v2|v4|v8).(f16|bf16) [a], <b>" => "8.1 sm_90";
        "multimem.st.(relaxed|release).$scope{.global}.(v2|v4|v8).(f16|bf16) [a], <b>" => "8.1 sm_90";
        "multimem.st{.weak}{.global}.(v2|v4).f32 [a], <b>" => "8.1 sm_90";
        "multimem.st.(relaxed|release).$scope{.global}.(v2|v4).f32 [a], <b>" => "8.1 sm_90";
        "multimem.st{.weak}{.global}{.(v2|v4)}.(e5m2x4|e4m3x4) [a], <b>:b32" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st.(relaxed|release).$scope{.global}{.(v2|v4)}.(e5m2x4|e4m3x4) [a], <b>:b32" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st{.weak}{.global}.(v2|v4|v8).(e5m2x2|e4m3x2) [a], <b>:b16" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st.(relaxed|release).$scope{.global}.(v2|v4|v8).(e5m2x2|e4m3x2) [a], <b>:b16" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st{.weak}{.global}.(v4|v8).(e5m2|e4m3) [a], <b>:b8" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.st.(relaxed|release).$scope{.global}.(v4|v8).(e5m2|e4m3) [a], <b>:b8" => "8.6 sm_100f,sm_110f,sm_120f";
        "multimem.red{.global}.add.(u32|s32|u64|f32|f64) [a], b" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.add.(u32|s32|u64|f32|f64) [a], b" => "8.1 sm_90";
        "multimem.red{.global}.(min|max).(u32|s32|u64|s64) [a], b" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.(min|max).(u32|s32|u64|s64) [a], b" => "8.1 sm_90";
        "multimem.red{.global}.(and|or|xor).(b32|b64) [a], b" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.(and|or|xor).(b32|b64) [a], b" => "8.1 sm_90";
        "multimem.red{.global}.add{.(v2|v4)}.(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.add{.(v2|v4)}.(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.red{.global}.(min|max).(v2|v4).(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.(min|max).(v2|v4).(f16x2|bf16x2) [a], <b>:b32" => "8.1 sm_90";
        "multimem.red{.global}.(min|max|add).(v2|v4|v8).(f16|bf16) [a], <b>" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.(min|max|add).(v2|v4|v8).(f16|bf16) [a], <b>" => "8.1 sm_90";
        "multimem.red{.global}.add.(v2|v4).f32 [a], <b>" => "8.1 sm_90";
        "multimem.red.(relaxed|release).$scope{.global}.add.(v2|v4).f32 [a], <b>" => "8.1 sm_90";
    }
    "9.7.9.16" {
        "prefetch{.(global|local)}.(L1|L2) [a]" => "2.0 sm_20";
        "prefetch{.global}.(L2::evict_last|L2::evict_normal) [a]" => "7.4 sm_80";
        "prefetch{.(const|param)}.tensormap [a]" => "8.0 sm_90";
        "prefetchu.L1 [a]" => "2.0 sm_20";
    }
    "9.7.9.17" {
        "applypriority{.global}.L2::evict_normal [a], #n(128..128)" => "7.4 sm_80";
    }
    "9.7.9.18" {
        "discard{.global}.L2 [a], #n(128..128)" => "7.4 sm_80";
    }
    "9.7.9.19" {
        "createpolicy.range{.global}.$policy{.(L2::evict_first|L2::evict_unchanged)}.b64 d, [a], b:u32, c:u32" => "7.4 sm_80";
        "createpolicy.fractional.$policy{.(L2::evict_first|L2::evict_unchanged)}.b64 d{, b:f32}" => "7.4 sm_80";
        "createpolicy.cvt.L2.b64 d, a" => "7.4 sm_80";
    }
    "9.7.9.20" {
        "isspacep.(const@3.1|global|local|$shared|param@7.7+sm_70|param::entry@7.7+sm_70) p, a:~u32" => "2.0 sm_20";
    }
    "9.7.9.21" {
        "cvta.(const@3.1|global|local|$shared|param@7.7+sm_70|param::entry@7.7+sm_70).(u32|u64) d, @value" => "2.0 sm_20";
        "cvta.to.(const@3.1|global|local|$shared|param@7.7+sm_70|param::entry@7.7+sm_70).(u32|u64) d, a" => "2.0 sm_20";
    }
    "9.7.9.24" {
        "mapa{.shared::cluster}.(u32|u64) d, @value, b:u32" => "7.8 sm_90";
    }
    "9.7.9.25" {
        "getctarank{.shared::cluster}.(u32|u64) d:u32, @value" => "7.8 sm_90";
    }
    "9.7.15" {
        "alloca.(u32|u64) d, a{, #n}" => "7.3 sm_52";
        "stacksave.(u32|u64) d" => "7.3 sm_52";
        "stackrestore.(u32|u64) a" => "7.3 sm_52";
    }
};
