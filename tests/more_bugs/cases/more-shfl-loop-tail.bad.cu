extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned l = threadIdx.x;
  unsigned m = __ballot_sync(0xffffffffu, l < n);
  if (l < n) {
    unsigned v = in[l];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(m, v, d); //~ FAULT source-lane
    if (l == 0) out[0] = v;
  }
}
