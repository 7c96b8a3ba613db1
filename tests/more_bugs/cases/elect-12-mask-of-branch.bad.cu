#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ bool elect(unsigned mask) {
  unsigned r;
  asm volatile("{\n.reg .pred p;\n.reg .b32 l;\nelect.sync l|p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(r) : "r"(mask));  //~ FAULT absent-lane
  return r;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  for (unsigned i = 0; i < v % 3; ++i)
    if (elect(0xffffffffu)) v += 1000;
  __syncthreads();
  out[t] = v;
}
