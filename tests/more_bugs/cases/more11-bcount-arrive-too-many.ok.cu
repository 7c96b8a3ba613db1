extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[160];
  unsigned t = threadIdx.x;
  if (t >= 32) {
    s[t] = in[t];
    asm volatile("bar.arrive 1, 160;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 160;" ::: "memory");
    out[t] = s[t + 32] + s[t + 128];
  }
}
