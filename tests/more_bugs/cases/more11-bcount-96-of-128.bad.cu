// Three warps meet at barrier 3, one of them thinks there are four.
__device__ __noinline__ void meet(unsigned n) { asm volatile("bar.sync 3, %0;" :: "r"(n) : "memory"); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, w = t / 32;
  s[t] = in[t];
  if (w < 3) {
    unsigned n = w == 1 ? 128 : 96;
    meet(n);
    out[t] = s[95 - t];
  }
}
