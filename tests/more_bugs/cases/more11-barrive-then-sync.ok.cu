extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  asm volatile("barrier.sync 1, 96;" ::: "memory");
  out[t] = s[95 - t];
}
