// Warp-aggregated increment over coalesced threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned agg(unsigned *p) {
  cg::coalesced_group g = cg::coalesced_threads();
  unsigned prev;
  if (g.thread_rank() == 0) prev = atomicAdd(p, g.size());
  prev = g.thread_rank() + g.shfl(prev, 0);
  return prev;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *n) {
  unsigned i = blockIdx.x * 96 + threadIdx.x;
  if (in[i] % 3) out[agg(n)] = in[i];
}
