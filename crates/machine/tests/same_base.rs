//! Several accesses to one base row in a basic block: the engine looks at the row once, for whichever lanes are there.

use std::sync::Arc;

use warpvm_machine::launch::{self, Config, Dimensions, Launch, Outcome, Tier};
use warpvm_machine::lower::Image;
use warpvm_machine::memory::{GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;
use warpvm_machine::program::Program;

/// Lanes from `first` on: `out[i] = in[i*step] + 2*in[i*step+1] + 4*in[i*step+2]`, then again after the row was written.
const SUMS: &str = "
.version 9.0
.target sm_90
.address_size 64
.visible .entry sums(.param .u64 in, .param .u64 out, .param .u32 first, .param .u32 step)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd0, [in];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [first];
    ld.param.u32 %r1, [step];
    mov.u32 %r2, %tid.x;
    setp.lt.u32 %p0, %r2, %r0;
    @%p0 ret;
    mul.lo.s32 %r3, %r2, %r1;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd3, %rd0, %rd2;
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.u32 %r4, [%rd3];
    ld.global.u32 %r5, [%rd3+4];
    shl.b32 %r5, %r5, 1;
    add.u32 %r4, %r4, %r5;
    ld.global.u32 %r6, [%rd3+8];
    shl.b32 %r6, %r6, 2;
    add.u32 %r4, %r4, %r6;
    st.global.u32 [%rd5], %r4;
    add.s64 %rd3, %rd3, 4;
    ld.global.u32 %r7, [%rd3];
    ld.global.u32 %r8, [%rd3+-4];
    sub.u32 %r7, %r7, %r8;
    st.global.u32 [%rd5+256], %r7;
    ret;
}
";

struct Machine {
    program: Program,
    memory: GlobalMemory,
    input: u64,
    out: u64,
}

impl Machine {
    fn new(words: &[u32]) -> Self {
        let image = Image::new(Arc::new(warpvm_ptx::parse(SUMS).expect("PTX")), SUMS.into()).expect("a module");
        let program = image.lower("sums").expect("a kernel");
        let mut memory = GlobalMemory::new(1 << 20).expect("memory");
        let mut buffer = |len: u64| memory.allocate(len, Origin::Buffer("b".into()), true).expect("memory");
        let (input, out) = (buffer(4 * words.len() as u64), buffer(512));
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(memory.write(input, &bytes));
        Machine { program, memory, input, out }
    }

    fn run(&mut self, first: u32, step: u32) -> Outcome {
        self.memory.write(self.out, &[0xff; 512]);
        let mut params = Vec::new();
        params.extend(self.input.to_le_bytes());
        params.extend(self.out.to_le_bytes());
        params.extend(first.to_le_bytes());
        params.extend(step.to_le_bytes());
        let dimensions = Dimensions { grid: [1, 1, 1], block: [32, 1, 1], cluster: [1, 1, 1] };
        let launch = Launch { dimensions, dynamic_shared: 0, params: &params, cancel: None };
        let config = Config { threads: 1, tier: Tier::Interpreted, ..Config::default() };
        launch::run(&self.program, &self.memory, &launch, &config, || Nobody).expect("a legal launch").0
    }

    fn word(&self, index: usize) -> u32 {
        let bytes = self.memory.read(self.out + 4 * index as u64, 4).expect("the output");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }
}

#[test]
fn any_lanes_and_any_step() {
    let words: Vec<u32> = (0..200u32).map(|i| i.wrapping_mul(2654435761)).collect();
    let mut machine = Machine::new(&words);
    for step in [0, 1, 2, 5] {
        for first in [0, 1, 7, 15, 16, 17, 31] {
            assert!(machine.run(first, step).fault.is_none());
            for lane in 0..32 {
                let at = lane * step as usize;
                let sum = words[at].wrapping_add(words[at + 1] << 1).wrapping_add(words[at + 2] << 2);
                let apart = words[at + 1].wrapping_sub(words[at]);
                let expected = if lane < first as usize { (u32::MAX, u32::MAX) } else { (sum, apart) };
                assert_eq!(
                    (machine.word(lane), machine.word(lane + 64)),
                    expected,
                    "step {step}, {first}, lane {lane}"
                );
            }
        }
    }
}

#[test]
fn the_last_word_is_the_end() {
    let words: Vec<u32> = (0..34).collect();
    assert!(Machine::new(&words).run(0, 1).fault.is_none());
    let fault = Machine::new(&words[..33]).run(0, 1).fault.expect("lane 31 reads past the end");
    assert_eq!(fault.lanes, 1 << 31);
    assert!(Machine::new(&words[..33]).run(0, 0).fault.is_none());
}
