extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.y * 8 + threadIdx.x, v = in[t];
  unsigned m = 0xffu << (threadIdx.y % 4 * 8);
  for (int d = 4; d; d >>= 1)
    v += __shfl_xor_sync(m, v, d);
  out[t] = v;
}
