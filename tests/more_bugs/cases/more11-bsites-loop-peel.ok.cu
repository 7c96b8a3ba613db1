extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, w = t / 32, x = in[t];
  s[t] = x;
  unsigned n = 4;
  for (unsigned i = 0; i < n; ++i) {
    __syncthreads();
    x += i;
  }
  out[t] = x + s[63 - t];
}
