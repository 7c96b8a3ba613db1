// Block 1 may be gone when block 0 reads its shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  auto cluster = cg::this_cluster();
  unsigned t = threadIdx.x, other = cluster.block_rank() ^ 1;
  s[t] = in[t] + cluster.block_rank();  //~ FAULT race-block
  cluster.sync();
  unsigned v = cluster.map_shared_rank(s, other)[31 - t];  //~ FAULT race-block
  s[t] = v;  //~ FAULT race-block
  out[blockIdx.x * 32 + t] = v;
  cluster.sync();
}
