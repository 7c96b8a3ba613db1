#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][64];
  unsigned t = threadIdx.x, acc = 0;
  __pipeline_memcpy_async(&s[0][t], in + t, 4); //~ FAULT race-block
  __pipeline_commit();
  for (int r = 0; r < 4; ++r) {
    if (r < 3) __pipeline_memcpy_async(&s[(r + 1) & 1][t], in + 64 * (r + 1) + t, 4); //~ FAULT race-block
    __pipeline_commit();
    __pipeline_wait_prior(1);
    
    acc = acc * 3 + s[r & 1][63 - t]; //~ FAULT race-block
    __syncthreads();
  }
  out[t] = acc;
}
