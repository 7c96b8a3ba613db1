#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ alignas(16) unsigned s[128];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, in, sizeof(unsigned) * 128); //~ FAULT async-wait
  b.sync();
  out[b.thread_rank()] = s[127 - b.thread_rank()]; //~ FAULT async-wait
}
