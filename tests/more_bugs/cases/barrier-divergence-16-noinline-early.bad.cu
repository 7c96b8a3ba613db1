__device__ __noinline__ unsigned scan_step(unsigned v, unsigned n) {
  if (v > n) return v;
  int c = __syncthreads_count(v & 1);  //~ FAULT barrier-divergence
  return v + c;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  v = scan_step(v, 20);
  __syncthreads();  //~ FAULT barrier-divergence
  out[t] = v;
}
