extern "C" __global__ void k(unsigned *out, unsigned long long *state, const unsigned *in) {
  unsigned b = blockIdx.x, v = 0;
  if (threadIdx.x == 0) {
    v = in[b];
    unsigned sum = 0;
    if (b > 0) {
      unsigned long long p;
      do { p = *(volatile unsigned long long *)&state[b - 1]; } while ((p >> 32) == 0);
      sum = (unsigned)p;
    }
    *(volatile unsigned long long *)&state[b] = (1ull << 32) | (sum + v);
    out[b] = sum + v;
  }
}
