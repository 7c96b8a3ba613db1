// A bitonic sort by shuffles and shared memory, a scan by a group, a histogram by leaders.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64], bins[8];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  unsigned t = threadIdx.x, v = in[t];
  if (t < 8) bins[t] = 0;
  for (unsigned size = 2; size <= 64; size *= 2)
    for (unsigned step = size / 2; step; step /= 2) {
      unsigned other;
      if (step >= 32) {
        s[t] = v;
        block.sync();
        other = s[t ^ step];
        block.sync();
      } else {
        other = warp.shfl_xor(v, step);
      }
      bool up = (t & size) == 0, low = (t & step) == 0;
      v = (up == low) ? min(v, other) : max(v, other);
    }
  auto same = cg::labeled_partition(warp, v % 8);
  if (same.thread_rank() == 0) atomicAdd(&bins[v % 8], same.size());
  unsigned scan = cg::exclusive_scan(warp, v, cg::plus<unsigned>());
  unsigned most = cg::reduce(warp, v, cg::greater<unsigned>());
  block.sync();
  out[t] = v + scan * 3 + most + bins[t % 8];
}
