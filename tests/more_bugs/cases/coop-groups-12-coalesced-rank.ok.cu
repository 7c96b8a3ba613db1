#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto g = cg::binary_partition(tile, v % 3 == 0);
  v = g.size() * 100 + g.thread_rank();
  out[t] = v;
}
