#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned s = cg::reduce(tile, v > 10 ? v : 0u, cg::plus<unsigned>());
  if (v > 10) r = s;
  tile.sync();
  out[t] = r;
}
