extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  #pragma unroll
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];  //~ FAULT uninit-shared
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];  //~ FAULT uninit-shared
}
