// Four producers arrive and one consumer waits, counted as four warps.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[160];
  unsigned t = threadIdx.x;
  if (t >= 32) {
    s[t] = in[t];
    asm volatile("bar.arrive 1, 128;" ::: "memory");  //~ FAULT
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");  //~ FAULT
    out[t] = s[t + 32] + s[t + 128];
  }
}
