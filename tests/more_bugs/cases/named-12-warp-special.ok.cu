__device__ void sync(int id) { asm volatile("bar.sync %0, 96;" :: "r"(id) : "memory"); }
__device__ void arrive(int id) { asm volatile("bar.arrive %0, 96;" :: "r"(id) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][64];
  unsigned t = threadIdx.x, acc = 0;
  if (t < 32) {
    for (int r = 0; r < 4; ++r) {
      if (r >= 2) sync(3 + (r & 1));
      s[r & 1][t] = in[64 * r + t]; s[r & 1][t + 32] = in[64 * r + t + 32];
      arrive(1 + (r & 1));
    }
  } else {
    for (int r = 0; r < 4; ++r) {
      sync(1 + (r & 1));
      acc = acc * 3 + s[r & 1][95 - t];
      if (r < 2) arrive(3 + (r & 1));
    }
    out[t - 32] = acc;
  }
}
