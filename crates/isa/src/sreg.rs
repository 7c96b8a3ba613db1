//! Special registers (PTX ISA, chapter 10).

macro_rules! special_registers {
    ($($variant:ident = $text:literal, $bits:literal;)*) => {
        /// A special register. Component registers (`%tid.x`) are one variant each.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // each variant is documented by its spelling
        pub enum SpecialRegister { $($variant,)* }
        impl SpecialRegister {
            /// Every special register.
            pub const ALL: &'static [SpecialRegister] = &[$(SpecialRegister::$variant,)*];
            /// The register with this spelling (`%tid.x`), if there is one.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some(SpecialRegister::$variant),)* _ => None }
            }
            /// The manual's spelling.
            pub const fn text(self) -> &'static str {
                match self { $(SpecialRegister::$variant => $text,)* }
            }
            /// Width in bits: 1 (predicate), 32, 64 or 128.
            pub const fn bits(self) -> u32 {
                match self { $(SpecialRegister::$variant => $bits,)* }
            }
        }
    };
}

special_registers! {
    TidX = "%tid.x", 32; TidY = "%tid.y", 32; TidZ = "%tid.z", 32;
    NtidX = "%ntid.x", 32; NtidY = "%ntid.y", 32; NtidZ = "%ntid.z", 32;
    CtaidX = "%ctaid.x", 32; CtaidY = "%ctaid.y", 32; CtaidZ = "%ctaid.z", 32;
    NctaidX = "%nctaid.x", 32; NctaidY = "%nctaid.y", 32; NctaidZ = "%nctaid.z", 32;
    ClusteridX = "%clusterid.x", 32; ClusteridY = "%clusterid.y", 32; ClusteridZ = "%clusterid.z", 32;
    NclusteridX = "%nclusterid.x", 32; NclusteridY = "%nclusterid.y", 32; NclusteridZ = "%nclusterid.z", 32;
    ClusterCtaidX = "%cluster_ctaid.x", 32; ClusterCtaidY = "%cluster_ctaid.y", 32; ClusterCtaidZ = "%cluster_ctaid.z", 32;
    ClusterNctaidX = "%cluster_nctaid.x", 32; ClusterNctaidY = "%cluster_nctaid.y", 32; ClusterNctaidZ = "%cluster_nctaid.z", 32;
    ClusterCtarank = "%cluster_ctarank", 32; ClusterNctarank = "%cluster_nctarank", 32;
    IsExplicitCluster = "%is_explicit_cluster", 1;
    Laneid = "%laneid", 32; Warpid = "%warpid", 32; Nwarpid = "%nwarpid", 32;
    Smid = "%smid", 32; Nsmid = "%nsmid", 32; Gridid = "%gridid", 64;
    LanemaskEq = "%lanemask_eq", 32; LanemaskLe = "%lanemask_le", 32; LanemaskLt = "%lanemask_lt", 32;
    LanemaskGe = "%lanemask_ge", 32; LanemaskGt = "%lanemask_gt", 32;
    Clock = "%clock", 32; ClockHi = "%clock_hi", 32; Clock64 = "%clock64", 64;
    Globaltimer = "%globaltimer", 64; GlobaltimerLo = "%globaltimer_lo", 32; GlobaltimerHi = "%globaltimer_hi", 32;
    Pm0 = "%pm0", 32; Pm1 = "%pm1", 32; Pm2 = "%pm2", 32; Pm3 = "%pm3", 32;
    Pm4 = "%pm4", 32; Pm5 = "%pm5", 32; Pm6 = "%pm6", 32; Pm7 = "%pm7", 32;
    Pm0X64 = "%pm0_64", 64; Pm1X64 = "%pm1_64", 64; Pm2X64 = "%pm2_64", 64; Pm3X64 = "%pm3_64", 64;
    Pm4X64 = "%pm4_64", 64; Pm5X64 = "%pm5_64", 64; Pm6X64 = "%pm6_64", 64; Pm7X64 = "%pm7_64", 64;
    ReservedSharedOffsetBegin = "%reserved_smem_offset_begin", 32;
    ReservedSharedOffsetEnd = "%reserved_smem_offset_end", 32;
    ReservedSharedOffsetCap = "%reserved_smem_offset_cap", 32;
    ReservedSharedOffset0 = "%reserved_smem_offset_0", 32;
    ReservedSharedOffset1 = "%reserved_smem_offset_1", 32;
    TotalSmemSize = "%total_smem_size", 32; AggrSmemSize = "%aggr_smem_size", 32; DynamicSmemSize = "%dynamic_smem_size", 32;
    CurrentGraphExec = "%current_graph_exec", 64;
    Envreg0 = "%envreg0", 32; Envreg1 = "%envreg1", 32; Envreg2 = "%envreg2", 32; Envreg3 = "%envreg3", 32;
    Envreg4 = "%envreg4", 32; Envreg5 = "%envreg5", 32; Envreg6 = "%envreg6", 32; Envreg7 = "%envreg7", 32;
    Envreg8 = "%envreg8", 32; Envreg9 = "%envreg9", 32; Envreg10 = "%envreg10", 32; Envreg11 = "%envreg11", 32;
    Envreg12 = "%envreg12", 32; Envreg13 = "%envreg13", 32; Envreg14 = "%envreg14", 32; Envreg15 = "%envreg15", 32;
    Envreg16 = "%envreg16", 32; Envreg17 = "%envreg17", 32; Envreg18 = "%envreg18", 32; Envreg19 = "%envreg19", 32;
    Envreg20 = "%envreg20", 32; Envreg21 = "%envreg21", 32; Envreg22 = "%envreg22", 32; Envreg23 = "%envreg23", 32;
    Envreg24 = "%envreg24", 32; Envreg25 = "%envreg25", 32; Envreg26 = "%envreg26", 32; Envreg27 = "%envreg27", 32;
    Envreg28 = "%envreg28", 32; Envreg29 = "%envreg29", 32; Envreg30 = "%envreg30", 32; Envreg31 = "%envreg31", 32;
}
