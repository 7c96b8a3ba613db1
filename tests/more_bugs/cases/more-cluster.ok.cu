#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  cg::cluster_group c = cg::this_cluster();
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t]; //~ FAULT
  c.sync();
  unsigned *other = c.map_shared_rank(s, c.block_rank() ^ 1);
  out[blockIdx.x * 32 + t] = other[31 - t]; //~ FAULT
  c.sync();
}
