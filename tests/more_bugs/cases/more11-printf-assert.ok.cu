// printf and assert in a branch, a local buffer for its arguments.
#include <cstdio>
#include <cassert>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  assert(x < 61);
  if (x == 3) printf("lane %u has %u and %f\n", t, x, x * 0.5);
  out[t] = x;
}
