extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned buf[2][32];
  unsigned w = threadIdx.x / 32, l = threadIdx.x % 32, acc = 0;
  for (int r = 0; r < 6; ++r) {
    int b = r & 1;
    if (w == 0) {
      if (r >= 2) asm volatile("bar.sync %0, 64;" :: "r"(3 + b) : "memory");
      buf[b][l] = in[r * 32 + l]; //~ FAULT
      asm volatile("bar.arrive %0, 64;" :: "r"(1 + b) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" :: "r"(1 + b) : "memory");
      acc = acc * 3 + buf[b][31 - l]; //~ FAULT
      if (r < 4) asm volatile("bar.arrive %0, 64;" :: "r"(3 + b) : "memory");
    }
  }
  if (w == 1) out[l] = acc;
}
