extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.y * 16 + threadIdx.x;
  s[t] = in[t];
  if (threadIdx.y % 2 == 0) {
    __syncthreads();  //~ FAULT barrier-divergence
    out[t] = s[63 - t];
  } else {
    __syncthreads();  //~ FAULT barrier-divergence
    out[t] = s[63 - t] + 1;
  }
}
