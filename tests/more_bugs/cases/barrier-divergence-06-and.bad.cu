__device__ int all_small(unsigned v) {
  return __syncthreads_and(v < 9);  //~ FAULT barrier-divergence
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t], r = 0;
  if (n > 1) r = all_small(n);
  __syncthreads();  //~ FAULT barrier-divergence
  out[t] = r;
}
