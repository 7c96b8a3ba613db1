extern "C" __global__ void k(unsigned *sum, const unsigned *in) {
  unsigned v = in[blockIdx.x * 32 + threadIdx.x];
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x == 0) sum[blockIdx.x] += v;  //~ FAULT uninit-global
}
