// Warp-specialised: four producers, one consumer; the producers refill without waiting for the consumer.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  unsigned acc = 0;
  for (int i = 0; i < 2; ++i) {
    if (t >= 32) {
      s[t - 32] = in[i * 128 + t - 32];  //~ FAULT
      asm volatile("bar.arrive %0, 160;" :: "r"(1 + i) : "memory");
    } else {
      asm volatile("bar.sync %0, 160;" :: "r"(1 + i) : "memory");
      for (int j = 0; j < 4; ++j) acc += s[j * 32 + t];  //~ FAULT
    }
  }
  if (t < 32) out[t] = acc;
}
