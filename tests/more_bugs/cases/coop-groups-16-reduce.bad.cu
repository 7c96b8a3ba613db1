#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (v > 10) r = cg::reduce(tile, v, cg::plus<unsigned>());  //~ FAULT absent-lane
  tile.sync();
  out[t] = r;
}
