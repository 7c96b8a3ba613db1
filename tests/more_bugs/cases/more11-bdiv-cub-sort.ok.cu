#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using S = cub::BlockRadixSort<unsigned, 64, 1>;
  __shared__ typename S::TempStorage tmp;
  unsigned key[1] = {in[threadIdx.x]};
    S(tmp).Sort(key);
  __syncthreads();
  out[threadIdx.x] = key[0];
}
