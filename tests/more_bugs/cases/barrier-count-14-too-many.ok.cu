extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  asm volatile("barrier.sync.aligned 3, %0;" :: "r"(n) : "memory");
  out[t] = s[63 - t];
}
