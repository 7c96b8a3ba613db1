// 33 threads: the last warp's only lane shuffles down from itself plus one.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  for (int d = 16; d; d /= 2) {
    unsigned y = __shfl_down_sync(0xffffffffu, x, d);  //~ FAULT source-lane
    x += y;
  }
  out[t] = x;
}
