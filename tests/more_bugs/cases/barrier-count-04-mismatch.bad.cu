extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.y * 64 + threadIdx.x;
  s[t] = in[t];
  asm volatile("barrier.sync 3, %0;" :: "r"(threadIdx.y ? 128u : 64u) : "memory");  //~ FAULT barrier-count
  out[t] = s[127 - t];
}
