// The prefix sum takes the neighbour's value before the neighbour has stored it: a tile is no barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto block = cg::this_thread_block();
  auto quad = cg::tiled_partition<4>(block);
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT race-warp
  quad.sync();
  unsigned v = s[t] + (t >= 4 ? s[t - 4] : 0);  //~ FAULT race-warp
  quad.sync();
  out[t] = v;
}
