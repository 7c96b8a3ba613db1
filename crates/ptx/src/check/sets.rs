//! Named sets of modifiers that the rows use as `.$name`, and which modifiers keep their order.

use warpvm_isa::{Modifier, ScalarType, Word};

/// Name and members; a member may itself be a set.
const SETS: &[(&str, &str)] = &[
    ("int", "u16|u32|u64|s16|s32|s64"),
    ("int8", "u8|u16|u32|u64|s8|s16|s32|s64"),
    ("rnd", "rn|rz|rm|rp"),
    ("irnd", "rni|rzi|rmi|rpi"),
    ("scope", "cta|gpu|sys|cluster@7.8+sm_90"),
    ("settype", "u32|s32|f32|f16@4.2+sm_53|bf16@7.8+sm_90"),
    ("cmp", "eq|ne|lt|le|gt|ge"),
    ("ucmp", "lo|ls|hi|hs"),
    ("fcmp", "$cmp|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("bool", "and|or|xor"),
    ("shared", "shared|shared::cta@7.8+sm_30|shared::cluster@7.8+sm_90"),
    ("sharedcta", "shared|shared::cta@7.8"),
    ("sharedany", "shared|shared::cta|shared::cluster"),
    ("ldspace", "const|global|local|param|param::entry@8.3|param::func@8.3|$shared"),
    ("stspace", "global|local|param|param::func@8.3|$shared"),
    ("atomspace", "global|$shared"),
    ("wmmaspace", "global|$sharedcta"),
    ("atomscope", "cta@5.0+sm_60|gpu@5.0+sm_60|sys@5.0+sm_60|cluster@7.8+sm_90"),
    ("redsem", "relaxed@6.0+sm_70|release@6.0+sm_70"),
    ("sem", "relaxed@6.0+sm_70|acquire@6.0+sm_70|release@6.0+sm_70|acq_rel@6.0+sm_70"),
    ("vector", "v2|v4|v8"),
    ("ldcop", "ca|cg|cs|lu|cv"),
    ("scope128", "cta|gpu|sys@8.4|cluster@7.8+sm_90"),
    ("scalar", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"),
    ("memtype", "b8|b16|b32|b64|b128@8.3+sm_70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"),
    ("prefetch", "L2::64B@7.4+sm_75|L2::128B@7.4+sm_75|L2::256B@7.4+sm_80"),
    ("evict2", "L2::evict_normal@8.8+sm_100|L2::evict_first@8.8+sm_100|L2::evict_last@8.8+sm_100"),
    ("policy", "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"),
    ("f8f6f4", "e4m3|e5m2|e3m2|e2m3|e2m1"),
    ("dim", "1d|2d|3d|4d|5d"),
    ("dim3", "3d|4d|5d"),
    ("ctagroup", "cta_group::1@8.6+sm_100f,sm_110f|cta_group::2@8.6+sm_100f,sm_110f"),
    ("times", "x1|x2|x4|x8|x16|x32|x64|x128"),
    ("kind", "kind::f16|kind::tf32|kind::f8f6f4|kind::i8|kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4"),
    (
        "collector",
        "collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard|collector::b0::fill|collector::b0::use|collector::b0::lastuse|collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|collector::b1::discard|collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|collector::b3::fill|collector::b3::use|collector::b3::lastuse|collector::b3::discard",
    ),
    ("texgeom", "1d|2d|3d|a1d@1.5|a2d@1.5|cube@1.5|acube@2.0|2dms@3.2|a2dms@3.2"),
    ("surfgeom", "1d|2d|3d|a1d|a2d"),
    ("evict", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"),
];

/// The members of a set.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    SETS.iter().find(|(key, _)| *key == name).map(|(_, members)| *members)
}

/// Is this a type? Types of an instruction come in a fixed order.
pub(crate) fn is_type(word: Word) -> bool {
    use Word::*;
    ScalarType::from_word(word).is_some()
        || matches!(
            word,
            B1 | U2
                | S2
                | U4
                | S4
                | E2m1
                | E2m3
                | E3m2
                | E2m1x2
                | E2m3x2
                | E3m2x2
                | E2m1x4
                | E2m3x4
                | E3m2x4
                | E4m3x4
                | E5m2x4
                | Ue8m0
                | Ue8m0x2
                | Ue8m0x4
                | Ue4m3
                | S2f6x2
                | B1024
                | U8x4
                | S8x4
                | B16x2
        )
}

/// Must this modifier keep its place among its like?
pub(crate) fn is_ordered(modifier: Modifier) -> bool {
    match modifier {
        Modifier::Word(word) => is_type(word) || matches!(word, Word::Row | Word::Col),
        Modifier::Shape { .. } | Modifier::Number(_) => false,
    }
}
