#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
// The groups are made by label, but the labels of two halves differ from what the leader stores by.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned t = threadIdx.x;
  auto group = cg::labeled_partition(warp, in[t] % 3);
  unsigned sum = 0;
  if (in[t] % 3 != 1 || group.thread_rank() != 0) sum = cg::reduce(group, in[t], cg::plus<unsigned>());  //~ FAULT absent-lane
  group.sync();  //~ FAULT absent-lane
  out[t] = sum;
}
