extern "C" __global__ void k(unsigned char *out, const unsigned char *in) {
  __shared__ unsigned char s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[127 - t];
}
