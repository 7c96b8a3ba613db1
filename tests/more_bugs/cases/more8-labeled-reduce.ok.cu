#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned t = threadIdx.x;
  auto group = cg::labeled_partition(warp, in[t] % 3);
  unsigned sum = 0;
  sum = cg::reduce(group, in[t], cg::plus<unsigned>());
  group.sync();
  out[t] = sum;
}
