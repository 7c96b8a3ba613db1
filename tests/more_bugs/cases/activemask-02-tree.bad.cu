extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  if (t % 32 < 16) {
    unsigned m = __activemask();  //~ FAULT activemask
    for (int d = 8; d; d >>= 1) x += __shfl_down_sync(m, x, d);  //~ FAULT source-lane
  }
  out[t] = x;
}
