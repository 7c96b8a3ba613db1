// A bitonic sort of 64 words by a 2-D block.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.y * 8 + threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (unsigned w = 2; w <= 64; w <<= 1)
    for (unsigned d = w >> 1; d; d >>= 1) {
      unsigned p = t ^ d;
      if (p > t && ((s[t] > s[p]) == ((t & w) == 0))) { unsigned x = s[t]; s[t] = s[p]; s[p] = x; }
      __syncthreads();
    }
  out[t] = s[t];
}
