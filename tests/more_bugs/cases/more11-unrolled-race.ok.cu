template <int D> __device__ __forceinline__ void step(volatile unsigned *s, unsigned t) {
  unsigned y = s[t + D];
  __syncwarp();
  s[t] = s[t] + y;
  __syncwarp();
  if constexpr (D > 1) step<D / 2>(s, t);
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t]; s[t + 32] = 0;
  __syncwarp();
  step<16>(s, t);
  if (t == 0) out[0] = s[0];
}
