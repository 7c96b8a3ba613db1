//! Warp-level matrix instructions (PTX ISA, section 9.7.14).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.14.4" {
        "wmma.load.(a|b).sync.aligned.(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1){.$wmmaspace}.f16 d*8:f16x2, [a]{, b:u32}" => "6.0 sm_70";
        "wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1){.$wmmaspace}.f16 d*4:f16x2, [a]{, b:u32}" => "6.0 sm_70";
        "wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1){.$wmmaspace}.f32 d*8:f32, [a]{, b:u32}" => "6.0 sm_70";
        "wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16){.$wmmaspace}.s32 d*8:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k16{.$wmmaspace}.(s8|u8) d*2:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.a.sync.aligned.(row|col).m8n32k16{.$wmmaspace}.(s8|u8) d*1:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.b.sync.aligned.(row|col).m8n32k16{.$wmmaspace}.(s8|u8) d*4:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.a.sync.aligned.(row|col).m32n8k16{.$wmmaspace}.(s8|u8) d*4:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.b.sync.aligned.(row|col).m32n8k16{.$wmmaspace}.(s8|u8) d*1:s32, [a]{, b:u32}" => "6.3 sm_72";
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k16{.$wmmaspace}.bf16 d*4:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.a.sync.aligned.(row|col).m8n32k16{.$wmmaspace}.bf16 d*2:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.b.sync.aligned.(row|col).m8n32k16{.$wmmaspace}.bf16 d*8:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.a.sync.aligned.(row|col).m32n8k16{.$wmmaspace}.bf16 d*8:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.b.sync.aligned.(row|col).m32n8k16{.$wmmaspace}.bf16 d*2:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k8{.$wmmaspace}.tf32 d*4:bf16x2, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.c.sync.aligned.(row|col).m16n16k8{.$wmmaspace}.f32 d*8:f32, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.(a|b).sync.aligned.(row|col).m8n8k4{.$wmmaspace}.f64 d*1:f64, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.c.sync.aligned.(row|col).m8n8k4{.$wmmaspace}.f64 d*2:f64, [a]{, b:u32}" => "7.0 sm_80";
        "wmma.load.a.sync.aligned.row.m8n8k32{.$wmmaspace}.(s4|u4) d*1:b32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.load.b.sync.aligned.col.m8n8k32{.$wmmaspace}.(s4|u4) d*1:b32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.load.c.sync.aligned.(row|col).m8n8k32{.$wmmaspace}.s32 d*2:s32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.load.a.sync.aligned.row.m8n8k128{.$wmmaspace}.b1 d*1:b32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.load.b.sync.aligned.col.m8n8k128{.$wmmaspace}.b1 d*1:b32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.load.c.sync.aligned.(row|col).m8n8k128{.$wmmaspace}.s32 d*2:s32, [a]{, b:u32}" => "6.3 sm_75";
        "wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1){.$wmmaspace}.f16 [a], b*4:f16x2{, c:u32}" => "6.0 sm_70";
        "wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1){.$wmmaspace}.f32 [a], b*8:f32{, c:u32}" => "6.0 sm_70";
        "wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16){.$wmmaspace}.s32 [a], b*8:s32{, c:u32}" => "6.3 sm_72";
        "wmma.store.d.sync.aligned.(row|col).m16n16k8{.$wmmaspace}.f32 [a], b*8:f32{, c:u32}" => "7.0 sm_80";
        "wmma.store.d.sync.aligned.(row|col).m8n8k4{.$wmmaspace}.f64 [a], b*2:f64{, c:u32}" => "7.0 sm_80";
        "wmma.store.d.sync.aligned.(row|col).(m8n8k32|m8n8k128){.$wmmaspace}.s32 [a], b*2:s32{, c:u32}" => "6.3 sm_75";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f16.f16 d*4:f16x2, a*8:f16x2, b*8:f16x2, c*4:f16x2" => "6.0 sm_70";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f16.f16.satfinite d*4:b32, a*8:b32, b*8:b32, c*4:b32" => "6.0 sm_70 <6.5";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f16.f32 d*4:f16x2, a*8:f16x2, b*8:f16x2, c*8:f32" => "6.0 sm_70";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f16.f32.satfinite d*4:b32, a*8:b32, b*8:b32, c*8:f32" => "6.0 sm_70 <6.5";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f32.f16 d*8:f32, a*8:f16x2, b*8:f16x2, c*4:f16x2" => "6.0 sm_70";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f32.f16.satfinite d*8:f32, a*8:b32, b*8:b32, c*4:b32" => "6.0 sm_70 <6.5";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f32.f32 d*8:f32, a*8:f16x2, b*8:f16x2, c*8:f32" => "6.0 sm_70";
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16@6.1|m32n8k16@6.1).f32.f32.satfinite d*8:f32, a*8:b32, b*8:b32, c*8:f32" => "6.0 sm_70 <6.5";
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*2:s32, b*2:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*2:s32, b*2:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n32k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*1:s32, b*4:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n32k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*1:s32, b*4:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m32n8k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*4:s32, b*1:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m32n8k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*4:s32, b*1:s32, c*8:s32" => "6.3 sm_72";
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.f32.bf16.bf16.f32 d*8:f32, a*4:bf16x2, b*4:bf16x2, c*8:f32" => "7.0 sm_80";
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n32k16.f32.bf16.bf16.f32 d*8:f32, a*2:bf16x2, b*8:bf16x2, c*8:f32" => "7.0 sm_80";
        "wmma.mma.sync.aligned.(row|col).(row|col).m32n8k16.f32.bf16.bf16.f32 d*8:f32, a*8:bf16x2, b*2:bf16x2, c*8:f32" => "7.0 sm_80";
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k8.f32.tf32.tf32.f32 d*8:f32, a*4:bf16x2, b*4:bf16x2, c*8:f32" => "7.0 sm_80";
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n8k4{.$rnd}.f64.f64.f64.f64 d*2:f64, a*1:f64, b*1:f64, c*2:f64" => "7.0 sm_80";
        "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32{.satfinite} d*2:s32, a*1:s32, b*1:s32, c*2:s32" => "6.3 sm_75";
        "wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32{.satfinite} d*2:s32, a*1:s32, b*1:s32, c*2:s32" => "6.3 sm_75";
        "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d*2:s32, a*1:s32, b*1:s32, c*2:s32" => "6.3 sm_75";
        "wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d*2:s32, a*1:s32, b*1:s32, c*2:s32" => "7.1 sm_80";
    }
    "9.7.14.5.14" {
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).f16.f16.f16.f16 d*4:f16x2, a*2:f16x2, b*2:f16x2, c*4:f16x2" => "6.4 sm_70";
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).f32.f16.f16.f16 d*8:f32, a*2:f16x2, b*2:f16x2, c*4:f16x2" => "6.4 sm_70";
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).f32.f16.f16.f32 d*8:f32, a*2:f16x2, b*2:f16x2, c*8:f32" => "6.4 sm_70";
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 d*2:f16x2, a*2:f16x2, b*1:f16x2, c*2:f16x2" => "6.5 sm_75";
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 d*4:f32, a*2:f16x2, b*1:f16x2, c*4:f32" => "6.5 sm_75";
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 d*2:f16x2, a*4:f16x2, b*2:f16x2, c*2:f16x2" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d*4:f32, a*4:f16x2, b*2:f16x2, c*4:f32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 d*4:f32, a*2:bf16x2, b*1:bf16x2, c*4:f32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d*4:f32, a*4:bf16x2, b*2:bf16x2, c*4:f32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 d*4:f32, a*2:bf16x2, b*1:bf16x2, c*4:f32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d*4:f32, a*4:bf16x2, b*2:bf16x2, c*4:f32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k32.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32 d*4:f32, a*4:b32, b*2:b32, c*4:f32" => "8.4 sm_89";
        "mma.sync.aligned.m16n8k32.row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16 d*2:f16x2, a*4:b32, b*2:b32, c*2:f16x2" => "8.7 sm_89";
        "mma.sync.aligned.m16n8k16.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32 d*4:f32, a*2:b32, b*1:b32, c*4:f32" => "8.7 sm_89";
        "mma.sync.aligned.m16n8k16.row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16 d*2:f16x2, a*2:b32, b*1:b32, c*2:f16x2" => "8.7 sm_89";
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.$f8f6f4.$f8f6f4.f32 d*4:f32, a*4:b32, b*2:b32, c*4:f32" => "8.7 sm_120f";
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.$f8f6f4.$f8f6f4.f16 d*2:b32, a*4:b32, b*2:b32, c*2:b32" => "8.7 sm_120f";
        "mma.sync.aligned.m8n8k4.row.col{.$rnd}.f64.f64.f64.f64 d*2:f64, a*1:f64, b*1:f64, c*2:f64" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k4.row.col{.$rnd}.f64.f64.f64.f64 d*4:f64, a*2:f64, b*1:f64, c*4:f64" => "7.8 sm_90";
        "mma.sync.aligned.m16n8k8.row.col{.$rnd}.f64.f64.f64.f64 d*4:f64, a*4:f64, b*2:f64, c*4:f64" => "7.8 sm_90";
        "mma.sync.aligned.m16n8k16.row.col{.$rnd}.f64.f64.f64.f64 d*4:f64, a*8:f64, b*4:f64, c*4:f64" => "7.8 sm_90";
        "mma.sync.aligned.m8n8k16.row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32 d*2:s32, a*1:s32, b*1:s32, c*2:s32" => "6.5 sm_75";
        "mma.sync.aligned.m16n8k16.row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32 d*4:s32, a*2:b32, b*1:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32 d*4:s32, a*4:b32, b*2:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m8n8k32.row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32 d*2:s32, a*1:b32, b*1:b32, c*2:s32" => "6.5 sm_75";
        "mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32 d*4:s32, a*2:b32, b*1:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k64.row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32 d*4:s32, a*4:b32, b*2:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.(xor|and@7.1+sm_80).popc d*2:s32, a*1:b32, b*1:b32, c*2:s32" => "7.0 sm_75";
        "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.(xor|and@7.1).popc d*4:s32, a*2:b32, b*1:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.(xor|and@7.1).popc d*4:s32, a*4:b32, b*2:b32, c*4:s32" => "7.0 sm_80";
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0 d*4:f32, a*4:b32, b*2:b32, c*4:f32, e:b32, f*2:b16, g:b32, h*2:b16" => "8.7 sm_120f";
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 d*4:f32, a*4:b32, b*2:b32, c*4:f32, e:b32, f*2:b16, g:b32, h*2:b16" => "8.7 sm_120f";
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 d*4:f32, a*4:b32, b*2:b32, c*4:f32, e:b32, f*2:b16, g:b32, h*2:b16" => "8.7 sm_120f";
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.$f8f6f4.$f8f6f4.f32.ue8m0 d*4:f32, a*4:b32, b*2:b32, c*4:f32, e:b32, f*2:b16, g:b32, h*2:b16" => "8.7 sm_120f";
    }
    "9.7.14.5.15" {
        "ldmatrix.sync.aligned.m8n8.x1{.trans}{.$sharedcta}.b16 d*1:b32, [a]" => "6.5 sm_75";
        "ldmatrix.sync.aligned.m8n8.x2{.trans}{.$sharedcta}.b16 d*2:b32, [a]" => "6.5 sm_75";
        "ldmatrix.sync.aligned.m8n8.x4{.trans}{.$sharedcta}.b16 d*4:b32, [a]" => "6.5 sm_75";
        "ldmatrix.sync.aligned.m16n16.x1.trans{.$sharedcta}.b8 d*2:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m16n16.x2.trans{.$sharedcta}.b8 d*4:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m8n16.x1{.$sharedcta}.b8x16.(b6x16_p32|b4x16_p64) d*1:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m8n16.x2{.$sharedcta}.b8x16.(b6x16_p32|b4x16_p64) d*2:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m8n16.x4{.$sharedcta}.b8x16.(b6x16_p32|b4x16_p64) d*4:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m16n16.x1.trans{.$sharedcta}.b8x16.(b6x16_p32|b4x16_p64) d*2:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
        "ldmatrix.sync.aligned.m16n16.x2.trans{.$sharedcta}.b8x16.(b6x16_p32|b4x16_p64) d*4:b32, [a]" => "8.6 sm_100f,sm_110f,sm_120f";
    }
    "9.7.14.5.16" {
        "stmatrix.sync.aligned.m8n8.x1{.trans}{.$sharedcta}.b16 [a], b*1:b32" => "7.8 sm_90";
        "stmatrix.sync.aligned.m8n8.x2{.trans}{.$sharedcta}.b16 [a], b*2:b32" => "7.8 sm_90";
        "stmatrix.sync.aligned.m8n8.x4{.trans}{.$sharedcta}.b16 [a], b*4:b32" => "7.8 sm_90";
        "stmatrix.sync.aligned.m16n8.x1.trans{.$sharedcta}.b8 [a], b*1:b32" => "8.6 sm_100f,sm_110f,sm_120f";
        "stmatrix.sync.aligned.m16n8.x2.trans{.$sharedcta}.b8 [a], b*2:b32" => "8.6 sm_100f,sm_110f,sm_120f";
        "stmatrix.sync.aligned.m16n8.x4.trans{.$sharedcta}.b8 [a], b*4:b32" => "8.6 sm_100f,sm_110f,sm_120f";
    }
    "9.7.14.5.17" {
        "movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32" => "7.8 sm_75";
    }
    "9.7.14.6.3" {
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 d*2:f16x2, a*2:f16x2, b*2:f16x2, c*2:f16x2, e:b32, #n(0..3)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d*4:b32, a*2:f16x2, b*2:f16x2, c*4:b32, e:b32, #n(0..3)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 d*2:f16x2, a*4:f16x2, b*4:f16x2, c*2:f16x2, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 d*4:b32, a*4:f16x2, b*4:f16x2, c*4:b32, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d*4:b32, a*2:b32, b*2:b32, c*4:b32, e:b32, #n(0..3)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 d*4:b32, a*4:b32, b*4:b32, c*4:b32, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d*4:b32, a*2:b32, b*2:b32, c*4:b32, e:b32, #n(0..3)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 d*4:b32, a*4:b32, b*4:b32, c*4:b32, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k32.row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32 d*4:s32, a*2:b32, b*2:b32, c*4:s32, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k64.row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32 d*4:s32, a*4:b32, b*4:b32, c*4:s32, e:b32, #n(0..0)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k64.row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32 d*4:s32, a*2:b32, b*2:b32, c*4:s32, e:b32, #n(0..1)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k128.row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32 d*4:s32, a*4:b32, b*4:b32, c*4:s32, e:b32, #n(0..0)" => "7.1 sm_80";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k64.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:s32, #n(0..0)" => "8.4 sm_89";
        "mma.(sp|sp::ordered_metadata@8.5).sync.aligned.m16n8k64.row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16 d*2:b32, a*4:b32, b*4:b32, c*2:b32, e:b32, #n(0..0)" => "8.7 sm_89";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.$f8f6f4.$f8f6f4.f32 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:b32, #n(0..0)" => "8.7 sm_120f";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.$f8f6f4.$f8f6f4.f16 d*2:b32, a*4:b32, b*4:b32, c*2:b32, e:b32, #n(0..0)" => "8.7 sm_120f";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:b32, #n(0..0), f:b32, g*2:b16, h:b32, i*2:b16" => "8.7 sm_120f";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:b32, #n(0..0), f:b32, g*2:b16, h:b32, i*2:b16" => "8.7 sm_120f";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:b32, #n(0..0), f:b32, g*2:b16, h:b32, i*2:b16" => "8.7 sm_120f";
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.$f8f6f4.$f8f6f4.f32.ue8m0 d*4:f32, a*4:b32, b*4:b32, c*4:f32, e:b32, #n(0..0), f:b32, g*2:b16, h:b32, i*2:b16" => "8.7 sm_120f";
    }
};
