// A count that comes as an argument is no whole number of warps.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  asm volatile("barrier.cta.sync.aligned 2, %0;" :: "r"(n) : "memory");  //~ FAULT
  out[t] = s[63 - t];
}
