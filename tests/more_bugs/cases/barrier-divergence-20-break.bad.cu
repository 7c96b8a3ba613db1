extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, v = in[t];
  s[t] = v;
  #pragma unroll 1
  for (int i = 0; i < 5; ++i) {
    __syncthreads();  //~ FAULT barrier-divergence
    if (v > 35) break;
    v += 3;
  }
  __syncthreads();  //~ FAULT barrier-divergence
  out[t] = v;
}
