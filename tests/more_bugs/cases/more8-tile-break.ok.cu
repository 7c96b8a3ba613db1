#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned t = threadIdx.x, v = in[t];
  for (int d = 4; d; d /= 2) {
    v += tile.shfl_down(v, d);
  }
  out[t] = v;
}
