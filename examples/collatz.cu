// Steps of the Collatz iteration for each element of an array.
//
// What to see: the inner loop runs as often as each lane's number needs, so the lanes of a warp part and the
// early ones wait; `warpvm profile` shows how many are active in each line. The choice between 3n+1 and n/2
// is a select, not a branch: it parts nobody. Nor does the outer loop: a grid-stride loop.
//
//     warpvm run examples/collatz.ptx --grid 4 --block 128 'out:u32[1000]' 'in:u32=iota(1000,1)' u64:1000
//     warpvm profile --launch examples/collatz.json

extern "C" __global__ void collatz(unsigned *out, const unsigned *in, size_t N) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {
    unsigned n = in[i], steps = 0;
    while (n > 1) {
      n = (n & 1) ? (3 * n + 1) : (n >> 1);
      ++steps;
    }
    out[i] = steps;
  }
}
