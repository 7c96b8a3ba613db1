extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned n = 2; n <= 128; n <<= 1)
    for (unsigned j = n >> 1; j; j >>= 1) {
      __syncthreads();
      unsigned p = t ^ j;
      if (p > t) { unsigned a = s[t], b = s[p]; if ((a > b) == ((t & n) == 0)) { s[t] = b; s[p] = a; } }
    }
  __syncthreads();
  out[t] = s[t];
}
