// A recursive helper with a barrier in each level.
__device__ __noinline__ unsigned go(unsigned n, unsigned *s) {
  s[threadIdx.x] = n;
  __syncthreads();  //~ FAULT
  unsigned v = s[threadIdx.x ^ 1];
  __syncthreads();  //~ FAULT
  return n ? v + go(n - 1, s) : v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, n = in[t];
  unsigned r = go(n, s);
  __syncthreads();  //~ FAULT
  out[t] = r;
}
