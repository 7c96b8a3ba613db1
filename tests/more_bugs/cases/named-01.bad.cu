#define BAR(id) asm volatile("barrier.sync %0, 64;" :: "r"(id) : "memory")
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, half = t / 64;
  s[t] = in[t];  //~ FAULT race-block
  BAR(1 + half);
  out[t] = s[127 - t];  //~ FAULT race-block
}
