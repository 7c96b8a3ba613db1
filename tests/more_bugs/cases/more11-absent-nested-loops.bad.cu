// An inner loop with trips by lane and a match inside; unrolled.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], s = 0;
  unsigned trips = x % 3 + 1;
  for (int i = 0; i < 2; ++i) {
#pragma unroll 2
    for (unsigned j = 0; j < trips; ++j)
      s += __popc(__match_any_sync(0xffffffffu, (x >> j) & 3));  //~ FAULT
    __syncwarp();
  }
  out[t] = s;
}
