#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, in, sizeof(unsigned) * 128);
  cg::wait(b);
  out[b.thread_rank()] = s[127 - b.thread_rank()];
}
