#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);  //~ FAULT async-wait
  block.sync();
  out[threadIdx.x] = s[63 - threadIdx.x];  //~ FAULT async-wait
}
