//! Video instructions, scalar and SIMD (PTX ISA, sections 9.7.17 and 9.7.18).

use crate::check::row::{Row, rows};

pub(super) const ROWS: &[Row] = rows! {
    "9.7.17.1" {
        "vadd.(u32|s32).(u32|s32).(u32|s32){.sat} @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vadd.(u32|s32).(u32|s32).(u32|s32){.sat}{.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
        "vsub.(u32|s32).(u32|s32).(u32|s32){.sat} @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vsub.(u32|s32).(u32|s32).(u32|s32){.sat}{.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
        "vabsdiff.(u32|s32).(u32|s32).(u32|s32){.sat} @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vabsdiff.(u32|s32).(u32|s32).(u32|s32){.sat}{.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
        "vmin.(u32|s32).(u32|s32).(u32|s32){.sat} @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vmin.(u32|s32).(u32|s32).(u32|s32){.sat}{.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
        "vmax.(u32|s32).(u32|s32).(u32|s32){.sat} @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vmax.(u32|s32).(u32|s32).(u32|s32){.sat}{.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
    }
    "9.7.17.2" {
        "vshl.(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap) @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vshl.(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap){.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
        "vshr.(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap) @videotarget:u32, @video:1, @video:2" => "2.0 sm_20";
        "vshr.(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap){.(add|min|max)} @videotarget:u32, @video:1, @video:2, c:u32" => "2.0 sm_20";
    }
    "9.7.17.3" {
        "vmad.(u32|s32).(u32|s32).(u32|s32){.sat}{.(shr7|shr15)} d:u32, @video:1, @video:2, @video" => "2.0 sm_20";
        "vmad.(u32|s32).(u32|s32).(u32|s32).po{.sat}{.(shr7|shr15)} d:u32, @video:1, @video:2, @video" => "2.0 sm_20";
    }
    "9.7.17.4" {
        "vset.(u32|s32).(u32|s32).$cmp @videotarget:u32, @video:0, @video:1" => "2.0 sm_20";
        "vset.(u32|s32).(u32|s32).$cmp{.(add|min|max)} @videotarget:u32, @video:0, @video:1, c:u32" => "2.0 sm_20";
    }
    "9.7.18.1" {
        "vadd2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vsub2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vavrg2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vabsdiff2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vmin2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vmax2.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
    }
    "9.7.18.2" {
        "vset2.(u32|s32).(u32|s32).$cmp{.add} @videotarget:u32, @video:0, @video:1, c:u32" => "3.0 sm_30";
    }
    "9.7.18.3" {
        "vadd4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vsub4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vavrg4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vabsdiff4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vmin4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
        "vmax4.(u32|s32).(u32|s32).(u32|s32){.(sat|add)} @videotarget:u32, @video:1, @video:2, c:u32" => "3.0 sm_30";
    }
    "9.7.18.4" {
        "vset4.(u32|s32).(u32|s32).$cmp{.add} @videotarget:u32, @video:0, @video:1, c:u32" => "3.0 sm_30";
    }
};
