extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  unsigned acc = 0;
  for (int i = 0; i < 2; ++i) {
    if (t >= 32) {
      if (i) asm volatile("bar.sync 4, 160;" ::: "memory");
      s[t - 32] = in[i * 128 + t - 32];
      asm volatile("bar.arrive %0, 160;" :: "r"(1 + i) : "memory");
    } else {
      asm volatile("bar.sync %0, 160;" :: "r"(1 + i) : "memory");
      for (int j = 0; j < 4; ++j) acc += s[j * 32 + t];
      if (i == 0) asm volatile("bar.arrive 4, 160;" ::: "memory");
    }
  }
  if (t < 32) out[t] = acc;
}
