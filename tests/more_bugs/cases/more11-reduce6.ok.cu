// The SDK's reduction: grid stride, shared tree, then a warp with cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <unsigned BS, bool POW2> __device__ void reduce(const unsigned *in, unsigned *out, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  extern __shared__ unsigned dyn[];
  __shared__ unsigned s[BS];
  unsigned t = threadIdx.x, i = blockIdx.x * BS * 2 + t, sum = 0, step = BS * 2 * gridDim.x;
  while (i < n) {
    sum += in[i];
    if (POW2 || i + BS < n) sum += in[i + BS];
    i += step;
  }
  s[t] = sum;
  cg::sync(cta);
  if (BS >= 512 && t < 256) s[t] = sum = sum + s[t + 256];
  cg::sync(cta);
  if (BS >= 256 && t < 128) s[t] = sum = sum + s[t + 128];
  cg::sync(cta);
  if (BS >= 128 && t < 64) s[t] = sum = sum + s[t + 64];
  cg::sync(cta);
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (BS >= 64) sum += s[t + 32];
    for (int o = tile.size() / 2; o > 0; o /= 2) sum += tile.shfl_down(sum, o);
  }
  if (cta.thread_rank() == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) { reduce<128, false>(in, out, 500); }
