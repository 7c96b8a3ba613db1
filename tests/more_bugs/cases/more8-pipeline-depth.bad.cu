#include <cuda_pipeline.h>
// Three stages of copies; the wait leaves one group too many open.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned stage[3][32];
  unsigned t = threadIdx.x, sum = 0;
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&stage[i][t], &in[i * 8 + t], 4);  //~ FAULT async-wait
    __pipeline_commit();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i + 2 < 4) __pipeline_memcpy_async(&stage[(i + 2) % 3][t], &in[(i + 2) * 8 + t], 4);  //~ FAULT async-wait
    __pipeline_commit();
    __pipeline_wait_prior(3);
    sum += stage[i % 3][t];  //~ FAULT async-wait
  }
  out[t] = sum;
}
