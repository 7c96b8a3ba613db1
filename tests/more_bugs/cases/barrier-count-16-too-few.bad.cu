extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT race-block
  asm volatile("bar.sync 5, 64;" ::: "memory");  //~ FAULT barrier-count
  out[t] = s[127 - t];  //~ FAULT race-block
}
