// The temporary storage of a warp scan is shared by the warps.
#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using Sort = cub::WarpExchange<unsigned, 2, 32>;
  __shared__ typename Sort::TempStorage temp[2];
  unsigned t = threadIdx.x;
  unsigned v[2] = {in[t], in[63 - t]};
  Sort(temp[0]).BlockedToStriped(v, v);  //~ FAULT race-block
  out[t] = v[0] * 2 + v[1];
}
