extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  unsigned id = 1;
  asm volatile("barrier.sync %0, 96;" :: "r"(id) : "memory");
  out[t] = s[95 - t];
}
