extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 12 + threadIdx.x, x = in[i];
  unsigned m = __activemask();
  m = i < 32 ? ~0u : 0xfu;
  int top = 2;
  for (int d = top; d; d /= 2) x = max(x, __shfl_xor_sync(m, x, d));
  out[i] = x;
}
