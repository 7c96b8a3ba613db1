#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto block = cg::this_thread_block();
  unsigned t = threadIdx.x;
  cg::memcpy_async(block, s, in, sizeof s);
  cg::wait(block);
  out[t] = s[63 - t];
}
