//! Runs the meaning of a form over chunks of 65,536 inputs and adds its answers up as the recording did.

use super::{Function, Inputs};
use warpvm_sem::{Form, Output, Sink, Value};

/// Inputs in a chunk.
pub const CHUNK: u64 = 1 << 16;
/// Chunks of a function.
pub const CHUNKS: u32 = 1 << 16;

/// The sums of a function over the chunks, in their order; none where it has no meaning yet.
pub fn chunk_sums(function: &Function, chunks: &[u32], threads: usize) -> Option<Vec<u64>> {
    let operands = if function.inputs == Inputs::Hashed32x2 { 3 } else { 2 };
    let form = Form { opcode: function.opcode, modifiers: &function.modifiers, selectors: &[], negated: &[], operands };
    warpvm_sem::lane(&form, Sweep { inputs: function.inputs, chunks, threads }).ok().flatten()
}

/// The hash of the recording.
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Takes the closure of a form and runs it over chunks, spread over threads.
struct Sweep<'a> {
    inputs: Inputs,
    chunks: &'a [u32],
    threads: usize,
}

impl Sweep<'_> {
    /// One sum a chunk; `term` gives what an input, by its number, adds.
    fn run(&self, term: impl Fn(u64) -> u64 + Copy + Send + Sync) -> Vec<u64> {
        let sum = |chunk: u32| {
            let first = u64::from(chunk) * CHUNK;
            (first..first + CHUNK).fold(0, |sum: u64, k| sum.wrapping_add(term(k)))
        };
        let mut sums = vec![0; self.chunks.len()];
        let share = self.chunks.len().div_ceil(self.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for (chunks, sums) in self.chunks.chunks(share).zip(sums.chunks_mut(share)) {
                scope.spawn(move || chunks.iter().zip(sums).for_each(|(chunk, out)| *out = sum(*chunk)));
            }
        });
        sums
    }
}

impl Sink for Sweep<'_> {
    type Out = Option<Vec<u64>>;

    fn op1<A: Value, D: Output>(self, f: impl Fn(A) -> D + Copy + Send + Sync + 'static) -> Self::Out {
        let answer = move |x: u64| f(A::from_u64(x)).first().to_u64();
        match self.inputs {
            Inputs::All32 => Some(self.run(move |x| mix(x << 32 | answer(x)))),
            Inputs::Hashed64 => Some(self.run(move |k| {
                let x = mix(k);
                mix(x.wrapping_add(answer(x).wrapping_mul(3)))
            })),
            Inputs::Hashed32x2 => None,
        }
    }

    fn op2<A: Value, B: Value, D: Output>(self, f: impl Fn(A, B) -> D + Copy + Send + Sync + 'static) -> Self::Out {
        if self.inputs != Inputs::Hashed32x2 {
            return None;
        }
        Some(self.run(move |k| {
            let halves = mix(k);
            let d = f(A::from_u64(halves >> 32), B::from_u64(halves & 0xffff_ffff));
            mix(k << 32 | d.first().to_u64())
        }))
    }

    fn op3<A: Value, B: Value, C: Value, D: Output>(
        self,
        _: impl Fn(A, B, C) -> D + Copy + Send + Sync + 'static,
    ) -> Self::Out {
        None
    }

    fn op4<A: Value, B: Value, C: Value, E: Value, D: Output>(
        self,
        _: impl Fn(A, B, C, E) -> D + Copy + Send + Sync + 'static,
    ) -> Self::Out {
        None
    }
}
