#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT race-warp
  tile.sync();
  out[t] = s[t ^ 8];  //~ FAULT race-warp
}
