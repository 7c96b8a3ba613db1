// A grid barrier by cooperative groups between two of three steps.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];  //~ FAULT
  __syncthreads();
  if (gridDim.x > 2) cg::this_grid().sync();
  __syncthreads();
  out[64 + i] = out[63 - i];  //~ FAULT
}
