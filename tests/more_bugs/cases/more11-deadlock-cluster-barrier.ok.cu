#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned flag;
  auto cl = cg::this_cluster();
  unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) flag = 0;
  cl.sync();
  if (b == 0) {
    if (t == 0) while (atomicAdd(&flag, 0) == 0) {}
    cl.sync();
  } else {
    if (t == 0) atomicExch(cl.map_shared_rank(&flag, 0), 1);
    cl.sync();
  }
  out[b * 32 + t] = in[t];
}
