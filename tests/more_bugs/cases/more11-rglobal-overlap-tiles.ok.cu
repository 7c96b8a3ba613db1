extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 36 + threadIdx.x;
  if (threadIdx.x >= 36) return;
  out[i] = in[i] + blockIdx.x;
}
