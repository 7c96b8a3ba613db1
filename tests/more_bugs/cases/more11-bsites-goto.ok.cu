extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, x = in[t];
  s[t] = x;
  __syncthreads();
  out[t] = s[127 - t];
  return;
}
