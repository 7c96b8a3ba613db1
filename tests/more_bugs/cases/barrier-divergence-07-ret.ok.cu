extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= 40) return;
  unsigned v = s[t + 1];
  __syncthreads();
  s[t] = v;
  __syncthreads();
  out[t] = s[39 - t];
}
