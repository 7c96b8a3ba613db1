// The histogram over distributed shared memory of the programming guide.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ int h[16];
  auto cl = cg::this_cluster();
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < 16; i += 64) h[i] = 0;
  cl.sync();
  for (unsigned i = blockIdx.x * 64 + t; i < 256; i += 256) {
    unsigned bin = in[i] % 32;
    int *dst = cl.map_shared_rank(h, bin / 16);
    atomicAdd(dst + bin % 16, 1);
  }
  cl.sync();
  unsigned *bins = out + cl.block_rank() * 16;
  for (unsigned i = t; i < 16; i += 64) atomicAdd(&bins[i], h[i]);
}
