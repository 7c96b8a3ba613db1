//! Warpgroup and fifth-generation matrix instructions (PTX ISA, sections 9.7.15 and 9.7.16).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.15.5" {
        "wgmma.mma_async.sync.aligned.m64n*k16.f32.f16.f16 d*n2:f32, a:b64, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k16.f32.bf16.bf16 d*n2:f32, a:b64, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k16.f32.f16.f16 d*n2:f32, a*4:f16x2, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k16.f32.bf16.bf16 d*n2:f32, a*4:bf16x2, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k16.f16.f16.f16 d*n4:f16x2, a:b64, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k16.f16.f16.f16 d*n4:f16x2, a*4:f16x2, b:b64, !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k8.f32.tf32.tf32 d*n2:f32, a:b64, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k8.f32.tf32.tf32 d*n2:f32, a*4:bf16x2, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k32.f32.(e4m3|e5m2).(e4m3|e5m2) d*n2:f32, a:b64, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k32.f32.(e4m3|e5m2).(e4m3|e5m2) d*n2:f32, a*4:f16x2, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k32.f16.(e4m3|e5m2).(e4m3|e5m2) d*n4:f16x2, a:b64, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n*k32.f16.(e4m3|e5m2).(e4m3|e5m2) d*n4:f16x2, a*4:f16x2, b:b64, !c, #n(-1..1), #n(-1..1)" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n+k32{.satfinite}.s32.(s8|u8).(s8|u8) d*n2:s32, a:b64, b:b64, !c" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n+k32{.satfinite}.s32.(s8|u8).(s8|u8) d*n2:s32, a*4:b32, b:b64, !c" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n+k256.s32.b1.b1.and.popc d*n2:s32, a:b64, b:b64, !c" => "8.0 sm_90a";
        "wgmma.mma_async.sync.aligned.m64n+k256.s32.b1.b1.and.popc d*n2:s32, a*4:b32, b:b64, !c" => "8.0 sm_90a";
    }
    "9.7.15.6" {
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f32.f16.f16 d*n2:f32, a:b64, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f32.bf16.bf16 d*n2:f32, a:b64, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f32.f16.f16 d*n2:f32, a*4:f16x2, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f32.bf16.bf16 d*n2:f32, a*4:bf16x2, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f16.f16.f16 d*n4:f16x2, a:b64, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k32.f16.f16.f16 d*n4:f16x2, a*4:f16x2, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1), #n(0..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k16.f32.tf32.tf32 d*n2:f32, a:b64, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k16.f32.tf32.tf32 d*n2:f32, a*4:bf16x2, b:b64, e:b32, #n(0..1), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k64.f32.(e4m3|e5m2).(e4m3|e5m2) d*n2:f32, a:b64, b:b64, e:b32, #n(0..0), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k64.f32.(e4m3|e5m2).(e4m3|e5m2) d*n2:f32, a*4:f16x2, b:b64, e:b32, #n(0..0), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k64.f16.(e4m3|e5m2).(e4m3|e5m2) d*n4:f16x2, a:b64, b:b64, e:b32, #n(0..0), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n*k64.f16.(e4m3|e5m2).(e4m3|e5m2) d*n4:f16x2, a*4:f16x2, b:b64, e:b32, #n(0..0), !c, #n(-1..1), #n(-1..1)" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n+k64{.satfinite}.s32.(s8|u8).(s8|u8) d*n2:s32, a:b64, b:b64, e:b32, #n(0..0), !c" => "8.2 sm_90a";
        "wgmma.mma_async.sp.sync.aligned.m64n+k64{.satfinite}.s32.(s8|u8).(s8|u8) d*n2:s32, a*4:b32, b:b64, e:b32, #n(0..0), !c" => "8.2 sm_90a";
    }
    "9.7.15.7" {
        "wgmma.fence.sync.aligned" => "8.0 sm_90a";
        "wgmma.commit_group.sync.aligned" => "8.0 sm_90a";
        "wgmma.wait_group.sync.aligned #n" => "8.0 sm_90a";
    }
    "9.7.16.7" {
        "tcgen05.alloc.$ctagroup.sync.aligned{.shared::cta}.b32 [a], b:u32" => "8.6 sm_100f,sm_110f";
        "tcgen05.dealloc.$ctagroup.sync.aligned.b32 a, b:u32" => "8.6 sm_100f,sm_110f";
        "tcgen05.relinquish_alloc_permit.$ctagroup.sync.aligned" => "8.6 sm_100f,sm_110f";
    }
    "9.7.16.8" {
        "tcgen05.ld.sync.aligned.(16x64b|16x128b|16x256b|32x32b).$times{.pack::16b}.b32 @registers, [a]" => "8.6 sm_100f,sm_110f";
        "tcgen05.ld.sync.aligned.16x32bx2.$times{.pack::16b}.b32 @registers, [a], #n" => "8.6 sm_100f,sm_110f";
        "tcgen05.st.sync.aligned.(16x64b|16x128b|16x256b|32x32b).$times{.unpack::16b}.b32 [a], @registers" => "8.6 sm_100f,sm_110f";
        "tcgen05.st.sync.aligned.16x32bx2.$times{.unpack::16b}.b32 [a], #n, @registers" => "8.6 sm_100f,sm_110f";
        "tcgen05.(wait::ld|wait::st).sync.aligned" => "8.6 sm_100f,sm_110f";
    }
    "9.7.16.9" {
        "tcgen05.cp.$ctagroup.(128x256b|4x256b|128x128b){.b8x16}{.(b6x16_p32|b4x16_p64)} [a], b:b64" => "8.6 sm_100f,sm_110f";
        "tcgen05.cp.$ctagroup.64x128b.(warpx2::02_13|warpx2::01_23){.b8x16}{.(b6x16_p32|b4x16_p64)} [a], b:b64" => "8.6 sm_100f,sm_110f";
        "tcgen05.cp.$ctagroup.32x128b.warpx4{.b8x16}{.(b6x16_p32|b4x16_p64)} [a], b:b64" => "8.6 sm_100f,sm_110f";
        "tcgen05.shift.$ctagroup.down [a]" => "8.6 sm_100a,sm_103a,sm_110a";
    }
    "9.7.16.10" {
        "tcgen05.mma{.(sp|ws)}.$ctagroup.$kind{.block_scale}{.(scale_vec::1X|scale_vec::2X|scale_vec::4X|block16|block32)}{.ashift}{.$collector} @rest" => "8.6 sm_100f,sm_110f";
    }
    "9.7.16.12" {
        "tcgen05.commit.$ctagroup.mbarrier::arrive::one{.shared::cluster}{.multicast::cluster}.b64 [a]{, b:b16 ? multicast::cluster}" => "8.6 sm_100f,sm_110f";
        "tcgen05.(fence::before_thread_sync|fence::after_thread_sync)" => "8.6 sm_100f,sm_110f";
    }
};
