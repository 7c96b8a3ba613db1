__device__ void arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__device__ void wait(int id, int n) { asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < 32) {
    arrive(1, 96);
    s[t] = in[t];  //~ FAULT race-block
    s[t + 32] = in[t + 32];  //~ FAULT race-block
  } else {
    wait(1, 96);
    out[t - 32] = s[95 - t];  //~ FAULT race-block
  }
}
