__device__ unsigned group_sum(unsigned v, int w) {
  return v + __shfl_xor_sync(~0u, v, 1, w);  //~ FAULT shfl-width
}
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned w) {
  out[threadIdx.x] = group_sum(in[threadIdx.x], w);
}
