#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned t = threadIdx.x, n = in[t], r = 0;
  while (n--) r += tile.shfl_xor(n, 1);  //~ FAULT absent-lane
  tile.sync();
  out[t] = r;
}
