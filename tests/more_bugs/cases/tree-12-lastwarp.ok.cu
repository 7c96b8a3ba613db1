template <int N> __device__ unsigned reduce(unsigned *s, unsigned t) {
  #pragma unroll
  for (int d = N / 2; d >= 32; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  unsigned v = 0;
  if (t < 32) {
    v = s[t];
    #pragma unroll
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  }
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  unsigned v = reduce<128>(s, t);
  if (t == 0) out[0] = v;
}
