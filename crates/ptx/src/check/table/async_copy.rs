//! Asynchronous copies, mbarriers, tensor maps, clusters (PTX ISA, sections 9.7.9.25 to 9.7.9.28 and 9.7.13.15 on).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.9.25.3.1" {
        "cp.async.ca.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(4|8|16){, c:b64 ? L2::cache_hint}" => "7.0 sm_80";
        "cp.async.ca.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(4|8|16), b:u32{, c:b64 ? L2::cache_hint}" => "7.0 sm_80";
        "cp.async.ca.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(4|8|16), !b{, c:b64 ? L2::cache_hint}" => "7.5 sm_80";
        "cp.async.cg.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(16..16){, c:b64 ? L2::cache_hint}" => "7.0 sm_80";
        "cp.async.cg.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(16..16), b:u32{, c:b64 ? L2::cache_hint}" => "7.0 sm_80";
        "cp.async.cg.$sharedcta.global{.L2::cache_hint@7.4}{.$prefetch} [d], [a], #n(16..16), !b{, c:b64 ? L2::cache_hint}" => "7.5 sm_80";
    }
    "9.7.9.25.3.2" {
        "cp.async.commit_group" => "7.0 sm_80";
    }
    "9.7.9.25.3.3" {
        "cp.async.wait_group #n" => "7.0 sm_80";
        "cp.async.wait_all" => "7.0 sm_80";
    }
    "9.7.9.25.4.1" {
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint} [d], [a], b:u32, [c]{, e:b16 ? multicast::cluster}{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.ignore_oob@9.2}{.L2::cache_hint} [d], [a], b:u32, [c]{, f:b64 ? L2::cache_hint}" => "8.6 sm_90";
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [d], [a], b:u32, [c]" => "8.0 sm_90";
        "cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask@8.6+sm_100} [d], [a], b:u32{, f:b64 ? L2::cache_hint}{, g:b16 ? cp_mask}" => "8.0 sm_90";
    }
    "9.7.9.25.4.2" {
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.(and|or|xor).b32 [d], [a], b:u32, [c]" => "8.0 sm_90";
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.(u32|s32|u64) [d], [a], b:u32, [c]" => "8.0 sm_90";
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.(inc|dec).u32 [d], [a], b:u32, [c]" => "8.0 sm_90";
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.(min|max).(u32|s32) [d], [a], b:u32, [c]" => "8.0 sm_90";
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(and|or|xor).(b32|b64) [d], [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.(u32|s32|u64|f32|f64) [d], [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz.(f16|bf16) [d], [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(inc|dec).u32 [d], [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.(min|max).(u32|s32|u64|s64|f16|bf16) [d], [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
    }
    "9.7.9.25.4.3" {
        "cp.async.bulk.prefetch.L2.global{.L2::cache_hint} [a], b:u32{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
    }
    "9.7.9.25.5" {
        "cp.async.bulk.tensor.$dim.shared::cluster.global{.tile}.mbarrier::complete_tx::bytes{.multicast::cluster}{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b]{, e:b16 ? multicast::cluster}{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.tensor.$dim3.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{.multicast::cluster}{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b], @offsets{, e:b16 ? multicast::cluster}{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.tensor.$dim3.shared::cluster.global.(im2col::w|im2col::w::128).mbarrier::complete_tx::bytes{.multicast::cluster}{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b], @offsets{, e:b16 ? multicast::cluster}{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes{.multicast::cluster}{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b]{, e:b16 ? multicast::cluster}{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
        "cp.async.bulk.tensor.$dim.shared::cta.global{.tile}.mbarrier::complete_tx::bytes{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b]{, f:b64 ? L2::cache_hint}" => "8.6 sm_90";
        "cp.async.bulk.tensor.$dim3.shared::cta.global.im2col.mbarrier::complete_tx::bytes{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b], @offsets{, f:b64 ? L2::cache_hint}" => "8.6 sm_90";
        "cp.async.bulk.tensor.$dim3.shared::cta.global.(im2col::w|im2col::w::128).mbarrier::complete_tx::bytes{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b], @offsets{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
        "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes{.$ctagroup}{.L2::cache_hint} [d], @coordinates, [b]{, f:b64 ? L2::cache_hint}" => "8.6 sm_100";
        "cp.async.bulk.tensor.$dim.global.shared::cta{.tile}.bulk_group{.L2::cache_hint} @coordinates, [a]{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.tensor.$dim3.global.shared::cta.im2col_no_offs.bulk_group{.L2::cache_hint} @coordinates, [a]{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group{.L2::cache_hint} @coordinates, [a]{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
        "cp.reduce.async.bulk.tensor.$dim.global.shared::cta.(add|min|max|inc|dec|and|or|xor){.tile}.bulk_group{.L2::cache_hint} @coordinates, [a]{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.reduce.async.bulk.tensor.$dim3.global.shared::cta.(add|min|max|inc|dec|and|or|xor).im2col_no_offs.bulk_group{.L2::cache_hint} @coordinates, [a]{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.prefetch.tensor.$dim.L2.global{.tile}{.L2::cache_hint} @coordinates{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.prefetch.tensor.$dim3.L2.global.im2col{.L2::cache_hint} @coordinates, @offsets{, f:b64 ? L2::cache_hint}" => "8.0 sm_90";
        "cp.async.bulk.prefetch.tensor.$dim3.L2.global.(im2col::w|im2col::w::128){.L2::cache_hint} @coordinates, @offsets{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4{.L2::cache_hint} @coordinates{, f:b64 ? L2::cache_hint}" => "8.6 sm_100f,sm_110f";
    }
    "9.7.9.25.6" {
        "cp.async.bulk.commit_group" => "8.0 sm_90";
        "cp.async.bulk.wait_group{.read} #n" => "8.0 sm_90";
    }
    "9.7.9.26" {
        "tensormap.replace.tile.(global_address){.(global|shared::cta)}.b1024.b64 [a], b:b64" => "8.3 sm_90a,sm_100f,sm_110f,sm_120f";
        "tensormap.replace.tile.rank{.(global|shared::cta)}.b1024.b32 [a], b:b32" => "8.3 sm_90a,sm_100f,sm_110f,sm_120f";
        "tensormap.replace.tile.(box_dim|global_dim|element_stride){.(global|shared::cta)}.b1024.b32 [a], #n(0..4), b:b32" => "8.3 sm_90a,sm_100f,sm_110f,sm_120f";
        "tensormap.replace.tile.global_stride{.(global|shared::cta)}.b1024.b64 [a], #n(0..4), b:b64" => "8.3 sm_90a,sm_100f,sm_110f,sm_120f";
        "tensormap.replace.tile.(elemtype|interleave_layout|swizzle_mode|swizzle_atomicity@8.6+sm_100f,sm_110f,sm_120f|fill_mode){.(global|shared::cta)}.b1024.b32 [a], #n" => "8.3 sm_90a,sm_100f,sm_110f,sm_120f";
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.$scope.sync.aligned [d], [a], #n(128..128)" => "8.3 sm_90";
    }
    "9.7.13.15" {
        "mbarrier.init{.$sharedcta}.b64 [a], b:u32" => "7.0 sm_80";
        "mbarrier.inval{.$sharedcta}.b64 [a]" => "7.0 sm_80";
        "mbarrier.(expect_tx|complete_tx){.$sharedany}.b64 [a], b:u32" => "8.0 sm_90";
        "mbarrier.(expect_tx|complete_tx).relaxed.(cta|cluster){.$sharedany}.b64 [a], b:u32" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop){.$sharedcta}.b64 d_:b64, [a]" => "7.0 sm_80";
        "mbarrier.(arrive|arrive_drop){.$sharedcta}.b64 d_:b64, [a], b:u32" => "7.8 sm_90";
        "mbarrier.(arrive|arrive_drop).(release|relaxed).(cta|cluster){.$sharedcta}.b64 d_:b64, [a]{, b:u32}" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).shared::cluster.b64 _, [a]{, b:u32}" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).(release|relaxed).(cta|cluster).shared::cluster.b64 _, [a]{, b:u32}" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).expect_tx{.$sharedcta}.b64 d_:b64, [a], b:u32" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).expect_tx.(release|relaxed).(cta|cluster){.$sharedcta}.b64 d_:b64, [a], b:u32" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).expect_tx.shared::cluster.b64 _, [a], b:u32" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).expect_tx.(release|relaxed).(cta|cluster).shared::cluster.b64 _, [a], b:u32" => "8.0 sm_90";
        "mbarrier.(arrive|arrive_drop).noComplete{.$sharedcta}.b64 d_:b64, [a], b:u32" => "7.0 sm_80";
        "mbarrier.(arrive|arrive_drop).noComplete.release.cta{.$sharedcta}.b64 d_:b64, [a], b:u32" => "8.0 sm_80";
        "cp.async.mbarrier.arrive{.noinc}{.$sharedcta}.b64 [a]" => "7.0 sm_80";
        "mbarrier.test_wait{.$sharedcta}.b64 p, [a], b:b64" => "7.0 sm_80";
        "mbarrier.test_wait.(acquire|relaxed).(cta|cluster){.$sharedcta}.b64 p, [a], b:b64" => "8.0 sm_90";
        "mbarrier.test_wait.parity{.$sharedcta}.b64 p, [a], b:u32" => "7.1 sm_80";
        "mbarrier.test_wait.parity.(acquire|relaxed).(cta|cluster){.$sharedcta}.b64 p, [a], b:u32" => "8.0 sm_90";
        "mbarrier.try_wait{.$sharedcta}.b64 p, [a], b:b64{, c:u32}" => "7.8 sm_90";
        "mbarrier.try_wait.(acquire|relaxed).(cta|cluster){.$sharedcta}.b64 p, [a], b:b64{, c:u32}" => "8.0 sm_90";
        "mbarrier.try_wait.parity{.$sharedcta}.b64 p, [a], b:u32{, c:u32}" => "7.8 sm_90";
        "mbarrier.try_wait.parity.(acquire|relaxed).(cta|cluster){.$sharedcta}.b64 p, [a], b:u32{, c:u32}" => "8.0 sm_90";
        "mbarrier.pending_count.b64 d:b32, a" => "7.0 sm_80";
    }
    "9.7.13.16" {
        "clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all@8.6+sm_100f,sm_110f,sm_120f}.b128 [d], [a]" => "8.6 sm_100";
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, a:1" => "8.6 sm_100";
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 <d>, a:1" => "8.6 sm_100";
        "clusterlaunchcontrol.query_cancel.(get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z).b32.b128 d, a:1" => "8.6 sm_100";
    }
};
