extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 64) {
    asm volatile("bar.sync 2, 96;" ::: "memory");  //~ FAULT barrier-count
    out[t] = s[63 - t];
  }
}
