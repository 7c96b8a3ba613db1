// The group's copy is not waited for by all: only the first tile waits.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto block = cg::this_thread_block();
  unsigned t = threadIdx.x;
  cg::memcpy_async(block, s, in, sizeof s);  //~ FAULT async-wait
  if (t < 32) __pipeline_wait_prior(0);
  block.sync();
  out[t] = s[63 - t];  //~ FAULT async-wait
}
