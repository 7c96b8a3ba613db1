#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  if (v % 3 == 0) {
    cg::coalesced_group g = cg::coalesced_threads();  //~ FAULT activemask
    v = g.size() * 100 + g.thread_rank();
  }
  out[t] = v;
}
