#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto g = cg::labeled_partition(tile, v % 4);
  unsigned r = 0;
  if (v % 8 < 4) r = g.shfl(v, 0);  //~ FAULT absent-lane
  g.sync();
  out[t] = r;
}
