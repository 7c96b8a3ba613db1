//! Forms that the assembler refuses for an H200 have no meaning here.

use crate::input::Instruction;
use warpvm_sem::tensor::{self, MatrixMove, Mma, SparseMma, SparseWgmma, Wgmma, WmmaMove};

#[test]
fn what_the_chip_does_not_have_is_refused() {
    let names = [
        "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.rn.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
        "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32",
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32",
        "mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16",
        "mma.sp.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32.satfinite",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32",
        "wmma.mma.sync.aligned.col.col.m8n8k32.s32.s4.s4.s32",
        "wmma.load.a.sync.aligned.col.m8n8k32.s4",
        "wmma.load.c.sync.aligned.row.m16n16k16.bf16",
        "wmma.store.a.sync.aligned.row.m16n16k16.f16",
        "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8",
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16",
        "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc",
        "wgmma.mma_async.sp.sync.aligned.m64n8k512.s32.b1.b1.and.popc",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8",
        "movmatrix.sync.aligned.m8n8.b16",
    ];
    for name in names {
        let instruction = Instruction::parse(name);
        let form = instruction.form();
        let known = Mma::from_form(&form).is_some()
            || SparseMma::from_form(&form).is_some()
            || Wgmma::from_form(&form).is_some()
            || SparseWgmma::from_form(&form).is_some()
            || WmmaMove::from_form(&form).is_some()
            || MatrixMove::from_form(&form).is_some()
            || tensor::is_movmatrix(&form);
        assert!(!known, "{name} is known");
    }
}
