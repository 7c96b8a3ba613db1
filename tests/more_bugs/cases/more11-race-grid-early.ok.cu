#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (gridDim.x > 2) cg::this_grid().sync();
  __syncthreads();
  out[64 + i] = in[63 - i];
}
