#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned i = threadIdx.y * 6 + threadIdx.x, x = in[i], r = x;
    r = cg::reduce(tile, x, cg::greater<unsigned>());
  tile.sync();
  out[i] = r;
}
