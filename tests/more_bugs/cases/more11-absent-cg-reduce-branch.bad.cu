// cg::reduce of a tile of 16 where only two rows of the tile reach it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned i = threadIdx.y * 6 + threadIdx.x, x = in[i], r = x;
  if (threadIdx.y % 3 != 2)
    r = cg::reduce(tile, x, cg::greater<unsigned>());  //~ FAULT
  tile.sync();
  out[i] = r;
}
