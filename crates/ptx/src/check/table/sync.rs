//! Barriers, fences, atomics, votes and control flow (PTX ISA, sections 9.7.12, 9.7.13 and 9.7.19).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.12" {
        "bra{.uni} @label";
        "brx.idx{.uni} a:u32, @targets" => "6.0 sm_30";
        "call{.uni} @function";
        "call{.uni} @function, @list";
        "call{.uni} @list, @function";
        "call{.uni} @list, @function, @list";
        "call{.uni} @function, @prototype" => "2.1 sm_20";
        "call{.uni} @function, @list, @prototype" => "2.1 sm_20";
        "call{.uni} @list, @function, @prototype" => "2.1 sm_20";
        "call{.uni} @list, @function, @list, @prototype" => "2.1 sm_20";
        "ret{.uni}";
        "exit";
    }
    "9.7.13.1" {
        "bar.sync a(0..15):u32{, b(0..1048576/32):u32}";
        "bar.arrive a(0..15):u32, b(32..1048576/32):u32" => "2.0 sm_20";
        "bar.red.popc.u32 d, a(0..15):u32, !c" => "2.0 sm_20";
        "bar.red.popc.u32 d, a(0..15):u32, b(0..1048576/32):u32, !c" => "2.0 sm_20";
        "bar.red.(and|or).pred p, a(0..15):u32, !c" => "2.0 sm_20";
        "bar.red.(and|or).pred p, a(0..15):u32, b(0..1048576/32):u32, !c" => "2.0 sm_20";
        "bar.cta.sync a(0..15):u32{, b(0..1048576/32):u32}" => "7.8";
        "bar.cta.arrive a(0..15):u32, b(32..1048576/32):u32" => "7.8";
        "bar.cta.red.popc.u32 d, a(0..15):u32, !c" => "7.8";
        "bar.cta.red.popc.u32 d, a(0..15):u32, b(0..1048576/32):u32, !c" => "7.8";
        "bar.cta.red.(and|or).pred p, a(0..15):u32, !c" => "7.8";
        "bar.cta.red.(and|or).pred p, a(0..15):u32, b(0..1048576/32):u32, !c" => "7.8";
        "barrier.sync{.aligned} a(0..15):u32{, b(0..1048576/32):u32}" => "6.0 sm_30";
        "barrier.arrive{.aligned} a(0..15):u32, b(32..1048576/32):u32" => "6.0 sm_30";
        "barrier.red.popc{.aligned}.u32 d, a(0..15):u32, !c" => "6.0 sm_30";
        "barrier.red.popc{.aligned}.u32 d, a(0..15):u32, b(0..1048576/32):u32, !c" => "6.0 sm_30";
        "barrier.red.(and|or){.aligned}.pred p, a(0..15):u32, !c" => "6.0 sm_30";
        "barrier.red.(and|or){.aligned}.pred p, a(0..15):u32, b(0..1048576/32):u32, !c" => "6.0 sm_30";
        "barrier.cta.sync{.aligned} a(0..15):u32{, b(0..1048576/32):u32}" => "7.8 sm_30";
        "barrier.cta.arrive{.aligned} a(0..15):u32, b(32..1048576/32):u32" => "7.8 sm_30";
        "barrier.cta.red.popc{.aligned}.u32 d, a(0..15):u32, !c" => "7.8 sm_30";
        "barrier.cta.red.popc{.aligned}.u32 d, a(0..15):u32, b(0..1048576/32):u32, !c" => "7.8 sm_30";
        "barrier.cta.red.(and|or){.aligned}.pred p, a(0..15):u32, !c" => "7.8 sm_30";
        "barrier.cta.red.(and|or){.aligned}.pred p, a(0..15):u32, b(0..1048576/32):u32, !c" => "7.8 sm_30";
    }
    "9.7.13.2" {
        "bar.warp.sync a:u32" => "6.0 sm_30";
    }
    "9.7.13.3" {
        "barrier.cluster.arrive{.(release@8.0|relaxed@8.0)}{.aligned}" => "7.8 sm_90";
        "barrier.cluster.wait{.acquire@8.0}{.aligned}" => "7.8 sm_90";
    }
    "9.7.13.4" {
        "membar.(cta|gl|sys@2.0+sm_20)";
        "membar.proxy.alias" => "7.5 sm_70";
        "fence{.(sc|acq_rel|acquire|release)}.$scope" => "6.0 sm_70";
        "fence.acquire.sync_restrict::shared::cluster.cluster" => "8.6 sm_90";
        "fence.release.sync_restrict::shared::cta.cluster" => "8.6 sm_90";
        "fence.mbarrier_init.release.cluster" => "8.0 sm_90";
        "fence.proxy.alias" => "7.5 sm_70";
        "fence.proxy.async{.(global|shared::cta|shared::cluster)}" => "8.0 sm_90";
        "fence.proxy.tensormap::generic.release.$scope" => "8.3 sm_90";
        "fence.proxy.tensormap::generic.acquire.$scope [a], #n(128..128)" => "8.3 sm_90";
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster" => "8.6 sm_90";
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster" => "8.6 sm_90";
    }
    "9.7.13.5" {
        "atom{.$sem}{.$atomscope}{.$atomspace}.(and|or|xor|exch).(b32|b64) d_, [a], b";
        "atom{.$sem}{.$atomscope}{.global}.(and|or|xor|exch).L2::cache_hint.(b32|b64) d_, [a], b, c:b64" => "7.4 sm_80";
        "atom{.$sem}{.$atomscope}{.$atomspace}.cas.(b16@6.3+sm_70|b32|b64|b128@8.3+sm_90) d_, [a], b, c";
        "atom{.$sem}{.$atomscope}{.$atomspace}.exch.b128 d_, [a], b" => "8.3 sm_90";
        "atom{.$sem}{.$atomscope}{.global}.exch.L2::cache_hint.b128 d_, [a], b, c:b64" => "8.3 sm_90";
        "atom{.$sem}{.$atomscope}{.$atomspace}.add.(u32|s32|u64|f32|f64@5.0+sm_60) d_, [a], b";
        "atom{.$sem}{.$atomscope}{.global}.add.L2::cache_hint.(u32|s32|u64|f32|f64@5.0+sm_60) d_, [a], b, c:b64" => "7.4 sm_80";
        "atom{.$sem}{.$atomscope}{.$atomspace}.(inc|dec).u32 d_, [a], b";
        "atom{.$sem}{.$atomscope}{.global}.(inc|dec).L2::cache_hint.u32 d_, [a], b, c:b64" => "7.4 sm_80";
        "atom{.$sem}{.$atomscope}{.$atomspace}.(min|max).(u32|s32|u64|s64) d_, [a], b";
        "atom{.$sem}{.$atomscope}{.global}.(min|max).L2::cache_hint.(u32|s32|u64|s64) d_, [a], b, c:b64" => "7.4 sm_80";
        "atom{.$sem}{.$atomscope}{.$atomspace}.add.noftz.(f16x2@6.2+sm_60|f16@6.3+sm_70|bf16@7.8+sm_90|bf16x2@7.8+sm_90) d_, [a], b";
        "atom{.$sem}{.$atomscope}{.global}.add.noftz.L2::cache_hint.(f16x2@6.2+sm_60|f16@6.3+sm_70|bf16@7.8+sm_90|bf16x2@7.8+sm_90) d_, [a], b, c:b64" => "7.4 sm_80";
        "atom{.$sem}{.$atomscope}{.global}.add{.L2::cache_hint}.(v2|v4).f32 <d>, [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
        "atom{.$sem}{.$atomscope}{.global}.(add|min|max).noftz{.L2::cache_hint}.(v2|v4|v8).(f16|bf16) <d>, [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
        "atom{.$sem}{.$atomscope}{.global}.(add|min|max).noftz{.L2::cache_hint}.(v2|v4).(f16x2|bf16x2) <d>, [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
    }
    "9.7.13.6" {
        "red{.$redsem}{.$atomscope}{.$atomspace}.(and|or|xor).(b32|b64) [a], b";
        "red{.$redsem}{.$atomscope}{.global}.(and|or|xor).L2::cache_hint.(b32|b64) [a], b, c:b64" => "7.4 sm_80";
        "red{.$redsem}{.$atomscope}{.$atomspace}.add.(u32|s32|u64|f32|f64@5.0+sm_60) [a], b";
        "red{.$redsem}{.$atomscope}{.global}.add.L2::cache_hint.(u32|s32|u64|f32|f64@5.0+sm_60) [a], b, c:b64" => "7.4 sm_80";
        "red{.$redsem}{.$atomscope}{.$atomspace}.(inc|dec).u32 [a], b";
        "red{.$redsem}{.$atomscope}{.global}.(inc|dec).L2::cache_hint.u32 [a], b, c:b64" => "7.4 sm_80";
        "red{.$redsem}{.$atomscope}{.$atomspace}.(min|max).(u32|s32|u64|s64) [a], b";
        "red{.$redsem}{.$atomscope}{.global}.(min|max).L2::cache_hint.(u32|s32|u64|s64) [a], b, c:b64" => "7.4 sm_80";
        "red{.$redsem}{.$atomscope}{.$atomspace}.add.noftz.(f16x2@6.2+sm_60|f16@6.3+sm_70|bf16@7.8+sm_90|bf16x2@7.8+sm_90) [a], b";
        "red{.$redsem}{.$atomscope}{.global}.add.noftz.L2::cache_hint.(f16x2@6.2+sm_60|f16@6.3+sm_70|bf16@7.8+sm_90|bf16x2@7.8+sm_90) [a], b, c:b64" => "7.4 sm_80";
        "red{.$redsem}{.$atomscope}{.global}.add{.L2::cache_hint}.(v2|v4).f32 [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
        "red{.$redsem}{.$atomscope}{.global}.(add|min|max).noftz{.L2::cache_hint}.(v2|v4|v8).(f16|bf16) [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
        "red{.$redsem}{.$atomscope}{.global}.(add|min|max).noftz{.L2::cache_hint}.(v2|v4).(f16x2|bf16x2) [a], <b>{, c:b64 ? L2::cache_hint}" => "8.1 sm_90";
    }
    "9.7.13.7" {
        "red.async.relaxed.cluster.(inc|dec|min|max|add).mbarrier::complete_tx::bytes{.shared::cluster}.u32 [a], b, [c]" => "8.1 sm_90";
        "red.async.relaxed.cluster.(min|max|add).mbarrier::complete_tx::bytes{.shared::cluster}.s32 [a], b, [c]" => "8.1 sm_90";
        "red.async.relaxed.cluster.(and|or|xor).mbarrier::complete_tx::bytes{.shared::cluster}.b32 [a], b, [c]" => "8.1 sm_90";
        "red.async.relaxed.cluster.add.mbarrier::complete_tx::bytes{.shared::cluster}.(u64|s64) [a], b, [c]" => "8.1 sm_90";
        "red.async.mmio.release.(gpu|sys){.global}.add.(u32|s32|u64|s64) [a], b" => "8.7 sm_100";
    }
    "9.7.13.8" {
        "vote.(all|any|uni).pred p, !a" => "1.2 <6.4 | 1.2 <sm_70";
        "vote.ballot.b32 d, !a" => "2.0 <6.4 | 2.0 <sm_70";
    }
    "9.7.13.9" {
        "vote.sync.(all|any|uni).pred p, !a, b:u32" => "6.0 sm_30";
        "vote.sync.ballot.b32 d, !a, b:u32" => "6.0 sm_30";
    }
    "9.7.13.10" {
        "match.any.sync.(b32|b64) d:b32, a, b:u32" => "6.0 sm_70";
        "match.all.sync.(b32|b64) d_{|p}:b32, a, b:u32" => "6.0 sm_70";
    }
    "9.7.13.11" {
        "activemask.b32 d" => "6.2 sm_30";
    }
    "9.7.13.12" {
        "redux.sync.(add|min|max).(u32|s32) d:u32, a:u32, b:u32" => "7.0 sm_80";
        "redux.sync.(and|or|xor).b32 d:u32, a:u32, b:u32" => "7.0 sm_80";
        "redux.sync.(min|max){.abs}{.NaN}.f32 d, a, b:u32" => "8.6 sm_100a | 8.8 sm_100f";
    }
    "9.7.13.13" {
        "griddepcontrol.(launch_dependents|wait)" => "7.8 sm_90";
    }
    "9.7.13.14" {
        "elect.sync d_|p, a:u32" => "8.0 sm_90";
    }
    "9.7.19" {
        "brkpt";
        "nanosleep.u32 a" => "6.3 sm_70";
        "pmevent #n(0..15)" => "1.4";
        "pmevent.mask #n(0..65535)" => "3.0 sm_20";
        "trap";
        "setmaxnreg.(inc|dec).sync.aligned.u32 #n(24..256/8)" => "8.0 sm_90a,sm_100f,sm_110f,sm_120f";
    }
};
