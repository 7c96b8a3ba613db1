__device__ __noinline__ unsigned scan_step(unsigned v, unsigned n) {
  int c = __syncthreads_count(v <= n && v & 1);
  if (v > n) return v;
  return v + c;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  v = scan_step(v, 20);
  __syncthreads();
  out[t] = v;
}
