// A warp has exited, but the count still includes it.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  if (t / 32 * 32 >= n) return;
  s[t] = in[t];
  unsigned c = 128;
  asm volatile("barrier.sync 6, %0;" :: "r"(c) : "memory");  //~ FAULT
  out[t] = s[95 - t];
}
