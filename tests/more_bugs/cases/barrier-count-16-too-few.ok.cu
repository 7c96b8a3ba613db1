extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  asm volatile("bar.sync %0, 64;" :: "r"(5 + t / 64) : "memory");
  out[t] = s[t ^ 63];
}
