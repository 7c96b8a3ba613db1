#define BAR(id) asm volatile("barrier.sync %0, 64;" :: "r"(id) : "memory")
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, half = t / 64;
  s[t] = in[t];
  BAR(1 + half);
  out[t] = s[half * 64 + 63 - t % 64];
}
