template <int N> __device__ unsigned reduce(unsigned *s, unsigned t) {
  #pragma unroll
  for (int d = N / 2; d; d /= 2) { if (t < d) s[t] += s[t + d]; if (d > 32) __syncthreads(); }  //~ FAULT race-warp
  return s[0];  //~ FAULT race-warp
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  unsigned v = reduce<128>(s, t);
  if (t == 0) out[0] = v;
}
