extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t >= n) return;
  __syncthreads();
  out[t] = s[63 - t];
}
