extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, n = in[t], r = 0;
  s[t] = t;
  #pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    __syncthreads();  //~ FAULT barrier-divergence
    r += s[(t + i) % 64];
  }
  out[t] = r;
}
