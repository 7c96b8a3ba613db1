#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto block = cg::this_thread_block();
  unsigned t = block.thread_rank();
  s[t] = in[t];
  if (t % 4 != 3) block.sync();  //~ FAULT barrier-divergence
  else __syncwarp();  //~ FAULT barrier-divergence
  out[t] = s[t];
}
