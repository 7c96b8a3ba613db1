// Tiles of 16 exchange across tiles with tile.sync() only.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[48];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT
  tile.sync();
  unsigned far = t < 32 ? t ^ 16 : t ^ 8;
  out[t] = s[far];  //~ FAULT
}
