__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" :: "r"(id) : "memory"); }  //~ FAULT barrier-arrive
__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" :: "r"(id) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  if (t < 32) {
    for (int r = 0; r < 2; ++r) { s[t] = in[r * 32 + t]; arrive(1); }  //~ FAULT barrier-arrive
  } else {
    for (int r = 0; r < 2; ++r) { wait(1); out[r * 32 + t - 32] = s[63 - t]; }  //~ FAULT barrier-arrive
  }
}
