__device__ __noinline__ void meet() { __syncthreads(); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < 32) { s[t] = in[t]; meet(); out[t] = s[63 - t]; }
  else { s[t] = in[t] * 2; meet(); out[t] = s[63 - t] + 1; }
}
