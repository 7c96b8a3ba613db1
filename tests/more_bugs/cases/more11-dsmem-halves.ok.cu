// Each block fills its own lower half and its neighbour's upper half.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  auto cl = cg::this_cluster();
  unsigned t = threadIdx.x, b = blockIdx.x;
  cl.sync();
  s[t] = in[b * 32 + t];
  cl.map_shared_rank(s, b ^ 1)[32 + t] = in[b * 32 + t] + 1;
  cl.sync();
  out[b * 64 + t] = s[63 - t];
  out[b * 64 + 32 + t] = s[31 - t] + cl.map_shared_rank(s, b ^ 1)[t];
  cl.sync();
}
