// A tile of four whose first rank leaves the loop early.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned i = threadIdx.y * blockDim.x + threadIdx.x, x = in[i], s = 0;
  for (int d = 0; d < 4; ++d) {
    if (tile.thread_rank() == 0 && d == 2) break;
    s += tile.shfl(x, d);  //~ FAULT
  }
  tile.sync();
  out[i] = s;
}
