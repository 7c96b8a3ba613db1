#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using S = cub::BlockScan<unsigned, 64>;
  __shared__ typename S::TempStorage tmp;
  unsigned t = threadIdx.x, r = 0;
  if (in[t] > 30) S(tmp).InclusiveSum(in[t], r);  //~ FAULT barrier-divergence
  __syncthreads();  //~ FAULT barrier-divergence
  out[t] = r;
}
