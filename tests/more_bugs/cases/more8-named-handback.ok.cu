__device__ __forceinline__ void sync(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  unsigned t = threadIdx.x, lane = t % 32;
  if (t < 32) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      if (i >= 2) sync(3 + i % 2);
      s[i % 2][lane] = in[lane + i];
      arrive(1 + i % 2);
    }
  } else {
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      sync(1 + i % 2);
      sum += s[i % 2][lane ^ 1];
      if (i < 2) arrive(3 + i % 2);
    }
    out[lane] = sum;
  }
}
