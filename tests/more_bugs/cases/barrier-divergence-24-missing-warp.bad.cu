extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, w = t / 32;
  s[t] = in[t];
  for (unsigned i = 0; i <= w; ++i) {
    __syncthreads();  //~ FAULT barrier-divergence
    s[t] += i;
  }
  while (((volatile unsigned *)s)[95] < 1000) { if (t == 95) ((volatile unsigned *)s)[95] = 1000; }  //~ FAULT barrier-divergence
  out[t] = s[t];
}
