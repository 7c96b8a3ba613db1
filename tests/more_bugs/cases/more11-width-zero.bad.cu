// The width becomes zero in the last round of a loop.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned w) {
  unsigned t = threadIdx.x, x = in[t];
  for (int i = 0; i < 6; ++i, w >>= 1) {
    x += __shfl_sync(~0u, x, 0, w);  //~ FAULT
  }
  out[t] = x;
}
