// A remote arrival counts for the wrong block's mbarrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  auto cluster = cg::this_cluster();
  unsigned t = threadIdx.x, rank = cluster.block_rank();
  s[t] = 0;
  cluster.sync();
  unsigned *there = cluster.map_shared_rank(s, rank ^ 1);
  there[t] = in[t] * (rank + 1);  //~ FAULT race-block
  __syncthreads();
  out[rank * 32 + t] = s[31 - t];  //~ FAULT race-block
  cluster.sync();
}
