extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t & 31, x = in[t];
  for (unsigned w = 16, m = 0xffffffffu; w; w >>= 1, m = (1u << (2 * w)) - 1) {
    if (lane < 2 * w)
    x += __shfl_down_sync(m, x, w);
  }
  if (lane == 0) out[t / 32] = x;
}
