#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned v = in[threadIdx.x];
  auto g = cg::labeled_partition(tile, (int)(v % 3));
  unsigned r = cg::reduce(g, v, cg::plus<unsigned>());
  if (v % 3 == 1) { r += g.shfl(v, 0); g.sync(); }
  tile.sync();
  out[threadIdx.x] = r;
}
