// BlockRadixSort called by the threads that hold a key.
#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using S = cub::BlockRadixSort<unsigned, 64, 1>;
  __shared__ typename S::TempStorage tmp;
  unsigned key[1] = {in[threadIdx.x]};
  if (key[0] != 3)
    S(tmp).Sort(key);  //~ FAULT
  __syncthreads();  //~ FAULT
  out[threadIdx.x] = key[0];
}
