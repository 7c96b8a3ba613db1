// coalesced_threads().size() is put out.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 32 + threadIdx.x, x = in[i], n = 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (x % 3 == 0) {
    auto g = cg::coalesced_threads();  //~ FAULT
    n = g.size();
  }
  out[i] = n;  //~ FAULT
}
