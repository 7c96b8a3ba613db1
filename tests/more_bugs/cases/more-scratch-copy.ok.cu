extern "C" __global__ void k(unsigned *out, unsigned *scratch, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < 40) s[t] = in[t];
  __syncthreads();
  scratch[t] = s[t];
  __syncthreads();
  if (t < 40) out[t] = scratch[39 - t];
}
