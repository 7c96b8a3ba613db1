// The group of the odd lanes is used after a split of its own.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned t = threadIdx.x, x = in[t], r = 0;
  auto part = cg::binary_partition(warp, x & 1);
  if (x > 30) {
    r = cg::reduce(part, x, cg::plus<unsigned>());  //~ FAULT
  }
  warp.sync();
  out[t] = r;
}
