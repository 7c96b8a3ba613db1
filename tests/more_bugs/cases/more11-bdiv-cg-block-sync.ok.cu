// thread_block::sync() in a loop over columns with a ragged end.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[72];
  auto block = cg::this_thread_block();
  unsigned t = block.thread_rank(), acc = 0;
  for (unsigned i = t; i < 144; i += 72) {
    s[t] = in[i % 72];
    block.sync();
    acc += s[71 - t];
    block.sync();
  }
  out[t] = acc;
}
