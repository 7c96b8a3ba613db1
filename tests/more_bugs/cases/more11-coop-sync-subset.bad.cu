// coalesced group made before a branch, synced within it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (x > 25) {
    x += warp.shfl_up(x, 1);  //~ FAULT source-lane
  }
  warp.sync();
  out[t] = x;
}
