extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  unsigned t = threadIdx.x, lane = t % 32;
  if (t >= 32) {
    for (int b = 0; b < 2; ++b) {
      s[b][lane] = in[lane] + b;
      if (b) asm volatile("bar.arrive 2, 64;" ::: "memory");
      else asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    unsigned a = s[0][lane ^ 1];
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[lane] = a + s[1][lane ^ 1];
  }
}
