// A histogram of bytes with few atomics: lanes with the same byte elect one to add for all.
//
// What to see: `match.any.sync` gives each lane the mask of lanes that hold its value, in one instruction. The
// mask of lanes that still have work comes from a ballot of the loop's own condition, not from __activemask().
//
//     warpvm run --launch examples/match_histogram.json --full

#define FULL 0xffffffffu

extern "C" __global__ void match_histogram(unsigned *histogram, const unsigned char *in, unsigned n) {
  unsigned lane = threadIdx.x % 32;
  for (unsigned base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    unsigned i = base + threadIdx.x;
    unsigned working = __ballot_sync(FULL, i < n);
    if (i < n) {
      unsigned value = in[i] % 16;
      unsigned alike = __match_any_sync(working, value);
      unsigned leader = __ffs(alike) - 1;
      if (lane == leader) atomicAdd(&histogram[value], __popc(alike));
    }
    __syncwarp();
  }
}
