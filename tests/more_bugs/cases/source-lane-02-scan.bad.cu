extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned lane = threadIdx.x;
  unsigned m = __ballot_sync(~0u, lane < n);
  if (lane < n) {
    unsigned v = in[lane];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(m, v, d);  //~ FAULT source-lane
    out[lane] = v;
  }
}
