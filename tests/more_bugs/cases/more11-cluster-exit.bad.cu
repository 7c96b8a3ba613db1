// A block of the cluster may exit while another reads its shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  auto cl = cg::this_cluster();
  unsigned t = threadIdx.x, b = blockIdx.x;
  s[t] = in[b * 32 + t];
  cl.sync();
  unsigned *far = cl.map_shared_rank(s, b ^ 1);
  out[b * 32 + t] = far[31 - t];  //~ FAULT
}
