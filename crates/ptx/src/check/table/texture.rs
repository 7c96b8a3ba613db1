//! Textures and surfaces (PTX ISA, sections 9.7.10 and 9.7.11).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.10.3" {
        "tex.$texgeom.v4.(u32|s32|f32|f16@4.2+sm_53).(s32|f32) @texels, @coordinates{, @offsets}{, f:f32}";
        "tex.$texgeom.v2.f16x2.(s32|f32) @texels, @coordinates{, @offsets}{, f:f32}" => "4.2 sm_53";
        "tex.base.$texgeom.v4.(u32|s32|f32|f16@4.2+sm_53).(s32|f32) @texels, @coordinates{, @offsets}{, f:f32}" => "3.1 sm_20";
        "tex.base.$texgeom.v2.f16x2.(s32|f32) @texels, @coordinates{, @offsets}{, f:f32}" => "4.2 sm_53";
        "tex.level.$texgeom.v4.(u32|s32|f32|f16@4.2+sm_53).(s32|f32) @texels, @coordinates, e:2{, @offsets}{, f:f32}" => "3.1 sm_20";
        "tex.level.$texgeom.v2.f16x2.(s32|f32) @texels, @coordinates, e:2{, @offsets}{, f:f32}" => "4.2 sm_53";
        "tex.grad.$texgeom.v4.(u32|s32|f32|f16@4.2+sm_53).(s32|f32) @texels, @coordinates, @vector, @vector{, @offsets}{, f:f32}" => "3.1 sm_20";
        "tex.grad.$texgeom.v2.f16x2.(s32|f32) @texels, @coordinates, @vector, @vector{, @offsets}{, f:f32}" => "4.2 sm_53";
    }
    "9.7.10.4" {
        "tld4.(r|g|b|a).(2d|a2d|cube|acube).v4.(u32|s32|f32).f32 @texels, @coordinates{, @offsets}{, f:f32}" => "2.2 sm_20";
    }
    "9.7.10.5" {
        "txq.(width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples).b32 d, [a]" => "1.5";
        "txq.(force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2).b32 d, [a]" => "1.5";
        "txq.level.(width|height|depth).b32 d, [a], b:b32" => "4.3 sm_20";
    }
    "9.7.10.6" {
        "istypep.(texref|samplerref|surfref) p, @opaque" => "4.0 sm_30";
    }
    "9.7.11.1" {
        "suld.b.$surfgeom{.(ca|cg|cs|cv)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero) <d>:~0, @coordinates" => "1.5 sm_20";
    }
    "9.7.11.2" {
        "sust.b.$surfgeom{.(wb|cg|cs|wt)}{.(v2|v4)}.(b8|b16|b32|b64).(trap|clamp|zero) @coordinates, <a>:~0" => "1.5";
        "sust.p.(1d|2d|3d){.(v2|v4)}.b32.(trap|clamp|zero) @coordinates, <a>" => "1.5 sm_20";
    }
    "9.7.11.3" {
        "sured.b.(add|min|max|and|or).(1d|2d|3d).(u32|u64|s32|b32|s64).(trap|clamp|zero) @coordinates, a" => "3.0 sm_20";
        "sured.p.(add|min|max|and|or).(1d|2d|3d).(b32|b64).(trap|clamp|zero) @coordinates, a" => "3.0 sm_20";
    }
    "9.7.11.4" {
        "suq.(width|height|depth|channel_data_type|channel_order|array_size|memory_layout).b32 d, [a]" => "1.5";
    }
};
