#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned t = threadIdx.x, n = tile.shfl(in[t], 0), r = 0;
  while (n--) r += tile.shfl_xor(n, 1);
  tile.sync();
  out[t] = r;
}
