extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 2; ++i) {
    if (t < 32) {
      s[i][t] = in[t] + i;
      asm volatile("bar.arrive 1, 64;" ::: "memory");  //~ FAULT barrier-arrive
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");  //~ FAULT barrier-arrive
      out[t] = s[i][t - 32];
    }
  }
}
