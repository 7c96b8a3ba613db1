extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.y * blockDim.x + threadIdx.x, v = in[t];
  for (int d = 8; d; d >>= 1) v += __shfl_xor_sync(t < 32 ? 0xffffffffu : 0xffffu, v, d);
  out[t] = v;
}
