#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class G> __device__ unsigned total(G g, unsigned v) {
  for (int d = g.size() / 2; d > 0; d /= 2) v += g.shfl_down(v, d);  //~ FAULT absent-lane
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  unsigned t = block.thread_rank(), r = 0;
  if (in[t] % 4 != 0 || tile.meta_group_rank() == 3) r = total(tile, in[t]);
  block.sync();
  out[t] = r;
}
