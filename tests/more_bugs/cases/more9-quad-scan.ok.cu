#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto block = cg::this_thread_block();
  auto quad = cg::tiled_partition<4>(block);
  unsigned t = threadIdx.x;
  s[t] = in[t];
  block.sync();
  unsigned v = s[t] + (t >= 4 ? s[t - 4] : 0);
  quad.sync();
  out[t] = v;
}
