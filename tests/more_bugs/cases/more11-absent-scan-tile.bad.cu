// cg::inclusive_scan within a loop that ranks leave one after the other.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned t = threadIdx.x, x = in[t], s = 0;
  for (unsigned i = 0; i < 3; ++i) {
    if (i + tile.thread_rank() > 8) break;
    s += cg::inclusive_scan(tile, x + i);  //~ FAULT
  }
  tile.sync();
  out[t] = s;
}
