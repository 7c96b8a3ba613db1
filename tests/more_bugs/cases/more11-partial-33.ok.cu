extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  for (int d = 16; d; d /= 2) {
    unsigned y = __shfl_down_sync(0xffffffffu, x, d);
    if (t < 32)
    x += y;
  }
  out[t] = x;
}
