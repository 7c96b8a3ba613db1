#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  auto cluster = cg::this_cluster();
  unsigned t = threadIdx.x, other = cluster.block_rank() ^ 1;
  s[t] = in[t] + cluster.block_rank();
  cluster.sync();
  unsigned v = cluster.map_shared_rank(s, other)[31 - t];
  cluster.sync();
  s[t] = v;
  out[blockIdx.x * 32 + t] = v;
  cluster.sync();
}
