// tile.sync() in one branch, block.sync() in the other.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  unsigned t = threadIdx.x, x = in[t];
  if (x > 30) tile.sync();  //~ FAULT
  else block.sync();  //~ FAULT
  tile.sync();
  block.sync();  //~ FAULT
  out[t] = x;
}
