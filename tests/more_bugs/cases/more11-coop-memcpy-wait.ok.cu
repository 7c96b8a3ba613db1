#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[2][32];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  unsigned w = threadIdx.y, t = threadIdx.x;
  cg::memcpy_async(tile, s[w], in + 32 * w, 128);
  cg::wait(tile);
  block.sync();
  out[w * 32 + t] = s[w ^ 1][t];
}
