// cub::WarpReduce in a branch, logical warps of 32.
#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using W = cub::WarpReduce<unsigned>;
  __shared__ typename W::TempStorage tmp[2];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (x > 12)
    r = W(tmp[t / 32]).Sum(x);  //~ FAULT
  __syncwarp();
  out[t] = t % 32 ? x : r;
}
