extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 2; ++i) {
    if (t < 32) {
      s[i][t] = in[t] + i;
      asm volatile("bar.arrive %0, 64;" :: "r"(1 + i) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" :: "r"(1 + i) : "memory");
      out[t] = s[i][t - 32];
    }
  }
}
