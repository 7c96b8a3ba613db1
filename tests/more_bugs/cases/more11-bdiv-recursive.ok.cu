__device__ __noinline__ unsigned go(unsigned n, unsigned *s) {
  s[threadIdx.x] = n;
  __syncthreads();
  unsigned v = s[threadIdx.x ^ 1];
  __syncthreads();
  return n ? v + go(n - 1, s) : v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, n = in[t];
  n = 3;
  unsigned r = go(n, s);
  __syncthreads();
  out[t] = r;
}
