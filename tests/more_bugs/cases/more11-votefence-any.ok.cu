extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[(t + 32) % 128];
}
