// The count is blockDim.x, which is 48.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[48];
  unsigned t = threadIdx.x, n = blockDim.x;
  s[t] = in[t];
  asm volatile("barrier.sync 1, %0;" :: "r"(n) : "memory");  //~ FAULT
  out[t] = s[47 - t];
}
