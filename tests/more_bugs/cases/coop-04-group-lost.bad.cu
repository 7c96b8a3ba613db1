#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned v = in[threadIdx.x];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto g = cg::binary_partition(tile, v % 2 == 0);
  unsigned r = 0;
  if (v % 4 == 0) r = g.any(v > 50);  //~ FAULT absent-lane
  tile.sync();
  out[threadIdx.x] = r;
}
