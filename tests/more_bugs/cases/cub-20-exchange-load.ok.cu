#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using L = cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using W = cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union { typename L::TempStorage l; typename W::TempStorage w; } tmp;
  unsigned v[4];
  L(tmp.l).Load(in, v);
  for (int i = 0; i < 4; ++i) v[i] = v[i] * 3 + i;
  __syncthreads();
  W(tmp.w).Store(out, v);
}
