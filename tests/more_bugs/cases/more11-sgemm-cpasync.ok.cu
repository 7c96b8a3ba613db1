// A tiled product of 32x32 with double-buffered cp.async.
#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(float *out, const float *a, const float *b) {
  __shared__ float sa[2][16][17], sb[2][16][17];
  unsigned x = threadIdx.x, y = threadIdx.y;
  for (int by = 0; by < 2; ++by) for (int bx = 0; bx < 2; ++bx) {
    float acc = 0;
    auto load = [&](int kt, int st) {
      __pipeline_memcpy_async(&sa[st][y][x], a + (by * 16 + y) * 32 + kt * 16 + x, 4);
      __pipeline_memcpy_async(&sb[st][y][x], b + (kt * 16 + y) * 32 + bx * 16 + x, 4);
      __pipeline_commit();
    };
    load(0, 0);
    for (int kt = 0; kt < 2; ++kt) {
      if (kt + 1 < 2) load(kt + 1, (kt + 1) & 1); else __pipeline_commit();
      __pipeline_wait_prior(1);
      __syncthreads();
      for (int i = 0; i < 16; ++i) acc += sa[kt & 1][y][i] * sb[kt & 1][i][x];
      __syncthreads();
    }
    out[(by * 16 + y) * 32 + bx * 16 + x] = acc;
  }
}
