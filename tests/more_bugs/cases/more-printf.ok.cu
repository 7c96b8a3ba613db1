#include <cstdio>
#include <cassert>
extern "C" __global__ void k(unsigned *out) { if (threadIdx.x == 3) printf("%u %s %f\n", threadIdx.x, "abc", 1.5); out[threadIdx.x] = 1; assert(out[threadIdx.x] == 1); }
