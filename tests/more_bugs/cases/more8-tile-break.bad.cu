#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Only the even tiles of eight reduce, with a mask that the odd ones never see; the last tile leaves early.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned t = threadIdx.x, v = in[t];
  for (int d = 4; d; d /= 2) {
    if (tile.thread_rank() >= d * 2) break;
    v += tile.shfl_down(v, d);  //~ FAULT absent-lane
  }
  out[t] = v;
}
