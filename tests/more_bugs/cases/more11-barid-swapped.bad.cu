// The barrier number is computed from data: one warp gets another one.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  unsigned id = 1 + (in[t / 32 * 32] > 40);
  asm volatile("barrier.sync %0, 96;" :: "r"(id) : "memory");  //~ FAULT
  out[t] = s[95 - t];
}
