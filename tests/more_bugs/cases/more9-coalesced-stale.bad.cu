// The group was made in the branch and is used after some of its lanes have left.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  if (v < 40) {
    cg::coalesced_group g = cg::coalesced_threads();
    r = g.shfl(v, 0);  //~ FAULT activemask
    if (v > 10) r += g.ballot(v & 1);  //~ FAULT absent-lane
    else r += g.size();  //~ FAULT activemask
    g.sync();  //~ FAULT absent-lane
  }
  out[t] = r;
}
