#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned t = threadIdx.x, v = in[t];
  if (tile.thread_rank() < 20) {
    for (int d = 16; d; d >>= 1) v += tile.shfl_down(v, d);  //~ FAULT absent-lane
  }
  cg::this_thread_block().sync();
  out[t] = v;
}
