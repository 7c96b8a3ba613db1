__device__ __noinline__ void meet(unsigned n) { asm volatile("barrier.sync 1, %0;" :: "r"(n) : "memory"); }  //~ FAULT barrier-count
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  meet(t < 32 ? 64 : 96);
  out[t] = s[95 - t];
}
