#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using R = cub::BlockRadixSort<unsigned, 64, 2>;
  __shared__ typename R::TempStorage tmp;
  unsigned t = threadIdx.x;
  unsigned v[2] = {in[2 * t], in[2 * t + 1]};
  R(tmp).Sort(v);
  out[2 * t] = v[0]; out[2 * t + 1] = v[1];
}
