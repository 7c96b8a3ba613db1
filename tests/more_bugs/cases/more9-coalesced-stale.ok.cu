#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  unsigned mask = __ballot_sync(0xffffffff, v < 40);
  if (v < 40) {
    r = __shfl_sync(mask, v, __ffs(mask) - 1);
    unsigned inner = __ballot_sync(mask, v > 10);
    if (v > 10) r += __ballot_sync(inner, v & 1);
    else r += __popc(mask);
    __syncwarp(mask);
  }
  out[t] = r;
}
