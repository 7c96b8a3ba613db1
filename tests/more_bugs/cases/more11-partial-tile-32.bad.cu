// A tile of 32 in a block of 48, after half of the last tile has gone to a block barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  unsigned t = threadIdx.x, x = in[t];
  if (t % 16 < 10) x = tile.shfl(x, 3);  //~ FAULT
  block.sync();  //~ FAULT
  out[t] = x;
}
