//! Registers by name: PTX ISA, section 5.4.7 (parameterized variable names).

use std::sync::Arc;

use warpvm_machine::launch::{self, Config, Dimensions, Launch};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;

/// `%r` is a register of its own beside `%r0` to `%r3`, `%r03` is `%r3`, and inner registers hide outer ones of
/// the same name, no more (as ptxas 13.0 has it).
const KERNEL: &str = "
.version 9.0
.target sm_90
.address_size 64
.visible .entry names(.param .u64 out)
{
    .reg .b32 %r, %r<4>, %s2;
    .reg .b64 %o;
    ld.param.u64 %o, [out];
    mov.u32 %r, 1;
    mov.u32 %r0, 10;
    mov.u32 %r03, 13;
    mov.u32 %s2, 112;
    st.global.u32 [%o], %r;
    {
        .reg .b32 %r<2>, %s<4>;
        mov.u32 %s2, 0;
        mov.u32 %r0, 20;
        add.u32 %r, %r, %r0;
        add.u32 %r3, %r3, 1;
        st.global.u32 [%o+4], %r;
    }
    st.global.u32 [%o+8], %r0;
    st.global.u32 [%o+12], %r3;
    st.global.u32 [%o+16], %s2;
    ret;
}
";

#[test]
fn a_register_beside_a_range_of_its_name() {
    let image = Image::new(Arc::new(warpvm_ptx::parse(KERNEL).expect("PTX")), KERNEL.into()).expect("a module");
    let program = image.lower("names").expect("a kernel");
    let mut memory = GlobalMemory::new(1 << 20).expect("memory");
    image.instantiate(&mut memory).expect("room");
    let out = memory.allocate(20, Origin::Buffer("out".to_owned()), true).expect("room");
    let launch = Launch {
        dimensions: Dimensions { grid: [1; 3], block: [1, 1, 1], cluster: [1; 3] },
        dynamic_shared: 0,
        params: &out.to_le_bytes(),
        cancel: None,
    };
    let (outcome, _) = launch::run(&program, &memory, &launch, &Config::default(), || Nobody).expect("a legal launch");
    assert!(outcome.fault.is_none());
    let bytes = memory.read(out, 20).expect("the buffer");
    let words: Vec<u32> = bytes.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four"))).collect();
    assert_eq!(words, [1, 21, 10, 14, 112]);
}
